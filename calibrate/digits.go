package calibrate

import "strconv"

// digits writes a threshold or target with two digits, and with more only when
// the number as shown would not do the same on this data.
func digits(number float64, same func(shown float64) bool) string {
	for count := 2; ; count++ {
		text := fixed(number, count)
		shown, _ := strconv.ParseFloat(text, 64)
		if shown == number || same(shown) {
			return text
		}
	}
}

// apart writes two unlike numbers with as many digits, at least two, as it takes
// to tell them apart.
func apart(a, b float64) (string, string) {
	for count := 2; ; count++ {
		if x, y := fixed(a, count), fixed(b, count); x != y {
			return x, y
		}
	}
}

func fixed(number float64, count int) string {
	return strconv.FormatFloat(number, 'f', count, 64)
}
