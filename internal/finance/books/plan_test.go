package books

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// fill adds transfers. The first ones have rare kinds, all others are stakes and wins of a lottery and of another vendor. The id of a
// transfer is also its time.
func fill(t *testing.T, store *db.Store, transfers int) {
	t.Helper()
	const posted = "INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, debit_seq, credit_seq, created_at) "
	numbers := func(first, last int) string {
		return fmt.Sprintf("WITH RECURSIVE numbers (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM numbers WHERE n < %d) ", first, last)
	}
	rare := transfers / 20
	dbtest.Fill(
		t, store,
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'M', 'VND', 0)",
		"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) "+numbers(1, 1000)+"SELECT n, 1, 'player' || n, 0, 'VND', '', n FROM numbers",
		"INSERT INTO account (id, merchant_id, kind, currency, derived) VALUES (1, 1, 'deposit', 'VND', TRUE), (2, 1, 'promotion', 'VND', TRUE), (3, 1, 'vendor:SLOT', 'VND', TRUE), (4, 1, 'vendor:ELOTT', 'VND', TRUE)",
		"INSERT INTO account (id, merchant_id, member_id, kind, currency) "+numbers(1, 1000)+"SELECT 1000 + n, 1, n, 'cash', 'VND' FROM numbers",
		posted+numbers(1, rare)+"SELECT n, 'k' || n, '', 1, 1001 + n % 1000, 1, CASE WHEN n % 10 = 0 THEN 'deposit' WHEN n % 10 = 1 THEN 'reward' ELSE 'reversal' END, n, n, n FROM numbers",
		posted+numbers(rare+1, transfers)+"SELECT n, 'k' || n, '', 1001 + n % 1000, 3 + n % 2, 1, CASE WHEN n % 2 = 1 THEN 'lottery.bet' WHEN n % 3 = 0 THEN 'vendor.win' ELSE 'vendor.bet' END, n, n, n FROM numbers",
		"INSERT INTO entry (account_id, seq, transfer_id, amount) SELECT CASE WHEN debit_id < 1000 THEN debit_id ELSE credit_id END, id, id, 1 FROM transfer",
		"INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after) SELECT CASE WHEN debit_id < 1000 THEN credit_id ELSE debit_id END, id, id, 1, 1 FROM transfer",
	)
}

// PostgreSQL uses an index for every search of transfers.
func TestSearchOfTransfersUsesIndexes(t *testing.T) {
	t.Parallel()
	store := dbtest.Postgres(t)
	fill(t, store, 100_000)
	const all = int64(math.MaxInt64)
	for name, c := range map[string]struct {
		statement string
		args      []any
	}{
		"an account of the house": {transfersOfHouse, []any{1, 3, all, 0, all, "", 0, all, 26}},
		"a kind of a vendor":      {transfersOfHouse, []any{1, 3, all, 0, all, "vendor.win", 0, all, 26}},
		"a member":                {transfersOfMember, []any{1, 1001, all, 0, all, "", 0, all, 26}},
		"a rare kind":             {transfersOfKind, []any{1, "reward", all, 0, all, 0, all, 26}},
		"an unused kind":          {transfersOfKind, []any{1, "jackpot.win", all, 0, all, 0, all, 26}},
		"a rare kind in a period": {transfersOfKind, []any{1, "deposit", 4000, 100, 5000, 100, 5000, 26}},
		"a text":                  {transferByText, []any{1, all, 7, "k9", "adjust/k9", 26}},
	} {
		dbtest.WantIndexScan(t, store, name, c.statement, c.args, "account")
	}
}

func TestSearchByKind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		const transfers = 4000
		fill(t, store, transfers)
		s := &Service{Options{Store: store}}
		kinds := []string{"deposit", "reward", "reversal", "vendor.bet", "vendor.win", "lottery.bet", "lottery.win", "none"}
		found := 0
		for _, kind := range kinds {
			list, err := s.Transfers(t.Context(), Search{MerchantID: 1, Kind: kind}, math.MaxInt64, transfers)
			if err != nil {
				t.Fatal(err)
			}
			for _, transfer := range list {
				if transfer.Kind != kind {
					t.Errorf("search of %s found %+v", kind, transfer)
				}
			}
			if !slices.IsSortedFunc(list, func(a, b Transfer) int { return int(b.ID - a.ID) }) {
				t.Errorf("%s: the transfers are not sorted, newest first", kind)
			}
			found += len(list)
			part, err := s.Transfers(t.Context(), Search{MerchantID: 1, Kind: kind, From: 100, To: 3900}, 3000, transfers)
			if err != nil {
				t.Fatal(err)
			}
			if want := slices.DeleteFunc(list, func(each Transfer) bool { return each.At < 100 || each.At >= 3900 || each.ID >= 3000 }); !slices.Equal(part, want) {
				t.Errorf("%s: %d transfers of the period, want %d", kind, len(part), len(want))
			}
		}
		if found != transfers {
			t.Errorf("the searches of all kinds found %d transfers, want %d", found, transfers)
		}
		if list, err := s.Transfers(t.Context(), Search{MerchantID: 2, Kind: "deposit"}, math.MaxInt64, 10); err != nil || len(list) > 0 {
			t.Errorf("another merchant: %v, %v, want no transfers", list, err)
		}
		if store.Engine != db.SQLite {
			return
		}
		var id, parent, unused int
		var step string
		row := db.Bind(store.Engine, store.Reader).QueryRowContext(t.Context(), "EXPLAIN QUERY PLAN "+transfersOfKind, 1, "reward", math.MaxInt64, 0, math.MaxInt64, 0, math.MaxInt64, 26)
		if err := row.Scan(&id, &parent, &unused, &step); err != nil || !strings.Contains(step, "transfer_of_kind") {
			t.Errorf("the first step is %q, %v, want the index of kinds", step, err)
		}
	})
}
