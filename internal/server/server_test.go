package server

import (
	"slices"
	"testing"

	"fairground/internal/platform/config"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/site/merchant"
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

// A service of others that is not configured is not offered to browsers.
func TestWhatIsNotSetUpIsNotOffered(t *testing.T) {
	t.Parallel()
	s := &Server{Messages: &notify.Service{}}
	if got := s.providers(Options{}); got != (merchant.Providers{GeetestScript: got.GeetestScript}) {
		t.Errorf("%+v", got)
	}
	all := config.Providers{GoogleClientID: "g", FacebookAppID: "f", FirebaseProject: "p", GeetestID: "id"}
	if got := s.providers(Options{Providers: all}); !got.Google || !got.Facebook || got.Firebase.Project != "p" || got.GeetestID != "id" || got.SMS || got.Email {
		t.Errorf("%+v", got)
	}
}
