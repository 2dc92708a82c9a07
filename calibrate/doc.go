// Package calibrate tells whether a breach means a real failure, and which
// threshold would serve better. Scores, labels and thresholds go in, a report
// comes out; the package opens no file and starts nothing.
//
// Every score lies in [0, 1] and higher is better. A breach is a score strictly
// below its threshold. A label says whether a session failed; a failed session
// is the positive class, so precision is the share of breaches that failed and
// recall the share of failures that breached.
//
// Fill a [Scores], read [Labels] when there are any, call [Run], and write the
// [Report] as text or JSON. The figures are explained in docs/calibration.md.
package calibrate
