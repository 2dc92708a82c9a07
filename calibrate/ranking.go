package calibrate

// rocAUC is the share of pairs of a failed and an ok session in which the failed
// one scores lower; a tie counts half. Pairs are counted in whole numbers. Both
// lists are sorted.
func rocAUC(failed, ok []float64) *float64 {
	if len(failed) == 0 || len(ok) == 0 {
		return nil
	}
	var halves int64
	for _, score := range failed {
		below, through := countBelow(ok, score), countThrough(ok, score)
		halves += int64(2*(len(ok)-through) + through - below)
	}
	pairs := 2 * int64(len(failed)) * int64(len(ok))
	return new(float64(halves) / float64(pairs))
}

// averagePrecision takes each distinct score as a threshold that it still falls
// under, and adds up the precision there, weighted with the recall it gains.
// Sessions of the same score thus come in together. Both lists are sorted.
func averagePrecision(failed, ok []float64) *float64 {
	if len(failed) == 0 {
		return nil
	}
	sum := 0.0
	for before := 0; before < len(failed); {
		score := failed[before]
		tp, fp := countThrough(failed, score), countThrough(ok, score)
		sum += float64(tp-before) * ratio(tp, tp+fp)
		before = tp
	}
	return new(sum / float64(len(failed)))
}
