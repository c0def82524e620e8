package server

import (
	"slices"
	"testing"

	"fairground/internal/platform/config"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/site/merchant"
)

// A slow sweep must not delay the ledger's roll-up.
func TestLedgerRollUpHasItsOwnQueue(t *testing.T) {
	t.Parallel()
	periodic := (&Server{}).Periodic()
	rollUp := slices.IndexFunc(periodic, func(p jobs.Periodic) bool { return p.Name == "ledger.rollup" })
	if rollUp < 0 || periodic[rollUp].Queue == "" {
		t.Fatal("the roll-up uses the default queue")
	}
	for i, p := range periodic {
		if i != rollUp && p.Queue == periodic[rollUp].Queue {
			t.Errorf("%s uses the queue of the roll-up", p.Name)
		}
	}
}

func TestOnlyConfiguredProvidersAreOffered(t *testing.T) {
	t.Parallel()
	s := &Server{Messages: &notify.Service{}}
	if got := s.providers(Options{}); got != (merchant.Providers{GeetestScript: got.GeetestScript}) {
		t.Errorf("without configuration: %+v, want none", got)
	}
	all := config.Providers{GoogleClientID: "g", FacebookAppID: "f", FirebaseProject: "p", GeetestID: "id"}
	if got := s.providers(Options{Providers: all}); !got.Google || !got.Facebook || got.Firebase.Project != "p" || got.GeetestID != "id" || got.SMS || got.Email {
		t.Errorf("with configuration: %+v, want Google, Facebook, Firebase and Geetest", got)
	}
}
