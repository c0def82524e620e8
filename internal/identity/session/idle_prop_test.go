package session_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/identity/session"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
)

// For every idle time, a session in use stays valid on all replicas. An unused session ends after the idle time, with a delay of at most a
// tenth of the idle time or a minute, whichever is less.
func TestSE01IdleExpiry(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	s.set(t, "session.absolute", `"720h"`)
	replicas := []*session.Service{s.sessions, s.replica(t, acceptAll(s.memberID))}
	rapid.Check(t, func(rt *rapid.T) {
		idle := time.Minute
		if rapid.Bool().Draw(rt, "longer") {
			idle = time.Duration(rapid.Int64Range(time.Minute.Milliseconds(), (24*time.Hour).Milliseconds()).Draw(rt, "idle")) * time.Millisecond
		}
		s.set(t, "session.idle", fmt.Sprintf("%q", idle))
		token := s.login(t)
		caller, err := s.sessions.Authenticate(t.Context(), token)
		if err != nil {
			rt.Fatal(err)
		}
		isAlive := func(replica *session.Service) bool {
			t.Helper()
			isOpen, err := replica.Alive(t.Context(), caller.SessionID)
			if err != nil {
				rt.Fatal(err)
			}
			if listed := s.listed(t, caller); listed != isOpen {
				rt.Fatalf("Alive = %v, but listed = %v", isOpen, listed)
			}
			if used := alive(t, replica, token); used != isOpen {
				rt.Fatalf("Alive = %v, but authenticated = %v", isOpen, used)
			}
			return isOpen
		}
		var elapsed time.Duration
		for range rapid.IntRange(1, 20).Draw(rt, "uses") {
			gap := idle - time.Millisecond
			if rapid.IntRange(0, 2).Draw(rt, "early") > 0 {
				gap = time.Duration(rapid.Int64Range(0, idle.Milliseconds()-1).Draw(rt, "gap")) * time.Millisecond
			}
			if elapsed += gap; elapsed >= 720*time.Hour {
				break
			}
			s.Clock.Add(gap)
			if !isAlive(replicas[rapid.IntRange(0, 1).Draw(rt, "replica")]) {
				rt.Fatalf("idle time %s: session ended %s after its last use", idle, gap)
			}
		}
		s.Clock.Add(idle + min(time.Minute, idle/10))
		if isAlive(replicas[rapid.IntRange(0, 1).Draw(rt, "replica")]) {
			rt.Fatalf("session is alive after an idle time of %s", idle)
		}
	})
}

func (s *loginSite) listed(t testing.TB, caller rest.Caller) bool {
	t.Helper()
	list, err := s.sessions.List(t.Context(), caller)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(list, func(listed session.ActiveSession) bool { return listed.ID == caller.SessionID })
}
