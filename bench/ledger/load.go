package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fairground/internal/db"
	"fairground/internal/ledger"
	"fairground/internal/money"
)

const (
	members  = 1000
	currency = "VND"
)

// bank is a database with members who can bet for a long time.
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
	source, err := l.House(ctx, 1, ledger.Deposits, currency)
	if err != nil {
		return err
	}
	house, err := l.House(ctx, 1, ledger.Vendor("HOUSE"), currency)
	if err != nil {
		return err
	}
	b.house, b.cash = house.ID, make([]int64, members)
	return parallel(32, func(w int) error {
		for i := w; i < members; i += 32 {
			a, err := l.EnsureMember(ctx, 1, int64(i+1), currency)
			if err != nil {
				return err
			}
			b.cash[i] = a.ID
			_, err = l.Post(ctx, ledger.Transfer{Key: fmt.Sprintf("seed:%d", i), Debit: source.ID, Credit: a.ID, Amount: 1_000_000_000_000, Kind: "deposit"})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// subject is something whose rate is measured for a while.
type subject func(time.Duration) (perSecond float64, err error)

// turn is how long each subject is measured at a time. Subjects of one comparison take turns, so that whatever
// else the machine does disturbs all alike. A second is too short for 64 clients to connect where much else runs.
const turn = 2 * time.Second

// series are the rates of one subject, a turn each.
type series []float64

// inTurn measures subjects in turn, each for so long in all. None of them always comes first.
func inTurn(each time.Duration, subjects ...subject) ([]series, error) {
	rates := make([]series, len(subjects))
	for t := range max(1, int(each/turn)) {
		for n := range subjects {
			i := (t + n) % len(subjects)
			rate, err := subjects[i](turn)
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	return rates, nil
}

// over is the middle of the ratios of turns that were taken side by side.
func (s series) over(other series) float64 {
	ratios := make(series, len(s))
	for i := range s {
		ratios[i] = s[i] / other[i]
	}
	return ratios.middle()
}

func (s series) middle() float64 {
	sorted := slices.Sorted(slices.Values(s))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}

// load is who bets and how.
type load struct {
	callers int
	hot     bool                   // all on one member
	change  func(*ledger.Transfer) // makes more of a plain bet, if there is one
}

// rate posts bets for a while and gives the posts per second. Each caller uses the ledger that pick gives it.
func (b *bank) rate(ctx context.Context, who load, each time.Duration, pick func(caller int) *ledger.Ledger) (float64, error) {
	var posted atomic.Int64
	begin := time.Now()
	warm, end := begin.Add(each/4), begin.Add(each/4+each)
	err := parallel(who.callers, func(c int) error {
		l := pick(c)
		for {
			account := b.cash[0]
			if !who.hot {
				account = b.cash[rand.IntN(len(b.cash))]
			}
			bet := ledger.Transfer{
				Key: fmt.Sprintf("bet:%d", b.keys.Add(1)), Debit: account, Credit: b.house, Amount: money.Minor(1 + rand.IntN(100)), Kind: "bet",
				RefType: "bet", RefID: "r-0001",
			}
			if who.change != nil {
				who.change(&bet)
			}
			if _, err := l.Post(ctx, bet); err != nil {
				return err
			}
			now := time.Now()
			if now.After(end) {
				return nil
			}
			if now.After(warm) {
				posted.Add(1)
			}
		}
	})
	return float64(posted.Load()) / each.Seconds(), err
}

func parallel(n int, fn func(int) error) error {
	var wg sync.WaitGroup
	errs := make(chan error, n)
	for i := range n {
		wg.Go(func() {
			if err := fn(i); err != nil {
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}
