package calibrate

import "fmt"

// Below so many labels of a kind a recommendation comes with a warning
// (docs/calibration.md).
const fewLabels = 10

func (s *sample) compare(threshold, target float64, sweep []SweepPoint) *Labeled {
	c, best := s.confusionAt(threshold), bestF1(sweep)
	return &Labeled{
		AveragePrecision:         averagePrecision(s.failed, s.ok),
		BestF1:                   best.confusion().f1(),
		BestF1Threshold:          best.Threshold,
		F1:                       c.f1(),
		FailedHistogram:          histogram(s.failed),
		FailedLabels:             len(s.failed),
		FN:                       c.fn,
		FP:                       c.fp,
		LabeledSessions:          s.labeled(),
		OKHistogram:              histogram(s.ok),
		OKLabels:                 len(s.ok),
		Precision:                c.precision(),
		PrecisionInterval:        wilson(c.tp, c.tp+c.fp),
		Recall:                   c.recall(),
		RecallInterval:           wilson(c.tp, c.tp+c.fn),
		ROCAUC:                   rocAUC(s.failed, s.ok),
		TargetPrecision:          target,
		TargetPrecisionThreshold: firstReaching(sweep, target),
		TN:                       c.tn,
		TP:                       c.tp,
		Warnings:                 warnings(len(s.failed), len(s.ok)),
	}
}

func warnings(failed, ok int) []string {
	if failed >= fewLabels && ok >= fewLabels {
		return []string{}
	}
	return []string{fmt.Sprintf("the recommendations rest on %d failed and %d ok labels; with fewer than %d of each, one more label can move them",
		failed, ok, fewLabels)}
}
