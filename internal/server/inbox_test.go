package server_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/limits"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/money"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// An eventSite is a site with a member who does what the inbox reports.
type eventSite struct {
	*servertest.Site

	t        *testing.T
	memberID int64
	token    string
	read     int // messages that the test has read
}

// as sends a request of the member. The response must be a success.
func (s *eventSite) as(method, path string, body any, headers ...string) merchanttest.Reply {
	s.t.Helper()
	s.Refill()
	r := s.Call(s.t, method, path, body, append([]string{"Authorization", s.token}, headers...)...)
	if r.Status != http.StatusOK {
		s.t.Fatalf("%s %s: got %d %.300s, want 200", method, path, r.Status, r.Body)
	}
	return r
}

// wantNews checks that the inbox has exactly one new message, of this kind and with this text.
func (s *eventSite) wantNews(kind, text string) {
	s.t.Helper()
	type item struct{ Kind, Title, Preview string }
	list := merchanttest.Value[struct{ List []item }](s.t, s.as(http.MethodGet, "/wps/relay/EMFE_getInboxMessages?pageSize=100", nil, "Language", "EN")).List
	s.read++
	if len(list) != s.read {
		s.t.Fatalf("messages after %s: got %+v, want %d", kind, list, s.read)
	}
	if got := list[0]; got.Kind != kind || got.Title == "" || !strings.Contains(got.Preview, text) {
		s.t.Errorf("newest message: got %+v, want %s with %q", got, kind, text)
	}
	s.Clock.Add(time.Second) // the next message is newer
}

func (s *eventSite) sendIdentity() {
	s.t.Helper()
	var card, form bytes.Buffer
	if err := png.Encode(&card, image.NewRGBA(image.Rect(0, 0, 20, 20))); err != nil {
		s.t.Fatal(err)
	}
	w := multipart.NewWriter(&form)
	for name, value := range map[string]string{"name": "Nguyen Minh Anh", "birthDate": "1992-03-04", "documentNumber": "079092001234"} {
		_ = w.WriteField(name, value) // a buffer does not fail
	}
	part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="card.png"`}, "Content-Type": {"image/png"}})
	if err != nil {
		s.t.Fatal(err)
	}
	_, _ = part.Write(card.Bytes())
	_ = w.Close()
	s.as(http.MethodPost, "/wps/member/kyc", form.String(), "Content-Type", w.FormDataContentType())
}

// decide runs an operator's action on the current version of an object.
func (s *eventSite) decide(by servertest.Operator, object, action string, more map[string]any) {
	s.t.Helper()
	body := map[string]any{"version": merchanttest.Value[struct{ Version int64 }](s.t, by(http.MethodGet, "/ops/v1/"+object, nil)).Version}
	for name, value := range more {
		body[name] = value
	}
	if r := by(http.MethodPost, "/ops/v1/"+object+"/"+action, body); r.Status != http.StatusOK {
		s.t.Fatalf("%s %s: got %d %.300s, want 200", action, object, r.Status, r.Body)
	}
}

func TestRT33PartInboxAfterRealEvents(t *testing.T) {
	t.Parallel()
	s := &eventSite{Site: servertest.New(t, dbtest.SQLite(t)), t: t}
	ctx := t.Context()
	s.memberID = s.Register(t, member.NewMember{Username: "minhanh92", Password: "Harbour77x"})
	if err := s.Server.Members.ConfirmAge(ctx, s.ID, s.memberID, true); err != nil {
		t.Fatal(err)
	}
	s.token = s.Login(t, "minhanh92", "Harbour77x")
	finance, risk, content := s.Operator(t, "lan", "finance"), s.Operator(t, "mai", "risk"), s.Operator(t, "hoa", "content")

	// Identity.
	waiting := func() string {
		return "kyc/" + merchanttest.Value[struct{ List []struct{ ID string } }](t, risk(http.MethodGet, "/ops/v1/kyc?state=WAITING", nil)).List[0].ID
	}
	s.sendIdentity()
	s.decide(risk, waiting(), "refuse", map[string]any{"reason": "The picture is too dark"})
	s.wantNews("identity.refused", "The picture is too dark")
	s.sendIdentity()
	s.decide(risk, waiting(), "approve", nil)
	s.wantNews("identity.verified", "")

	// Withdrawals.
	s.Fund(t, s.memberID, "VND", 1_000_000)
	s.as(http.MethodPut, "/wps/member/paymentPassword", `{"paymentPassword":"246810","confirmPaymentPassword":"246810","password":"Harbour77x"}`)
	card := merchanttest.Value[struct{ ID string }](t, s.as(http.MethodPost, "/wps/member/bankCard", `{"bank":"VCB","number":"0011001932418","paymentPassword":"246810"}`)).ID
	withdraw := func() string {
		r := s.as(http.MethodPost, "/wps/transaction/withdraw", fmt.Sprintf(`{"cardId":%q,"amount":100000,"paymentPassword":"246810"}`, card))
		return "withdrawals/" + merchanttest.Value[struct{ ID string }](t, r).ID
	}
	s.decide(finance, withdraw(), "refuse", map[string]any{"reason": "The name differs"})
	s.wantNews("withdrawal.refused", "100,000")
	paid := withdraw()
	s.decide(finance, paid, "approve", nil)
	s.decide(finance, paid, "sent", nil)
	s.decide(finance, paid, "paid", map[string]any{"bankReference": "FT1"})
	s.wantNews("withdrawal.paid", "100,000")

	// A deposit.
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"https://pay.example/1"}`)
	}))
	t.Cleanup(web.Close)
	key, err := s.Server.Gateways.Create(ctx, s.ID, gateway.Draft{Code: "G1", Name: "Gate", URL: web.URL, Currencies: []string{"VND"}})
	if err != nil {
		t.Fatal(err)
	}
	deposit := merchanttest.Value[struct{ Reference string }](t, s.as(http.MethodPost, "/wps/transaction/deposit/pg", `{"method":"G1","amount":200000}`))
	const path = "/pay/v1/G1/payment"
	notice := fmt.Sprintf(`{"reference":%q,"gatewayId":"P1","status":"paid","amount":"200000","currency":"VND","at":1}`, deposit.Reference)
	timestamp := fmt.Sprint(s.Clock.Now().UnixMilli())
	s.as(http.MethodPost, path, notice, "X-Gateway", "G1", "X-Key", key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(key.Key, timestamp, path, []byte(notice)))
	s.wantNews("deposit.credited", "200,000")

	// A reward. One person may grant it.
	s.Set(t, merchant.TwoPersonAbove, "1000000")
	gift := merchanttest.Value[struct{ ID string }](t, content(http.MethodPost, "/ops/v1/promotions", map[string]any{
		"code": "gift", "kind": "grant", "category": "event", "texts": map[string]any{"en": map[string]any{"title": "A gift", "terms": "Once."}},
		"payout": "cash", "wagering": 0, "claimDays": 7, "days": 7, "published": true,
	}))
	grant := map[string]any{"promotionId": gift.ID, "member": "minhanh92", "amount": 700, "reason": "sorry for the wait"}
	if r := content(http.MethodPost, "/ops/v1/rewards", grant); r.Status != http.StatusOK {
		t.Fatalf("grant: got %d %.300s, want 200", r.Status, r.Body)
	}
	s.wantNews("reward.granted", "A gift")

	// A limit.
	low, high := money.Minor(100_000), money.Minor(200_000)
	for _, amount := range []*money.Minor{&low, &high} {
		if err := s.Server.Limits.Set(ctx, s.memberID, "VND", limits.Stake, limits.Day, amount); err != nil {
			t.Fatal(err)
		}
	}
	s.Clock.Add(25 * time.Hour)
	if err := s.Server.Limits.Confirm(ctx, s.memberID, limits.Stake, limits.Day); err != nil {
		t.Fatal(err)
	}
	login := func(address string) {
		t.Helper()
		grant, err := s.Server.Sessions.Login(ctx, session.Credentials{MerchantID: s.ID, Username: "minhanh92", Password: "Harbour77x", Address: address})
		if err != nil {
			t.Fatal(err)
		}
		s.token = grant.Token
	}
	login("192.0.2.1") // the session has ended meanwhile; the place is known
	s.wantNews("limit.raised", "")

	// A login from another place.
	login("198.51.100.7")
	s.wantNews("login.new", "198.51.100.7")
}
