package server

import (
	"slices"
	"testing"

	"fairground/internal/platform/jobs"
)

// A sweep that takes long must not keep the books waiting.
func TestTheLedgersRollUpSharesNoQueue(t *testing.T) {
	t.Parallel()
	work := (&Server{}).Periodic()
	rollUp := slices.IndexFunc(work, func(p jobs.Periodic) bool { return p.Name == "ledger.rollup" })
	if rollUp < 0 || work[rollUp].Queue == "" {
		t.Fatal("the roll-up is in the queue of all")
	}
	for i, p := range work {
		if i != rollUp && p.Queue == work[rollUp].Queue {
			t.Errorf("%s is in its queue", p.Name)
		}
	}
}
