package ledger_test

import (
	"context"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func (w *testLedger) verify(t testing.TB) *ledger.Report {
	t.Helper()
	r, err := ledger.Verify(context.Background(), w.store)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Broken > 0 {
			t.Errorf("%s: %d broken, e.g. %v", f.Invariant, f.Broken, f.Samples)
		}
	}
	return r
}

func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, 2, 1000, ledger.Options{})
		bet := w.must(t, w.bet(0, 100))
		refused, _ := w.Post(ctx, w.bet(0, 5000))
		hold, err := w.Hold(ctx, "hold", w.cash[1].ID, 40, ledger.Reference{})
		if err != nil {
			t.Fatal(err)
		}
		paid, err := w.Hold(ctx, "hold2", w.cash[1].ID, 60, ledger.Reference{})
		if err != nil {
			t.Fatal(err)
		}
		pay, err := w.Pay(ctx, "pay", paid.ID, w.vendor.ID, ledger.Reference{})
		if err != nil {
			t.Fatal(err)
		}
		tomb, err := w.Tombstone(ctx, "tomb")
		if err != nil {
			t.Fatal(err)
		}
		end := w.must(t, ledger.Transfer{Key: "end", Debit: w.cash[0].ID, Credit: w.vendor.ID, Kind: "end", Empty: true})
		if r := w.verify(t); r.Transfers != 9 || r.Refused != 2 || r.Empty != 1 || r.Tombstones != 1 || r.Entries != 12 || r.Accounts != 6 {
			t.Errorf("counts %+v, want transfers 9, refused 2, empty 1, tombstones 1, entries 12 and accounts 6", r)
		}
		for _, c := range []struct {
			name, damage, repair string
			args                 []any
			want                 string
		}{
			{"entry amount", "UPDATE entry SET amount = amount + 1 WHERE transfer_id = $1 AND amount > 0", "UPDATE entry SET amount = amount - 1 WHERE transfer_id = $1 AND amount > 0", []any{bet.ID}, ledger.InvariantZero},
			{"both amounts", "UPDATE entry SET amount = amount * 2 WHERE transfer_id = $1", "UPDATE entry SET amount = amount / 2 WHERE transfer_id = $1", []any{bet.ID}, ledger.InvariantEntries},
			{"balance", "UPDATE account SET balance = balance + 1 WHERE id = $1", "UPDATE account SET balance = balance - 1 WHERE id = $1", []any{w.cash[0].ID}, ledger.InvariantBalance},
			{"delta", "UPDATE account_delta SET amount = amount + 1 WHERE account_id = $1", "UPDATE account_delta SET amount = amount - 1 WHERE account_id = $1", []any{w.vendor.ID}, ledger.InvariantBalance},
			{"account's counter", "UPDATE account SET seq = seq + 1 WHERE id = $1", "UPDATE account SET seq = seq - 1 WHERE id = $1", []any{w.cash[0].ID}, ledger.InvariantChain},
			{"entry's number", "UPDATE entry SET seq = seq + 7 WHERE account_id = $1 AND transfer_id = $2", "UPDATE entry SET seq = seq - 7 WHERE account_id = $1 AND transfer_id = $2", []any{w.cash[0].ID, bet.ID}, ledger.InvariantChain},
			{"balance after", "UPDATE entry SET balance_after = balance_after + 1 WHERE account_id = $1", "UPDATE entry SET balance_after = balance_after - 1 WHERE account_id = $1", []any{w.cash[0].ID}, ledger.InvariantChain},
			{"floor", "UPDATE entry SET balance_after = balance_after - 2000 WHERE account_id = $1", "UPDATE entry SET balance_after = balance_after + 2000 WHERE account_id = $1", []any{w.cash[0].ID}, ledger.InvariantFloor},
			{"note", "UPDATE transfer SET note = 'x' WHERE id = $1", "UPDATE transfer SET note = '' WHERE id = $1", []any{bet.ID}, ledger.InvariantHash},
			{"refused amount", "UPDATE transfer SET amount = amount + 1 WHERE id = $1", "UPDATE transfer SET amount = amount - 1 WHERE id = $1", []any{refused.ID}, ledger.InvariantHash},
			{"currency", "UPDATE account SET currency = 'USD' WHERE id = $1", "UPDATE account SET currency = 'VND' WHERE id = $1", []any{w.cash[0].ID}, ledger.InvariantAccounts},
			{"hold's kind", "UPDATE transfer SET kind = 'bet' WHERE id = $1", "UPDATE transfer SET kind = 'hold' WHERE id = $1", []any{hold.ID}, ledger.InvariantHolds},
			{"settlement's origin", "UPDATE transfer SET origin_id = 1 WHERE id = $1", "UPDATE transfer SET origin_id = $2 WHERE id = $1", []any{pay.ID, paid.ID}, ledger.InvariantOrigins},
			{"pay to a member", "UPDATE account SET derived = FALSE, member_id = 100 WHERE id = $1", "UPDATE account SET derived = TRUE, member_id = NULL WHERE id = $1", []any{w.vendor.ID}, ledger.InvariantOrigins},
			{"tombstone's code", "UPDATE transfer SET refusal = 'x' WHERE id = $1", "UPDATE transfer SET refusal = 'ledger.tombstone' WHERE id = $1", []any{tomb.ID}, ledger.InvariantTombstones},
			{"tombstone's content", "UPDATE transfer SET note = 'x' WHERE id = $1", "UPDATE transfer SET note = '' WHERE id = $1", []any{tomb.ID}, ledger.InvariantTombstones},
			{"made a tombstone", "UPDATE transfer SET kind = 'tombstone' WHERE id = $1", "UPDATE transfer SET kind = 'bet' WHERE id = $1", []any{bet.ID}, ledger.InvariantTombstones},
			{"posted one's amount", "UPDATE transfer SET amount = 0 WHERE id = $1", "UPDATE transfer SET amount = 100 WHERE id = $1", []any{bet.ID}, ledger.InvariantHash},
			{"empty's entry", "UPDATE transfer SET debit_seq = 99 WHERE id = $1", "UPDATE transfer SET debit_seq = 2 WHERE id = $1", []any{end.ID}, ledger.InvariantEntries},
			{"refused one's entry", "UPDATE entry SET transfer_id = $1 WHERE transfer_id = $2", "UPDATE entry SET transfer_id = $2 WHERE transfer_id = $1", []any{refused.ID, bet.ID}, ledger.InvariantEntries},
			{"stray entry", "INSERT INTO entry (account_id, seq, transfer_id, amount) VALUES ($1, 999999, 999999, 5)", "DELETE FROM entry WHERE account_id = $1 AND seq = 999999", []any{w.vendor.ID}, ledger.InvariantEntries},
			{"entry of a missing account", "INSERT INTO entry (account_id, seq, transfer_id, amount) VALUES (987, 1, 1, 5)", "DELETE FROM entry WHERE account_id = 987", nil, ledger.InvariantEntries},
		} {
			args := c.args
			if c.name == "settlement's origin" {
				args = c.args[:1]
			}
			w.exec(t, c.damage, args...)
			r, err := ledger.Verify(ctx, s)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			found := false
			for _, f := range r.Findings {
				found = found || f.Invariant == c.want && f.Broken > 0 && len(f.Samples) > 0
			}
			if !found || r.OK() {
				t.Errorf("%s: %q was not found broken in %+v", c.name, c.want, r.Findings)
			}
			w.exec(t, c.repair, c.args...)
			if r := w.verify(t); !r.OK() {
				t.Fatalf("%s: still broken after the repair", c.name)
			}
		}
	})
}
