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
	"fairground/internal/platform/secret/secrettest"
)

// In random logins on two replicas, no network gets more wrong passwords checked than its limits allow. On a network that the account
// knows, the correct password always works, unless that network itself sent wrong passwords.
func TestSE02LoginLimits(t *testing.T) {
	t.Parallel()
	s := newLoginSite(t, dbtest.SQLite(t))
	members := &countingMembers{id: s.memberID}
	replicas := []*session.Service{s.replica(t, members), s.replica(t, members)}
	keys, err := secrettest.Open(t.Context(), s.Store, s.Clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	limiter := ratelimit.NewStored(s.Store, keys, s.Clock.Now)
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		s.Clock.Add(24 * time.Hour) // refill all buckets
		start := s.Clock.Now()
		names := []string{"minhanh92", "unknown1", "unknown2"}
		wrong := map[string]int{} // checked wrong passwords, by network and account, and by network
		known := map[string]bool{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			network := fmt.Sprintf("10.%d.%d.%d", run/256, run%256, rapid.IntRange(1, 3).Draw(t, "network"))
			name := rapid.SampledFrom(names).Draw(t, "account")
			right := rapid.IntRange(0, 3).Draw(t, "right") == 0
			s.Clock.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "seconds")) * time.Second)
			if rapid.IntRange(0, 5).Draw(t, "attack") == 0 {
				s.exhaustAccountLimit(t, limiter, name)
				before := members.calls
				_, err := replicas[0].Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: name, Password: "x", Address: "198.51.100.7"})
				if fault.KindOf(err) != fault.TooMany || members.calls != before {
					t.Fatalf("account limit of %s is exhausted: got %v, want a limit", name, err)
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
				checked := members.calls > before
				if checked && !right {
					wrong[network+"/"+name]++
					wrong[network]++
				}
				if right && err == nil {
					known[network] = true // all sessions are minhanh92's
				}
				if name == "minhanh92" && right && known[network] && wrong[network+"/"+name] == 0 && !checked {
					t.Fatalf("right password on a known network: %v", err)
				}
				if right && !checked && fault.KindOf(err) != fault.TooMany {
					t.Fatalf("refused without a check: got %v, want a limit", err)
				}
			}
		}
		elapsed := s.Clock.Now().Sub(start)
		maxAllowed := func(r ratelimit.Limit) int { return r.Burst + int(elapsed/r.Every) }
		for who, n := range wrong {
			limit := maxAllowed(ratelimit.Limit{Burst: 60, Every: 3 * time.Second}) // network limit plus the limit of known accounts
			for _, name := range names {
				if len(who) > len(name) && who[len(who)-len(name):] == name {
					limit = maxAllowed(ratelimit.Limit{Burst: 8, Every: 15 * time.Second})
				}
			}
			if n > limit {
				t.Fatalf("%s: %d wrong passwords checked in %s, want at most %d", who, n, elapsed, limit)
			}
		}
	})
}

func (s *loginSite) exhaustAccountLimit(t *rapid.T, limiter *ratelimit.Stored, name string) {
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
