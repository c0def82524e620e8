package withdraw_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/withdraw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// A mix takes random steps with deposits and withdrawals.
type mix struct {
	*fixture
	random      *rand.Rand
	depositor   deposit.Member
	deposits    []*mixedDeposit
	withdrawals []withdraw.Withdrawal
	picture     []byte
}

// A mixedDeposit is a deposit with the model of its state.
type mixedDeposit struct {
	id        int64
	reference string
	kind      string
	amount    int64
	status    string
	credited  int64 // what the member received
}

func newMix(t *testing.T, seed uint64) *mix {
	t.Helper()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.WithdrawPerDay, "100")
	d.Set(t, merchant.WithdrawTurnover, "0")
	d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
		case strings.HasSuffix(r.URL.Path, "/payment"):
			_, _ = fmt.Fprint(w, `{"gatewayId":"D1","payUrl":"https://pay.example/1"}`)
		default:
			_, _ = fmt.Fprint(w, `{"gatewayId":"P1","status":"pending"}`)
		}
	}
	err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
		_, err := d.Server.Deposits.CreateMethodIn(t.Context(), tx, deposit.Method{
			MerchantID: d.ID, Code: "BANK", Kind: deposit.Transfer, Name: "Bank", Currency: "VND", Min: 1, Max: 50_000_000, Opens: "00:00", Closes: "00:00", Minutes: 30,
			Accounts: []deposit.Account{{Code: "VCB", Name: "Vietcombank", Number: "1", Holder: "FAIRGROUND"}}, Enabled: true,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	return &mix{
		fixture: d, random: rand.New(rand.NewPCG(seed, 7)), depositor: deposit.Member{ID: member, MerchantID: d.ID, Currency: "VND"}, picture: picture.Bytes(),
	}
}

func (m *mix) create(t *testing.T) {
	t.Helper()
	in := deposit.Request{Kind: deposit.Transfer, Method: "BANK"}
	if m.random.IntN(3) > 0 {
		in = deposit.Request{Kind: deposit.Pay, Method: "G1"}
	}
	amount := 10_000 + m.random.Int64N(90_000)
	in.Amount = rest.Amount(strconv.FormatInt(amount, 10))
	v, err := m.Server.Deposits.Create(t.Context(), m.depositor, "", in)
	if err != nil {
		t.Fatal(err)
	}
	m.deposits = append(m.deposits, &mixedDeposit{id: number(t, v.ID), reference: v.Reference, kind: in.Kind, amount: amount, status: deposit.Waiting})
}

// paymentNotice sends a notice about a payment, sometimes twice.
func (m *mix) paymentNotice(t *testing.T, d *mixedDeposit, status string, amount int64) {
	t.Helper()
	const path = "/pay/v1/G1/payment"
	body := fmt.Sprintf(`{"reference":%q,"gatewayId":"D%d","status":%q,"amount":"%d","currency":"VND","at":1}`, d.reference, d.id, status, amount)
	for range 1 + m.random.IntN(2) {
		timestamp := fmt.Sprint(m.Clock.Now().UnixMilli())
		m.Refill()
		r := m.Call(t, "POST", path, body, "X-Gateway", "G1", "X-Key", m.key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(m.key.Key, timestamp, path, []byte(body)))
		want(t, "status of a notice", r.Status, http.StatusOK)
	}
}

// step takes one random step and updates the model.
func (m *mix) step(t *testing.T) {
	t.Helper()
	s := m.Server.Deposits
	if len(m.deposits) == 0 || m.random.IntN(4) == 0 {
		m.create(t)
		return
	}
	recent := m.deposits[max(0, len(m.deposits)-8):] // older ones have ended
	d := recent[m.random.IntN(len(recent))]
	isOpen := d.status == deposit.Waiting || d.status == deposit.Claimed
	end := func(status string) {
		if isOpen {
			d.status = status
		}
	}
	switch m.random.IntN(10) {
	case 0:
		if _, err := s.Cancel(t.Context(), member, d.id); err == nil {
			want(t, "status of a cancelled deposit", d.status, deposit.Waiting)
			d.status = deposit.Cancelled
		}
	case 1:
		if _, err := s.AddProof(t.Context(), member, d.id, "", "image/png", m.picture); err == nil {
			want(t, "a proof of an open transfer", isOpen && d.kind == deposit.Transfer, true)
			d.status = deposit.Claimed
		}
	case 2, 3:
		m.paymentNotice(t, d, gateway.Paid, d.amount)
		if isOpen && d.kind == deposit.Pay {
			d.status, d.credited = deposit.Credited, d.amount
		}
	case 4:
		m.paymentNotice(t, d, gateway.Paid, d.amount+1)
	case 5:
		status := []string{gateway.Failed, gateway.Expired}[m.random.IntN(2)]
		paid := m.Number(t, "SELECT COUNT(*) FROM gateway_notice WHERE reference = $1 AND status = 'paid'", d.reference)
		m.paymentNotice(t, d, status, d.amount)
		if d.kind == deposit.Pay && paid == 0 { // after a paid notice, an operator decides
			end(map[string]string{gateway.Failed: deposit.Refused, gateway.Expired: deposit.Expired}[status])
		}
	case 6:
		received := []int64{0, d.amount + 5}[m.random.IntN(2)]
		err := m.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
			_, _, err := s.ConfirmIn(t.Context(), tx, m.ID, d.id, 0, money.Minor(received))
			return err
		})
		want(t, "a confirmation of a deposit that is not credited", err == nil, d.status != deposit.Credited)
		if err == nil {
			d.status, d.credited = deposit.Credited, max(received, d.amount)
		}
	case 7:
		_ = m.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error { // fails if it has ended and is not in the queue
			_, _, err := s.RefuseIn(t.Context(), tx, m.ID, d.id, 0, "no money")
			return err
		})
		end(deposit.Refused)
	case 8:
		m.Exec(t, "UPDATE deposit SET expires_at = 1 WHERE id = $1", d.id)
		if err := s.Expire(t.Context()); err != nil {
			t.Error(err)
		}
		if d.status == deposit.Waiting {
			d.status = deposit.Expired
		}
	default:
		m.withdrawalStep(t)
	}
}

// withdrawalStep requests, approves, refuses or pays a withdrawal.
func (m *mix) withdrawalStep(t *testing.T) {
	t.Helper()
	if len(m.withdrawals) == 0 || m.random.IntN(2) == 0 {
		m.Refill()
		if r := m.request(t, fmt.Sprint(1000+m.random.IntN(200_000))); r.Status == http.StatusOK {
			m.withdrawals = append(m.withdrawals, merchanttest.Value[withdraw.Withdrawal](t, r))
		}
		return
	}
	w := m.withdrawals[m.random.IntN(len(m.withdrawals))]
	if m.random.IntN(2) == 0 {
		version := m.Number(t, "SELECT version FROM withdrawal WHERE reference = $1", w.Reference)
		_, _ = m.Server.Withdrawals.Approve(t.Context(), m.ID, number(t, w.ID), version, "", "") // it may have ended
		return
	}
	m.Refill()
	m.notice(t, w.Reference, "P1", []string{gateway.Paid, gateway.Failed}[m.random.IntN(2)], string(w.Paid), m.key.Key)
}

// check compares the server with the model.
func (m *mix) check(t *testing.T) {
	t.Helper()
	var credited int64
	for _, d := range m.deposits {
		row, err := m.Server.Store.Q().DepositByID(t.Context(), d.id)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "status of the deposit "+d.reference, row.Status, d.status)
		got := m.Number(t, "SELECT COALESCE(SUM(amount), 0) FROM transfer WHERE ref_type = 'deposit' AND ref_id = $1 AND kind = 'deposit'", d.reference)
		want(t, "credited for the deposit "+d.reference, got, d.credited)
		credited += d.credited
	}
	var gone int64 // held or paid out
	for _, w := range m.withdrawals {
		if status := m.find(t, w.ID).Status; status != withdraw.Refused && status != withdraw.Failed {
			gone += m.Number(t, "SELECT amount FROM withdrawal WHERE reference = $1", w.Reference)
		}
		m.Refill()
	}
	want(t, "cash", int64(m.Balance(t, m.cash.ID)), 1_000_000+credited-gone)
}

// Any order of steps with deposits and withdrawals credits each payment once, and keeps the ledger's invariants.
func TestRandomDepositsAndWithdrawals(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			m := newMix(t, seed)
			house := m.House(t, ledger.Deposits)
			before := m.Balance(t, house.ID)
			for range 150 {
				m.step(t)
				m.check(t)
				m.Clock.Add(time.Second)
				if t.Failed() {
					t.FailNow()
				}
			}
			var credited int64
			for _, d := range m.deposits {
				credited += d.credited
			}
			want(t, "credits and withdrawals", credited > 0 && len(m.withdrawals) > 0, true)
			want(t, "paid by the house account of deposits", int64(before-m.Balance(t, house.ID)), credited)
			m.VerifyLedger(t)
		})
	}
}
