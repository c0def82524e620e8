package ledger_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

var bets = ledger.NewTable("bet_row",
	ledger.Column{Name: "round", Type: ledger.Text},
	ledger.Column{Name: "stake", Type: ledger.Int},
	ledger.Column{Name: "free", Type: ledger.Bool},
	ledger.Column{Name: "proof", Type: ledger.Bytes},
)

func TestExtraRowsAreWrittenWithTheirPost(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 4, 1000, ledger.Options{})
		proof := "BLOB"
		if s.Engine == db.Postgres {
			proof = "BYTEA"
		}
		w.exec(t, "CREATE TABLE bet_row (transfer_id BIGINT NOT NULL, round TEXT, stake BIGINT, free BOOLEAN, proof "+proof+")")
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				bet := w.bet(i%4, 100)
				bet.Rows = []ledger.Row{
					{Table: bets, Values: []any{bet.Key, int64(100), i%2 == 0, []byte{1, 2}}},
					{Table: bets, Values: []any{bet.Key, nil, nil, nil}},
				}
				for range 2 { // the second is a replay and must write nothing
					if _, err := w.Post(ctx, bet); err != nil {
						t.Errorf("Post: got %v, want no error", err)
					}
				}
			})
		}
		wg.Wait()
		refused := w.bet(0, 5000)
		refused.Rows = []ledger.Row{{Table: bets, Values: []any{"refused", int64(1), false, nil}}}
		if _, err := w.Post(ctx, refused); !errors.Is(err, ledger.ErrInsufficient) {
			t.Errorf("Post: got %v, want ErrInsufficient", err)
		}
		inside := w.bet(0, 1)
		inside.Rows = []ledger.Row{{Table: bets, Values: []any{inside.Key, int64(1), true, []byte{}}}}
		if err := w.Write(ctx, func(tx *db.Tx) error { _, err := w.PostIn(ctx, tx, inside); return err }); err != nil {
			t.Errorf("got %v, want no error", err)
		}
		type counts struct{ Rows, Nulls, Matched, Free int }
		var got counts
		err := s.Reader.QueryRow(`SELECT count(*), count(*) - count(r.stake), count(t.id), COALESCE(SUM(CASE WHEN r.free THEN 1 ELSE 0 END), 0)
FROM bet_row r LEFT JOIN transfer t ON t.id = r.transfer_id AND t.idem_key = r.round AND t.refusal IS NULL`).Scan(&got.Rows, &got.Nulls, &got.Matched, &got.Free)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(counts{33, 16, 33, 9}, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		w.verify(t)
	})
}

func TestInvalidExtraRows(t *testing.T) {
	t.Parallel()
	w := newTestLedger(t, dbtest.SQLite(t), 1, 10, ledger.Options{})
	w.exec(t, "CREATE TABLE bet_row (transfer_id BIGINT NOT NULL, round TEXT, stake BIGINT, free BOOLEAN, proof BLOB)")
	for name, row := range map[string]ledger.Row{
		"no table":   {Values: []any{"x"}},
		"too few":    {Table: bets, Values: []any{"x"}},
		"wrong type": {Table: bets, Values: []any{"x", 1, true, nil}}, // an int, not an int64
		// SQLite would store these two, PostgreSQL would not.
		"zero byte":    {Table: bets, Values: []any{"x\x00y", nil, nil, nil}},
		"broken UTF-8": {Table: bets, Values: []any{"x\xff", nil, nil, nil}},
	} {
		bet := w.bet(0, 1)
		bet.Rows = []ledger.Row{row}
		if _, err := w.Post(context.Background(), bet); !errors.Is(err, ledger.ErrMalformed) {
			t.Errorf("%s: error = %v, want %v", name, err, ledger.ErrMalformed)
		}
	}
}
