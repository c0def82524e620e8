package main

import (
	"bytes"
	"fmt"
	"maps"
	"mime/multipart"
	"net/textproto"
)

// formType is the content type of imageForm.
const formType = "multipart/form-data; boundary=border"

var kycFields = map[string]any{"name": "Nguyen Minh Anh", "birthDate": "1992-03-04", "documentNumber": "079092001234"}

// kycForm returns the form of an identity check with changed fields.
func kycForm(changed map[string]any) string {
	fields := maps.Clone(kycFields)
	maps.Copy(fields, changed)
	return imageForm(fields)
}

// imageForm returns a form with fields and a picture called image. Fields with the value nil are left out.
func imageForm(with map[string]any) string {
	fields := map[string]any{"image": smallPNG()}
	maps.Copy(fields, with)
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	if err := w.SetBoundary("border"); err != nil {
		panic(err)
	}
	for name, value := range fields {
		if value == nil {
			continue
		}
		header := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf("form-data; name=%q", name)}}
		if name == "image" {
			header = textproto.MIMEHeader{"Content-Disposition": {`form-data; name="image"; filename="card.png"`}, "Content-Type": {"image/png"}}
		}
		part, err := w.CreatePart(header)
		if err != nil {
			panic(err)
		}
		_, _ = fmt.Fprint(part, value) // a buffer does not fail
	}
	_ = w.Close()
	return out.String()
}

func submitKycCall() callTest {
	asForm := []string{"Content-Type", formType}
	try := func(name, want string, changed map[string]any) attempt {
		return attempt{name: name, want: want, headers: asForm, body: func(*actorServer) string { return kycForm(changed) }}
	}
	withKey := func(name, want string, changed map[string]any) attempt {
		a := try(name, want, changed)
		a.headers = append([]string{"Idempotency-Key", "tap-1"}, asForm...)
		return a
	}
	trial := try("trial", "403 member.trial_refused", nil)
	trial.actor = "trial"
	return callTest{
		id: "submitKyc", untested: map[string]string{"rate.limited": "internal/identity/kyc limits uploads"},
		attempts: []attempt{
			trial,
			try("name with accents", "400 member.payee_format on name max=50 min=2", map[string]any{"name": "Nguyễn"}),
			try("no name", "400 validation.required on name", map[string]any{"name": nil}),
			try("child", "422 kyc.age on birthDate age=18", map[string]any{"birthDate": "2020-01-01"}),
			try("no date", "400 kyc.birth_date on birthDate", map[string]any{"birthDate": "yesterday"}),
			try("malformed number", "400 member.id_number_format on documentNumber", map[string]any{"documentNumber": "<b>"}),
			try("no picture", "400 kyc.images on image max=3", map[string]any{"image": nil}),
			try("not a picture", "400 kyc.format on image", map[string]any{"image": "<svg/>"}),
			try("too many pixels", "413 kyc.too_large on image", map[string]any{"image": hugePNG()}),
			try("unknown field", "400 request_param_err on state", map[string]any{"state": "VERIFIED"}),
			withKey("done", "200", nil),
			withKey("another content", "409 idempotency.conflict", map[string]any{"name": "Tran Anh"}),
			try("while it waits", "409 kyc.state", nil),
		},
	}
}

func kycImageCall() callTest {
	return callTest{
		id: "kycImage", path: "/wps/member/kyc/image/9",
		attempts: []attempt{{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "unknown picture", want: "404 kyc.no_image"}, {name: "not a number", want: "404 kyc.no_image", path: "/wps/member/kyc/image/x"}},
	}
}

func addBankCardCall() callTest {
	return callTest{
		id: "addBankCard",
		valid: func(*actorServer) (map[string]any, []string) {
			return map[string]any{"bank": "DEMO1", "number": "0000000042", "paymentPassword": paymentPassword}, nil
		},
		attempts: []attempt{
			{name: "trial", want: "403 member.trial_refused", actor: "trial"},
			{name: "not verified", want: "422 withdraw.identity"},
			{name: "no payment password", want: "422 withdraw.password on paymentPassword", before: (*actorServer).verifyOwner},
			{name: "unknown bank", want: "400 withdraw.bank on bank", before: (*actorServer).setPaymentPassword, with: map[string]any{"bank": "NONE"}},
			{name: "malformed number", want: "400 withdraw.number on number", with: map[string]any{"number": "<b>"}},
			{name: "done", want: "200", headers: []string{"Idempotency-Key", "card-1"}},
			{name: "another content", want: "409 idempotency.conflict", headers: []string{"Idempotency-Key", "card-1"}, with: map[string]any{"number": "0000000043"}},
			{name: "same card", want: "409 withdraw.same_card on number"},
			{name: "too many cards", want: "422 withdraw.max_cards", with: map[string]any{"number": "0000000044"}, before: func(p *actorServer) {
				for range 9 {
					bankCard(p)
				}
			}},
		},
	}
}

func bankCardCall(id string, with map[string]any) callTest {
	c := callTest{
		id: id, path: "/wps/member/bankCard/7",
		attempts: []attempt{{name: "trial", want: "403 member.trial_refused", actor: "trial"}, {name: "unknown card", want: "404 withdraw.card"}, {name: "not a number", want: "400 request_param_err on id", path: "/wps/member/bankCard/x"}},
	}
	if with != nil {
		c.valid = func(*actorServer) (map[string]any, []string) { return with, nil }
	}
	return c
}
