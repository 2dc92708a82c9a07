package lifecycle

import (
	"cmp"
	"slices"
	"unicode"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

// selectRules chooses the active rules that a query needs: those without tags,
// and the topK tagged ones that fit it best, the newest where nothing fits
// better (docs/closed-loop.md, "The context"). What it chose is in order of age;
// omitted counts what it left out.
func selectRules(active []workspace.Rule, query string, topK int) (chosen []workspace.Rule, omitted int) {
	var tagged []workspace.Rule
	for _, r := range active {
		if len(r.Tags) == 0 {
			chosen = append(chosen, r)
		} else {
			tagged = append(tagged, r)
		}
	}
	ranked := rankRules(tagged, query)
	kept := ranked[:min(max(topK, 0), len(ranked))]
	for _, k := range kept {
		chosen = append(chosen, k.rule)
	}
	slices.SortFunc(chosen, byAge)
	return chosen, len(ranked) - len(kept)
}

// searchRules returns the rules that the query hits, best first, newest first
// where they are equal.
func searchRules(rules []workspace.Rule, query string) []workspace.Rule {
	hits := []workspace.Rule{}
	for _, ranked := range rankRules(rules, query) {
		if ranked.score > 0 {
			hits = append(hits, ranked.rule)
		}
	}
	return hits
}

type rankedRule struct {
	rule  workspace.Rule
	score int
}

// rankRules orders rules by how well they fit the query, then newest first.
func rankRules(rules []workspace.Rule, query string) []rankedRule {
	wanted := wordsOf(query)
	ranked := make([]rankedRule, len(rules))
	for i, r := range rules {
		ranked[i] = rankedRule{r, relevance(r, wanted)}
	}
	slices.SortFunc(ranked, func(a, b rankedRule) int {
		return cmp.Or(cmp.Compare(b.score, a.score), byAge(b.rule, a.rule))
	})
	return ranked
}

// relevance counts the wanted words in the tags twice, and once those in the
// text or the rationale.
func relevance(r workspace.Rule, wanted map[string]bool) int {
	tags, text := wordsOf(r.Tags...), wordsOf(r.Rule, r.Rationale)
	score := 0
	for word := range wanted {
		if tags[word] {
			score += 2
		}
		if text[word] {
			score++
		}
	}
	return score
}

// wordsOf splits texts into case-folded runs of letters and digits. Scripts
// that write no blanks between words are taken character by character.
func wordsOf(texts ...string) map[string]bool {
	words := map[string]bool{}
	for _, text := range texts {
		start := -1
		folded := fold(text)
		end := func(at int) {
			if start >= 0 {
				words[folded[start:at]] = true
			}
			start = -1
		}
		for at, r := range folded {
			switch {
			case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
				end(at)
				words[string(r)] = true
			case !unicode.In(r, unicode.L, unicode.N, unicode.M):
				end(at)
			case start < 0:
				start = at
			}
		}
		end(len(folded))
	}
	return words
}
