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

// For every idle time that the setting allows: a session that is used in time goes on, at whichever replica, and one that
// is not used ends, late by a tenth of the idle time at most and never by more than a minute.
func TestSE01IdleExpiryHoldsForEverySetting(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.set(t, "session.absolute", `"720h"`)
	replicas := []*session.Service{s.sessions, s.replica(t, trusting(s.memberID))}
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
		good := func(replica *session.Service) bool {
			t.Helper()
			open, err := replica.Alive(t.Context(), caller.SessionID)
			if err != nil {
				rt.Fatal(err)
			}
			if listed := s.listed(t, caller); listed != open {
				rt.Fatalf("open: %v, listed: %v", open, listed)
			}
			if used := alive(t, replica, token); used != open {
				rt.Fatalf("open: %v, lets its holder in: %v", open, used)
			}
			return open
		}
		var lasted time.Duration
		for range rapid.IntRange(1, 20).Draw(rt, "uses") {
			gap := idle - time.Millisecond
			if rapid.IntRange(0, 2).Draw(rt, "early") > 0 {
				gap = time.Duration(rapid.Int64Range(0, idle.Milliseconds()-1).Draw(rt, "gap")) * time.Millisecond
			}
			if lasted += gap; lasted >= 720*time.Hour {
				break
			}
			s.Clock.Add(gap)
			if !good(replicas[rapid.IntRange(0, 1).Draw(rt, "replica")]) {
				rt.Fatalf("with an idle time of %s it ended %s after it was used", idle, gap)
			}
		}
		s.Clock.Add(idle + min(time.Minute, idle/10))
		if good(replicas[rapid.IntRange(0, 1).Draw(rt, "replica")]) {
			rt.Fatalf("it goes on though nobody used it for its idle time of %s", idle)
		}
	})
}

// listed tells whether the member is shown the caller's session.
func (s *site) listed(t testing.TB, caller rest.Caller) bool {
	t.Helper()
	list, err := s.sessions.List(t.Context(), caller)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(list, func(one session.Seen) bool { return one.ID == caller.SessionID })
}
