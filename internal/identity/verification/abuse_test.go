package verification_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// Codes go only to the merchant's countries, because fraudsters earn money from text messages to premium numbers abroad.
func TestCodesOnlyForMerchantsCountries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.serveRoutes(t)
		foreignNumber := sendRequest{MobileNum: "15123456789", DialingCode: "49"}
		for _, purpose := range []string{"login", "register"} {
			foreignNumber.Purpose = purpose
			merchanttest.Want(t, s.Call(t, "POST", sendPath, foreignNumber), 400, mobileFormatBody)
		}
		bind := bindRequest{MobileNum: "15123456789", DialingCode: "49", Purpose: "bind"}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/sms", bind, "Authorization", "real"), 400, mobileFormatBody)
		if n := s.count(t, "dispatch"); n != 0 {
			t.Errorf("%d messages, want 0", n)
		}
		if err := s.Merchants.Set(t.Context(), s.ID, "register.dialing_codes", []byte(`["49"]`)); err != nil {
			t.Fatal(err)
		}
		if reply := s.Call(t, "POST", "/wps/verification/sms", bind, "Authorization", "real"); reply.Status != http.StatusOK {
			t.Errorf("allowed country: %s, want 200", reply.Body)
		}
	})
}

// Withheld codes do not count against a member's limit, and do not replace a member's valid code.
func TestWithheldCodesKeepMembersCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		resetSubject := func(username string) notify.Subject {
			subject := s.subject(memberNumber)
			subject.Purpose, subject.Username = notify.ForReset, username
			return subject
		}
		request := func(subject notify.Subject, network string, deliver bool) error {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: subject, Language: "en", Network: network, Deliver: deliver})
			return err
		}
		if err := request(resetSubject("minhanh92"), rest.NetworkOf(t.Context()), true); err != nil {
			t.Fatal(err)
		}
		code := s.lastCode(t)
		for i := range 12 {
			if err := request(resetSubject(fmt.Sprintf("wrong%d", i)), fmt.Sprintf("net%d", i), false); err != nil {
				t.Errorf("wrong username %d: %v", i, err)
			}
		}
		s.Clock.Add(2 * time.Minute)
		if err := request(resetSubject("minhanh92"), "other", false); err != nil {
			t.Errorf("withheld: %v", err)
		}
		if err := s.codes.Check(t.Context(), resetSubject("minhanh92"), noNetwork, code); err != nil {
			t.Errorf("valid code: %v", err)
		}
		for i := range 5 { // each purpose has its own limit
			if err := request(s.subject(memberNumber), "same", true); err != nil {
				t.Errorf("login %d: %v", i, err)
			}
			s.Clock.Add(time.Minute)
		}
		if err := request(s.subject(memberNumber), "same", true); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("sixth message: got %v, want ErrLimited", err)
		}
		if err := request(resetSubject("minhanh92"), "same", true); err != nil {
			t.Errorf("next code of the member: %v", err)
		}
	})
}

// Other networks share three attempts, separate from the five of the requester.
func TestOtherNetworksHaveSeparateAttempts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		subject := notify.Subject{MerchantID: s.ID, Channel: notify.SMS, Target: memberNumber, Purpose: notify.ForLogin}
		s.Serve(t, s.tokens(), func(a *rest.API) { checkRoutes(a, s.codes) })
		stranger := func(code string) merchanttest.Reply { // comes from another network than s.request
			return s.Call(t, "POST", "/wps/check", map[string]string{"target": memberNumber, "code": code})
		}
		s.request(t, subject, true)
		code := s.lastCode(t)
		for range 3 {
			merchanttest.Want(t, stranger(wrong(code)), 422, incorrectBody)
		}
		merchanttest.Want(t, stranger(code), 422, incorrectBody) // fourth attempt
		for range 4 {
			if err := s.codes.Check(t.Context(), subject, noNetwork, wrong(code)); !errors.Is(err, verification.ErrIncorrect) {
				t.Errorf("Check: got %v, want ErrIncorrect", err)
			}
		}
		if err := s.codes.Check(t.Context(), subject, noNetwork, code); err != nil {
			t.Errorf("fifth attempt of the requester: %v", err)
		}
		s.Clock.Add(time.Minute)
		s.request(t, subject, true)
		if reply := stranger(s.lastCode(t)); reply.Status != http.StatusOK { // the phone changed networks
			t.Errorf("right code from another network: %s", reply.Body)
		}
	})
}

// A stranger who requests codes for a target does not replace the owner's code, and does not use its attempts.
func TestSE02StrangersCodeKeepsOwnersCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		subject := s.subject(memberNumber)
		request := func(network string) string {
			t.Helper()
			if _, err := s.codes.Request(t.Context(), verification.Request{Subject: subject, Language: "en", Network: network, Deliver: true}); err != nil {
				t.Fatal(err)
			}
			return s.lastCode(t)
		}
		ownersCode := request("owner")
		for range 2 {
			s.Clock.Add(time.Minute)
			strangersCode := request("stranger")
			for range 9 {
				if err := s.codes.Check(t.Context(), subject, "stranger", wrong(strangersCode)); err == nil {
					t.Error("a wrong code was accepted")
				}
			}
		}
		for range 4 {
			if err := s.codes.Check(t.Context(), subject, "owner", wrong(ownersCode)); !errors.Is(err, verification.ErrIncorrect) {
				t.Errorf("Check: got %v, want ErrIncorrect", err)
			}
		}
		if err := s.codes.Check(t.Context(), subject, "owner", ownersCode); err != nil {
			t.Errorf("fifth attempt of the owner: %v", err)
		}
		if err := s.codes.Check(t.Context(), subject, "owner", ownersCode); err == nil {
			t.Error("a code was accepted twice")
		}
		// The owner may use the code of the latest message. Its requester cannot use it afterwards.
		s.Clock.Add(time.Hour)
		request("owner")
		strangersCode := request("stranger")
		if err := s.codes.Check(t.Context(), subject, "owner", strangersCode); err != nil {
			t.Errorf("latest code: %v", err)
		}
		if err := s.codes.Check(t.Context(), subject, "stranger", strangersCode); err == nil {
			t.Error("a code was accepted twice")
		}
	})
}

// Mailboxes may be case-sensitive, so an address is bound exactly as it was verified.
func TestBindCodeIsCaseSensitive(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	subject := notify.Subject{MerchantID: s.ID, Channel: notify.Email, Target: "minh.a@mail.example", Purpose: notify.ForBind}
	s.request(t, subject, true)
	other := subject
	other.Target = "Minh.A@mail.example"
	if err := s.codes.Check(t.Context(), other, noNetwork, s.lastCode(t)); !errors.Is(err, verification.ErrIncorrect) {
		t.Errorf("other case: got %v, want ErrIncorrect", err)
	}
	if err := s.codes.Check(t.Context(), subject, noNetwork, s.lastCode(t)); err != nil {
		t.Errorf("Check: got %v, want no error", err)
	}
}
