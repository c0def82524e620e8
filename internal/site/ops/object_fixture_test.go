package ops_test

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"fairground/internal/game/catalogue"
	"fairground/internal/game/fairness/series"
	"fairground/internal/platform/spec"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

// chatPicture is the name of the picture in the conversation of addObjects.
const chatPicture = "aaaaaaaaaaaaaaaaaaaaaaaaaa.jpg"

// addObjects stores one object of each kind for the site's merchant. It returns their ids by the first part of their path. owner is
// an operator of the merchant.
func (d *opsSite) addObjects(t *testing.T, owner *person) map[string]string {
	t.Helper()
	ids := map[string]string{}
	d.addMemberObjects(t, ids)
	d.addMoneyObjects(t, ids)
	d.addGameObjects(t, ids)
	d.addTalkObjects(t, ids, owner)
	d.addContentObjects(t, ids, owner)
	d.addDeskObjects(t, ids, owner)
	return ids
}

// insert adds a row. fields are the columns and their values. The id is returned as text, for paths.
func (d *opsSite) insert(t *testing.T, table string, fields object) string {
	t.Helper()
	names, marks, values := []string{}, []string{}, []any{}
	for name, value := range fields {
		names, values = append(names, name), append(values, value)
		marks = append(marks, fmt.Sprintf("$%d", len(values)))
	}
	d.Exec(t, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(marks, ", ")), values...)
	return fmt.Sprint(fields["id"])
}

// putFile stores a file and returns its name.
func (d *opsSite) putFile(t *testing.T, name string) string {
	t.Helper()
	content := "picture of the first merchant"
	if err := d.Blobs.Put(t.Context(), name, strings.NewReader(content), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	return name
}

// objectMember is the member of the objects of addObjects.
const objectMember = 601

func (d *opsSite) addMemberObjects(t *testing.T, ids map[string]string) {
	t.Helper()
	d.AddMember(t, objectMember, "player")
	d.Fund(t, objectMember, "VND", 1_000_000)
	now := d.Clock.Now().UnixMilli()
	ids["members"] = fmt.Sprint(objectMember)
	ids["transfers"] = fmt.Sprint(d.Number(t, "SELECT MAX(id) FROM transfer"))
	ids["kyc"] = d.insert(t, "kyc", object{
		"id": 7001, "merchant_id": d.ID, "member_id": objectMember, "state": "WAITING", "details": []byte{}, "number_mac": []byte{1}, "images": "", "created_at": now,
	})
	ids["protection"] = d.insert(t, "protection_sign", object{
		"id": 7002, "merchant_id": d.ID, "member_id": objectMember, "kind": "night", "facts": "{}", "found_at": now, "status": "new",
	})
	ids["messages"] = d.insert(t, "message", object{
		"id": 7003, "merchant_id": d.ID, "audience": "all", "filter": "{}", "texts": `{"vi":{"title":"Tin","body":"Tin"}}`, "link": "", "promotional": false, "status": "sent",
		"created_by": "lan", "created_at": now,
	})
	ids["feedback"] = d.insert(t, "feedback", object{
		"id": 7004, "merchant_id": d.ID, "member_id": objectMember, "category": "other", "content": "Tin", "images": fmt.Sprintf("[%q]", d.putFile(t, "feedback/one.jpg")),
		"status": "open", "created_at": now,
	})
}

func (d *opsSite) addMoneyObjects(t *testing.T, ids map[string]string) {
	t.Helper()
	now := d.Clock.Now().UnixMilli()
	ids["gateways"] = d.insert(t, "gateway", object{
		"id": 7011, "merchant_id": d.ID, "code": "G1", "name": "Gate", "base_url": "https://pay.example", "currency": "VND", "min_amount": 0, "max_amount": 0, "enabled": true, "created_at": now,
	})
	ids["methods"] = d.insert(t, "deposit_method", object{
		"id": 7012, "merchant_id": d.ID, "code": "bank", "kind": "mt", "scheme": "", "name": "Bank", "currency": "VND", "min_amount": 1, "max_amount": 1_000_000, "fee": 0, "fee_rate": 0,
		"opens_at": "00:00", "closes_at": "00:00", "minutes": 60, "accounts": "[]", "sorting": 1, "enabled": true, "created_at": now,
	})
	ids["deposits"] = d.insert(t, "deposit", object{
		"id": 7013, "merchant_id": d.ID, "member_id": objectMember, "method_id": 7012, "kind": "mt", "reference": "D1", "status": "CLAIMED", "currency": "VND", "amount": 100_000, "fee": 0,
		"proof": d.putFile(t, "deposit/one.jpg"), "source_id": 1, "cash_id": 2, "reserve_id": 3, "created_at": now, "expires_at": now + 60_000,
	})
	sealed, err := d.Server.Keys.Wrap("withdraw.card/7014", []byte(`{"number":"0011001932418","holder":"NGUYEN VAN AN"}`))
	if err != nil {
		t.Fatal(err)
	}
	d.insert(t, "bank_card", object{
		"id": 7014, "merchant_id": d.ID, "member_id": objectMember, "bank": "VCB", "sealed": sealed, "last_four": "2418", "digest": []byte{2}, "is_default": true, "created_at": now,
	})
	ids["withdrawals"] = d.insert(t, "withdrawal", object{
		"id": 7015, "merchant_id": d.ID, "member_id": objectMember, "card_id": 7014, "reference": "W1", "status": "REQUESTED", "currency": "VND", "amount": 100_000, "fee": 0, "cash_id": 1,
		"held_id": 2, "hold_id": 3, "created_at": now,
	})
	ids["promotions"] = d.insert(t, "promotion", object{
		"id": 7016, "merchant_id": d.ID, "code": "gift", "kind": "application", "category": "event", "currency": "VND", "texts": `{"vi":{"title":"Quà","terms":"Quà"}}`, "image": "",
		"payout": "cash", "rate": 0, "amount": 50_000, "least": 0, "most": 0, "wagering": 0, "every": "", "promo_code": "", "max_rewards": 0, "claim_days": 7, "days": 7, "starts_at": now,
		"ends_at": 0, "apply_by": 0, "published": true, "sorting": 1, "created_at": now,
	})
	ids["rewards"] = d.insert(t, "reward", object{
		"id": 7017, "merchant_id": d.ID, "member_id": objectMember, "promotion_id": 7016, "period": "", "status": "APPLIED", "payout": "cash", "currency": "VND", "amount": 50_000,
		"required": 0, "days": 7, "images": fmt.Sprintf("[%q]", d.putFile(t, "reward/one.jpg")), "created_at": now, "expires_at": 0,
	})
}

func (d *opsSite) addGameObjects(t *testing.T, ids map[string]string) {
	t.Helper()
	now := d.Clock.Now().UnixMilli()
	acme := catalogue.Vendor{Code: "ACME", DisplayName: "Acme", AccountType: spec.Slots, Categories: []string{spec.Slots}, Sorting: 1, Enabled: true}
	if err := d.Server.Catalogue.PutVendors(t.Context(), d.ID, []catalogue.Vendor{acme}); err != nil {
		t.Fatal(err)
	}
	if err := d.Server.Catalogue.PutGames(t.Context(), d.ID, []catalogue.Game{servertest.Game("ACME", "a1")}); err != nil {
		t.Fatal(err)
	}
	vendorID := d.Number(t, "SELECT id FROM vendor WHERE merchant_id = $1 AND code = 'ACME'", d.ID)
	gameID := d.Number(t, "SELECT id FROM game WHERE vendor_id = $1", vendorID)
	ids["vendors"], ids["games"] = fmt.Sprint(vendorID), fmt.Sprint(gameID)
	d.insert(t, "vendor_round", object{
		"first_id": 7021, "vendor_id": vendorID, "member_id": objectMember, "round": "R1", "game_id": gameID, "started": now, "settled": now, "staked": 1000, "refunded": 0, "won": 0,
		"standing": 1, "wins": 0, "ends": 1,
	})
	ids["rounds"] = "7021"
	// The wallet knows the stuck round, so that it has a merchant.
	ids["stuck"] = d.insert(t, "house_round", object{
		"id": 7022, "player": "player", "spin_id": "s1", "vendor": "ACME", "game": "a1", "wallet_session": "", "currency": "VND", "engine": "slot", "version": 1, "stake": 1000, "status": "owed",
		"client_seed": "c", "nonce": 1, "published_at": now, "win": 5000, "created_at": now,
	})
	d.insert(t, "vendor_move", object{
		"transfer_id": 7023, "vendor_id": vendorID, "member_id": objectMember, "round": ids["stuck"], "call": "bet", "tx": "t1", "amount": 1000, "currency": "VND", "play_id": 1,
		"game_id": gameID, "ends": false, "at": now,
	})
	d.insert(t, "jackpot_pool", object{
		"merchant_id": d.ID, "currency": "VND", "series": 1, "amount": 5000, "seed": []byte{}, "next_seed": []byte{}, "published_at": now, "nonce": 0,
	})
	ids["jackpots"] = "VND"
	own, err := d.Server.Series.Ensure(t.Context(), series.Lottery, fmt.Sprintf("k3-1-%d", d.ID))
	if err != nil {
		t.Fatal(err)
	}
	ids["fairness"] = fmt.Sprint(own.ID)
}

func (d *opsSite) addTalkObjects(t *testing.T, ids map[string]string, owner *person) {
	t.Helper()
	now := d.Clock.Now().UnixMilli()
	found, err := d.ops.Find(t.Context(), owner.name)
	if err != nil {
		t.Fatal(err)
	}
	ids["chats"] = d.insert(t, "chat", object{
		"id": 7031, "merchant_id": d.ID, "member_id": objectMember, "name": "player", "language": "vi", "status": "open", "operator_id": found.ID, "operator": found.Name, "last_seq": 1,
		"queued_at": now, "created_at": now, "updated_at": now,
	})
	d.putFile(t, "chat/"+chatPicture)
	d.insert(t, "chat_message", object{"chat_id": 7031, "seq": 1, "sender": "customer", "client_id": "c1", "kind": "image", "body": chatPicture, "created_at": now})
	ids["streams"] = d.created(t, owner, "streams", object{"names": object{"vi": "Tin"}, "host": "Lan", "url": "/m/stream/demo.m3u8", "active": true, "chat": true})
	d.Exec(t, "UPDATE live_stream SET last_seq = 1")
	d.insert(t, "live_stream_message", object{
		"stream_id": d.Number(t, "SELECT id FROM live_stream"), "seq": 1, "member_id": objectMember, "username": "player", "client_id": "c1", "body": "Tin", "created_at": now,
	})
	ids["replies"] = d.created(t, owner, "replies", object{"title": "Tin", "texts": object{"vi": "Tin"}})
}

// created creates an object as an operator and returns its id.
func (d *opsSite) created(t *testing.T, by *person, kind string, body object) string {
	t.Helper()
	return merchanttest.Value[struct{ ID string }](t, by.call(http.MethodPost, "/ops/v1/"+kind, body)).ID
}

func (d *opsSite) addContentObjects(t *testing.T, ids map[string]string, owner *person) {
	t.Helper()
	for kind, body := range contentBodies() {
		delete(body, "version")
		ids[kind] = d.created(t, owner, kind, body)
	}
}

// contentBodies returns a complete entry of each kind of content.
func contentBodies() map[string]object {
	all := map[string]object{
		"announcements": {}, "banners": {"group": "m_home", "image": "/m/art/banners/a.webp"}, "popups": {"execution": "A"}, "pages": {"code": "terms-x"}, "help": {"code": "money"},
	}
	for _, body := range all {
		body["version"], body["texts"] = 1, object{"vi": text("Tin", "<p>Tin</p>")}
	}
	return all
}

func (d *opsSite) addDeskObjects(t *testing.T, ids map[string]string, owner *person) {
	t.Helper()
	now := d.Clock.Now().UnixMilli()
	ids["approvals"] = d.insert(t, "approval", object{
		"id": 7041, "merchant_id": d.ID, "permission": "ledger.adjust", "action": "ledger.adjust", "object": "member/601", "payload": "{}", "digest": []byte{3}, "state": "waiting",
		"requested_by": "someone", "requested_at": now,
	})
	ids["tasks"] = d.insert(t, "task", object{
		"id": 7042, "merchant_id": d.ID, "kind": "withdrawal", "reference": "W1", "object": "withdrawals/7015", "permission": "withdrawal.review", "state": "open", "created_at": now,
	})
	ids["audit"] = fmt.Sprint(d.Number(t, "SELECT MIN(seq) FROM audit WHERE merchant_id = $1", d.ID))
	found, err := d.ops.Find(t.Context(), owner.name)
	if err != nil {
		t.Fatal(err)
	}
	ids["operators"] = fmt.Sprint(found.ID)
}

// pictureForm returns a multipart body with a client's id and a picture.
func pictureForm(t *testing.T) (body, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="a.png"`}, "Content-Type": {"image/png"}})
	if err == nil {
		_, err = part.Write([]byte("not a picture"))
	}
	if err = firstError(err, form.WriteField("clientId", "c9"), form.Close()); err != nil {
		t.Fatal(err)
	}
	return buffer.String(), form.FormDataContentType()
}

// withVersion returns a body with another version, if it has one.
func withVersion(body object, version int) object {
	if _, ok := body["version"]; !ok {
		return body
	}
	body = maps.Clone(body)
	body["version"] = version
	return body
}
