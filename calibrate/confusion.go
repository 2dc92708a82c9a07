package calibrate

// confusion counts labeled sessions by breach and label. A failed session that
// breaches is a true positive.
type confusion struct {
	tp, fp, fn, tn int
}

func (s *sample) confusionAt(threshold float64) confusion {
	tp, fp := countBelow(s.failed, threshold), countBelow(s.ok, threshold)
	return confusion{tp: tp, fp: fp, fn: len(s.failed) - tp, tn: len(s.ok) - fp}
}

func (c confusion) precision() float64 { return ratio(c.tp, c.tp+c.fp) }

func (c confusion) recall() float64 { return ratio(c.tp, c.tp+c.fn) }

func (c confusion) f1() float64 { return ratio(2*c.tp, c.f1Denominator()) }

func (c confusion) f1Denominator() int { return 2*c.tp + c.fp + c.fn }

// betterThan compares F1 by cross-multiplication, so that equal ratios of unlike
// counts are equal.
func (c confusion) betterThan(other confusion) bool {
	return c.tp*max(other.f1Denominator(), 1) > other.tp*max(c.f1Denominator(), 1)
}

// reaches compares a quotient with the target. Both are rounded once from the
// exact number, so 7 of 10 reaches 0.7.
func (c confusion) reaches(target float64) bool {
	return c.tp > 0 && c.precision() >= target
}

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
