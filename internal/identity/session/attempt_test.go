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

// countingMembers counts how often a password is really looked at.
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
	return held(ctx, tx, id)
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
	limited := func(err error) bool { return errors.Is(err, ratelimit.ErrLimited) }

	for i := range 8 {
		if limited(attempt("Victim", "192.0.2.1")) {
			t.Fatalf("limited at attempt %d", i+1)
		}
	}
	for _, name := range []string{"victim", "VICTIM"} {
		err := attempt(name, "192.0.2.1")
		var f *fault.Fault
		if !limited(err) || !errors.As(err, &f) || f.Args["seconds"] != "15" {
			t.Errorf("the ninth attempt, as %s: %v", name, err)
		}
	}
	if members.calls != 8 {
		t.Errorf("%d passwords were looked at, want 8", members.calls)
	}
	if limited(attempt("victim", "192.0.2.2")) {
		t.Error("what one network did holds back another")
	}
	s.Clock.Add(15 * time.Second)
	if limited(attempt("victim", "192.0.2.1")) || !limited(attempt("victim", "192.0.2.1")) {
		t.Error("one more attempt every 15 seconds")
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

// Nobody keeps a member out by guessing: not from one network, and not from many where the member is known.
func TestGuessesOfOthersDoNotLockOut(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
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
			t.Fatalf("one network guessed, and another is refused: %v", err)
		}
		members.err = fault.New(fault.Unauth, "login.incorrect")
		for i := range 200 {
			_ = attempt(fmt.Sprintf("198.51.100.%d", i))
		}
		looked := members.calls
		if err := attempt("203.0.113.1"); !errors.Is(err, ratelimit.ErrLimited) || members.calls != looked {
			t.Errorf("many networks guess on: %v", err)
		}
		members.err = nil
		for _, known := range []string{"2001:db8:1:1::77", "192.0.2.9"} {
			if err := attempt(known); err != nil {
				t.Errorf("the member's own network %s is refused: %v", known, err)
			}
		}
		if err := attempt("2001:db8:1:2::5"); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("a network beside the known one: %v", err)
		}
	})
}

// One client behind an address that many share must not keep the others from logging in.
func TestOneClientDoesNotLockOutItsNeighbours(t *testing.T) {
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
		for range 100 { // eight guesses; the others are refused and cost nobody anything
			_ = attempt("victim", true)
		}
		if err := attempt("another1", true); errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("refused guesses emptied the network's bucket: %v", err)
		}
		for i := range 60 { // many names: now it is empty
			_ = attempt(fmt.Sprintf("somebody%d", i), true)
		}
		if err := attempt("another2", false); !errors.Is(err, ratelimit.ErrLimited) {
			t.Errorf("a stranger's guesses go on: %v", err)
		}
		if err := attempt("minhanh92", false); err != nil {
			t.Errorf("whoever logged in here before is kept out: %v", err)
		}
		looked := members.calls
		for range 100 { // the way round is no way to guess on
			_ = attempt("minhanh92", true)
		}
		if looked = members.calls - looked; looked != 8 {
			t.Errorf("%d guesses on a known account", looked)
		}
	})
}

// Whoever has the password opens sessions as often as anyone needs, and not without end.
func TestRightPasswordsAreLimitedGently(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	for i := range 60 {
		if _, err := s.sessions.Login(t.Context(), s.credentials()); err != nil {
			t.Fatalf("login %d: %v", i+1, err)
		}
	}
	if _, err := s.sessions.Login(t.Context(), s.credentials()); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("login 61 within a moment: %v", err)
	}
	s.Clock.Add(time.Second)
	s.login(t)
}

func TestTooManySessionsEndTheOldest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		other := s.replica(t, trusting(s.memberID))
		idle := s.login(t)
		s.Clock.Add(29 * time.Minute)
		tokens := []string{s.login(t)}
		s.Clock.Add(2 * time.Minute) // the first has lain idle for too long: it takes nobody's place
		for range 19 {
			tokens = append(tokens, s.login(t))
			s.Clock.Add(time.Millisecond)
		}
		for i, token := range tokens {
			if !alive(t, s.sessions, token) || !alive(t, other, token) {
				t.Fatalf("session %d of 20 is dead", i+1)
			}
		}
		oldest, err := s.sessions.Authenticate(t.Context(), tokens[0])
		if err != nil {
			t.Fatal(err)
		}
		var told atomic.Value // what open event streams hear
		stop, err := s.Bus.Subscribe(events.SubjectSessionEnded, func(data []byte) { told.Store(string(data)) })
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		tokens = append(tokens, s.login(t))
		for i, token := range tokens {
			if got := alive(t, s.sessions, token); got != (i > 0) {
				t.Errorf("session %d of 21: alive %v", i+1, got)
			}
		}
		eventually(t, "the other replica hears of it", func() bool { return !alive(t, other, tokens[0]) })
		eventually(t, "open streams hear of it", func() bool {
			return told.Load() == fmt.Sprintf(`{"session":"%d","member":"%d"}`, oldest.SessionID, s.memberID)
		})
		if alive(t, s.sessions, idle) {
			t.Error("the idle one is alive")
		}
	})
}

// Right passwords are limited before they cost a hash, and wrong ones take nothing from that limit.
func TestSE02RightPasswordsAreLimitedBeforeTheyAreChecked(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		for name, refused := range map[string]error{"minhanh92": nil, "closed001": fault.New(fault.Forbidden, "login.locked")} {
			members := &countingMembers{id: s.memberID, err: refused}
			sessions := s.replica(t, members)
			attempt := func() error {
				_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: name, Password: "x", Address: "192.0.2.1"})
				return err
			}
			for range 60 {
				if err := attempt(); !errors.Is(err, refused) {
					t.Fatal(name, err)
				}
			}
			before := members.calls
			for range 3 {
				if err := attempt(); !errors.Is(err, ratelimit.ErrLimited) {
					t.Errorf("%s: one more: %v", name, err)
				}
			}
			if members.calls != before {
				t.Errorf("%s: %d more were checked", name, members.calls-before)
			}
			s.Clock.Add(time.Second)
			if err := attempt(); !errors.Is(err, refused) {
				t.Errorf("%s: a second later: %v", name, err)
			}
		}
	})
}
