package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"fairground/internal/platform/audit"
)

func newDeposit(p *actorServer) string {
	p.t.Helper()
	a := p.as("owner", http.MethodPost, "/wps/transaction/deposit/mt", `{"method":"BANK","amount":500000}`)
	var made struct{ ID string }
	if err := json.Unmarshal(a.Value, &made); err != nil || made.ID == "" {
		p.t.Fatalf("got %+v, want a deposit", a)
	}
	return made.ID
}

// ofOwner is the expected response to a call about the owner's deposit, by actor.
var ofOwner = map[string]string{"visitor": noSession, "owner": "", "other": "deposit.unknown", "trial": trialRefused, "agent": "deposit.unknown"}

var cashierRows = []accessRow{
	{
		call: "GET /wps/transaction/deposit/{id}", field: "id", object: newDeposit,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/transaction/deposit/"+id, "")
		},
		want: ofOwner,
	},
	{
		call: "DELETE /wps/transaction/deposit/{id}", field: "id", object: newDeposit,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/transaction/deposit/"+id, "")
		},
		want: ofOwner,
	},
	{
		call: "POST /wps/transaction/deposit/{id}/proof", field: "id", object: newDeposit,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/transaction/deposit/"+id+"/proof", imageForm(nil), "Content-Type", formType)
		},
		want: ofOwner,
	},
	{
		// The gateway authenticates with a signature. internal/finance/gateway tests the signatures of other gateways.
		call: "POST /pay/v1/{gateway}/payment", field: "gateway",
		object: func(*actorServer) string { return "SANDBOX" },
		send:   func(p *actorServer, actor, gateway string) response { return callback(p, actor, gateway, "payment") },
		want:   everyone(badSignature),
	},
	{
		call: "POST /pay/v1/{gateway}/payout", field: "gateway",
		object: func(*actorServer) string { return "SANDBOX" },
		send:   func(p *actorServer, actor, gateway string) response { return callback(p, actor, gateway, "payout") },
		want:   everyone(badSignature),
	},
	{
		call: "PUT /wps/member/bankCard/{id}", field: "id", object: bankCard,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPut, "/wps/member/bankCard/"+id, `{"default":true}`)
		},
		want: cardOfOwner,
	},
	{
		call: "DELETE /wps/member/bankCard/{id}", field: "id", object: bankCard,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/member/bankCard/"+id, "")
		},
		want: cardOfOwner,
	},
	{
		call: "POST /wps/transaction/withdraw", field: "cardId", object: bankCard,
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/transaction/withdraw", withdrawal(id))
		},
		want: except(cardOfOwner, map[string]string{"other": "withdraw.password", "agent": "withdraw.password"}),
	},
	{
		call: "GET /wps/transaction/withdraw/{id}", field: "id",
		object: func(p *actorServer) string {
			a := p.as("owner", http.MethodPost, "/wps/transaction/withdraw", withdrawal(bankCard(p)))
			var made struct{ ID string }
			if err := json.Unmarshal(a.Value, &made); err != nil || made.ID == "" {
				p.t.Fatalf("got %+v, want a withdrawal", a)
			}
			return made.ID
		},
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/transaction/withdraw/"+id, "")
		},
		want: map[string]string{"visitor": noSession, "owner": "", "other": "withdraw.unknown", "trial": trialRefused, "agent": "withdraw.unknown"},
	},
}

// cardOfOwner is the expected response to a call with the owner's bank card, by actor.
var cardOfOwner = map[string]string{"visitor": noSession, "owner": "", "other": "withdraw.card", "trial": trialRefused, "agent": "withdraw.card"}

const (
	paymentPassword = "246810"
	badSignature    = "signature"
)

func withdrawal(card string) string {
	return body(map[string]any{"cardId": card, "amount": 100_000, "paymentPassword": paymentPassword})
}

// callback sends a call as a gateway, with an invalid signature.
func callback(p *actorServer, actor, gateway, call string) response {
	a := p.as(actor, http.MethodPost, "/pay/v1/"+gateway+"/"+call, "{}", "X-Gateway", gateway, "X-Key", "none", "X-Timestamp", "1", "X-Signature", "00")
	if a.status == http.StatusUnauthorized {
		a.ErrorCode = badSignature // gateways' answers have no envelope
	}
	return a
}

// verifyOwner verifies the owner's identity once.
func (p *actorServer) verifyOwner() {
	p.t.Helper()
	if a := p.as("owner", http.MethodPost, "/wps/member/kyc", imageForm(kycFields), "Content-Type", formType); a.ErrorCode == "kyc.state" {
		return
	}
	var id, version int64
	if err := p.services.Store.Reader.QueryRow("SELECT id, version FROM kyc WHERE state = 'WAITING'").Scan(&id, &version); err != nil {
		p.t.Fatal(err)
	}
	if err := p.services.Identity.Approve(audit.As(p.t.Context(), "test"), p.demo, id, version); err != nil {
		p.t.Fatal(err)
	}
}

// setPaymentPassword sets the owner's payment password, if there is none.
func (p *actorServer) setPaymentPassword() {
	p.t.Helper()
	p.as("owner", http.MethodPut, "/wps/member/paymentPassword", body(map[string]any{
		"password": memberPassword, "paymentPassword": paymentPassword, "confirmPaymentPassword": paymentPassword,
	}))
}

// bankCard returns a new card of the owner, and makes sure that the owner can withdraw.
func bankCard(p *actorServer) string {
	p.t.Helper()
	p.verifyOwner()
	p.setPaymentPassword()
	p.deposit()
	p.cards++
	a := p.as("owner", http.MethodPost, "/wps/member/bankCard", body(map[string]any{"bank": "DEMO1", "number": fmt.Sprintf("%010d", p.cards), "paymentPassword": paymentPassword}))
	var made struct{ ID string }
	if err := json.Unmarshal(a.Value, &made); err != nil || made.ID == "" {
		p.t.Fatalf("got %+v, want a card", a)
	}
	return made.ID
}
