package lifecycle

import (
	"os"
	"testing"

	"github.com/pandaprobe/pandaprobe-harness/replayexec/platform/platformtest"
)

// TestMain lets the test binary play the platform client.
func TestMain(m *testing.M) {
	platformtest.ActAsClient()
	os.Exit(m.Run())
}
