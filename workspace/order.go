package workspace

import "slices"

// sortByTimeID orders records by instant, then by id.
func sortByTimeID[T any](all []T, key func(*T) (Time, string)) {
	slices.SortFunc(all, func(a, b T) int {
		at, aid := key(&a)
		bt, bid := key(&b)
		return CompareTimeID(at, aid, bt, bid)
	})
}
