package server_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

// The overview shows the gross gaming revenue, which is stakes less wins, by vendor and game, and the number of members who played.
func TestOverviewShowsRevenueByVendorAndGame(t *testing.T) {
	t.Parallel()
	b := newBonusSite(t, dbtest.SQLite(t), 10_000)
	ended := map[string]any{"endRound": true}
	for _, r := range []vendorReply{
		b.sendVendorCall(t, "bet", "b1", "r1", 600, nil), b.sendVendorCall(t, "win", "w1", "r1", 100, ended),
		b.sendVendorCall(t, "bet", "b2", "r2", 300, nil), b.sendVendorCall(t, "win", "w2", "r2", 450, ended),
		b.sendVendorCall(t, "bet", "b3", "r3", 9_000, nil), // not finished
	} {
		if r.Code != "OK" {
			t.Fatalf("vendor's call: %+v, want OK", r)
		}
	}
	owner := b.Operator(t, "anh", permission.Owner)
	if err := b.Server.Figures.Sum(t.Context()); err != nil {
		t.Fatal(err)
	}
	type share struct {
		Vendor, Game           string
		Rounds, Stakes, Result int64
	}
	type overview struct {
		Players        int64
		Vendors, Games []share
		Series         []struct{ Result, Players int64 }
	}
	got := merchanttest.Value[overview](t, owner("GET", "/ops/v1/figures", nil))
	if len(got.Vendors) != 1 || got.Vendors[0] != (share{Vendor: "TEST", Rounds: 2, Stakes: 900, Result: 350}) {
		t.Errorf("vendors = %+v, want 2 rounds of TEST with stakes 900 and result 350", got.Vendors)
	}
	if len(got.Games) != 1 || got.Games[0] != (share{"TEST", "G1", 2, 900, 350}) {
		t.Errorf("games = %+v, want 2 rounds of G1 with stakes 900 and result 350", got.Games)
	}
	if last := got.Series[len(got.Series)-1]; got.Players != 1 || last.Players != 1 || last.Result != 350 {
		t.Errorf("today: %d members played, series ends with %+v, want 1 member and result 350", got.Players, last)
	}
}

// Deposits and paid withdrawals count on the day of the payment. What is only reserved, returned or refused does not count.
func TestOverviewShowsDepositsAndWithdrawals(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t) // on PostgreSQL, transfers have the database's time
	s := servertest.New(t, store, servertest.Member(801, "player", 10_000), servertest.Member(802, "trial", 10_000))
	s.Exec(t, "UPDATE member SET type = 4 WHERE id = 802")
	cash, trial := s.Fund(t, 801, "VND", 0), s.Fund(t, 802, "VND", 0)
	held, err := store.Q().AccountOfMember(t.Context(), sql.NullInt64{Int64: 801, Valid: true}, ledger.Held, "VND")
	if err != nil {
		t.Fatal(err)
	}
	deposits, withdrawals := s.House(t, ledger.Deposits), s.House(t, ledger.Withdrawals)
	post := func(transfer ledger.Transfer) ledger.Posted {
		t.Helper()
		transfer.Key = fmt.Sprint("test/", s.IDs())
		posted, err := s.Server.Ledger.Post(t.Context(), transfer)
		if err != nil {
			t.Fatal(err)
		}
		return posted
	}
	deposit := func(to int64, amount money.Minor) {
		post(ledger.Transfer{Debit: deposits.ID, Credit: to, Amount: amount, Kind: "deposit"})
	}
	hold := func(amount money.Minor) ledger.Transfer {
		id := post(ledger.Transfer{Debit: cash.ID, Credit: held.ID, Amount: amount, Kind: ledger.KindHold}).ID
		return ledger.Transfer{Debit: held.ID, Amount: amount, Origin: id}
	}
	pay := func(transfer ledger.Transfer) {
		transfer.Credit, transfer.Kind = withdrawals.ID, ledger.KindPay
		post(transfer)
	}
	deposit(cash.ID, 4_000)
	late := hold(70)
	pay(hold(200))
	s.Clock.Add(24 * time.Hour)
	deposit(cash.ID, 500)
	deposit(cash.ID, 250)
	deposit(trial.ID, 9_000)
	pay(late)
	pay(hold(30))
	pay(hold(1_000))
	hold(5_000) // waits for a decision
	refused := hold(800)
	refused.Credit, refused.Kind = cash.ID, ledger.KindRelease
	post(refused)
	if _, err := s.Server.Ledger.Post(t.Context(), ledger.Transfer{Key: "test/refused", Debit: cash.ID, Credit: withdrawals.ID, Amount: 1_000_000, Kind: "withdrawal"}); err == nil {
		t.Error("a withdrawal of more than the balance: got no error")
	}

	owner := s.Operator(t, "anh", permission.Owner)
	for range 2 { // the job may run at any time
		if err := s.Server.Figures.Sum(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	type figure struct {
		Name                                      string
		Today, Yesterday, Number, NumberYesterday int64
	}
	got := merchanttest.Value[struct {
		Figures []figure
		Series  []struct{ Deposits, Withdrawals int64 }
	}](t, owner("GET", "/ops/v1/figures", nil))
	for _, want := range []figure{{"deposits", 750, 4_000, 2, 1}, {"withdrawals", 1_100, 200, 3, 1}} {
		if !slices.Contains(got.Figures, want) {
			t.Errorf("figures = %+v, want %+v", got.Figures, want)
		}
	}
	last := got.Series[len(got.Series)-2:]
	if last[0].Deposits != 4_000 || last[0].Withdrawals != 200 || last[1].Deposits != 750 || last[1].Withdrawals != 1_100 {
		t.Errorf("series ends with %+v, want deposits 4000 and 750, withdrawals 200 and 1100", last)
	}
	s.VerifyLedger(t)
}
