package account_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestSE02LimitedOperationsReportRetryAfter(t *testing.T) {
	t.Parallel()
	const (
		wrong    = "qua-xanh8"
		noLogin  = "/wps/verification/sms/noLogin"
		freePlay = "/wps/session/login/freeplay"
	)
	sms, email := channels["sms"], channels["email"]
	bind := sms.unbound.with("verificationCode", "000000").with("password", wrong)
	pay := body{"password": wrong, "paymentPassword": "246810", "confirmPaymentPassword": "246810"}
	question := body{"question": "first_pet", "answer": "Mun", "password": wrong}
	for _, c := range []struct {
		method, path string
		body         any
		after        int           // number of requests before the limit
		step         time.Duration // between requests
		seconds      int
		stored       bool // in the database, so that all replicas share it; the body then has the seconds too
	}{
		// Limited per request.
		{"PUT", registerByNamePath, body{}, 60, 0, 2, false},
		{"PUT", registerByMobilePath, body{}, 60, 0, 2, false},
		{"GET", "/wps/check/username?username=minhanh92", nil, 20, 0, 3, false},
		{"GET", "/wps/check/email?email=a@b.co", nil, 20, 0, 3, false},
		{"GET", "/wps/agent/affiliate?code=agent88", nil, 20, 0, 3, false},
		{"POST", sms.path, body{}, 20, 0, 10, false},
		{"POST", email.path, body{}, 20, 0, 10, false},
		{"POST", sms.path + "/verification", body{}, 20, 0, 10, false},
		{"POST", email.path + "/verification", body{}, 20, 0, 10, false},
		{"PUT", resetPath, body{}, 20, 0, 10, false},
		{"GET", "/wps/captcha", nil, 20, 0, 2, false},
		{"GET", "/wps/captcha/slider", nil, 20, 0, 2, false},
		{"POST", "/wps/captcha/slider", body{}, 20, 0, 2, false},
		{"GET", "/wps/captcha/proof", nil, 20, 0, 2, false},
		{"POST", noLogin, body{}, 10, 0, 10, false},
		{"GET", "/wps/verification/query", nil, 20, 0, 1, false},
		{"POST", freePlay, body{}, 10, 0, 5, false},
		{"POST", "/wps/member/testPlay", body{}, 10, 0, 5, false},
		{"POST", "/wps/member/trial", body{}, 10, 0, 5, false},
		{"POST", headIcon + "/upload", body{}, 10, 0, 600, true},
		// Limited per failed attempt.
		{"POST", "/wps/session/login", body{"username": "nobody01", "password": wrong}, 8, 0, 15, true},
		{"POST", "/wps/session/login", body{"type": "sms", "username": "0987654321", "countryDialingCode": "84", "password": "000000"}, 8, 0, 15, true},
		{"PUT", changePath, change(wrong, "qua-do-999", "qua-do-999"), 5, 0, 300, true},
		{"PUT", "/wps/member/mobile", bind, 5, 0, 300, true},
		{"PUT", "/wps/member/email", email.unbound.with("verificationCode", "000000").with("password", wrong), 5, 0, 300, true},
		{"PUT", "/wps/member/paymentPassword", pay, 5, 0, 300, true},
		{"PUT", "/wps/member/securityQuestion", question, 5, 0, 300, true},
		// Limited per message or new member, to five an hour and one a minute.
		{"POST", noLogin, sms.bound, 5, time.Minute, 420, true},
		{"POST", "/wps/verification/sms", sms.unbound.with("purpose", "bind"), 5, time.Minute, 420, true},
		{"POST", "/wps/verification/email", email.unbound.with("purpose", "bind"), 5, time.Minute, 420, true},
		{"POST", sms.path, sms.bound, 5, time.Minute, 420, true},
		{"POST", email.path, email.bound, 5, time.Minute, 420, true},
		{"POST", "/wps/member/paymentPassword/code", nil, 5, time.Minute, 420, true},
		{"POST", "/wps/member/proof/code", nil, 5, time.Minute, 420, true},
		{"POST", "/wps/member/trial", body{"ageConfirmed": true}, 20, time.Second, 160, true},
	} {
		t.Run(fmt.Sprintf("SE-02 part (limits): %s %s after %d", c.method, c.path, c.after), func(t *testing.T) {
			t.Parallel()
			h := newServer(t, dbtest.SQLite(t))
			h.set(t, "login.captcha_after", `10`)
			h.set(t, "captcha.proof_of_work", `"off"`)
			for _, setting := range []merchant.Switch{
				merchant.SwitchOf(spec.FlagSMSLogin, true), merchant.SwitchOf(spec.ModuleValidCaptcha, true), merchant.SwitchOf(spec.ModuleCaptcha, c.path == "/wps/captcha"),
			} {
				if err := h.Merchants.SetSwitch(t.Context(), h.ID, setting); err != nil {
					t.Fatal(err)
				}
			}
			id, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
			h.setContacts(t, id, sms.to, email.to)
			switch c.path {
			case "/wps/member/paymentPassword/code":
				h.exec(t, "UPDATE member SET payment_hash = password_hash")
			case "/wps/member/proof/code": // for a member without a password, some time after the login
				h.exec(t, "UPDATE member SET password_hash = ''")
				h.Clock.Add(11 * time.Minute)
			}
			call := func() merchanttest.Reply {
				h.Clock.Add(c.step)
				if c.step > 0 {
					h.Refill()
				}
				return h.Call(t, c.method, c.path, c.body, "Authorization", token)
			}
			allowed, reply := 0, call()
			for ; reply.Status != http.StatusTooManyRequests && allowed < 10*c.after; allowed++ {
				if reply.Status >= 500 {
					t.Fatalf("request %d: %d %s, want less than 500", allowed+1, reply.Status, reply.Body)
				}
				reply = call()
			}
			seconds, err := strconv.Atoi(reply.Header.Get("Retry-After"))
			if err != nil {
				t.Fatal(err)
			}
			if c.stored {
				merchanttest.Want(t, reply, http.StatusTooManyRequests,
					fmt.Sprintf(`{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"seconds":"%d"}}`, c.seconds))
				if allowed != c.after || seconds != c.seconds {
					t.Errorf("limited after %d requests for %d seconds, want %d and %d", allowed, seconds, c.after, c.seconds)
				}
				return
			}
			merchanttest.Want(t, reply, http.StatusTooManyRequests, `{"success":false,"message":"too many requests","errorCode":"rate.limited"}`)
			if allowed < c.after || seconds < 1 || seconds > c.seconds { // these limits use real time, so more requests may pass
				t.Errorf("limited after %d requests for %d seconds, want at least %d and at most %d", allowed, seconds, c.after, c.seconds)
			}
		})
	}
}
