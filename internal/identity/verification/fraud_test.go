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

// Text messages to some countries pay whoever has them sent.
func TestCodesGoOnlyWhereTheMerchantsMembersAre(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		s.serve(t)
		abroad := ask{MobileNum: "15123456789", DialingCode: "49"}
		for _, purpose := range []string{"login", "register"} {
			abroad.Purpose = purpose
			merchanttest.Want(t, s.Call(t, "POST", open, abroad), 400, mobileFormat)
		}
		bind := own{MobileNum: "15123456789", DialingCode: "49", Purpose: "bind"}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/sms", bind, "Authorization", "real"), 400, mobileFormat)
		if n := s.count(t, "dispatch"); n != 0 {
			t.Errorf("%d messages", n)
		}
		if err := s.Merchants.Set(t.Context(), s.ID, "register.dialing_codes", []byte(`["49"]`)); err != nil {
			t.Fatal(err)
		}
		if reply := s.Call(t, "POST", "/wps/verification/sms", bind, "Authorization", "real"); reply.Status != http.StatusOK {
			t.Errorf("where it sends them: %s", reply.Body)
		}
	})
}

// What is asked for in somebody's name and never sent costs that person nothing: neither their messages nor their code.
func TestWithheldCodesCostNobodyTheirOwn(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		named := func(username string) notify.Subject {
			of := s.subject(known)
			of.Purpose, of.Username = notify.ForReset, username
			return of
		}
		send := func(of notify.Subject, network string, really bool) error {
			_, err := s.codes.Request(t.Context(), verification.Request{Subject: of, Language: "en", Network: network, Really: really})
			return err
		}
		if err := send(named("minhanh92"), rest.NetworkOf(t.Context()), true); err != nil {
			t.Fatal(err)
		}
		code := s.lastCode(t)
		for i := range 12 {
			if err := send(named(fmt.Sprintf("wrong%d", i)), fmt.Sprintf("net%d", i), false); err != nil {
				t.Errorf("wrong name %d: %v", i, err)
			}
		}
		s.Clock.Add(2 * time.Minute)
		if err := send(named("minhanh92"), "other", false); err != nil {
			t.Errorf("withheld: %v", err)
		}
		if err := s.codes.Check(t.Context(), named("minhanh92"), noNetwork, code); err != nil {
			t.Errorf("the running code: %v", err)
		}
		for i := range 5 { // another purpose has messages of its own
			if err := send(s.subject(known), "same", true); err != nil {
				t.Errorf("login %d: %v", i, err)
			}
			s.Clock.Add(time.Minute)
		}
		if err := send(s.subject(known), "same", true); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("a sixth message: %v", err)
		}
		if err := send(named("minhanh92"), "same", true); err != nil {
			t.Errorf("the owner's next: %v", err)
		}
	})
}

// Strangers who know that somebody waits for a code have three tries in all, and none of the five of who asked.
func TestTriesOfOthersAreNotTheAskers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		of := notify.Subject{MerchantID: s.ID, Channel: notify.SMS, Target: known, Purpose: notify.ForLogin}
		s.Serve(t, s.tokens(), func(a *rest.API) { checkRoutes(a, s.codes) })
		stranger := func(code string) merchanttest.Reply { // calls come from an address, who asks here from none
			return s.Call(t, "POST", "/wps/check", map[string]string{"target": known, "code": code})
		}
		s.request(t, of, true)
		code := s.lastCode(t)
		for range 3 {
			merchanttest.Want(t, stranger(wrong(code)), 422, codeIncorrect)
		}
		merchanttest.Want(t, stranger(code), 422, codeIncorrect) // a fourth
		for range 4 {
			if err := s.codes.Check(t.Context(), of, noNetwork, wrong(code)); !errors.Is(err, verification.ErrIncorrect) {
				t.Error(err)
			}
		}
		if err := s.codes.Check(t.Context(), of, noNetwork, code); err != nil {
			t.Errorf("the asker's fifth try: %v", err)
		}
		s.Clock.Add(time.Minute)
		s.request(t, of, true)
		if reply := stranger(s.lastCode(t)); reply.Status != http.StatusOK { // a phone that changes networks
			t.Errorf("the right code from elsewhere: %s", reply.Body)
		}
	})
}

// Who asks for codes in somebody's name, and throws their tries away, leaves that person's own code and its tries alone.
func TestSE02AStrangersCodeTakesNobodysPlace(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		of := s.subject(known)
		ask := func(network string) string {
			t.Helper()
			if _, err := s.codes.Request(t.Context(), verification.Request{Subject: of, Language: "en", Network: network, Really: true}); err != nil {
				t.Fatal(err)
			}
			return s.lastCode(t)
		}
		owners := ask("owner")
		for range 2 {
			s.Clock.Add(time.Minute)
			strangers := ask("stranger")
			for range 9 {
				if err := s.codes.Check(t.Context(), of, "stranger", wrong(strangers)); err == nil {
					t.Error("a wrong code was taken")
				}
			}
		}
		for range 4 {
			if err := s.codes.Check(t.Context(), of, "owner", wrong(owners)); !errors.Is(err, verification.ErrIncorrect) {
				t.Error(err)
			}
		}
		if err := s.codes.Check(t.Context(), of, "owner", owners); err != nil {
			t.Errorf("the owner's fifth try: %v", err)
		}
		if err := s.codes.Check(t.Context(), of, "owner", owners); err == nil {
			t.Error("a code was good twice")
		}
		// Of two messages a person may read either; used elsewhere, a code is not good again where it was asked for.
		s.Clock.Add(time.Hour)
		ask("owner")
		strangers := ask("stranger")
		if err := s.codes.Check(t.Context(), of, "owner", strangers); err != nil {
			t.Errorf("the newest message: %v", err)
		}
		if err := s.codes.Check(t.Context(), of, "stranger", strangers); err == nil {
			t.Error("a code was good twice")
		}
	})
}

// An address is bound as it was proved, letter by letter: to its mail server another case may be another mailbox.
func TestAnAddressIsProvedAsItIsSpelled(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	of := notify.Subject{MerchantID: s.ID, Channel: notify.Email, Target: "minh.a@mail.example", Purpose: notify.ForBind}
	s.request(t, of, true)
	other := of
	other.Target = "Minh.A@mail.example"
	if err := s.codes.Check(t.Context(), other, noNetwork, s.lastCode(t)); !errors.Is(err, verification.ErrIncorrect) {
		t.Errorf("another spelling: %v", err)
	}
	if err := s.codes.Check(t.Context(), of, noNetwork, s.lastCode(t)); err != nil {
		t.Error(err)
	}
}
