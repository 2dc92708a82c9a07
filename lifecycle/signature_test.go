package lifecycle

import "testing"

func TestSignatureParts(t *testing.T) {
	for _, tt := range []struct{ signature, condition, metric string }{
		{signatureOf(conditionBreach, "agent_reliability"), "breach", "agent_reliability"},
		{"custom:a:b", "custom", "a:b"},
		{"no_colon", "", ""},
		{":m", "", "m"},
		{"", "", ""},
	} {
		if got := conditionOf(tt.signature); got != tt.condition {
			t.Errorf("conditionOf(%q) = %q, want %q", tt.signature, got, tt.condition)
		}
		if got := metricOf(tt.signature); got != tt.metric {
			t.Errorf("metricOf(%q) = %q, want %q", tt.signature, got, tt.metric)
		}
	}
}

func TestInFamily(t *testing.T) {
	for _, tt := range []struct {
		signature, metric string
		want              bool
	}{
		{"breach:agent_reliability", "agent_reliability", true},
		{"breach:Agent_Reliability", "agent_reliability", false}, // another metric to who scores
		{"trend:agent_reliability", "Agent_Reliability", true},
		{"breach:Agent_Reliability", "Agent_Reliability", true},
		{"breach:agent_reliability", "", true},
		{"no_colon", "", true},
		{"no_colon", "no_colon", false},
		{"breach:agent_reliability", "reliability", false},
		{"breach:agent_reliability", "breach:agent_reliability", false},
		{"custom:a:b", "a:b", true},
		{"custom:a:b", "b", false},
	} {
		if got := inFamily(tt.signature, tt.metric); got != tt.want {
			t.Errorf("inFamily(%q, %q) = %v, want %v", tt.signature, tt.metric, got, tt.want)
		}
	}
}

func TestSeverityOf(t *testing.T) {
	for _, tt := range []struct {
		signatures []string
		want       string
	}{
		{nil, ""},
		{[]string{"trend:a", "relative:a", "breach:b"}, "breach"},
		{[]string{"breach:a", "relative:a", "trend:b"}, "breach"},
		{[]string{"trend:a", "relative:b", "percentile:a"}, "relative"},
		{[]string{"percentile:a", "trend:a"}, "trend"},
		{[]string{"percentile:a"}, "trend"},
		{[]string{"latency:a"}, "trend"},
		{[]string{"breach"}, "trend"}, // no condition stands before a colon
		{[]string{"latency:a", "Breach:b"}, "breach"},
	} {
		if got := severityOf(tt.signatures); got != tt.want {
			t.Errorf("severityOf(%q) = %q, want %q", tt.signatures, got, tt.want)
		}
	}
}
