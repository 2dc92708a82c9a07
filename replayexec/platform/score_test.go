package platform

import "testing"

func TestParseValue(t *testing.T) {
	for _, test := range []struct {
		text  string
		value float64
		left  string
	}{
		{"0.42", 0.42, ""}, {"1.0", 1, ""}, {"1", 1, ""}, {"0", 0, ""}, {"-0", 0, ""}, {"0.3000", 0.3, ""}, {"1e-05", 1e-05, ""},
		{"1.0000001", 0, LeftOutOfRange}, {"-0.1", 0, LeftOutOfRange}, {"2", 0, LeftOutOfRange}, {"1e999", 0, LeftOutOfRange},
		{"", 0, LeftNotNumber}, {" 0.5", 0, LeftNotNumber}, {"0.5\n", 0, LeftNotNumber}, {"NaN", 0, LeftNotNumber},
		{"nan", 0, LeftNotNumber}, {"Infinity", 0, LeftNotNumber}, {"inf", 0, LeftNotNumber}, {"0x1p-2", 0, LeftNotNumber},
		{"0_1", 0, LeftNotNumber}, {"0,5", 0, LeftNotNumber}, {"+0.5", 0, LeftNotNumber}, {".5", 0, LeftNotNumber},
		{"1.", 0, LeftNotNumber}, {"true", 0, LeftNotNumber}, {"50%", 0, LeftNotNumber}, {"\u0661", 0, LeftNotNumber},
	} {
		if value, left := parseValue(test.text); value != test.value || left != test.left {
			t.Errorf("%q: %v %q, want %v %q", test.text, value, left, test.value, test.left)
		}
	}
}

func TestUsable(t *testing.T) {
	value := "0.5"
	good := sessionScore{
		ID: "1", SessionID: "s-1", Name: "m", DataType: "NUMERIC", Value: &value, Status: "SUCCESS", CreatedAt: "2026-01-01T00:00:00Z",
	}
	for want, spoil := range map[string]func(*sessionScore){
		"":             func(*sessionScore) {},
		LeftFailed:     func(s *sessionScore) { s.Status = "FAILED" },
		LeftPending:    func(s *sessionScore) { s.Status = "PENDING" },
		LeftStatus:     func(s *sessionScore) { s.Status = "success" },
		LeftNotNumeric: func(s *sessionScore) { s.DataType = "BOOLEAN" },
		LeftAbsent:     func(s *sessionScore) { s.Value = nil },
		LeftNoTime:     func(s *sessionScore) { s.CreatedAt = "2026-01-01" },
		LeftIncomplete: func(s *sessionScore) { s.SessionID = "" },
	} {
		score := good
		spoil(&score)
		if _, left := score.usable(); left != want {
			t.Errorf("%q, want %q", left, want)
		}
	}
}
