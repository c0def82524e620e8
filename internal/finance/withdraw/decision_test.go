package withdraw_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/withdraw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func wantReply(t *testing.T, what string, r merchanttest.Reply, status int, text string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), text) {
		t.Errorf("%s: got %d %.300s, want %d with %q", what, r.Status, r.Body, status, text)
	}
}

// newWithdrawal requests a withdrawal.
func (d *fixture) newWithdrawal(t *testing.T, amount string) withdraw.Withdrawal {
	t.Helper()
	d.Refill()
	return merchanttest.Value[withdraw.Withdrawal](t, d.request(t, amount))
}

const opsPath = "/ops/v1/withdrawals/"

func versionBody(n int) map[string]any { return map[string]any{"version": n} }

// The limit of the fixture is 500,000. An amount above the limit needs two different people.
func TestSE12PartTwoPeopleApprovePayouts(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan, minh, support := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance"), d.Operator(t, "mai", "support")
	withdrawal := d.newWithdrawal(t, "500001")
	approve := opsPath + withdrawal.ID + "/approve"
	wantReply(t, "support approves", support(http.MethodPost, approve, versionBody(1)), 403, "ops.forbidden")
	type reply struct {
		Approval struct{ ID, State string }
	}
	first := merchanttest.Value[reply](t, lan(http.MethodPost, approve, versionBody(1)))
	want(t, "first approval", first.Approval.State, "waiting")
	want(t, "status after the first approval", d.find(t, withdrawal.ID).Status, "REQUESTED")
	again := merchanttest.Value[reply](t, minh(http.MethodPost, approve, versionBody(1)))
	want(t, "another request waits for the same decision", again.Approval.ID, first.Approval.ID)
	decide := "/ops/v1/approvals/" + first.Approval.ID
	decision := map[string]any{"decision": "approve"}
	wantReply(t, "the same person decides", lan(http.MethodPost, decide, decision), 403, "ops.same_person")
	want(t, "status after the same person", d.find(t, withdrawal.ID).Status, "REQUESTED")
	wantReply(t, "the second person decides", minh(http.MethodPost, decide, decision), 200, "approved")
	want(t, "status after both", d.find(t, withdrawal.ID).Status, "APPROVED")

	second := d.newWithdrawal(t, "400000")
	wantReply(t, "one person below the limit", lan(http.MethodPost, opsPath+second.ID+"/approve", versionBody(1)), 200, "APPROVED")
	d.VerifyLedger(t)
}

// If a withdrawal was refused meanwhile, the second person's approval fails, and the money is returned once.
func TestApprovalAfterRefusalFails(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan, minh := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance")
	withdrawal := d.newWithdrawal(t, "600000")
	type reply struct{ Approval struct{ ID string } }
	waiting := merchanttest.Value[reply](t, lan(http.MethodPost, opsPath+withdrawal.ID+"/approve", versionBody(1)))
	wantReply(t, "refuse", lan(http.MethodPost, opsPath+withdrawal.ID+"/refuse", map[string]any{"version": 1, "reason": "The name differs"}), 200, "REFUSED")
	decision := map[string]any{"decision": "approve"}
	wantReply(t, "approve after the refusal", minh(http.MethodPost, "/ops/v1/approvals/"+waiting.Approval.ID, decision), 409, "ops.stale")
	refused := d.find(t, withdrawal.ID)
	want(t, "status", refused.Status, "REFUSED")
	want(t, "reason", refused.Reason, "The name differs")
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_000_000))
	d.VerifyLedger(t)
}

// A gateway reports another amount, or does not answer. Two people end its payout as failed. A payout that it did take is marked as
// sent and paid.
func TestPeopleEndAGatewaysPayout(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan, minh := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance")
	type reply struct {
		Approval struct{ ID, State string }
	}
	version := func(w withdraw.Withdrawal) int64 {
		return d.Number(t, "SELECT version FROM withdrawal WHERE reference = $1", w.Reference)
	}
	fail := func(w withdraw.Withdrawal, reason string) merchanttest.Reply {
		return lan(http.MethodPost, opsPath+w.ID+"/fail", map[string]any{"version": version(w), "reason": reason})
	}
	sent := d.newApproved(t, "100000")
	d.callDue(t)
	want(t, "mismatch", d.notice(t, sent.Reference, "P1", "paid", "200000", d.key.Key), "AMOUNT_MISMATCH")
	want(t, "tasks of the mismatch", d.openTasks(t, "withdrawal.mismatch", sent.Reference), 1)
	wantReply(t, "without a reason", fail(sent, " "), 400, "withdraw.reason")
	waiting := merchanttest.Value[reply](t, fail(sent, "The gateway closed"))
	want(t, "approval", waiting.Approval.State, "waiting")
	want(t, "status after one person", d.find(t, sent.ID).Status, "SENT")
	decision := map[string]any{"decision": "approve"}
	wantReply(t, "the same person", lan(http.MethodPost, "/ops/v1/approvals/"+waiting.Approval.ID, decision), 403, "ops.same_person")
	wantReply(t, "the second person", minh(http.MethodPost, "/ops/v1/approvals/"+waiting.Approval.ID, decision), 200, "approved")
	failed := d.find(t, sent.ID)
	want(t, "status after two people", failed.Status, "FAILED")
	want(t, "reason", failed.Reason, "The gateway closed")
	want(t, "tasks after the end", d.openTasks(t, "withdrawal.mismatch", sent.Reference), 0)
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_000_000))
	wantReply(t, "fail again", fail(sent, "again"), 409, "withdraw.state")

	status := http.StatusBadGateway
	d.rejectPayouts(&status)
	approved := d.newApproved(t, "100000")
	d.callDue(t)
	mark := func(step string) merchanttest.Reply {
		return lan(http.MethodPost, opsPath+approved.ID+"/"+step, map[string]any{"version": version(approved), "bankReference": "B1"})
	}
	wantReply(t, "paid before sent", mark("paid"), 409, "withdraw.state")
	wantReply(t, "sent", mark("sent"), 200, "SENT")
	wantReply(t, "paid", mark("paid"), 200, "PAID")
	d.VerifyLedger(t)
}

// An operator marked a payout as sent, so the bank may have paid it. One person cannot refuse it, and two people end it as failed.
func TestPeopleEndAPayoutThatWasSentByHand(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.setGateway(t, false)
	lan, minh := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance")
	w := d.newWithdrawal(t, "100000")
	step := func(name string) merchanttest.Reply {
		version := d.Number(t, "SELECT version FROM withdrawal WHERE reference = $1", w.Reference)
		return lan(http.MethodPost, opsPath+w.ID+"/"+name, map[string]any{"version": version, "reason": "The bank returned it"})
	}
	wantReply(t, "approve", step("approve"), 200, "APPROVED")
	wantReply(t, "fail before it was sent", step("fail"), 409, "withdraw.state")
	wantReply(t, "sent", step("sent"), 200, "SENT")
	wantReply(t, "refuse", step("refuse"), 409, "withdraw.state")
	want(t, "balance while sent", d.Balance(t, d.cash.ID), money.Minor(900_000))
	type reply struct {
		Approval struct{ ID, State string }
	}
	waiting := merchanttest.Value[reply](t, step("fail"))
	want(t, "approval", waiting.Approval.State, "waiting")
	want(t, "status after one person", d.find(t, w.ID).Status, "SENT")
	wantReply(t, "the second person", minh(http.MethodPost, "/ops/v1/approvals/"+waiting.Approval.ID, map[string]any{"decision": "approve"}), 200, "approved")
	want(t, "status after two people", d.find(t, w.ID).Status, "FAILED")
	want(t, "balance after two people", d.Balance(t, d.cash.ID), money.Minor(1_000_000))
	d.VerifyLedger(t)
}

func TestConcurrentApproveAndRefuseOneWins(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.Set(t, merchant.WithdrawPerDay, "100")
		lan, minh := d.Operator(t, "lan", "finance"), d.Operator(t, "minh", "finance")
		balance := money.Minor(1_000_000)
		for range 6 {
			withdrawal := d.newWithdrawal(t, "100000")
			var approved, refused merchanttest.Reply
			var wg sync.WaitGroup
			wg.Go(func() { approved = lan(http.MethodPost, opsPath+withdrawal.ID+"/approve", versionBody(1)) })
			wg.Go(func() {
				refused = minh(http.MethodPost, opsPath+withdrawal.ID+"/refuse", map[string]any{"version": 1, "reason": "no"})
			})
			wg.Wait()
			winner, loser, status := approved, refused, "APPROVED"
			if refused.Status == http.StatusOK {
				winner, loser, status = refused, approved, "REFUSED"
			} else {
				balance -= 100_000
			}
			want(t, "winner", winner.Status, 200)
			wantReply(t, "loser", loser, 409, "")
			want(t, "status", d.find(t, withdrawal.ID).Status, status)
			want(t, "balance", d.Balance(t, d.cash.ID), balance)
		}
		d.VerifyLedger(t)
	})
}

// payDeposit credits a deposit of 200,000 VND.
func (d *fixture) payDeposit(t *testing.T) {
	t.Helper()
	d.gatewayHandler = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"gatewayId":"D1","payUrl":"https://pay.example/1"}`)
	}
	type created struct{ ID, Reference string }
	deposit := merchanttest.Value[created](t, d.Call(t, "POST", "/wps/transaction/deposit/pg", `{"method":"G1","amount":200000}`, "Authorization", "player"))
	const path = "/pay/v1/G1/payment"
	body := fmt.Sprintf(`{"reference":%q,"gatewayId":"D1","status":"paid","amount":"200000","currency":"VND","at":1}`, deposit.Reference)
	timestamp := fmt.Sprint(d.Clock.Now().UnixMilli())
	r := d.Call(t, "POST", path, body, "X-Gateway", "G1", "X-Key", d.key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(d.key.Key, timestamp, path, []byte(body)))
	wantReply(t, "payment", r, 200, "OK")
}

func TestOS21CA30PartTurnoverBlocksWithdrawals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.payDeposit(t)

		terms := func() withdraw.WithdrawTerms {
			return merchanttest.Value[withdraw.WithdrawTerms](t, d.Call(t, "GET", "/wps/transaction/withdraw/terms", nil, "Authorization", "player"))
		}
		addRound := func(id, staked, refunded int64) {
			started := d.Clock.Now().UnixMilli() + id
			d.Exec(t, `INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
				VALUES ($1, 1, $2, $3, 1, $4, $4, $5, $6, 0, 1, 0, 1)`, id, member, fmt.Sprint(id), started, staked, refunded)
		}
		got := terms()
		want(t, "available before play", string(got.Available), "0")
		want(t, "locked before play", string(got.Locked), "1200000")
		want(t, "required", string(got.Turnover.Required), "200000")
		wantReply(t, "before play", d.request(t, "50000"), 422, "withdraw.turnover")
		addRound(9001, 199_999, 0)
		addRound(9002, 5000, 4999+1) // refunded stakes do not count
		wantReply(t, "one stake unit too little", d.request(t, "50000"), 422, "withdraw.turnover")
		want(t, "done", string(terms().Turnover.Done), "199999")
		addRound(9003, 1, 0)
		want(t, "available after play", string(terms().Available), "1200000")
		wantReply(t, "after play", d.request(t, "50000"), 200, "REQUESTED")
		d.VerifyLedger(t)
	})
}

func TestPP07PartMemberOnABreakWithdrawsWithoutPlay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.payDeposit(t)
		wantReply(t, "before the break", d.request(t, "50000"), 422, "withdraw.turnover")
		wantReply(t, "break", d.Call(t, "POST", "/wps/member/limits/break", `{"period":"24h"}`, "Authorization", "player"), 200, "")
		wantReply(t, "on the break", d.request(t, "50000"), 200, "REQUESTED")
		d.VerifyLedger(t)
	})
}

// The process ends after the gateway has received the payout and before its response is stored. After the lease, another process
// repeats the call with the same reference, and the gateway pays once.
func TestPayoutResumesAfterKill(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	var bodies []string
	responds := false
	d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.mu.Lock()
		defer d.mu.Unlock()
		bodies = append(bodies, string(body))
		if !responds {
			panic(http.ErrAbortHandler) // the connection ends without a response
		}
		_, _ = fmt.Fprint(w, `{"gatewayId":"P1","status":"pending"}`)
	}
	withdrawal := d.newApproved(t, "100000")
	call := func() {
		t.Helper()
		if err := d.Server.Withdrawals.CallDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	call()
	want(t, "calls before the kill", len(bodies), 1)
	// The killed process has stored only its lease.
	lease := d.Clock.Now().Add(30 * time.Second).UnixMilli()
	d.Exec(t, "UPDATE withdrawal SET next_call_at = $1", lease)
	d.mu.Lock()
	responds = true
	d.mu.Unlock()
	call()
	want(t, "calls during the lease", len(bodies), 1)
	d.Clock.Add(31 * time.Second)
	call()
	want(t, "calls after the lease", len(bodies), 2)
	if bodies[0] != bodies[1] || !strings.Contains(bodies[0], withdrawal.Reference) {
		t.Errorf("repeated call: got %s, want %s", bodies[1], bodies[0])
	}
	want(t, "status", d.find(t, withdrawal.ID).Status, "SENT")
	want(t, "paid", d.notice(t, withdrawal.Reference, "P1", "paid", "100000", d.key.Key), "OK")
	want(t, "paid again", d.notice(t, withdrawal.Reference, "P1", "paid", "100000", d.key.Key), "OK again")
	want(t, "status after the notice", d.find(t, withdrawal.ID).Status, "PAID")
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(900_000))
	d.VerifyLedger(t)
}

// After random requests, decisions, calls and notices, each amount is either held, paid or returned.
func TestRandomStepsKeepAmountsConsistent(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			d := newFixture(t, dbtest.SQLite(t))
			d.Set(t, merchant.WithdrawPerDay, "100")
			d.Set(t, merchant.WithdrawFee, "1000")
			lan := d.Operator(t, "lan", "finance")
			random := rand.New(rand.NewPCG(seed, 24))
			unanswered := map[string]bool{} // references of payouts whose call had no definite answer
			d.gatewayHandler = func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var payout struct{ Reference string }
				_ = json.Unmarshal(body, &payout) // empty for GET
				d.mu.Lock()
				n := random.IntN(4)
				if n == 0 && r.Method == http.MethodPost {
					unanswered[payout.Reference] = true
				}
				d.mu.Unlock()
				switch {
				case n == 0:
					w.WriteHeader(http.StatusBadGateway)
				case n == 1 && r.Method == http.MethodPost:
					w.WriteHeader(http.StatusBadRequest)
				case r.Method == http.MethodGet:
					w.WriteHeader(http.StatusNotFound)
				default:
					_, _ = fmt.Fprint(w, `{"gatewayId":"P1","status":"pending"}`)
				}
			}
			house := d.House(t, ledger.Withdrawals)
			paidBefore := d.Balance(t, house.ID)
			var all []withdraw.Withdrawal
			choose := func(n int) int {
				d.mu.Lock()
				defer d.mu.Unlock()
				return random.IntN(n)
			}
			for range 120 {
				if len(all) == 0 || choose(4) == 0 {
					amount := 2000 + choose(80_000)
					if r := d.request(t, fmt.Sprint(amount)); r.Status == http.StatusOK {
						all = append(all, merchanttest.Value[withdraw.Withdrawal](t, r))
					}
					d.Refill()
					continue
				}
				withdrawal := all[choose(len(all))]
				currentVersion := d.Number(t, "SELECT version FROM withdrawal WHERE reference = $1", withdrawal.Reference)
				steps := []string{"review", "approve", "refuse", "sent", "paid", "fail", "notice paid", "notice failed", "call"}
				switch step := steps[choose(len(steps))]; step {
				case "notice paid", "notice failed":
					d.notice(t, withdrawal.Reference, "P1", strings.TrimPrefix(step, "notice "), string(withdrawal.Paid), d.key.Key)
				case "call":
					d.Clock.Add(time.Minute)
					before := map[string]string{}
					for _, withdrawal := range all {
						before[withdrawal.Reference] = d.find(t, withdrawal.ID).Status
					}
					_ = d.Server.Withdrawals.CallDue(t.Context()) // the gateway may be down
					for _, withdrawal := range all {
						if status := d.find(t, withdrawal.ID).Status; status != before[withdrawal.Reference] && unanswered[withdrawal.Reference] && status == withdraw.Failed {
							t.Errorf("payout %s after an unanswered call: got %s, want it open", withdrawal.Reference, status)
						}
					}
					d.Refill()
				default:
					lan(http.MethodPost, opsPath+withdrawal.ID+"/"+step, map[string]any{"version": currentVersion, "reason": "because", "bankReference": "B1"})
				}
				checkAmounts(t, d, all, house.ID, paidBefore)
			}
			want(t, "withdrawals", len(all) > 10, true)
			d.VerifyLedger(t)
		})
	}
}

// checkAmounts compares the ledger with the statuses. Open withdrawals are held, paid ones are paid out, and the others are
// returned.
func checkAmounts(t *testing.T, d *fixture, all []withdraw.Withdrawal, house int64, paidBefore money.Minor) {
	t.Helper()
	var requested, held, paid, returned int64
	for _, withdrawal := range all {
		amount := d.Number(t, "SELECT amount FROM withdrawal WHERE reference = $1", withdrawal.Reference)
		requested += amount
		switch d.find(t, withdrawal.ID).Status {
		case withdraw.Paid:
			paid += amount
		case withdraw.Refused, withdraw.Failed:
			returned += amount
		default:
			held += amount
		}
	}
	d.Refill()
	want(t, "held + paid + returned", held+paid+returned, requested)
	heldAccount := d.Number(t, "SELECT balance FROM account WHERE member_id = $1 AND kind = 'held'", member)
	want(t, "held in the ledger", heldAccount, held)
	want(t, "paid in the ledger", int64(d.Balance(t, house)-paidBefore), paid)
	want(t, "cash in the ledger", int64(d.Balance(t, d.cash.ID)), 1_000_000-held-paid)
}
