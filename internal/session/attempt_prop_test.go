package session_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/db/dbtest"
	"fairground/internal/fault"
	"fairground/internal/rest"
	"fairground/internal/session"
)

// Whatever is tried, by whom and when: no network looks at more passwords, of one account or of all, than its buckets
// hold; and where the account was opened before a right password always comes through, unless that network itself has
// guessed at it.
func TestLimitsHoldWhateverIsTried(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	members := &countingMembers{id: s.memberID}
	sessions := s.replica(t, members)
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		s.Clock.Add(24 * time.Hour) // every bucket is full again
		began := s.Clock.Now()
		names := []string{"minhanh92", "somebody1", "somebody2"}
		wrong := map[string]int{} // looked at and wrong, by network and account, and by network
		known := map[string]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			network := fmt.Sprintf("10.%d.%d.%d", round/256, round%256, rapid.IntRange(1, 3).Draw(t, "network"))
			name := rapid.SampledFrom(names).Draw(t, "account")
			right := rapid.IntRange(0, 3).Draw(t, "right") == 0
			s.Clock.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "seconds")) * time.Second)
			for range rapid.IntRange(1, 12).Draw(t, "times") {
				members.err = nil
				if !right {
					members.err = fault.New(fault.Unauth, "login.incorrect")
				}
				before := members.calls
				_, err := sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: name, Password: "x", Address: network})
				looked := members.calls > before
				if looked && !right {
					wrong[network+"/"+name]++
					wrong[network]++
				}
				if right && err == nil {
					known[network] = true // its sessions are minhanh92's
				}
				if name == "minhanh92" && right && known[network] && wrong[network+"/"+name] == 0 && !looked {
					t.Fatalf("the owner is kept out of a known network: %v", err)
				}
				if right && !looked && fault.KindOf(err) != fault.TooMany {
					t.Fatalf("refused unseen, and not by a limit: %v", err)
				}
			}
		}
		elapsed := s.Clock.Now().Sub(began)
		most := func(r rest.Rate) int { return r.Burst + int(elapsed/r.Every) }
		for who, n := range wrong {
			limit := most(rest.Rate{Burst: 60, Every: 3 * time.Second}) // a network's own bucket and that of known accounts
			for _, name := range names {
				if len(who) > len(name) && who[len(who)-len(name):] == name {
					limit = most(rest.Rate{Burst: 8, Every: 15 * time.Second})
				}
			}
			if n > limit {
				t.Fatalf("%s: %d wrong passwords were looked at in %s, at most %d may be", who, n, elapsed, limit)
			}
		}
	})
}
