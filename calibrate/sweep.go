package calibrate

const sweepPoints = 19

// sweepThreshold returns 0.05, 0.10 ... 0.95 for 0 to 18. A quotient of two
// whole numbers is rounded once and so equals the decimal literal, which a
// multiple of 0.05 does not.
func sweepThreshold(i int) float64 { return float64(i+1) / (sweepPoints + 1) }

func (s *sample) sweep() []SweepPoint {
	points := make([]SweepPoint, sweepPoints)
	for i := range points {
		points[i] = s.sweepPoint(sweepThreshold(i))
	}
	return points
}

func (s *sample) sweepPoint(threshold float64) SweepPoint {
	c := s.confusionAt(threshold)
	p := SweepPoint{
		BreachCount: countBelow(s.all, threshold),
		Threshold:   threshold,
		TP:          c.tp,
		FP:          c.fp,
		FN:          c.fn,
		TN:          c.tn,
	}
	if s.labeled() > 0 {
		p.Precision, p.Recall, p.F1 = new(c.precision()), new(c.recall()), new(c.f1())
	}
	return p
}

func (p SweepPoint) confusion() confusion {
	return confusion{tp: p.TP, fp: p.FP, fn: p.FN, tn: p.TN}
}

// bestF1 returns the lowest point with the highest F1.
func bestF1(sweep []SweepPoint) SweepPoint {
	best := sweep[0]
	for _, p := range sweep[1:] {
		if p.confusion().betterThan(best.confusion()) {
			best = p
		}
	}
	return best
}

// firstReaching returns the lowest threshold whose precision reaches the target
// and that finds a failure, or nil.
func firstReaching(sweep []SweepPoint, target float64) *float64 {
	for _, p := range sweep {
		if p.confusion().reaches(target) {
			return new(p.Threshold)
		}
	}
	return nil
}
