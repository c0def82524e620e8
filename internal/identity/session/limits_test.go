package session_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

type countingMembers struct {
	mu    sync.Mutex
	calls int
	err   error
	id    int64
}

func (m *countingMembers) Verify(context.Context, int64, string, string) (int64, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	return m.id, 0, m.err
}

func (m *countingMembers) ByMobile(ctx context.Context, _ int64, _ string) (int64, int64, error) {
	return m.Verify(ctx, 0, "", "")
}

func (m *countingMembers) Admit(context.Context, int64) (rest.MemberType, error) {
	return rest.Player, nil
}

func (m *countingMembers) LockIn(ctx context.Context, tx *db.Tx, id, _ int64, _ string) (string, rest.MemberType, bool, error) {
	return readMember(ctx, tx, id)
}

func TestWrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	members := &countingMembers{err: fault.New(fault.Unauth, "login.incorrect")}
	sessions := s.replica(t, members)
	attempt := func(username, address string) error {
		_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: username, Password: "x", Address: address})
		return err
	}
	limited := func(err error) bool { return errors.Is(err, ratelimit.ErrLimited) }

	for i := range 8 {
		if limited(attempt("Victim", "192.0.2.1")) {
			t.Fatalf("limited at attempt %d, want it allowed", i+1)
		}
	}
	for _, name := range []string{"victim", "VICTIM"} {
		err := attempt(name, "192.0.2.1")
		var f *fault.Fault
		if !limited(err) || !errors.As(err, &f) || f.Args["seconds"] != "15" {
			t.Errorf("ninth attempt as %s: got %v, want a limit of 15 seconds", name, err)
		}
	}
	if members.calls != 8 {
		t.Errorf("%d passwords were checked, want 8", members.calls)
	}
	if limited(attempt("victim", "192.0.2.2")) {
		t.Error("another network is limited")
	}
	s.Clock.Add(15 * time.Second)
	if limited(attempt("victim", "192.0.2.1")) || !limited(attempt("victim", "192.0.2.1")) {
		t.Error("want one more attempt after 15 seconds")
	}
	for i := range 40 { // many accounts from one address, and from one IPv6 network
		name := "unknown" + string(rune('a'+i))
		if err := attempt(name, "192.0.2.3"); limited(err) != (i >= 30) {
			t.Fatalf("attempt %d of one address: %v, want limited = %t", i+1, err, i >= 30)
		}
		if err := attempt("x"+name, fmt.Sprintf("2001:db8:7:7::%x", i)); limited(err) != (i >= 30) {
			t.Fatalf("attempt %d of one network: %v, want limited = %t", i+1, err, i >= 30)
		}
	}
	if limited(attempt("stranger", "192.0.2.4")) {
		t.Error("another address is limited")
	}
	members.err = nil
	members.id = s.memberID
	for i := range 40 { // correct passwords do not count
		if err := attempt("minhanh92", "192.0.2.5"); err != nil {
			t.Fatalf("right password %d: %v", i+1, err)
		}
	}
	members.err = fault.New(fault.Forbidden, "login.locked")
	for range 40 {
		if err := attempt("lockedone", "192.0.2.6"); limited(err) {
			t.Fatal("the right password of a locked account counts as a failure")
		}
	}
}

// Wrong passwords from other networks do not lock a member out on a network that the account knows.
func TestOtherNetworksDoNotLockOutMember(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		members := &countingMembers{id: s.memberID}
		sessions := s.replica(t, members)
		attempt := func(address string) error {
			_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: "minhanh92", Password: "x", Address: address})
			return err
		}
		if err := attempt("2001:db8:1:1::5"); err != nil {
			t.Fatal(err)
		}
		s.Clock.Add(29 * 24 * time.Hour)
		members.err = fault.New(fault.Unauth, "login.incorrect")
		for range 100 {
			_ = attempt("192.0.2.66")
		}
		members.err = nil
		if err := attempt("192.0.2.9"); err != nil {
			t.Fatalf("right password on another network: %v", err)
		}
		members.err = fault.New(fault.Unauth, "login.incorrect")
		for i := range 200 {
			_ = attempt(fmt.Sprintf("198.51.100.%d", i))
		}
		checked := members.calls
		if err := attempt("203.0.113.1"); !errors.Is(err, ratelimit.ErrLimited) || members.calls != checked {
			t.Errorf("attempt above the account limit: got %v, want ErrLimited", err)
		}
		members.err = nil
		for _, known := range []string{"2001:db8:1:1::77", "192.0.2.9"} {
			if err := attempt(known); err != nil {
				t.Errorf("known network %s: %v", known, err)
			}
		}
		if err := attempt("2001:db8:1:2::5"); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("network similar to a known one: got %v, want ErrLimited", err)
		}
	})
}

// A client on a shared network does not lock out accounts that know the network.
func TestSharedNetworkDoesNotLockOutKnownAccounts(t *testing.T) {
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
		for range 100 { // eight are checked; the others are refused and not counted
			_ = attempt("victim", true)
		}
		if err := attempt("another1", true); errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("refused attempts emptied the bucket of the network: %v", err)
		}
		for i := range 60 { // many usernames empty the bucket
			_ = attempt(fmt.Sprintf("unknown%d", i), true)
		}
		if err := attempt("another2", false); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("unknown account: got %v, want ErrLimited", err)
		}
		if err := attempt("minhanh92", false); err != nil {
			t.Errorf("known account: %v", err)
		}
		before := members.calls
		for range 100 { // the exemption does not allow more guesses
			_ = attempt("minhanh92", true)
		}
		if checked := members.calls - before; checked != 8 {
			t.Errorf("%d guesses on a known account were checked, want 8", checked)
		}
	})
}

func TestSuccessfulLoginsAreLimited(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	for i := range 60 {
		if _, err := s.sessions.Login(t.Context(), s.credentials()); err != nil {
			t.Fatalf("login %d: %v", i+1, err)
		}
	}
	if _, err := s.sessions.Login(t.Context(), s.credentials()); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("login 61: got %v, want ErrLimited", err)
	}
	s.Clock.Add(time.Second)
	s.login(t)
}

func TestNewSessionEndsOldest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		other := s.replica(t, acceptAll(s.memberID))
		idle := s.login(t)
		s.Clock.Add(29 * time.Minute)
		tokens := []string{s.login(t)}
		s.Clock.Add(2 * time.Minute) // the first session has idled out and does not count
		for range 19 {
			tokens = append(tokens, s.login(t))
			s.Clock.Add(time.Millisecond)
		}
		for i, token := range tokens {
			if !alive(t, s.sessions, token) || !alive(t, other, token) {
				t.Fatalf("session %d of 20 has ended", i+1)
			}
		}
		oldest, err := s.sessions.Authenticate(t.Context(), tokens[0])
		if err != nil {
			t.Fatal(err)
		}
		var published atomic.Value // the last event for open streams
		stop, err := s.Bus.Subscribe(events.SubjectSessionEnded, func(data []byte) { published.Store(string(data)) })
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		tokens = append(tokens, s.login(t))
		for i, token := range tokens {
			if got := alive(t, s.sessions, token); got != (i > 0) {
				t.Errorf("session %d of 21: alive = %v, want %v", i+1, got, i > 0)
			}
		}
		eventually(t, "other replica ends the session", func() bool { return !alive(t, other, tokens[0]) })
		eventually(t, "event is published", func() bool {
			return published.Load() == fmt.Sprintf(`{"session":"%d","member":"%d"}`, oldest.SessionID, s.memberID)
		})
		if alive(t, s.sessions, idle) {
			t.Error("the idle session is alive")
		}
	})
}

// Above the login limit, passwords are not hashed. Wrong passwords do not count towards this limit.
func TestSE02LoginLimitAppliesBeforeHashing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newLoginSite(t, store)
		for name, loginErr := range map[string]error{"minhanh92": nil, "closed001": fault.New(fault.Forbidden, "login.locked")} {
			members := &countingMembers{id: s.memberID, err: loginErr}
			sessions := s.replica(t, members)
			attempt := func() error {
				_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: name, Password: "x", Address: "192.0.2.1"})
				return err
			}
			for range 60 {
				if err := attempt(); !errors.Is(err, loginErr) {
					t.Fatalf("login of %s = %v, want %v", name, err, loginErr)
				}
			}
			before := members.calls
			for range 3 {
				if err := attempt(); !errors.Is(err, ratelimit.ErrLimited) {
					t.Errorf("%s: login above the limit: got %v, want ErrLimited", name, err)
				}
			}
			if members.calls != before {
				t.Errorf("%s: %d passwords were checked above the limit, want 0", name, members.calls-before)
			}
			s.Clock.Add(time.Second)
			if err := attempt(); !errors.Is(err, loginErr) {
				t.Errorf("%s: one second later: %v, want %v", name, err, loginErr)
			}
		}
	})
}
