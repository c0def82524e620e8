package server_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/promo"
	"fairground/internal/game/catalogue"
	"fairground/internal/game/vendor"
	"fairground/internal/identity/member"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A bonusSite is a site with the vendor TEST, and a member who plays its game with cash and bonuses.
type bonusSite struct {
	*servertest.Site
	key            vendor.Key
	member         int64
	token, session string
	cash, bonus    int64 // accounts
	promotion      promo.Promotion
	rewards        int
	txs            int
}

func newBonusSite(t *testing.T, store *db.Store, cash money.Minor) *bonusSite {
	t.Helper()
	b := &bonusSite{Site: servertest.New(t, store, servertest.Vendor("TEST", "G1"), servertest.Options(func(o *server.Options) { o.Demo = false }))}
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	b.key, err = b.Server.Vendors.Create(ctx, b.ID, "TEST", vendor.Launch{URL: "https://play.test.example/g?t={ticket}", Mode: vendor.ModeFrame})
	must(err)
	b.member = b.Register(t, member.NewMember{Username: "minhanh92", Password: "Harbour77x"})
	must(b.Server.Members.ConfirmAge(ctx, b.ID, b.member, true))
	b.token = b.Login(t, "minhanh92", "Harbour77x")
	b.cash = b.Fund(t, b.member, "VND", cash).ID
	must(b.Server.Ledger.Write(ctx, func(tx *db.Tx) error {
		account, err := b.Server.Ledger.EnsureBonusIn(ctx, tx, b.ID, b.member, "VND")
		b.bonus = account.ID
		return err
	}))
	g, err := b.Server.Catalogue.GameForLaunch(ctx, b.ID, catalogue.GameQuery{Code: "G1"})
	must(err)
	got := b.Call(t, "POST", "/wps/game/launchGame", map[string]any{
		"gameCategory": "RNG", "vendor": "TEST", "gameId": "G1", "nodeId": fmt.Sprint(g.NodeID), "supportPlay": true,
	}, "Authorization", b.token)
	var l struct{ Value struct{ GameURL string } }
	if err := json.Unmarshal(got.Body, &l); err != nil || got.Status != 200 {
		t.Fatalf("launch: %d %s, want 200", got.Status, got.Body)
	}
	_, ticket, _ := strings.Cut(l.Value.GameURL, "t=")
	b.session = b.call(t, "authenticate", map[string]any{"ticket": ticket}).SessionID
	must(b.Server.Ledger.Write(ctx, func(tx *db.Tx) (err error) {
		b.promotion, err = b.Server.Promotions.CreateIn(ctx, tx, promo.Promotion{
			MerchantID: b.ID, Currency: "VND", Code: "gift", Kind: promo.Grant, Category: "vip", Payout: promo.Bonus, Wagering: 10, ClaimDays: 30, Days: 10, Published: true,
			Texts: promo.Texts{"en": {Title: "Gift"}},
		})
		return err
	}))
	return b
}

type vendorReply struct {
	status                           int
	Code, Balance, SessionID, Status string
	Replayed                         bool
}

// call sends a signed request of the vendor.
func (b *bonusSite) call(t testing.TB, name string, body map[string]any) vendorReply {
	t.Helper()
	body["requestId"] = "r"
	raw, err := json.Marshal(body)
	if err != nil {
		t.Error(err)
	}
	timestamp := fmt.Sprint(b.Clock.Now().UnixMilli())
	got := b.Call(t, "POST", "/vendor/v1/"+name, string(raw), "X-Vendor", "TEST", "X-Key", b.key.KeyID, "X-Timestamp", timestamp,
		"X-Signature", vendor.Sign([]byte(b.key.Key), timestamp, "/vendor/v1/"+name, raw))
	r := vendorReply{status: got.Status}
	if err := json.Unmarshal(got.Body, &r); err != nil {
		t.Errorf("%s: %v in %s", name, err, got.Body)
	}
	return r
}

// grant creates a bonus that must be wagered the given number of times, and claims it.
func (b *bonusSite) grant(t testing.TB, amount, wagering int64) int64 {
	t.Helper()
	b.rewards++
	id := b.IDs()
	now := db.Millis(b.Clock.Now())
	err := b.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Q.AddReward(t.Context(), query.AddRewardParams{
			ID: id, MerchantID: b.ID, MemberID: b.member, PromotionID: b.promotion.ID, Period: fmt.Sprint(id), Status: promo.Unclaimed, Payout: promo.Bonus, Currency: "VND",
			Amount: amount, Required: amount * wagering, Days: 10, CreatedAt: now, ExpiresAt: now + 1_000_000_000,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Server.Promotions.Claim(t.Context(), promo.Member{ID: b.member, MerchantID: b.ID, Currency: "VND"}, "", id); err != nil {
		t.Fatal(err)
	}
	return id
}

// sendVendorCall sends a bet, a win or the end of a round. extra has further fields of the request.
func (b *bonusSite) sendVendorCall(t testing.TB, name, tx, round string, amount int64, extra map[string]any) vendorReply {
	t.Helper()
	body := map[string]any{"sessionId": b.session, "currency": "VND", "gameCode": "x-G1", "roundId": round, "txId": tx}
	if name != "endRound" {
		body["amount"] = strconv.FormatInt(amount, 10)
	}
	for k, v := range extra {
		body[k] = v
	}
	return b.call(t, name, body)
}

func (b *bonusSite) rollback(t testing.TB, tx, ref string) vendorReply {
	t.Helper()
	return b.call(t, "rollback", map[string]any{"sessionId": b.session, "txId": tx, "refTxId": ref})
}

func (b *bonusSite) wantBalances(t *testing.T, when string, cash, bonus money.Minor) {
	t.Helper()
	if c, n := b.Balance(t, b.cash), b.Balance(t, b.bonus); c != cash || n != bonus {
		t.Errorf("%s: got cash %d and bonus %d, want %d and %d", when, c, n, cash, bonus)
	}
}

func (b *bonusSite) status(t *testing.T, reward int64) string {
	t.Helper()
	r, err := b.Store.Q().RewardByID(t.Context(), reward)
	if err != nil {
		t.Fatal(err)
	}
	return r.Status
}

func TestBonusPaysBetsThatCashDoesNotCover(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newBonusSite(t, store, 100)
		b.grant(t, 1_000, 10)
		b.wantBalances(t, "after the claim", 100, 1_000)
		wantOK := func(what string, r vendorReply, balance string) {
			t.Helper()
			if r.Code != "OK" || r.Balance != balance {
				t.Errorf("%s: got %s with balance %s, want OK with %s", what, r.Code, r.Balance, balance)
			}
		}
		wantOK("balance", b.call(t, "balance", map[string]any{"sessionId": b.session, "currency": "VND"}), "1000")
		wantOK("bet that cash covers", b.sendVendorCall(t, "bet", "b1", "r1", 60, nil), "40")
		wantOK("bet that the bonus covers", b.sendVendorCall(t, "bet", "b2", "r2", 300, nil), "700")
		again := b.sendVendorCall(t, "bet", "b2", "r2", 300, nil)
		wantOK("repeated bet", again, "700")
		if !again.Replayed {
			t.Error("repeated bet: got a new movement, want a replay")
		}
		if r := b.sendVendorCall(t, "bet", "b2", "r2", 301, nil); r.Code != "DUPLICATE_CONFLICT" {
			t.Errorf("repeated bet with another amount: got %s, want DUPLICATE_CONFLICT", r.Code)
		}
		if r := b.sendVendorCall(t, "bet", "b3", "r3", 701, nil); r.Code != "INSUFFICIENT_FUNDS" {
			t.Errorf("bet larger than the cash and larger than the bonus: got %s, want INSUFFICIENT_FUNDS", r.Code)
		}
		wantOK("win of the cash round", b.sendVendorCall(t, "win", "w1", "r1", 10, map[string]any{"endRound": true}), "50")
		wantOK("win of the bonus round", b.sendVendorCall(t, "win", "w2", "r2", 500, map[string]any{"endRound": true}), "1200")
		wantOK("repeated win", b.sendVendorCall(t, "win", "w2", "r2", 500, map[string]any{"endRound": true}), "1200")
		wantOK("second bonus bet", b.sendVendorCall(t, "bet", "b4", "r4", 200, nil), "1000")
		wantOK("rollback of the second bonus bet", b.rollback(t, "x4", "b4"), "1200")
		b.wantBalances(t, "at the end", 50, 1_200)
		type row struct{ Wallet, Kind string }
		list := merchanttest.Value[struct{ List []row }](t, b.Call(t, "GET", "/wps/report/transaction?wallet=bonus", nil, "Authorization", b.token)).List
		kinds := ""
		for _, r := range list {
			kinds += r.Wallet + " " + r.Kind + ", "
		}
		if kinds != "bonus refund, bonus bet, bonus win, bonus bet, bonus reward, " {
			t.Errorf("PP-11 part: history of the bonus: got %s, want \"bonus refund, bonus bet, bonus win, bonus bet, bonus reward, \"", kinds)
		}
		b.VerifyLedger(t)
	})
}

// A bonus does not pay in a round that cash or another bonus opened, because its wins would go there without wagering.
func TestBonusPaysOnlyInRoundsThatItOpened(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newBonusSite(t, store, 10)
		reward := b.grant(t, 1_000, 1)
		wantCode := func(what string, r vendorReply, code string) {
			t.Helper()
			if r.Code != code {
				t.Errorf("%s: got %s, want %s", what, r.Code, code)
			}
		}
		wantCode("cash opens a round", b.sendVendorCall(t, "bet", "b1", "r1", 10, nil), "OK")
		wantCode("bonus in the round of cash", b.sendVendorCall(t, "bet", "b2", "r1", 900, nil), "INSUFFICIENT_FUNDS")
		again := b.sendVendorCall(t, "bet", "b2", "r1", 900, nil)
		wantCode("the same again", again, "INSUFFICIENT_FUNDS")
		if !again.Replayed {
			t.Error("the same again: got a new movement, want a replay")
		}
		wantCode("rollback of the cash", b.rollback(t, "x1", "b1"), "OK")
		wantCode("bonus opens the round", b.sendVendorCall(t, "bet", "b3", "r1", 100, nil), "OK")
		wantCode("second stake of the bonus", b.sendVendorCall(t, "bet", "b4", "r1", 100, nil), "OK")
		wantCode("cash in the round of the bonus", b.sendVendorCall(t, "bet", "b5", "r1", 10, nil), "OK")
		wantCode("rollback of the first stake", b.rollback(t, "x3", "b3"), "OK")
		wantCode("win", b.sendVendorCall(t, "win", "w1", "r1", 700, nil), "OK")
		b.wantBalances(t, "after the win", 0, 1_600)

		b.Exec(t, "UPDATE reward SET status = 'COMPLETED' WHERE id = $1", reward)
		b.grant(t, 500, 10)
		wantCode("next bonus in the round of the first", b.sendVendorCall(t, "bet", "b6", "r1", 400, nil), "INSUFFICIENT_FUNDS")
		b.VerifyLedger(t)
	})
}

func TestPP11PartBonusBecomesCash(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		b := newBonusSite(t, store, 0)
		reward := b.grant(t, 100, 2)
		b.Clock.Add(time.Millisecond)
		b.sendVendorCall(t, "bet", "b1", "r1", 80, nil)
		b.sendVendorCall(t, "win", "w1", "r1", 90, map[string]any{"endRound": true})
		b.sendVendorCall(t, "bet", "b2", "r2", 100, nil)
		settle := func() {
			t.Helper()
			if err := b.Server.Promotions.Settle(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		settle()
		b.wantBalances(t, "while a round is open", 0, 10)
		b.sendVendorCall(t, "win", "w2", "r2", 150, nil)
		b.sendVendorCall(t, "bet", "b3", "r3", 30, nil)
		b.sendVendorCall(t, "endRound", "e3", "r3", 0, nil)
		b.sendVendorCall(t, "bet", "b4", "r4", 20, nil)
		settle()
		settle()
		b.wantBalances(t, "after the wagering is complete", 110, 0)
		if got := b.status(t, reward); got != promo.Completed {
			t.Errorf("status: got %s, want %s", got, promo.Completed)
		}
		b.sendVendorCall(t, "win", "w4", "r4", 70, nil)
		b.wantBalances(t, "after a late win", 180, 0)
		b.VerifyLedger(t)
	})
}

func TestBonusEndsDuringARound(t *testing.T) {
	t.Parallel()
	for _, end := range []string{promo.Expired, promo.GivenUp} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				b := newBonusSite(t, store, 5)
				reward := b.grant(t, 1_000, 10)
				b.sendVendorCall(t, "bet", "b1", "r1", 400, nil)
				b.sendVendorCall(t, "bet", "b2", "r2", 300, nil)
				if end == promo.Expired {
					b.Exec(t, "UPDATE reward SET expires_at = $1", db.Millis(b.Clock.Now()))
					if r := b.sendVendorCall(t, "bet", "b0", "r0", 10, nil); r.Code != "INSUFFICIENT_FUNDS" {
						t.Errorf("bet from an expired bonus: got %s, want INSUFFICIENT_FUNDS", r.Code)
					}
					if err := b.Server.Promotions.Settle(t.Context()); err != nil {
						t.Fatal(err)
					}
				} else if r := b.Call(t, "DELETE", fmt.Sprintf("/wps/reward/%d", reward), nil, "Authorization", b.token); r.Status != 200 {
					t.Fatalf("give up: %d %s, want 200", r.Status, r.Body)
				}
				b.wantBalances(t, "after the end", 5, 0)
				next := b.grant(t, 50, 10)
				if r := b.sendVendorCall(t, "win", "w1", "r1", 900, map[string]any{"endRound": true}); r.Code != "OK" {
					t.Errorf("late win: got %s, want OK", r.Code)
				}
				if r := b.rollback(t, "x2", "b2"); r.Code != "OK" || r.Status != "reversed" {
					t.Errorf("late rollback: got %s %s, want OK reversed", r.Code, r.Status)
				}
				b.wantBalances(t, "after late movements", 5, 50)
				if a, c := b.status(t, reward), b.status(t, next); a != end || c != promo.Wagering {
					t.Errorf("statuses: got %s and %s, want %s and %s", a, c, end, promo.Wagering)
				}
				b.VerifyLedger(t)
			})
		})
	}
}
