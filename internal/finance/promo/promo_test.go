package promo_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/promo"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const member, other = 701, 702

// A fixture is a site with two members.
type fixture struct {
	*servertest.Site
	cash ledger.Account
}

func newFixture(t *testing.T, store *db.Store, options ...servertest.Option) *fixture {
	t.Helper()
	d := &fixture{Site: servertest.New(t, store, options...)}
	d.AddMember(t, member, "player")
	d.AddMember(t, other, "stranger")
	d.cash = d.Fund(t, member, "VND", 1_000)
	d.Fund(t, other, "VND", 1_000)
	d.Serve(t, merchanttest.Tokens{
		"player": d.Caller(member, "player"), "stranger": d.Caller(other, "stranger"), "trial": {MemberID: 703, MerchantID: d.ID, Type: rest.Trial, Currency: "VND"},
	}, func(a *rest.API) { d.Server.Routes(a, nil) })
	return d
}

// promotion stores a promotion. Missing fields get defaults.
func (d *fixture) promotion(t *testing.T, p promo.Promotion) promo.Promotion {
	t.Helper()
	p.MerchantID, p.Currency, p.Published = d.ID, "VND", true
	if p.Category == "" {
		p.Category = "event"
	}
	if p.Payout == "" {
		p.Payout = promo.Cash
	}
	if p.Texts == nil {
		p.Texts = promo.Texts{"en": {Title: "Offer " + p.Code, Terms: "Once."}, "vi": {Title: "Quà " + p.Code}}
	}
	p.ClaimDays, p.Days = max(p.ClaimDays, 1), max(p.Days, 1)
	err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) (err error) {
		p, err = d.Server.Promotions.CreateIn(t.Context(), tx, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

type rewards struct {
	List      []promo.RewardView
	Unclaimed int64
}

func (d *fixture) rewards(t *testing.T, who string) rewards {
	t.Helper()
	return merchanttest.Value[rewards](t, d.Call(t, "GET", "/wps/reward", nil, "Authorization", who))
}

// deposit creates and confirms a deposit.
func (d *fixture) deposit(t *testing.T, who int64, amount money.Minor) {
	t.Helper()
	s := d.Server.Deposits
	method := deposit.Method{
		MerchantID: d.ID, Code: "BANK", Kind: deposit.Transfer, Name: "Bank", Currency: "VND", Min: 1, Max: 1_000_000_000, Opens: "00:00", Closes: "00:00", Minutes: 30, Enabled: true,
		Accounts: []deposit.Account{{Code: "A", Name: "A", Number: "1", Holder: "H"}},
	}
	_ = d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error { // it exists after the first call
		_, err := s.CreateMethodIn(t.Context(), tx, method)
		return err
	})
	v, err := s.Create(t.Context(), deposit.Member{ID: who, MerchantID: d.ID, Currency: "VND"}, "", deposit.Request{Kind: deposit.Transfer, Method: "BANK", Amount: rest.Amount(fmt.Sprint(amount))})
	if err != nil {
		t.Fatal(err)
	}
	var id int64
	if _, err := fmt.Sscan(v.ID, &id); err != nil {
		t.Fatal(err)
	}
	err = d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
		_, _, err := s.ConfirmIn(t.Context(), tx, d.ID, id, 0, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) evaluate(t *testing.T) {
	t.Helper()
	if err := d.Server.Promotions.Evaluate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) settle(t *testing.T) {
	t.Helper()
	if err := d.Server.Promotions.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func (d *fixture) code(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

func TestRT32PartCodeClaimedOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "hello5", Amount: 5_000})
		want(t, "wrong code", d.code(t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"NONE"}`, "Authorization", "player")), "promotion.code")
		v := merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/promotion/code", `{"code":" Hello5 "}`, "Authorization", "player", "Idempotency-Key", "k1"))
		want(t, "status", v.Status, promo.Unclaimed)
		again := merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/promotion/code", `{"code":" Hello5 "}`, "Authorization", "player", "Idempotency-Key", "k1"))
		want(t, "reward of the repeated request", again.ID, v.ID)
		redeem := func(key, code string) string {
			return d.code(t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"`+code+`"}`, "Authorization", "player", "Idempotency-Key", key))
		}
		want(t, "another code with the same key", redeem("k1", "NONE"), "idempotency.conflict")
		want(t, "wrong code with a key", redeem("k2", "NONE"), "promotion.code")
		want(t, "another code after a refusal", redeem("k2", "HELLO5"), "idempotency.conflict")
		want(t, "second use", d.code(t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", "player")), "promotion.applied")
		want(t, "unclaimed", d.rewards(t, "player").Unclaimed, int64(1))
		want(t, "another member's claim", d.code(t, d.Call(t, "POST", "/wps/reward/"+v.ID+"/claim", nil, "Authorization", "stranger")), "reward.unknown")

		var wg sync.WaitGroup
		statuses := make([]int, 8)
		for i := range statuses {
			wg.Go(func() {
				statuses[i] = d.Call(t, "POST", "/wps/reward/"+v.ID+"/claim", nil, "Authorization", "player").Status
			})
		}
		wg.Wait()
		paid := 0
		for _, s := range statuses {
			if s == http.StatusOK {
				paid++
			} else if s != http.StatusConflict {
				t.Errorf("a concurrent claim: got status %d, want 200 or 409", s)
			}
		}
		want(t, "claims that paid", paid, 1)
		want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(6_000))
		got := d.rewards(t, "player")
		want(t, "status after the claim", got.List[0].Status, promo.Claimed)
		want(t, "unclaimed after the claim", got.Unclaimed, int64(0))
		want(t, "trial member", d.Call(t, "GET", "/wps/reward", nil, "Authorization", "trial").Status, http.StatusForbidden)
		d.VerifyLedger(t)
	})
}

func TestDepositPromotions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "first", Kind: promo.FirstDeposit, Rate: 5_000, Least: 1_000, Most: 4_000})
		d.promotion(t, promo.Promotion{Code: "reload", Kind: promo.Reload, Rate: 1_000, Least: 1_000, Most: 4_000, Every: "day"})
		d.Clock.Add(time.Minute)
		d.deposit(t, member, 10_000)
		d.deposit(t, other, 999)
		d.Clock.Add(time.Minute)
		d.deposit(t, member, 2_000)
		d.deposit(t, member, 3_000)
		for range 2 { // the job may run again
			d.evaluate(t)
		}
		d.Clock.Add(24 * time.Hour)
		d.deposit(t, member, 5_000)
		d.evaluate(t)
		got := map[string]int{}
		for _, r := range d.rewards(t, "player").List {
			got[r.Title+" "+string(r.Amount)]++
		}
		if len(got) != 3 || got["Quà first 4000"] != 1 || got["Quà reload 200"] != 1 || got["Quà reload 500"] != 1 {
			t.Errorf("rewards: got %v, want first 4000 and reload 200 and 500, once each", got)
		}
		want(t, "rewards for a small deposit", len(d.rewards(t, "stranger").List), 0)
	})
}

func TestLossRebate(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "rebate", Kind: promo.LossRebate, Rate: 1_000, Least: 100, Most: 50_000, Every: "day"})
		settledAt := db.Millis(d.Clock.Now().Add(time.Minute))
		addRound := func(id, who, staked, won int64) {
			t.Helper()
			_, err := store.Writer.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
VALUES (%d, 1, %d, 'r%d', 1, %d, %d, %d, 0, %d, 1, 1, 1)`, id, who, id, settledAt, settledAt, staked, won))
			if err != nil {
				t.Fatal(err)
			}
		}
		addRound(1, member, 3_000, 0)
		addRound(2, member, 1_000, 2_500)
		addRound(3, other, 1_000, 2_000)
		d.evaluate(t)
		want(t, "rewards before the day's end", len(d.rewards(t, "player").List), 0)
		d.Clock.Add(48 * time.Hour)
		d.evaluate(t)
		d.evaluate(t)
		list := d.rewards(t, "player").List
		if len(list) != 1 || list[0].Amount != "150" {
			t.Errorf("rebate: got %+v, want one of 150", list)
		}
		want(t, "rebate for a winner", len(d.rewards(t, "stranger").List), 0)
	})
}

func TestPP07PartNoPromotionOnABreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "HELLO5", Amount: 5_000})
		d.promotion(t, promo.Promotion{Code: "bye", Kind: promo.PromoCode, PromoCode: "BYE", Amount: 5_000})
		d.promotion(t, promo.Promotion{Code: "first", Kind: promo.FirstDeposit, Rate: 5_000, Most: 4_000})
		v := merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", "player"))
		d.Clock.Add(time.Minute)
		d.deposit(t, member, 10_000)
		if err := d.Server.Limits.BeginBreak(t.Context(), member, "24h"); err != nil {
			t.Fatal(err)
		}
		want(t, "claim on a break", d.code(t, d.Call(t, "POST", "/wps/reward/"+v.ID+"/claim", nil, "Authorization", "player")), "limits.excluded")
		want(t, "code on a break", d.code(t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"BYE"}`, "Authorization", "player")), "limits.excluded")
		d.evaluate(t)
		want(t, "rewards", len(d.rewards(t, "player").List), 1)
		d.VerifyLedger(t)
	})
}

func TestOneRewardPerPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "HELLO5", Amount: 5_000})
		for id, email := range map[int64]string{member: "An.Nguyen@example.com", other: "an.nguyen+two@example.com"} {
			if _, err := store.Writer.ExecContext(t.Context(), fmt.Sprintf(`UPDATE member SET email = '%s' WHERE id = %d`, email, id)); err != nil {
				t.Fatal(err)
			}
		}
		want(t, "first account", d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", "player").Status, http.StatusOK)
		want(t, "second account", d.code(t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", "stranger")), "promotion.person")
	})
}

func TestUnclaimedRewardExpires(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "HELLO5", Amount: 5_000, ClaimDays: 3})
		if _, err := store.Writer.ExecContext(t.Context(), `UPDATE member SET email = 'player@example.com' WHERE id = 701`); err != nil {
			t.Fatal(err)
		}
		v := merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", "player"))
		d.settle(t)
		d.Clock.Add(2*24*time.Hour + time.Minute)
		d.settle(t)
		d.settle(t)
		d.Clock.Add(24 * time.Hour)
		want(t, "late claim", d.code(t, d.Call(t, "POST", "/wps/reward/"+v.ID+"/claim", nil, "Authorization", "player")), "reward.state")
		want(t, "status before the job", d.rewards(t, "player").List[0].Status, promo.Expired)
		d.settle(t)
		want(t, "status after the job", d.rewards(t, "player").List[0].Status, promo.Expired)
		var bodies []string
		for _, m := range d.Sent(t) {
			bodies = append(bodies, m.Body)
		}
		messages := strings.Join(bodies, "\n")
		for _, text := range []string{"đang chờ bạn", "hết hạn trong vòng 24 giờ", "đã kết thúc"} {
			want(t, "messages with "+text, strings.Count(messages, text), 1)
		}
	})
}

// form returns the request body of an application.
func form(t *testing.T, remark string, images ...[]byte) (body, contentType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.WriteField("remark", remark); err != nil {
		t.Fatal(err)
	}
	for _, data := range images {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="a.png"`}, "Content-Type": {"image/png"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

func TestVA08PartApplication(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		p := d.promotion(t, promo.Promotion{Code: "story", Kind: promo.Application, Amount: 5_000})
		codePromotion := d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "HELLO5", Amount: 5_000})
		var picture bytes.Buffer
		if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 4, 4))); err != nil {
			t.Fatal(err)
		}
		path := fmt.Sprintf("/wps/promotion/%d/apply", p.ID)
		send := func(path, remark string, images ...[]byte) merchanttest.Reply {
			body, contentType := form(t, remark, images...)
			return d.Call(t, "POST", path, body, "Authorization", "player", "Content-Type", contentType)
		}
		for _, c := range []struct {
			what, fault string
			reply       merchanttest.Reply
		}{
			{"remark of 141 characters", "promotion.remark", send(path, strings.Repeat("ạ", 141))},
			{"four pictures", "promotion.images", send(path, "", picture.Bytes(), picture.Bytes(), picture.Bytes(), picture.Bytes())},
			{"a program instead of a picture", "promotion.picture", send(path, "", []byte("MZ\x90\x00"))},
			{"a picture of 6 MB", "promotion.picture", send(path, "", append(bytes.Clone(picture.Bytes()), make([]byte, 6<<20)...))},
			{"another kind", "promotion.not_open", send(fmt.Sprintf("/wps/promotion/%d/apply", codePromotion.ID), "")},
			{"unknown promotion", "promotion.unknown", send("/wps/promotion/1/apply", "")},
		} {
			want(t, c.what, d.code(t, c.reply), c.fault)
		}
		for _, body := range []string{`{"remark":"a","amount":1}`, `{"remark":1}`, `[]`, ``} {
			want(t, body, d.code(t, d.Call(t, "POST", path, body, "Authorization", "stranger", "Content-Type", "application/json")), "request_param_err")
		}
		v := merchanttest.Value[promo.RewardView](t, send(path, strings.Repeat("ạ", 140), picture.Bytes(), picture.Bytes(), picture.Bytes()))
		want(t, "status", v.Status, promo.Applied)
		want(t, "second application", d.code(t, send(path, "")), "promotion.applied")
		body, contentType := form(t, "", picture.Bytes())
		body = strings.ReplaceAll(body, `name="image"`, `name="images"`)
		want(t, "files named images", d.Call(t, "POST", path, body, "Authorization", "stranger", "Content-Type", contentType).Status, http.StatusOK)
		want(t, "second application in JSON", d.code(t, d.Call(t, "POST", path, `{"remark":"a"}`, "Authorization", "stranger", "Content-Type", "application/json")), "promotion.applied")
		want(t, "claim before the decision", d.code(t, d.Call(t, "POST", "/wps/reward/"+v.ID+"/claim", nil, "Authorization", "player")), "reward.state")
	})
}

func TestRT12PartPromotionsOfVisitorsAndMembers(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "HELLO5", Amount: 5_000})
	d.promotion(t, promo.Promotion{Code: "first", Kind: promo.FirstDeposit, Category: "deposit", Payout: promo.Bonus, Wagering: 10, Rate: 5_050, Least: 100, Most: 4_000})
	d.promotion(t, promo.Promotion{Code: "gift", Kind: promo.Grant})
	d.promotion(t, promo.Promotion{Code: "later", Kind: promo.Application, Amount: 1, StartsAt: db.Millis(d.Clock.Now().Add(time.Hour))})
	type promotion struct {
		Code, Title, Terms, State string
		Wagering                  int64
	}
	listPromotions := func(path string, headers ...string) (codes []string, list []promotion) {
		list = merchanttest.Value[struct{ List []promotion }](t, d.Call(t, "GET", path, nil, headers...)).List
		for _, p := range list {
			codes = append(codes, p.Code+" "+p.State)
		}
		return codes, list
	}
	codes, list := listPromotions("/wps/promotion", "Language", "en")
	want(t, "promotions of a visitor", strings.Join(codes, ", "), "hello open, first open")
	want(t, "title", list[0].Title, "Offer hello")
	want(t, "terms", list[0].Terms, "Once.")
	want(t, "wagering", list[1].Wagering, int64(10))
	codes, _ = listPromotions("/wps/promotion?category=deposit")
	want(t, "promotions of a category", strings.Join(codes, ", "), "first open")
	d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", "player")
	codes, _ = listPromotions("/wps/promotion", "Authorization", "player")
	want(t, "promotions of a member", strings.Join(codes, ", "), "hello granted, first open")
}

func TestPP11PartInvalidPromotionsAreRefused(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	base := promo.Promotion{
		MerchantID: d.ID, Currency: "VND", Code: "offer", Kind: promo.FirstDeposit, Category: "deposit", Payout: promo.Bonus, Wagering: 10, Rate: 1_000, Most: 100,
		ClaimDays: 1, Days: 1, Texts: promo.Texts{"vi": {Title: "A"}},
	}
	for field, change := range map[string]func(*promo.Promotion){
		"wagering":  func(p *promo.Promotion) { p.Wagering = 11 },
		"payout":    func(p *promo.Promotion) { p.Payout = "points" },
		"rate":      func(p *promo.Promotion) { p.Rate = 0 },
		"most":      func(p *promo.Promotion) { p.Most = 0 },
		"promoCode": func(p *promo.Promotion) { p.Kind, p.Rate, p.Amount, p.PromoCode = promo.PromoCode, 0, 5, "a b" },
		"every":     func(p *promo.Promotion) { p.Kind = promo.LossRebate },
		"texts":     func(p *promo.Promotion) { p.Texts = promo.Texts{"pt": {Title: "A"}} },
		"endsAt":    func(p *promo.Promotion) { p.StartsAt, p.EndsAt = 5, 5 },
	} {
		p := base
		change(&p)
		err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
			_, err := d.Server.Promotions.CreateIn(t.Context(), tx, p)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "promotion.malformed") {
			t.Errorf("%s: got %v, want promotion.malformed", field, err)
		}
	}
}
