package ops_test

import "maps"

// An objectCall is a call about an object of the first merchant.
type objectCall struct {
	call    string // method and path
	refusal string // error code for an operator of another merchant
	body    object // with the object's version, if the call needs it
}

func versioned(fields object) object {
	body := object{"version": 1, "reason": "because"}
	maps.Copy(body, fields)
	return body
}

// objectCalls returns the calls about objects of one merchant. A call with {action} is sent with each action.
func objectCalls() []objectCall {
	calls := []objectCall{
		{"GET /ops/v1/approvals/{id}", "ops.not_found", nil},
		{"POST /ops/v1/approvals/{id}", "ops.not_found", object{"decision": "approve"}},
		{"GET /ops/v1/audit/{id}", "ops.not_found", nil},
		{"POST /ops/v1/catalogue/vendors/{id}/{action}", "catalogue.missing", versioned(nil)},
		{"GET /ops/v1/chats/{id}", "chat.unknown", nil},
		{"POST /ops/v1/chats/{id}/images", "chat.unknown", nil}, // a form, see objectSite.send
		{"GET /ops/v1/chats/{id}/images/{name}", "chat.unknown", nil},
		{"GET /ops/v1/chats/{id}/messages", "chat.unknown", nil},
		{"POST /ops/v1/chats/{id}/messages", "chat.unknown", object{"clientId": "c2", "text": "Xin chào"}},
		{"POST /ops/v1/chats/{id}/notes", "chat.unknown", object{"text": "Xin chào"}},
		{"POST /ops/v1/chats/{id}/read", "chat.unknown", object{"seq": 1}},
		{"GET /ops/v1/chats/{id}/transcript", "chat.unknown", nil},
		{"POST /ops/v1/chats/{id}/typing", "chat.unknown", nil},
		{"POST /ops/v1/chats/{id}/{action}", "chat.unknown", versioned(nil)},
		{"GET /ops/v1/deposits/{id}", "deposit.unknown", nil},
		{"GET /ops/v1/deposits/{id}/proof", "deposit.unknown", nil},
		{"POST /ops/v1/deposits/{id}/{action}", "deposit.unknown", versioned(object{"amount": 0.5})}, // not an amount in VND
		{"GET /ops/v1/fairness/{id}", "fairness.unknown_series", nil},
		{"POST /ops/v1/fairness/{id}/end", "fairness.unknown_series", versioned(nil)},
		{"POST /ops/v1/fairness/{id}/value", "fairness.unknown_series", versioned(object{"value": "40213"})},
		{"GET /ops/v1/feedback/{id}", "feedback.unknown", nil},
		{"POST /ops/v1/feedback/{id}/answer", "feedback.unknown", object{"version": 1, "text": "Xin chào"}},
		{"GET /ops/v1/feedback/{id}/image/{n}", "feedback.no_image", nil},
		{"GET /ops/v1/games/{id}", "catalogue.missing", nil},
		{"POST /ops/v1/games/{id}/{action}", "catalogue.missing", versioned(object{"rank": 1})},
		{"POST /ops/v1/gateways/{id}/{action}", "gateway.unknown", versioned(object{"change": object{"name": "Mine", "url": "https://mine.example"}})},
		{"GET /ops/v1/jackpots/{id}", "jackpot.none", nil},
		{"GET /ops/v1/kyc/{id}", "kyc.unknown", nil},
		{"POST /ops/v1/kyc/{id}/approve", "kyc.unknown", versioned(nil)},
		{"POST /ops/v1/kyc/{id}/refuse", "kyc.unknown", versioned(nil)},
		{"POST /ops/v1/kyc/{id}/view", "kyc.unknown", object{"image": 1}},
		{"POST /ops/v1/members/{action}", "member.unknown", object{"ids": []string{"601"}, "tag": "vip", "reason": "because"}},
		{"GET /ops/v1/members/{id}", "member.unknown", nil},
		{"POST /ops/v1/members/{id}/break", "member.unknown", versioned(object{"period": "24h"})},
		{"GET /ops/v1/members/{id}/limits", "member.unknown", nil},
		{"GET /ops/v1/members/{id}/notes", "member.unknown", nil},
		{"POST /ops/v1/members/{id}/notes", "member.unknown", object{"text": "Xin chào"}},
		{"GET /ops/v1/members/{id}/sessions", "member.unknown", nil},
		{"GET /ops/v1/members/{id}/shared", "member.unknown", nil},
		{"GET /ops/v1/members/{id}/wallets", "member.unknown", nil},
		{"POST /ops/v1/members/{id}/{action}", "member.unknown", versioned(object{"tag": "vip"})},
		{"GET /ops/v1/messages/{id}", "message.not_found", nil},
		{"POST /ops/v1/messages/{id}/withdraw", "message.not_found", versioned(nil)},
		{"PUT /ops/v1/methods/{id}", "deposit.method_unknown", object{
			"version": 1, "name": "Mine", "min": 1, "max": 1000, "fee": 0, "feeRate": 0, "opensAt": "00:00", "closesAt": "00:00", "minutes": 60, "accounts": []any{}, "sorting": 1, "enabled": true,
		}},
		{"GET /ops/v1/operators/{id}", "operator.unknown", nil},
		{"POST /ops/v1/operators/{id}/{action}", "operator.unknown", versioned(object{"roles": []string{"support"}})},
		{"GET /ops/v1/promotions/{id}", "promotion.unknown", nil},
		{"PUT /ops/v1/promotions/{id}", "promotion.unknown", versioned(object{
			"category": "event", "texts": object{"vi": object{"title": "Quà", "terms": "Quà"}}, "payout": "cash", "amount": 1000, "wagering": 0, "claimDays": 7, "days": 7,
		})},
		{"POST /ops/v1/promotions/{id}/{action}", "promotion.unknown", versioned(nil)},
		{"POST /ops/v1/protection/{id}/{action}", "protection.unknown", versioned(object{"text": "Xin chào", "period": "24h"})},
		{"GET /ops/v1/replies/{id}", "reply.unknown", nil},
		{"PUT /ops/v1/replies/{id}", "reply.unknown", versioned(object{"title": "Chào", "texts": object{"vi": "Chào"}})},
		{"POST /ops/v1/replies/{id}/delete", "reply.unknown", versioned(nil)},
		{"GET /ops/v1/rewards/{id}", "reward.unknown", nil},
		{"GET /ops/v1/rewards/{id}/image/{n}", "reward.unknown", nil},
		{"POST /ops/v1/rewards/{id}/{action}", "reward.unknown", versioned(nil)},
		{"GET /ops/v1/rounds/{id}", "round.unknown", nil},
		{"GET /ops/v1/streams/{id}", "stream.unknown", nil},
		{"PUT /ops/v1/streams/{id}", "stream.unknown", versioned(object{"names": object{"vi": "Chào"}, "url": "/m/stream/demo.m3u8"})},
		{"POST /ops/v1/streams/{id}/hide", "stream.unknown", object{"seq": 1}},
		{"GET /ops/v1/streams/{id}/messages", "stream.unknown", nil},
		{"POST /ops/v1/streams/{id}/messages", "stream.unknown", object{"clientId": "c2", "text": "Xin chào"}},
		{"POST /ops/v1/streams/{id}/mute", "stream.unknown", object{"seq": 1, "minutes": 5}},
		{"POST /ops/v1/streams/{id}/{action}", "stream.unknown", versioned(nil)},
		{"GET /ops/v1/stuck/{id}", "house.missing", nil},
		{"POST /ops/v1/stuck/{id}/{action}", "house.missing", versioned(nil)},
		{"GET /ops/v1/tasks/{id}", "task.unknown", nil},
		{"POST /ops/v1/tasks/{id}/{action}", "task.unknown", versioned(nil)},
		{"GET /ops/v1/transfers/{id}", "ledger.no_such_transfer", nil},
		{"GET /ops/v1/vendors/{id}", "vendor.missing", nil},
		{"PUT /ops/v1/vendors/{id}", "vendor.missing", versioned(object{"name": "Mine", "launchUrl": "", "launchMode": "frame", "enabled": true, "ownWallet": false})},
		{"POST /ops/v1/vendors/{id}/retire", "vendor.missing", versioned(object{"keyId": "k"})},
		{"POST /ops/v1/vendors/{id}/rotate", "vendor.missing", versioned(nil)},
		{"POST /ops/v1/vendors/{id}/test", "vendor.missing", nil},
		{"GET /ops/v1/withdrawals/{id}", "withdraw.unknown", nil},
		{"POST /ops/v1/withdrawals/{id}/view", "withdraw.unknown", nil},
	}
	for _, step := range []string{"approve", "fail", "paid", "refuse", "review", "sent"} {
		calls = append(calls, objectCall{"POST /ops/v1/withdrawals/{id}/" + step, "withdraw.unknown", versioned(object{"bankReference": "B1"})})
	}
	for kind, body := range contentBodies() {
		path := "/ops/v1/" + kind + "/{id}"
		calls = append(calls, objectCall{"GET " + path, "content.missing", nil}, objectCall{"PUT " + path, "content.missing", body}, objectCall{"POST " + path + "/{action}", "content.missing", versioned(nil)})
	}
	return calls
}

// A namedCall is a call whose path names something that every merchant has, or that belongs to the installation. It never reaches an
// object of another merchant.
type namedCall struct {
	call, name, action string
	body               object
	want               string // error code; empty: success
}

// lotteryDraw is a draw of a lottery game. Every merchant has its own stakes and odds for it.
const lotteryDraw = "1101-20260313-0001"

// namedCalls are sent in this order as an operator of the second merchant.
var namedCalls = []namedCall{
	// Each merchant has its own values of all settings and switches.
	{call: "GET /ops/v1/settings/{name}", name: "withdraw.fee"},
	{call: "POST /ops/v1/settings/{name}/{action}", name: "withdraw.fee", action: "set", body: object{"version": 0, "value": 7}},
	{call: "POST /ops/v1/settings/{name}/{action}", name: "withdraw.fee", action: "undo", body: object{"version": 1}},
	{call: "POST /ops/v1/settings/{name}/{action}", name: "withdraw.fee", action: "reset", body: object{"version": 2}},
	{call: "GET /ops/v1/settings/{name}/history", name: "withdraw.fee"},
	{call: "POST /ops/v1/switches/{name}/{action}", name: "module.REG3", action: "off", body: object{"version": 0}},
	{call: "POST /ops/v1/switches/{name}/{action}", name: "module.REG3", action: "on", body: object{"version": 1}},
	{call: "POST /ops/v1/switches/{name}/{action}", name: "module.REG3", action: "undo", body: object{"version": 2}},
	{call: "GET /ops/v1/switches/{name}/history", name: "module.REG3"},
	// Each merchant has one rule of each kind.
	{call: "GET /ops/v1/loyalty/{id}", name: "check_in"},
	{call: "PUT /ops/v1/loyalty/{id}", name: "check_in", body: object{"version": 0, "enabled": false, "checkIn": object{"amounts": []int{1, 1, 1, 1, 1, 1, 7}}}},
	// The schedule names the draws. Each merchant has its own stakes, results and odds.
	{call: "GET /ops/v1/lottery/{id}", name: lotteryDraw},
	{call: "GET /ops/v1/lottery/{id}/result/preview", name: lotteryDraw, want: "lottery.own_draw"},
	{call: "POST /ops/v1/lottery/{id}/result", name: lotteryDraw, body: object{"version": 0, "text": "1,2,3,4,5"}, want: "lottery.bad_result"},
	{call: "POST /ops/v1/lottery/{id}/void", name: lotteryDraw, body: object{"version": 0, "reason": "because"}},
	{call: "GET /ops/v1/lottery/games/{id}", name: "1101"},
	{call: "POST /ops/v1/lottery/games/{id}/status", name: "1101", body: object{"version": 0, "enabled": false}},
	{call: "POST /ops/v1/lottery/games/{id}/odds", name: "1201", body: object{"version": 0, "prizeMode": "Elott", "playCode": "any-triple", "odds": object{"": "30"}, "reason": "because"}},
	// All merchants share the live tables. Operators only read them.
	{call: "GET /ops/v1/tables/{id}", name: "sicbo-1"},
	// Roles belong to the installation.
	{call: "PUT /ops/v1/roles/{name}", name: "helper", body: object{"permissions": []string{"member.read"}}, want: "ops.forbidden"},
}
