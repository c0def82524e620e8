package session_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"fairground/internal/db/dbtest"
	"fairground/internal/fault"
	"fairground/internal/rest"
	"fairground/internal/session"
)

// countingMembers counts how often a password is really looked at.
type countingMembers struct {
	mu    sync.Mutex
	calls int
	err   error
	id    int64
}

func (m *countingMembers) Verify(context.Context, int64, string, string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	return m.id, m.err
}

func TestAttemptsAreLimited(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	members := &countingMembers{err: fault.New(fault.Unauth, "login.incorrect")}
	sessions := s.replica(t, members)
	attempt := func(username, address string) error {
		_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: username, Password: "x", Address: address})
		return err
	}
	limited := func(err error) bool { return errors.Is(err, rest.ErrRateLimited) }

	for i := range 8 {
		if limited(attempt("Victim", "192.0.2.1")) {
			t.Fatalf("limited at attempt %d", i+1)
		}
	}
	for _, name := range []string{"victim", "VICTIM"} {
		err := attempt(name, "192.0.2.2")
		var f *fault.Fault
		if !limited(err) || !errors.As(err, &f) || f.Args["seconds"] != "15" {
			t.Errorf("the account's ninth attempt, as %s from another address: %v", name, err)
		}
	}
	if members.calls != 8 {
		t.Errorf("%d passwords were looked at, want 8", members.calls)
	}
	s.Clock.Add(15 * time.Second)
	if limited(attempt("victim", "192.0.2.2")) || !limited(attempt("victim", "192.0.2.2")) {
		t.Error("one more attempt every 15 seconds: nobody is locked out for good")
	}
	for i := range 40 { // many accounts from one address, and from one IPv6 network
		name := "somebody" + string(rune('a'+i))
		if err := attempt(name, "192.0.2.3"); limited(err) != (i >= 30) {
			t.Fatalf("attempt %d of one address: %v", i+1, err)
		}
		if err := attempt("x"+name, fmt.Sprintf("2001:db8:7:7::%x", i)); limited(err) != (i >= 30) {
			t.Fatalf("attempt %d of one network: %v", i+1, err)
		}
	}
	if limited(attempt("stranger", "192.0.2.4")) {
		t.Error("others are held back as well")
	}
	members.err = nil
	members.id = s.memberID
	for i := range 40 { // right passwords count against nobody
		if err := attempt("minhanh92", "192.0.2.5"); err != nil {
			t.Fatalf("right password %d: %v", i+1, err)
		}
	}
	members.err = fault.New(fault.Forbidden, "login.locked")
	for range 40 {
		if err := attempt("lockedone", "192.0.2.6"); limited(err) {
			t.Fatal("a right password of a locked account counted as a failure")
		}
	}
}
