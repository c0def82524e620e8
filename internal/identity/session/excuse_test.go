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

// Where a network has used up its guesses, one more tells nothing about an account: not even that it is known there.
func TestAUsedUpNetworkTellsNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
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
			_ = attempt(fmt.Sprintf("somebody%d", i), true)
		}
		stranger, known := attempt("nobody123", true), attempt("minhanh92", true)
		var a, b *fault.Fault
		if !errors.Is(stranger, ratelimit.ErrLimited) || !errors.As(stranger, &a) || !errors.As(known, &b) || a.Error() != b.Error() || fmt.Sprint(a.Args) != fmt.Sprint(b.Args) {
			t.Errorf("a stranger: %v; known here: %v", stranger, known)
		}
		if err := attempt("minhanh92", false); err != nil {
			t.Errorf("the right password: %v", err)
		}
	})
}

// The same where the captcha is asked for: it is asked of both.
func TestAUsedUpNetworkAsksAllForTheCaptcha(t *testing.T) {
	t.Parallel()
	s, _ := serveModes(t, dbtest.SQLite(t))
	owner := fields{"username": "minhanh92", "password": "qua-xanh7"}
	login := func(body fields) merchanttest.Reply {
		return s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies)
	}
	merchanttest.Want(t, login(owner), 200, agentGrant, "token", "message")
	for i := range 30 {
		s.fresh(t)
		login(fields{"username": fmt.Sprintf("nobody%d", i), "password": "qua-xanh8", "captcha": picture})
	}
	s.fresh(t)
	for _, username := range []string{"minhanh92", "nobody99"} {
		for _, answer := range []string{"", "000000", picture} {
			merchanttest.Want(t, login(fields{"username": username, "password": "qua-xanh8", "captcha": answer}), 429,
				`{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"captcha":"true","seconds":"6"}}`)
		}
	}
	merchanttest.Want(t, login(with(owner, fields{"captcha": picture})), 200, agentGrant, "token", "message")
}

// fresh puts a new API in front, whose limits of calls in memory are unused.
func (s *site) fresh(t *testing.T) {
	t.Helper()
	s.Serve(t, s.sessions, func(a *rest.API) { session.Routes(a, s.sessions) })
}

// Failures ask for the captcha alike whether an account exists, is known on this network, or neither; the captcha keeps nobody out.
func TestSE02TheCaptchaTellsNothingOnASharedNetwork(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, g := serveModes(t, store)
		s.set(t, "login.captcha_after", "2")
		sessions := s.guarded(t, s.members, g)
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
			_ = try("nobody123", "qua-xanh8", stranger, "")
		}
		for _, answer := range []string{"", picture} {
			known, unknown := try("minhanh92", "qua-xanh8", shared, answer), try("nobody123", "qua-xanh8", shared, answer)
			var a, b *fault.Fault
			if !errors.As(known, &a) || !errors.As(unknown, &b) || a.Code != b.Code || fmt.Sprint(a.Args) != fmt.Sprint(b.Args) {
				t.Errorf("captcha %q: known %v, unknown %v", answer, known, unknown)
			}
		}
		if err := try("minhanh92", "qua-xanh7", shared, ""); fault.KindOf(err) != fault.Invalid {
			t.Errorf("without the captcha: %v", err)
		}
		if err := try("minhanh92", "qua-xanh7", shared, picture); err != nil {
			t.Errorf("the owner is kept out: %v", err)
		}
		s.Clock.Add(time.Minute)
		if err := try("minhanh92", "qua-xanh7", shared, ""); err != nil {
			t.Errorf("failures were not forgiven: %v", err)
		}
	})
}

func TestNumbersAbroadDoNotLogIn(t *testing.T) {
	t.Parallel()
	s, g := serveModes(t, dbtest.SQLite(t))
	merchanttest.Want(t, s.Call(t, "POST", "/wps/session/login", sms(fields{"username": "15123456789", "countryDialingCode": "49"})), 400,
		`{"success":false,"message":"the request is not valid","errorCode":"member.mobile_format","field":"username"}`)
	if g.codes != 0 {
		t.Error("a code was looked at")
	}
}

// Proofs of other services cannot be guessed, but each costs a look: wrong ones are few for a network, right ones free.
func TestWrongProofsOfOtherServicesAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, g := serveModes(t, store)
		sessions := s.guarded(t, s.members, g)
		enter := func(ticket, address string) error {
			_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Type: "outside", Ticket: ticket, Browser: "the-one", Address: address})
			return err
		}
		for range 25 {
			if err := enter("known", "192.0.2.1"); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 22 {
			if err := enter("forged", "192.0.2.1"); errors.Is(err, ratelimit.ErrLimited) != (i >= 20) {
				t.Fatalf("wrong one %d: %v", i+1, err)
			}
		}
		_, err := sessions.Login(t.Context(), session.Credentials{
			MerchantID: s.ID, Type: "firebase", Username: "912345678", DialingCode: "84", IDToken: "proves " + hisMobile, Address: "192.0.2.1",
		})
		if !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("by another service: %v", err)
		}
		if err := enter("known", "192.0.2.2"); err != nil {
			t.Errorf("from elsewhere: %v", err)
		}
	})
}
