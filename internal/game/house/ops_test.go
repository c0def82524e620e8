package house_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/game/house"
	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/round"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant/merchanttest"
)

// An operatorSession authenticates every request as an operator who may repair rounds.
type operatorSession struct{ isConfirmed bool }

// Operator implements rest.OperatorSessions.
func (s *operatorSession) Operator(context.Context, string, netip.Addr) (rest.Operator, error) {
	return rest.Operator{ID: 1, Name: "lan", Permissions: []permission.Name{permission.HouseRepair}, Confirmed: s.isConfirmed}, nil
}

// A payer is a house.Payer that returns fixed values.
type payer struct {
	payment house.ClosedPayment
	err     error
	paid    []int64
}

// PayClosed implements house.Payer.
func (p *payer) PayClosed(_ context.Context, id int64) (house.ClosedPayment, error) {
	p.paid = append(p.paid, id)
	return p.payment, p.err
}

// A repairSite is a House with one round that the wallet refused to finish, and with the operators' endpoints.
type repairSite struct {
	*housetest.Site

	session operatorSession
	payer   payer
	path    string // of the stuck round
}

func newRepairSite(t *testing.T, store *db.Store) *repairSite {
	t.Helper()
	s := &repairSite{Site: housetest.New(t, store)}
	token := s.Open(housetest.Minh).Token
	s.Wallet.RefuseEnds = "GAME_UNAVAILABLE"
	s.Clock.Add(round.MinBetInterval)
	s.WantError(s.Spin(token, 1), 503, "house.pending")
	s.Clock.Add(2 * time.Minute)
	s.Recover()
	stuck, err := house.ListStuck(t.Context(), store)
	if err != nil || len(stuck) != 1 {
		t.Fatalf("stuck rounds: got %+v, %v, want one", stuck, err)
	}
	s.path = "/ops/v1/stuck/" + stuck[0].Round
	s.Operators = &s.session
	s.Serve(t, merchanttest.Tokens{}, func(a *rest.API) { house.OpsRoutes(a, s.House, &s.payer) })
	return s
}

func (s *repairSite) repair(action string) merchanttest.Reply {
	s.T.Helper()
	s.Refill()
	return s.Call(s.T, "POST", s.path+"/"+action, map[string]any{"version": 1, "reason": "ticket 4711"})
}

func (s *repairSite) isStuck() bool {
	s.T.Helper()
	s.Refill()
	return s.Call(s.T, "GET", s.path, nil).Status == 200
}

// A repairRow is a row of the audit log about a repair.
type repairRow struct {
	Action, Mode, State, Code, PaidNow string
}

// wantLog checks the rows of the audit log. All have the operator, the round before the repair, and the reason.
func (s *repairSite) wantLog(what string, want ...repairRow) {
	s.T.Helper()
	rows, err := s.Store.Reader.QueryContext(s.T.Context(), "SELECT action, mode, operator, permission, before, after FROM audit ORDER BY seq")
	if err != nil {
		s.T.Fatal(err)
	}
	defer rows.Close()
	var got []repairRow
	for rows.Next() {
		var row repairRow
		var operator, needed, before, after string
		if err := rows.Scan(&row.Action, &row.Mode, &operator, &needed, &before, &after); err != nil {
			s.T.Fatal(err)
		}
		var round struct{ Stake string }
		var record struct {
			State, Reason, Code string
			Payment             struct{ PaidNow string }
		}
		if err := errors.Join(json.Unmarshal([]byte(before), &round), json.Unmarshal([]byte(after), &record)); err != nil {
			s.T.Fatal(err)
		}
		if operator != "lan" || needed != "house.repair" || round.Stake != "10000" || record.Reason != "ticket 4711" {
			s.T.Errorf("%s: got a row by %q with %q, %s and %s, want lan, house.repair, the stake 10000 and the reason", what, operator, needed, before, after)
		}
		row.State, row.Code, row.PaidNow = record.State, record.Code, record.Payment.PaidNow
		got = append(got, row)
	}
	if err := rows.Err(); err != nil {
		s.T.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		s.T.Errorf("%s: audit log (-want +got):\n%s", what, diff)
	}
	if report, err := audit.Verify(s.T.Context(), s.Store); err != nil || report.Broken != 0 {
		s.T.Errorf("%s: got %+v, %v, want an unbroken audit log", what, report, err)
	}
}

// The audit log says whether a retry succeeded.
func TestPP15RetryIsLoggedWithItsOutcomePart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRepairSite(t, store)
		s.WantError(s.repair("retry"), 422, "house.rejected")
		refused := []repairRow{{Action: "house.retry", State: "started"}, {Action: "house.retry", Mode: "failed", State: "failed", Code: "house.rejected"}}
		s.wantLog("a refused retry", refused...)
		if !s.isStuck() {
			t.Error("the round after a refused retry is not stuck, want it stuck")
		}
		s.Wallet.RefuseEnds = ""
		if r := s.repair("retry"); r.Status != 200 {
			t.Errorf("retry: got %d %s, want 200", r.Status, r.Body)
		}
		s.wantLog("a retry", append(refused, repairRow{Action: "house.retry", State: "started"}, repairRow{Action: "house.retry", State: "done"})...)
		if s.isStuck() {
			t.Error("the round is still stuck after a successful retry")
		}
		s.WantError(s.repair("retry"), 404, "house.missing")
	})
}

// refund and pay move money, so they need a confirmed code. A payment that fails halfway is not logged as done.
func TestSE12RepairsThatPayNeedACodePart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newRepairSite(t, store)
		s.Wallet.RefuseEnds = "ROUND_CLOSED"
		for _, action := range []string{"refund", "pay"} {
			s.WantError(s.repair(action), 403, "ops.confirm")
		}
		s.wantLog("without a code")
		s.WantError(s.repair("retry"), 422, "house.closed_by_wallet")
		log := []repairRow{{Action: "house.retry", State: "started"}, {Action: "house.retry", Mode: "failed", State: "failed", Code: "house.closed_by_wallet"}}

		s.session.isConfirmed = true
		s.WantError(s.repair("refund"), 422, "house.not_refundable") // not a ticket of a table
		log = append(log, repairRow{Action: "house.refund", State: "started"}, repairRow{Action: "house.refund", Mode: "failed", State: "failed", Code: "house.not_refundable"})
		s.wantLog("a refund of a slot's round", log...)

		s.payer.err = errors.New("the connection broke")
		if r := s.repair("pay"); r.Status != 500 {
			t.Errorf("pay without an answer: got %d %s, want 500", r.Status, r.Body)
		}
		log = append(log, repairRow{Action: "house.pay", State: "started"}, repairRow{Action: "house.pay", Mode: "failed", State: "unknown"})
		s.wantLog("a payment without an answer", log...)

		s.payer.payment, s.payer.err = house.ClosedPayment{Currency: "VND", Owed: "5000", AlreadyPaid: "1000", PaidNow: "4000"}, nil
		if got := merchanttest.Value[struct{ PaidNow string }](t, s.repair("pay")); got.PaidNow != "4000" {
			t.Errorf("pay: got %q, want 4000", got.PaidNow)
		}
		log = append(log, repairRow{Action: "house.pay", State: "started"}, repairRow{Action: "house.pay", State: "done", PaidNow: "4000"})
		s.wantLog("a payment", log...)
		if len(s.payer.paid) != 2 || "/ops/v1/stuck/"+strconv.FormatInt(s.payer.paid[0], 10) != s.path {
			t.Errorf("paid rounds: got %v, want the stuck round twice", s.payer.paid)
		}
	})
}
