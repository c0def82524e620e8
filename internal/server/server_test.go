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

// Push services refuse a contact that is neither an e-mail address nor an https URL.
func TestPushContactIsAnAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ mailFrom, origin, want string }{
		{"Fairground <no-reply@fairground.example>", "https://fairground.example", "no-reply@fairground.example"},
		{"no-reply@fairground.example", "", "no-reply@fairground.example"},
		{"", "https://fairground.example", "https://fairground.example"},
		{"", "http://localhost:8080", "push@fairground.invalid"},
		{"", "", "push@fairground.invalid"},
	} {
		o := Options{Providers: config.Providers{MailFrom: c.mailFrom}, SiteOrigin: c.origin}
		if got := o.pushContact(); got != c.want {
			t.Errorf("sender %q, origin %q: contact %q, want %q", c.mailFrom, c.origin, got, c.want)
		}
	}
}
