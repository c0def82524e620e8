package session_test

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"testing"

	"fairground/internal/identity/session"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

// acceptAll accepts every password for one member.
type acceptAll int64

func (m acceptAll) Verify(context.Context, int64, string, string) (int64, int64, error) {
	return int64(m), 0, nil
}
func (m acceptAll) ByMobile(context.Context, int64, string) (int64, int64, error) {
	return int64(m), 0, nil
}
func (m acceptAll) Admit(context.Context, int64) (rest.MemberType, error) {
	return rest.Agent, nil
}
func (m acceptAll) LockIn(ctx context.Context, tx *db.Tx, id, _ int64, _ string) (string, rest.MemberType, bool, error) {
	return readMember(ctx, tx, id)
}

// readMember reads a member without checking the epoch.
func readMember(ctx context.Context, tx *db.Tx, id int64) (string, rest.MemberType, bool, error) {
	row, err := tx.Q.MemberByID(ctx, id)
	return row.Account, rest.MemberType(row.Type), row.FirstTimeLogin, err
}

// replica returns another service on the same database and bus.
func (s *loginSite) replica(t testing.TB, members session.Members) *session.Service {
	t.Helper()
	return s.withChecks(t, members, noChecks{})
}

type checks interface {
	session.Captchas
	session.Codes
	session.External
}

// noChecks accepts every captcha. It rejects every code and external login.
type noChecks struct{ noWork }

// noWork never requires a proof of work.
type noWork struct{}

func (noWork) CheckProof(context.Context, humancheck.Attempt) error     { return nil }
func (noWork) CountFailure(context.Context, humancheck.Attempt) error   { return nil }
func (noWork) ForgetFailures(context.Context, humancheck.Attempt) error { return nil }

func (noChecks) CheckImage(context.Context, string, string) error     { return nil }
func (noChecks) CheckChallenge(context.Context, string, string) error { return nil }
func (noChecks) ConsumePhoneToken(context.Context, string, string) error {
	return signin.ErrInvalidPhoneToken
}
func (noChecks) Check(context.Context, notify.Subject, string, string) error {
	return verification.ErrIncorrect
}
func (noChecks) RedeemTicket(context.Context, int64, string, string, bool, bool, rest.Visitor) (int64, int64, error) {
	return 0, 0, signin.ErrFailed
}

type fakeCountries struct{}

func (fakeCountries) Country(address netip.Addr) (string, error) {
	switch address.Unmap().String() {
	case "198.51.100.7":
		return "BR", nil
	case "203.0.113.7":
		return "", errors.New("the file is damaged")
	}
	return "", nil
}

func (s *loginSite) withChecks(t testing.TB, members session.Members, d checks) *session.Service {
	t.Helper()
	r, err := session.New(session.Options{
		Store: s.Store, Bus: s.Bus, Members: members, Trials: s.members, Settings: s.Merchants, Box: s.Server.Box, Breaks: s.Server.Limits,
		Captchas: d, Codes: d, External: d, Countries: fakeCountries{}, Limiter: s.Server.Limiter, IDs: s.IDs, Now: s.Clock.Now, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}
