package account_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestBindContacts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		other, _ := h.member(t, "other001", "qua-xanh7", member.Player)
		h.setContacts(t, other, "+84987654321", "x@b.co")
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			h.Clock.Add(6 * time.Minute) // refills the limit of wrong passwords
			h.Refill()
			return h.Call(t, method, path, b, "Authorization", token)
		}
		merchanttest.Want(t, call("GET", "/wps/member/security", nil), http.StatusOK,
			`{"success":true,"value":{"ask":"","email":"","hasPassword":true,"level":1,"mobile":"","paymentPassword":false,"paymentReset":"","proof":"password",
				"question":"","sessions":1,"temporaryPassword":false,"unprovedDialingCode":"","unprovedEmail":"","unprovedMobile":""}}`)
		mobile := body{"mobileNum": "0912345678", "countryDialingCode": "84", "password": "qua-xanh7"}
		email := body{"email": "Minh@b.co", "password": "qua-xanh7"}
		sendCode := func(path string, b body) string {
			if reply := call("POST", path, b.with("password", nil).with("purpose", "bind")); reply.Status != http.StatusOK {
				t.Fatalf("got %s, want 200", reply.Body)
			}
			return h.sent(t)[0].Body
		}
		digits := func(text string) string { return sixDigits.FindString(text) }
		code := digits(sendCode("/wps/verification/sms", mobile))
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("password", "x"), "Authorization", token), http.StatusUnprocessableEntity,
			`{"success":false,"message":"the request was refused","errorCode":"member.password_wrong","field":"password"}`)
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("password", ""), "Authorization", token), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"member.password_required","field":"password"}`)
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", "x"), "Authorization", token), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"verification.incorrect","field":"verificationCode","args":{"max":"10"}}`)
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("mobileNum", "0912345679"), "Authorization", token), http.StatusUnprocessableEntity,
			wrongCode)
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code).with("mobileNum", "１２"), "Authorization", token), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`)
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", mobile.with("verificationCode", code), "Authorization", token), http.StatusOK,
			empty)
		code = digits(sendCode("/wps/verification/email", email))
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/email", email.with("verificationCode", code).with("email", "a@b"), "Authorization", token), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"member.email_format","field":"email","args":{"max":"254"}}`)
		merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/email", email.with("verificationCode", code), "Authorization", token), http.StatusOK,
			empty)
		merchanttest.Want(t, call("GET", "/wps/member/security", nil), http.StatusOK,
			`{"success":true,"value":{"ask":"","email":"M***@b.co","hasPassword":true,"level":3,"mobile":"+84******678","paymentPassword":false,"paymentReset":"",
				"proof":"password","question":"","sessions":1,"temporaryPassword":false,"unprovedDialingCode":"","unprovedEmail":"","unprovedMobile":""}}`)
		for target, want := range map[string]bool{"minh@B.co": true, "nobody@b.co": false} {
			if got, err := h.members.HasEmail(t.Context(), h.ID, target); got != want || err != nil {
				t.Errorf("HasEmail(%s) = %v, %v, want %v", target, got, err, want)
			}
		}
		t.Run("another member's number gets no code and cannot be bound", func(t *testing.T) {
			before := len(h.sent(t))
			taken := mobile.with("mobileNum", "0987654321")
			if reply := call("POST", "/wps/verification/sms", taken.with("password", nil).with("purpose", "bind")); reply.Status != http.StatusOK || len(h.sent(t)) != before {
				t.Errorf("response %s, want success without a message", reply.Body)
			}
			merchanttest.Want(t, h.Call(t, "PUT", "/wps/member/mobile", taken.with("verificationCode", "000000"), "Authorization", token), http.StatusUnprocessableEntity,
				wrongCode)
		})
	})
}

func TestOS18QuestionAndPaymentPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		call := func(method, path string, b any) merchanttest.Reply {
			h.Clock.Add(6 * time.Minute)
			return h.Call(t, method, path, b, "Authorization", token)
		}
		const questionPath, paymentPath = "/wps/member/securityQuestion", "/wps/member/paymentPassword"
		question := body{"question": "first_pet", "answer": "Mèo  Mun", "password": "qua-xanh7"}
		merchanttest.Want(t, call("GET", questionPath, nil), http.StatusOK,
			`{"success":true,"value":{"current":"","questions":["first_pet","first_school","birth_city","mother_name","best_friend","favourite_dish"]}}`)
		merchanttest.Want(t, call("PUT", questionPath, question.with("question", "shoe_size")), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"member.question_unknown","field":"question"}`)
		merchanttest.Want(t, call("PUT", questionPath, question.with("answer", "x")), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"validation.range","field":"answer","args":{"max":"64","min":"2"}}`)
		merchanttest.Want(t, call("PUT", questionPath, question.with("password", "x")), http.StatusUnprocessableEntity,
			`{"success":false,"message":"the request was refused","errorCode":"member.password_wrong","field":"password"}`)
		merchanttest.Want(t, call("PUT", questionPath, question), http.StatusOK, empty)
		h.set(t, "security.ask", `["payment_password"]`)
		pay := body{"password": "qua-xanh7", "paymentPassword": "246810", "confirmPaymentPassword": "246810", "answer": "mèo mun"}
		for name, c := range map[string]struct {
			body   body
			status int
			want   string
		}{
			"too short": {pay.with("paymentPassword", "12345"), http.StatusBadRequest,
				`{"success":false,"message":"the request is not valid","errorCode":"member.payment_password_format","field":"paymentPassword"}`},
			"different confirmation": {pay.with("confirmPaymentPassword", "246811"), http.StatusBadRequest,
				`{"success":false,"message":"the request is not valid","errorCode":"member.password_confirm","field":"confirmPaymentPassword"}`},
			"wrong password": {pay.with("password", "x"), http.StatusUnprocessableEntity,
				`{"success":false,"message":"the request was refused","errorCode":"member.password_wrong","field":"password"}`},
			"no password": {pay.with("password", nil), http.StatusBadRequest,
				`{"success":false,"message":"the request is not valid","errorCode":"member.password_required","field":"password"}`},
			"no answer": {pay.with("answer", nil), http.StatusBadRequest,
				`{"success":false,"message":"the request is not valid","errorCode":"member.answer_required","field":"answer","args":{"question":"first_pet"}}`},
			"wrong answer": {pay.with("answer", "chó"), http.StatusUnprocessableEntity,
				`{"success":false,"message":"the request was refused","errorCode":"member.answer_wrong","field":"answer"}`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, call("PUT", paymentPath, c.body), c.status, c.want)
			})
		}
		merchanttest.Want(t, call("PUT", paymentPath, pay), http.StatusOK, empty)
		again := pay.with("password", nil).with("paymentPassword", "135791").with("confirmPaymentPassword", "135791")
		merchanttest.Want(t, call("PUT", paymentPath, again.with("oldPaymentPassword", "975310")), http.StatusUnprocessableEntity,
			`{"success":false,"message":"the request was refused","errorCode":"member.password_wrong","field":"oldPaymentPassword"}`)
		merchanttest.Want(t, call("PUT", paymentPath, again.with("oldPaymentPassword", "246810")), http.StatusOK, empty)
		merchanttest.Want(t, call("GET", "/wps/member/security", nil), http.StatusOK,
			`{"success":true,"value":{"ask":"payment","email":"","hasPassword":true,"level":2,"mobile":"","paymentPassword":true,"paymentReset":"answer",
				"proof":"password","question":"first_pet","sessions":1,"temporaryPassword":false,"unprovedDialingCode":"","unprovedEmail":"","unprovedMobile":""}}`)
		if n := h.count(t, "member WHERE payment_hash LIKE '$argon2id$%' AND answer_hash LIKE '$argon2id$%'"); n != 1 {
			t.Error("payment password and answer are not stored as hashes")
		}
	})
}

func TestOS08Profile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		h.setContacts(t, id, "+84912345678", "minh@b.co")
		call := func(method string, b any) merchanttest.Reply {
			return h.Call(t, method, "/wps/member/profile", b, "Authorization", token)
		}
		merchanttest.Want(t, call("PUT", body{"nickname": "Minh Anh", "payeeName": "NGUYEN MINH ANH", "zalo": "0912345678"}), http.StatusOK, empty)
		merchanttest.Want(t, call("GET", nil), http.StatusOK,
			`{"success":true,"value":{"account":"minhanh92","avatar":"","email":"m***@b.co","facebook":"","idNumber":"","language":"vi","line":"",
				"mobile":"+84******678","nickname":"Minh Anh","payeeName":"NGUYEN MINH ANH","qqNum":"","wechat":"","whatsapp":"","zalo":"0912345678"}}`)
		for name, c := range map[string]struct {
			body   body
			status int
			want   string // after success and message
		}{
			"second payee name":    {body{"payeeName": "NGUYEN VAN B"}, http.StatusConflict, `"errorCode":"member.payee_fixed","field":"payeeName"`},
			"malformed payee name": {body{"payeeName": "Nguyễn"}, http.StatusBadRequest, `"errorCode":"member.payee_format","field":"payeeName","args":{"max":"50","min":"2"}`},
			"malformed nickname":   {body{"nickname": "a\u202eb"}, http.StatusBadRequest, `"errorCode":"member.nickname_format","field":"nickname","args":{"max":"20"}`},
			"malformed contact":    {body{"facebook": "<b>"}, http.StatusBadRequest, `"errorCode":"member.contact_format","field":"facebook"`},
			"unknown field":        {body{"vipLabel": "VIP 9"}, http.StatusBadRequest, `"errorCode":"request_param_err","field":"vipLabel"`},
			"ID number":            {body{"idNumber": "079203001234"}, http.StatusBadRequest, `"errorCode":"request_param_err","field":"idNumber"`},
			"number as a nickname": {body{"nickname": 7}, http.StatusBadRequest, `"errorCode":"request_param_err","field":"nickname"`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, call("PUT", c.body), c.status, `{"success":false,"message":"(varies)",`+c.want+`}`, "message")
			})
		}
		merchanttest.Want(t, call("PUT", body{"zalo": "", "payeeName": "NGUYEN MINH ANH"}), http.StatusOK, empty)
		merchanttest.Want(t, call("GET", nil), http.StatusOK,
			`{"success":true,"value":{"account":"minhanh92","avatar":"","email":"m***@b.co","facebook":"","idNumber":"","language":"vi","line":"",
				"mobile":"+84******678","nickname":"Minh Anh","payeeName":"NGUYEN MINH ANH","qqNum":"","wechat":"","whatsapp":"","zalo":""}}`)
		_, trial := h.member(t, "trial01", "qua-xanh7", member.Trial)
		for path, method := range map[string]string{
			"/wps/member/profile": "GET", "/wps/member/security": "GET", "/wps/member/securityQuestion": "GET",
		} {
			merchanttest.Want(t, h.Call(t, method, path, nil, "Authorization", trial), http.StatusForbidden, trialRefused)
		}
	})
}
