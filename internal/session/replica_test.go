package session_test

import (
	"context"
	"log/slog"
	"testing"

	"fairground/internal/jwe"
	"fairground/internal/notify"
	"fairground/internal/rest"
	"fairground/internal/secret"
	"fairground/internal/session"
	"fairground/internal/signin"
	"fairground/internal/tally"
	"fairground/internal/verification"
)

// trusting takes every password for a member's.
type trusting int64

func (m trusting) Verify(context.Context, int64, string, string) (int64, error) { return int64(m), nil }
func (m trusting) ByMobile(context.Context, int64, string) (int64, error)       { return int64(m), nil }
func (m trusting) Admit(context.Context, int64) (rest.MemberType, error)        { return rest.Agent, nil }

// replica makes another session service on the same database and bus.
func (s *site) replica(t *testing.T, members session.Members) *session.Service {
	t.Helper()
	return s.guarded(t, members, open{})
}

// door is everything that a login asks beside the members.
type door interface {
	session.Captchas
	session.Codes
	session.Elsewhere
}

// open lets everybody through who needs no other proof.
type open struct{}

func (open) CheckImage(context.Context, string, string) error { return nil }
func (open) CheckPass(context.Context, string) error          { return nil }
func (open) Prove(context.Context, string, string) error      { return signin.ErrUnproved }
func (open) Verify(context.Context, int64, notify.Channel, string, string, string) error {
	return verification.ErrIncorrect
}
func (open) Enter(context.Context, int64, string, string, bool) (int64, error) {
	return 0, signin.ErrFailed
}

// guarded makes another session service behind a door.
func (s *site) guarded(t *testing.T, members session.Members, d door) *session.Service {
	t.Helper()
	keys, err := secret.Open(t.Context(), s.Store, s.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	box, err := jwe.New(s.Store, keys, s.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	r, err := session.New(session.Options{
		Store: s.Store, Bus: s.Bus, Members: members, Trials: s.members, Settings: s.Merchants, Box: box,
		Captchas: d, Codes: d, Elsewhere: d, Tallies: tally.New(s.Store, keys, s.Clock.Now), IDs: s.IDs, Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}
