package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"fairground/bench/compare"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

const (
	members  = 1000
	currency = "VND"
)

// A bank is a database with members who have enough money for a benchmark.
type bank struct {
	store *db.Store
	cash  []int64
	house int64
	keys  atomic.Int64
}

func openBank(ctx context.Context, o db.Options) (*bank, error) {
	s, err := db.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	b := &bank{store: s}
	if err := b.fill(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return b, nil
}

func (b *bank) fill(ctx context.Context) error {
	if err := b.store.Migrate(ctx); err != nil {
		return err
	}
	err := b.store.Write(ctx, func(tx *db.Tx) error {
		x := db.Bind(tx.Engine, tx.Tx)
		if _, err := x.ExecContext(ctx, "INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'bench', 'Bench', $1, 0)", currency); err != nil {
			return err
		}
		for i := range members {
			_, err := x.ExecContext(ctx, "INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) VALUES ($1, 1, $2, 0, $3, '', 0)",
				i+1, fmt.Sprintf("member%d", i), currency)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	l := ledger.New(b.store, ledger.Options{})
	defer l.Close()
	deposits, err := l.House(ctx, 1, ledger.Deposits, currency)
	if err != nil {
		return err
	}
	house, err := l.House(ctx, 1, ledger.Vendor("HOUSE"), currency)
	if err != nil {
		return err
	}
	b.house, b.cash = house.ID, make([]int64, members)
	return compare.Parallel(32, func(w int) error {
		for i := w; i < members; i += 32 {
			a, err := l.EnsureMember(ctx, 1, int64(i+1), currency)
			if err != nil {
				return err
			}
			b.cash[i] = a.ID
			_, err = l.Post(ctx, ledger.Transfer{Key: fmt.Sprintf("deposit:%d", i), Debit: deposits.ID, Credit: a.ID, Amount: 1_000_000_000_000, Kind: "deposit"})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

type load struct {
	callers int
	hot     bool                   // all bets come from one member
	change  func(*ledger.Transfer) // changes a plain bet, if not nil
}

// rate posts bets for the given time and returns the posts per second. pick returns each caller's ledger.
func (b *bank) rate(ctx context.Context, options load, duration time.Duration, pick func(caller int) *ledger.Ledger) (float64, error) {
	var posted atomic.Int64
	start := time.Now()
	warmUntil, deadline := start.Add(duration/4), start.Add(duration/4+duration)
	err := compare.Parallel(options.callers, func(c int) error {
		l := pick(c)
		for {
			account := b.cash[0]
			if !options.hot {
				account = b.cash[rand.IntN(len(b.cash))]
			}
			bet := ledger.Transfer{
				Key: fmt.Sprintf("bet:%d", b.keys.Add(1)), Debit: account, Credit: b.house, Amount: money.Minor(1 + rand.IntN(100)), Kind: "bet",
				RefType: "bet", RefID: "r-0001",
			}
			if options.change != nil {
				options.change(&bet)
			}
			if _, err := l.Post(ctx, bet); err != nil {
				return err
			}
			now := time.Now()
			if now.After(deadline) {
				return nil
			}
			if now.After(warmUntil) {
				posted.Add(1)
			}
		}
	})
	return float64(posted.Load()) / duration.Seconds(), err
}
