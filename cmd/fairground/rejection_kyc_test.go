package main

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/textproto"
)

// kycForm returns the form of an identity check. Fields with the value nil are left out; image is a file.
func kycForm(changed map[string]any) string {
	fields := map[string]any{"name": "Nguyen Minh Anh", "birthDate": "1992-03-04", "documentNumber": "079092001234", "image": smallPNG()}
	for name, value := range changed {
		fields[name] = value
	}
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
	asForm := []string{"Content-Type", "multipart/form-data; boundary=border"}
	try := func(name, want string, changed map[string]any) attempt {
		return attempt{name: name, want: want, headers: asForm, body: func(*callers) string { return kycForm(changed) }}
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
