package ledger_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestStatementPagesThroughAllAccounts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		clock := time.UnixMilli(1_800_000_000_000)
		w := newTestLedger(t, s, 2, 10000, ledger.Options{Now: func() time.Time { return clock }})
		var want int
		for i := range 25 {
			clock = clock.Add(time.Duration(i%3) * time.Millisecond) // some have the same time
			if i%5 == 0 {
				if _, err := w.Hold(ctx, w.key("hold"), w.cash[0].ID, 7, ref); err != nil {
					t.Fatal(err)
				}
				want++ // the held account's entry
			} else {
				w.must(t, w.bet(0, 10))
			}
			want++
			w.must(t, w.bet(1, 1)) // another member's
		}
		want++ // the deposit
		var lines []ledger.Line
		for cursor, page := "", 0; ; page++ {
			got, err := w.Statement(ctx, w.cash[0].Member, cursor, 4)
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, got.Lines...)
			if page == 0 { // later entries must not shift the pages
				w.must(t, w.bet(0, 1))
				const bonus = 987654
				w.exec(t, "INSERT INTO account (id, member_id, merchant_id, kind, currency, derived) VALUES ($1, $2, $3, $4, $5, FALSE)",
					bonus, w.cash[0].Member, merchantID, ledger.Bonus, currency)
				w.must(t, ledger.Transfer{Key: "bonus", Debit: w.deposits.ID, Credit: bonus, Amount: 5, Kind: "bonus"})
			}
			if got.Next == "" {
				break
			}
			if len(got.Lines) != 4 || page > 20 {
				t.Fatalf("page %d has %d lines, want 4 lines and at most 20 pages", page, len(got.Lines))
			}
			cursor = got.Next
		}
		if len(lines) != want {
			t.Fatalf("%d lines, want %d", len(lines), want)
		}
		last := map[int64]ledger.Line{}
		for i, l := range lines {
			if i > 0 && l.At.After(lines[i-1].At) {
				t.Errorf("line %d is newer than the line before it", i)
			}
			if l.Account != w.cash[0].ID && l.Account != w.held[0].ID {
				t.Errorf("line %d is of account %d", i, l.Account)
			}
			if newer, ok := last[l.Account]; ok && newer.After-newer.Amount != l.After {
				t.Errorf("line %d: balance %d, then %d by %d", i, l.After, newer.After, newer.Amount)
			}
			last[l.Account] = l
		}
		if first := lines[len(lines)-1]; first.Cause != "deposit" || first.Amount != 10000 || first.Currency != currency || first.Kind != ledger.Cash {
			t.Errorf("the oldest is %+v, want cause deposit, amount 10000, currency %v and kind %v", first, currency, ledger.Cash)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestStatementCursors(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 100, ledger.Options{})
		for range 5 {
			w.must(t, w.bet(0, 1))
		}
		for _, c := range []string{"!", "AA", "gICAgICAgICAgIA", "//"} {
			if _, err := w.Statement(ctx, w.cash[0].Member, c, 10); !errors.Is(err, ledger.ErrCursor) {
				t.Errorf("cursor %q: %v, want ErrCursor", c, err)
			}
		}
		page, err := w.Statement(ctx, w.cash[0].Member, "", 2)
		if err != nil || page.Next == "" {
			t.Fatalf("page = %+v, error %v, want a next page", page, err)
		}
		if other, err := w.Statement(ctx, w.cash[1].Member, page.Next, 10); err != nil || len(other.Lines) != 0 {
			t.Errorf("another member's cursor: %+v, %v; want no lines", other, err)
		}
		if missing, err := w.Statement(ctx, 4242, "", 10); err != nil || len(missing.Lines) != 0 || missing.Next != "" {
			t.Errorf("unknown member: %+v, %v, want no lines and no next", missing, err)
		}
	})
}
