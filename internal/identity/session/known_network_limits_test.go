package session_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// On a network over its limit, a wrong password gets the same fault whether or not the account knows the network.
func TestLimitedNetworkDoesNotRevealKnownAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		members := &countingMembers{id: s.memberID}
		sessions := s.replica(t, members)
		attempt := func(username string, wrong bool) error {
			members.err = nil
			if wrong {
				members.err = fault.New(fault.Unauth, "login.incorrect")
			}
			_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: username, Password: "x", Address: "192.0.2.1"})
			return err
		}
		if err := attempt("minhanh92", false); err != nil {
			t.Fatal(err)
		}
		for i := range 30 {
			_ = attempt(fmt.Sprintf("unknown%d", i), true)
		}
		stranger, known := attempt("unknown123", true), attempt("minhanh92", true)
		var a, b *fault.Fault
		if !errors.Is(stranger, ratelimit.ErrLimited) || !errors.As(stranger, &a) || !errors.As(known, &b) || a.Error() != b.Error() || fmt.Sprint(a.Args) != fmt.Sprint(b.Args) {
			t.Errorf("unknown account: %v; known account: %v; want the same fault", stranger, known)
		}
		if err := attempt("minhanh92", false); err != nil {
			t.Errorf("right password: %v", err)
		}
	})
}

func TestLimitedNetworkRequiresCaptchaForAll(t *testing.T) {
	t.Parallel()
	s, _ := serveWithChecks(t, dbtest.SQLite(t))
	owner := fields{"username": "minhanh92", "password": "qua-xanh7"}
	login := func(body fields) merchanttest.Reply {
		return s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies)
	}
	merchanttest.Want(t, login(owner), 200, agentGrant, "token", "message")
	for i := range 30 {
		s.resetAPI(t)
		login(fields{"username": fmt.Sprintf("unknown%d", i), "password": "qua-xanh8", "captcha": captchaAnswer})
	}
	s.resetAPI(t)
	for _, username := range []string{"minhanh92", "unknown99"} {
		for _, answer := range []string{"", "000000", captchaAnswer} {
			merchanttest.Want(t, login(fields{"username": username, "password": "qua-xanh8", "captcha": answer}), 429,
				`{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"captcha":"true","seconds":"6"}}`)
		}
	}
	merchanttest.Want(t, login(with(owner, fields{"captcha": captchaAnswer})), 200, agentGrant, "token", "message")
}

// resetAPI serves a new API, which resets the rate limits that are in memory.
func (s *loginSite) resetAPI(t *testing.T) {
	t.Helper()
	s.Serve(t, s.sessions, func(a *rest.API) { session.Routes(a, s.sessions) })
}

// On a shared network, the captcha requirement is the same whether or not the account knows the network.
func TestSE02CaptchaDoesNotRevealKnownAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, g := serveWithChecks(t, store)
		s.set(t, "login.captcha_after", "2")
		sessions := s.withChecks(t, s.members, g)
		try := func(username, password, address, answer string) error {
			_, err := sessions.Login(t.Context(), session.Credentials{
				MerchantID: s.ID, Username: username, Password: password, Address: address, Captcha: answer, CaptchaCookie: "sealed",
			})
			return err
		}
		const shared, stranger = "192.0.2.1", "198.51.100.1"
		if err := try("minhanh92", "qua-xanh7", shared, ""); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_ = try("minhanh92", "qua-xanh8", stranger, "")
			_ = try("unknown123", "qua-xanh8", stranger, "")
		}
		for _, answer := range []string{"", captchaAnswer} {
			known, unknown := try("minhanh92", "qua-xanh8", shared, answer), try("unknown123", "qua-xanh8", shared, answer)
			var a, b *fault.Fault
			if !errors.As(known, &a) || !errors.As(unknown, &b) || a.Code != b.Code || fmt.Sprint(a.Args) != fmt.Sprint(b.Args) {
				t.Errorf("captcha %q: known %v, unknown %v, want the same refusal", answer, known, unknown)
			}
		}
		if err := try("minhanh92", "qua-xanh7", shared, ""); fault.KindOf(err) != fault.Invalid {
			t.Errorf("without the captcha: got %v, want an Invalid fault", err)
		}
		if err := try("minhanh92", "qua-xanh7", shared, captchaAnswer); err != nil {
			t.Errorf("owner with the captcha: %v", err)
		}
		s.Clock.Add(time.Minute)
		if err := try("minhanh92", "qua-xanh7", shared, ""); err != nil {
			t.Errorf("failures were not reset: %v", err)
		}
	})
}

func TestForeignNumberIsRejected(t *testing.T) {
	t.Parallel()
	s, g := serveWithChecks(t, dbtest.SQLite(t))
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", sms(fields{"username": "15123456789", "countryDialingCode": "49"})), 400,
		`{"success":false,"message":"the request is not valid","errorCode":"member.mobile_format","field":"username"}`)
	if g.codes != 0 {
		t.Error("a code was checked")
	}
}

// Wrong tickets and tokens of external providers are limited per network. Valid ones are not.
func TestWrongExternalProofsAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, g := serveWithChecks(t, store)
		sessions := s.withChecks(t, s.members, g)
		redeem := func(ticket, address string) error {
			_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Type: "outside", Ticket: ticket, Browser: "the-one", Address: address})
			return err
		}
		for range 25 {
			if err := redeem("known", "192.0.2.1"); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 22 {
			if err := redeem("forged", "192.0.2.1"); errors.Is(err, ratelimit.ErrLimited) != (i >= 20) {
				t.Fatalf("wrong proof %d: %v, want limited = %t", i+1, err, i >= 20)
			}
		}
		_, err := sessions.Login(t.Context(), session.Credentials{
			MerchantID: s.ID, Type: "firebase", Username: "912345678", DialingCode: "84", IDToken: "proves " + playersMobile, Address: "192.0.2.1",
		})
		if !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("Firebase: got %v, want ErrLimited", err)
		}
		if err := redeem("known", "192.0.2.2"); err != nil {
			t.Errorf("other network: %v", err)
		}
	})
}
