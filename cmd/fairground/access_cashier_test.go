package main

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
)

// newDeposit creates a deposit of the owner and returns its id.
func newDeposit(p *callers) string {
	p.t.Helper()
	a := p.as("owner", http.MethodPost, "/wps/transaction/deposit/mt", `{"method":"BANK","amount":500000}`)
	var made struct{ ID string }
	if err := json.Unmarshal(a.Value, &made); err != nil || made.ID == "" {
		p.t.Fatalf("got %+v, want a deposit", a)
	}
	return made.ID
}

// ofOwner is what a call about the owner's deposit answers.
var ofOwner = map[string]string{"visitor": noSession, "owner": "", "other": "deposit.unknown", "trial": trialRefused, "agent": "deposit.unknown"}

var cashierRows = []accessRow{
	{
		call: "GET /wps/transaction/deposit/{id}", field: "id", object: newDeposit,
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/transaction/deposit/"+id, "")
		},
		want: ofOwner,
	},
	{
		call: "DELETE /wps/transaction/deposit/{id}", field: "id", object: newDeposit,
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/transaction/deposit/"+id, "")
		},
		want: ofOwner,
	},
	{
		call: "POST /wps/transaction/deposit/{id}/proof", field: "id", object: newDeposit,
		send: func(p *callers, actor, id string) response {
			var body bytes.Buffer
			form := multipart.NewWriter(&body)
			file, err := form.CreateFormFile("image", "proof.png")
			if err == nil {
				_, err = file.Write([]byte(smallPNG()))
			}
			if err == nil {
				err = form.Close()
			}
			if err != nil {
				p.t.Fatal(err)
			}
			return p.as(actor, http.MethodPost, "/wps/transaction/deposit/"+id+"/proof", body.String(), "Content-Type", form.FormDataContentType())
		},
		want: ofOwner,
	},
}
