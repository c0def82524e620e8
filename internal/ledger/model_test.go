package ledger_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A model is a simple in-memory ledger with the balance of each account and the result of each key.
type model struct {
	balance map[int64]money.Minor
	kind    map[int64]string // by account; "" is unknown, "house" has no floor
	owner   map[int64]int    // by member account
	keys    map[string]*outcome
	byID    map[int64]*outcome
	settled map[int64]bool
}

type outcome struct {
	content     ledger.Transfer
	code        string // "" if posted
	id          int64
	isTombstone bool // a tombstone without a transfer
	balance     [2]money.Minor
}

func content(t ledger.Transfer) ledger.Transfer {
	return ledger.Transfer{Key: t.Key, Debit: t.Debit, Credit: t.Credit, Amount: t.Amount, Kind: t.Kind, Origin: t.Origin, Note: t.Note, Empty: t.Empty}
}

func same(a, b ledger.Transfer) bool { return fmt.Sprint(content(a)) == fmt.Sprint(content(b)) }

const refusedByCaller = "round.closed"

func (m *model) expect(t ledger.Transfer) (code string, id int64, replayed bool) {
	k := m.keys[t.Key]
	if k != nil && !k.isTombstone {
		if !same(k.content, t) {
			return ledger.ErrConflict.Code, 0, false
		}
		return k.code, k.id, true
	}
	d, c := m.kind[t.Debit], m.kind[t.Credit]
	if d == "" || c == "" {
		return ledger.ErrAccount.Code, 0, false
	}
	sameOwner := d != "house" && c != "house" && m.owner[t.Debit] == m.owner[t.Credit]
	ok := d != "held" && c != "held"
	switch t.Kind {
	case ledger.KindHold:
		ok = d == "cash" && c == "held" && sameOwner
	case ledger.KindPay:
		ok = d == "held" && c == "house"
	case ledger.KindRelease:
		ok = d == "held" && sameOwner
	}
	if !ok {
		return ledger.ErrMismatch.Code, 0, false
	}
	if t.Origin != 0 {
		o := m.byID[t.Origin]
		switch {
		case o == nil || o.code != "":
			return ledger.ErrOrigin.Code, 0, false
		case t.Kind == ledger.KindReversal && (o.content.Kind == ledger.KindHold || o.content.Origin != 0 || o.content.Empty):
			return ledger.ErrNotReversible.Code, 0, false
		case t.Kind != ledger.KindReversal && o.content.Kind != ledger.KindHold:
			return ledger.ErrOrigin.Code, 0, false
		case t.Debit != o.content.Credit || t.Amount != o.content.Amount || t.Kind != ledger.KindPay && t.Credit != o.content.Debit:
			return ledger.ErrMalformed.Code, 0, false
		}
	}
	switch {
	case k != nil:
		return ledger.ErrTombstone.Code, k.id, false
	case t.Refuse != "":
		return t.Refuse, 0, false
	case m.settled[t.Origin]:
		return ledger.ErrSettled.Code, 0, false
	}
	if d != "house" && m.balance[t.Debit] < t.Amount {
		return ledger.ErrInsufficient.Code, 0, false
	}
	return "", 0, false
}

func isStored(code string) bool {
	switch code {
	case "", ledger.ErrInsufficient.Code, ledger.ErrSettled.Code, ledger.ErrTombstone.Code, refusedByCaller:
		return true
	}
	return false
}

func (m *model) compare(t ledger.Transfer, p ledger.Posted, err error) error {
	code, id, replayed := m.expect(t)
	got := ""
	if err != nil {
		var f *fault.Fault
		if !errors.As(err, &f) {
			return fmt.Errorf("%+v: %w", t, err)
		}
		got = f.Code
	}
	if got != code || p.Replayed != replayed || id != 0 && p.ID != id {
		return fmt.Errorf("%+v: got %q, %+v; want %q, id %d, replayed %v", t, got, p, code, id, replayed)
	}
	if !replayed && !isStored(code) {
		return nil
	}
	if !replayed {
		if code == "" {
			m.balance[t.Debit] -= t.Amount
			m.balance[t.Credit] += t.Amount
			m.settled[t.Origin] = t.Origin != 0
		}
		o := &outcome{content: content(t), code: code, id: p.ID, balance: [2]money.Minor{m.shownBalance(t.Debit), m.shownBalance(t.Credit)}}
		m.keys[t.Key], m.byID[p.ID] = o, o
	}
	if want := m.keys[t.Key].balance; want != [2]money.Minor{p.DebitAfter, p.CreditAfter} {
		return fmt.Errorf("%+v: got %+v, want balances %d", t, p, want)
	}
	return nil
}

// shownBalance returns the balance that a result reports, which is 0 for house accounts.
func (m *model) shownBalance(account int64) money.Minor {
	if m.kind[account] == "house" {
		return 0
	}
	return m.balance[account]
}

func (m *model) tombstone(key string, s ledger.KeyStatus, err error) error {
	k := m.keys[key]
	switch {
	case err != nil:
		return fmt.Errorf("set tombstone %s: %w", key, err)
	case k == nil:
		if !s.Tombstoned || s.ID == 0 || s.Refusal != ledger.ErrTombstone.Code || s.Settled {
			return fmt.Errorf("tombstone %s: %+v", key, s)
		}
		m.keys[key] = &outcome{code: s.Refusal, id: s.ID, isTombstone: true}
	case s.Tombstoned || s.ID != k.id || s.Refusal != k.code || s.Settled != m.settled[k.id]:
		return fmt.Errorf("key %s: status %+v, want %+v", key, s, k)
	}
	return nil
}

func (m *model) draw(rt *rapid.T, w *testLedger, prefix string, member int) ledger.Transfer {
	amount := money.Minor(rapid.IntRange(1, 40).Draw(rt, "amount"))
	t := ledger.Transfer{Key: w.key(prefix), Amount: amount}
	cash, held := w.cash[member].ID, w.held[member].ID
	switch rapid.SampledFrom([]string{"deposit", "bet", "bet", "win", "hold", "hold", "settle", "settle", "reverse", "held", "missing account", "repeat", "repeat", "conflict", "end", "refuse", "tombstone", "tombstone"}).Draw(rt, "op") {
	case "deposit":
		t.Kind, t.Debit, t.Credit = "deposit", w.deposits.ID, cash
	case "bet":
		t.Kind, t.Debit, t.Credit = "bet", cash, w.vendor.ID
	case "win":
		t.Kind, t.Debit, t.Credit = "win", w.vendor.ID, cash
	case "hold":
		t.Kind, t.Debit, t.Credit = ledger.KindHold, cash, held
	case "held":
		t.Kind, t.Debit, t.Credit = "bet", held, w.vendor.ID
	case "missing account":
		t.Kind, t.Debit, t.Credit = "bet", cash, 31337
	case "end":
		t.Kind, t.Debit, t.Credit, t.Amount, t.Empty = "end", cash, w.vendor.ID, 0, true
	case "refuse":
		t.Kind, t.Debit, t.Credit, t.Refuse = "bet", cash, w.vendor.ID, refusedByCaller
	case "tombstone":
		t.Kind, t.Debit, t.Credit, t.Key = "bet", cash, w.vendor.ID, m.drawKey(rt, w, prefix, member)
	case "settle", "reverse":
		return m.drawSettlement(rt, w, t, member)
	case "repeat", "conflict":
		old := m.transfersOf(member, w)
		if len(old) == 0 {
			t.Kind, t.Debit, t.Credit = "deposit", w.deposits.ID, cash
			return t
		}
		t = rapid.SampledFrom(old).Draw(rt, "old").content
		if rapid.Bool().Draw(rt, "changed") {
			t.Note += "x"
		}
		if rapid.Bool().Draw(rt, "refused") {
			t.Refuse = refusedByCaller
		}
	}
	return t
}

// drawKey returns one of the few keys that a member uses for both tombstones and bets.
func (m *model) drawKey(rt *rapid.T, w *testLedger, prefix string, member int) string {
	return fmt.Sprintf("%s:m%d:%d", prefix, w.cash[member].ID, rapid.IntRange(0, 2).Draw(rt, "key"))
}

func (m *model) drawSettlement(rt *rapid.T, w *testLedger, t ledger.Transfer, member int) ledger.Transfer {
	t.Kind = rapid.SampledFrom([]string{ledger.KindPay, ledger.KindRelease, ledger.KindReversal}).Draw(rt, "settlement")
	old := m.transfersOf(member, w)
	if len(old) == 0 {
		t.Debit, t.Credit, t.Origin = w.held[member].ID, w.cash[member].ID, 999_999_999
		return t
	}
	o := rapid.SampledFrom(old).Draw(rt, "origin")
	t.Debit, t.Credit, t.Origin = o.content.Credit, o.content.Debit, o.id
	if t.Kind == ledger.KindPay {
		t.Credit = w.vendor.ID
	}
	if t.Credit == t.Debit {
		t.Credit = w.deposits.ID
	}
	if rapid.IntRange(0, 9).Draw(rt, "honest") > 0 && !o.content.Empty {
		t.Amount = o.content.Amount
	}
	return t
}

func (m *model) transfersOf(member int, w *testLedger) (out []*outcome) {
	for _, o := range m.byID {
		if o.content.Debit == w.cash[member].ID || o.content.Credit == w.cash[member].ID || o.content.Debit == w.held[member].ID {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b *outcome) int { return cmp.Compare(a.id, b.id) })
	return out
}

// TestLedgerMatchesModel posts random valid and invalid transfers: one by one, several members in one batch, and
// inside transactions. Every result must match the model's.
func TestLedgerMatchesModel(t *testing.T) {
	t.Parallel()
	const members = 3
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := newTestLedger(t, s, members, 0, ledger.Options{BatchConns: 2})
		var runs atomic.Int64
		m := &model{balance: map[int64]money.Minor{}, kind: map[int64]string{w.deposits.ID: "house", w.vendor.ID: "house"}, owner: map[int64]int{},
			keys: map[string]*outcome{}, byID: map[int64]*outcome{}, settled: map[int64]bool{}}
		for i := range members {
			m.kind[w.cash[i].ID], m.kind[w.held[i].ID] = "cash", "held"
			m.owner[w.cash[i].ID], m.owner[w.held[i].ID] = i, i
		}
		rapid.Check(t, func(rt *rapid.T) {
			prefix := fmt.Sprintf("m%d", runs.Add(1))
			for range rapid.IntRange(1, 6).Draw(rt, "steps") {
				m.step(rt, w, prefix)
			}
			for id, want := range m.balance {
				if got := w.balance(t, id); got != want {
					rt.Fatalf("account %d has balance %d, want %d", id, got, want)
				}
			}
		})
		w.verify(t)
	})
}

func (m *model) step(rt *rapid.T, w *testLedger, prefix string) {
	ctx := context.Background()
	transfers := make([]ledger.Transfer, len(w.cash))
	for i := range transfers {
		transfers[i] = m.draw(rt, w, prefix, i)
	}
	if rapid.IntRange(0, 2).Draw(rt, "set a tombstone") == 0 {
		key := m.drawKey(rt, w, prefix, 0)
		s, err := w.Tombstone(ctx, key)
		if err := m.tombstone(key, s, err); err != nil {
			rt.Fatal(err)
		}
	}
	results, errs := make([]ledger.Posted, len(transfers)), make([]error, len(transfers))
	switch rapid.SampledFrom([]string{"single", "concurrent", "transaction"}).Draw(rt, "way") {
	case "single":
		transfers = transfers[:1]
		results[0], errs[0] = w.Post(ctx, transfers[0])
	case "concurrent":
		var wg sync.WaitGroup
		for i := range transfers {
			wg.Go(func() { results[i], errs[i] = w.Post(ctx, transfers[i]) })
		}
		wg.Wait()
	case "transaction":
		err := w.Write(ctx, func(tx *db.Tx) error {
			for i := range transfers {
				var got []ledger.Posted
				if got, errs[i] = w.PostIn(ctx, tx, transfers[i]); len(got) == 1 {
					results[i] = got[0]
				}
			}
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
	}
	for i := range transfers {
		if err := m.compare(transfers[i], results[i], errs[i]); err != nil {
			rt.Fatal(err)
		}
	}
}
