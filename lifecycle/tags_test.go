package lifecycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pandaprobe/pandaprobe-harness/workspace"
)

func TestBuildTags(t *testing.T) {
	notice := &workspace.Notice{
		Severity:   "breach",
		Signatures: []string{"breach:Agent_Reliability"},
		Metrics:    []workspace.NoticeMetric{{Name: "agent_reliability"}, {Name: ""}},
	}
	long := strings.Repeat("x", 47)
	for _, tt := range []struct {
		name             string
		explicit         []string
		notice           *workspace.Notice
		tags, signatures []string
	}{
		{"nothing", nil, nil, []string{}, []string{}},
		{"trimmed, folded, once", []string{" Refunds ", "REFUNDS", "", "\t"}, nil, []string{"refunds"}, []string{}},
		{"cut before duplicates go", []string{long + "yz", long + "y!"}, nil, []string{long + "y"}, []string{}},
		{"no blank at the end of a cut", []string{long + " more"}, nil, []string{long}, []string{}},
		{"folded before the cut", []string{strings.Repeat("\u00df", 30)}, nil, []string{strings.Repeat("s", 48)}, []string{}},
		{"no terminal sequence", []string{"\x1b[1mbold\x1b[0m\x00"}, nil, []string{"bold"}, []string{}},
		{
			"signatures of the notice are kept whole", []string{"mine"}, notice,
			[]string{"mine", "breach:agent_reliability", "agent_reliability", "breach"}, []string{"breach:Agent_Reliability"},
		},
	} {
		tags, signatures := buildTags(tt.explicit, tt.notice)
		if diff := cmp.Diff(tt.tags, tags); diff != "" {
			t.Errorf("%s: tags (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.signatures, signatures); diff != "" {
			t.Errorf("%s: signatures (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestBuildTagsLeavesItsInputAlone(t *testing.T) {
	explicit := make([]string, 1, 8)
	explicit[0] = "A"
	notice := &workspace.Notice{Signatures: make([]string, 0, 8), Severity: "trend"}
	buildTags(explicit, notice)
	if explicit[0] != "A" || explicit[:2][1] != "" || notice.Signatures[:1][0] != "" {
		t.Errorf("explicit is %q, signatures are %q", explicit[:2], notice.Signatures[:1])
	}
}
