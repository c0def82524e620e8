package session_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db/dbtest"
)

// BenchmarkSE02KnownAgainstUnknown compares the median login times of a known and an unknown username with a wrong password, at the
// real hash cost.
func BenchmarkSE02KnownAgainstUnknown(b *testing.B) {
	s := newLoginSite(b, dbtest.SQLite(b))
	members := member.New(member.Options{
		Store: s.Store, Settings: s.Merchants, Ledger: s.ledger, Passwords: member.NewPasswords(2, member.DefaultCost), IDs: s.IDs, Now: s.Clock.Now,
	})
	_, err := members.Create(b.Context(), member.NewMember{
		MerchantID: s.ID, Username: "thanhtung", Password: "qua-xanh7", Type: member.Player, Currency: "VND", Language: "vi",
	})
	if err != nil {
		b.Fatal(err)
	}
	sessions := s.replica(b, members)
	took := map[string][]time.Duration{}
	names := []string{"thanhtung", "unknown123"}
	for i := 0; b.Loop(); i++ {
		for _, name := range names {
			s.Clock.Add(time.Hour) // refill all buckets
			began := time.Now()
			_, err := sessions.Login(b.Context(), session.Credentials{
				MerchantID: s.ID, Username: name, Password: "qua-xanh8", Address: fmt.Sprintf("10.0.%d.%d", i/250%250, i%250),
			})
			took[name] = append(took[name], time.Since(began))
			if !errors.Is(err, member.ErrIncorrect) {
				b.Fatal(err)
			}
		}
		slices.Reverse(names) // alternate the order
	}
	median := func(name string) float64 {
		all := took[name]
		slices.Sort(all)
		return float64(all[len(all)/2])
	}
	known, unknown := median("thanhtung"), median("unknown123")
	b.ReportMetric(known/1e6, "ms-known")
	b.ReportMetric(unknown/1e6, "ms-unknown")
	b.ReportMetric(unknown/known, "unknown/known")
}
