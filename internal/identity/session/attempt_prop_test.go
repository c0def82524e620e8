package session_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret"
)

// Whatever is tried, by whom, when and at which replica: no network looks at more passwords, of one account or of all,
// than its buckets hold; and where the account was opened before a right password always comes through, however many
// networks guess at it, unless that network itself has.
func TestSE02LimitsHoldWhateverIsTried(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	members := &countingMembers{id: s.memberID}
	replicas := []*session.Service{s.replica(t, members), s.replica(t, members)}
	keys, err := secret.Open(t.Context(), s.Store, s.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	limiter := ratelimit.NewStored(s.Store, keys, s.Clock.Now)
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
			if rapid.IntRange(0, 5).Draw(t, "storm") == 0 {
				s.storm(t, limiter, name)
				before := members.calls
				_, err := replicas[0].Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: name, Password: "x", Address: "198.51.100.7"})
				if fault.KindOf(err) != fault.TooMany || members.calls != before {
					t.Fatalf("many networks have guessed at %s, and another guesses on: %v", name, err)
				}
			}
			for range rapid.IntRange(1, 12).Draw(t, "times") {
				members.err = nil
				if !right {
					members.err = fault.New(fault.Unauth, "login.incorrect")
				}
				before := members.calls
				replica := rapid.SampledFrom(replicas).Draw(t, "replica")
				_, err := replica.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: name, Password: "x", Address: network})
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
		most := func(r ratelimit.Limit) int { return r.Burst + int(elapsed/r.Every) }
		for who, n := range wrong {
			limit := most(ratelimit.Limit{Burst: 60, Every: 3 * time.Second}) // a network's own bucket and that of known accounts
			for _, name := range names {
				if len(who) > len(name) && who[len(who)-len(name):] == name {
					limit = most(ratelimit.Limit{Burst: 8, Every: 15 * time.Second})
				}
			}
			if n > limit {
				t.Fatalf("%s: %d wrong passwords were looked at in %s, at most %d may be", who, n, elapsed, limit)
			}
		}
	})
}

// storm is what hundreds of networks do to an account: its brake is drawn.
func (s *site) storm(t *rapid.T, limiter *ratelimit.Stored, name string) {
	err := s.Store.Write(t.Context(), func(tx *db.Tx) error {
		for {
			err := limiter.TakeIn(t.Context(), tx, fmt.Sprintf("session/account/%d/%s", s.ID, name), ratelimit.Limit{Burst: 200, Every: 5 * time.Second})
			if fault.KindOf(err) == fault.TooMany {
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
