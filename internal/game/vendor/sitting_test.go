package vendor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
	"fairground/internal/site/merchant/merchanttest"
)

// A gateFunc returns a gate. The gate can be created after the ledger.
type gateFunc func() ledger.Limits

func (g gateFunc) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	return g().Prepare(engine, posts)
}

// The precomputed sums of a sitting equal the sums of its moves.
func TestPP03SittingUsesPrecomputedSums(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		var own *limits.Service
		w := newSiteWith(t, store, gateFunc(func() ledger.Limits { return own }), func(o *vendor.Options) {
			own = limits.New(limits.Options{Store: store, Outbox: events.NewOutbox(store, nil, nil), Now: o.Now})
			o.Limits = own
			if store.Engine == db.Postgres {
				o.Now = store.Time // limits use database time
			}
			o.PlayedSince = func(ctx context.Context, memberID int64, currency string, since int64) (vendor.Sums, error) {
				sums, err := own.SumsSince(ctx, memberID, currency, since)
				return vendor.Sums(sums), err
			}
		})
		ticket, playID := w.launch(t, "minhanh92", "G1", "TEST", "RNG")
		session := w.call(t, "authenticate", fields{"ticket": ticket}).SessionID
		type figures struct{ Rounds, Staked, Returned, Net int64 }
		var want figures
		dice := rand.New(rand.NewPCG(3, 14))
		do := func(call string, body fields) {
			t.Helper()
			if r := w.call(t, call, body); r.Code != "OK" {
				t.Fatalf("%s: %s, want OK", call, r.raw)
			}
		}
		for n := range 60 {
			round, tx := fmt.Sprintf("r%d", n), func(kind string) string { return fmt.Sprintf("%s%d", kind, n) }
			stake := 1 + dice.Int64N(50)
			do("bet", bet(session, tx("b"), round, fmt.Sprint(stake)))
			want.Staked, want.Rounds = want.Staked+stake, want.Rounds+1
			switch dice.IntN(4) {
			case 0: // stays open
			case 1:
				do("rollback", rollback(session, tx("k"), tx("b")))
				want.Staked -= stake
			default:
				back := dice.Int64N(90)
				do("win", win(session, tx("w"), round, fmt.Sprint(back), true))
				want.Returned += back
			}
			if store.Engine == db.SQLite {
				w.Clock.Add(time.Duration(dice.IntN(400)) * time.Second)
			}
			if n%10 != 9 {
				continue
			}
			want.Net = want.Returned - want.Staked
			if got := merchanttest.Value[figures](t, w.Call(t, "GET", "/wps/game/play?playId="+playID, nil, "Authorization", "minhanh92")); got != want {
				t.Fatalf("after %d rounds %+v, want %+v", n+1, got, want)
			}
		}
	})
}
