package account_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const (
	registerByNamePath   = "/wps/member/register"
	registerByMobilePath = "/wps/member/register/mobile"
)

// registration returns a complete body for a registration with a username.
func registration(username string) body {
	return body{
		"username": username, "password": "qua-xanh7", "confirmPassword": "qua-xanh7", "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "registerUrl": "fairground.example", "domain": "fairground.example", "type": 0,
		"moduleId": "REG3", "normalRegister": true, "countryDialingCode": "84",
	}
}

func (h *testServer) register(t *testing.T, path string, b body) merchanttest.Reply {
	t.Helper()
	cookie, answer := h.solveCaptcha(t)
	if b["captcha"] == nil {
		b = b.with("captcha", answer)
	}
	return h.Call(t, "PUT", path, b, "Cookie", cookie)
}

func TestCA05Register(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.member(t, "agent88", "qua-xanh7", member.Agent)
		t.Run("CA-05 CA-23 with a username, and the new member is logged in", func(t *testing.T) {
			reply := h.register(t, registerByNamePath, registration(" MinhAnh92 ").with("affiliateCode", "AGENT88").with("mobileNum", "0912345678"))
			merchanttest.Want(t, reply, http.StatusOK,
				`{"success":true,"value":{"firstTimeLogin":true,"token":"(varies)","type":0,"userName":"minhanh92"}}`, "token")
			token := merchanttest.Value[struct{ Token string }](t, reply).Token
			merchanttest.Want(t, h.Call(t, "GET", "/wps/member/info", nil, "Authorization", token), http.StatusOK,
				`{"success":true,"value":{"account":"minhanh92","avatar":"","clubLabel":{"labelName":""},"id":"(varies)","nickname":"","type":0}}`, "id")
			if !h.isLoggedIn(t.Context(), h.login(t, "minhanh92", "qua-xanh7")) {
				t.Error("the new member cannot log in")
			}
			var parents, details, accounts int
			row := store.Reader.QueryRowContext(t.Context(), `SELECT
				(SELECT COUNT(*) FROM member m JOIN member p ON p.id = m.parent_id WHERE m.account = 'minhanh92' AND p.account = 'agent88'),
				(SELECT COUNT(*) FROM member_detail WHERE (name = 'registerMethod' AND value = 'H5') OR (name = 'mobileNum' AND value = '+84912345678')),
				(SELECT COUNT(*) FROM account a JOIN member m ON m.id = a.member_id WHERE m.account = 'minhanh92')`)
			if err := row.Scan(&parents, &details, &accounts); err != nil || parents != 1 || details != 2 || accounts == 0 {
				t.Errorf("%d parents, %d details, %d accounts, %v, want 1, 2 and some", parents, details, accounts, err)
			}
			if owned, err := h.members.HasMobile(t.Context(), h.ID, "+84912345678"); owned || err != nil {
				t.Errorf("HasMobile = %v, %v for an unproved number, want false", owned, err)
			}
		})
		t.Run("RG-09 with a mobile number and a code; the username is generated", func(t *testing.T) {
			number := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
			if reply := h.requestRegisterCode(t, number); reply.Status != http.StatusOK {
				t.Fatalf("got %s, want 200", reply.Body)
			}
			b := registration("").with("username", nil).with("mobileNum", "0987654321").with("moduleId", "MOBILENUMREG3")
			merchanttest.Want(t, h.register(t, registerByMobilePath, b.with("verificationCode", "000000")), http.StatusUnprocessableEntity, wrongCode)
			right := b.with("verificationCode", h.code(t, "+84987654321"))
			reply := h.register(t, registerByMobilePath, right)
			merchanttest.Want(t, reply, http.StatusOK,
				`{"success":true,"value":{"firstTimeLogin":true,"token":"(varies)","type":0,"userName":"(varies)"}}`, "token", "userName")
			if name := merchanttest.Value[struct{ UserName string }](t, reply).UserName; len(name) != 10 || name[0] != 'u' {
				t.Errorf("username = %q, want u and nine digits", name)
			}
			merchanttest.Want(t, h.register(t, registerByMobilePath, right), http.StatusUnprocessableEntity, wrongCode)
			if got := h.sent(t)[0]; got.Kind != "welcome" || got.Recipient != "+84987654321" {
				t.Errorf("last message = %+v, want a welcome", got)
			}
		})
		t.Run("code for another number", func(t *testing.T) {
			number := body{"mobileNum": "0987650001", "countryDialingCode": "84"}
			h.requestRegisterCode(t, number)
			b := registration("another1").with("mobileNum", "0987650002").with("verificationCode", h.code(t, "+84987650001"))
			merchanttest.Want(t, h.register(t, registerByMobilePath, b), http.StatusUnprocessableEntity, wrongCode)
		})
		t.Run("replayed captcha", func(t *testing.T) {
			cookie, answer := h.solveCaptcha(t)
			for _, name := range []string{"replay01", "replay02"} {
				reply := h.Call(t, "PUT", registerByNamePath, registration(name).with("captcha", answer), "Cookie", cookie)
				if name == "replay02" {
					merchanttest.Want(t, reply, http.StatusUnprocessableEntity, wrongCaptcha)
				}
			}
		})
		t.Run("taken username in another case", func(t *testing.T) {
			merchanttest.Want(t, h.register(t, registerByNamePath, registration("MINHANH92")), http.StatusConflict,
				`{"success":false,"message":"conflicts with the current state","errorCode":"member.username_taken","field":"username"}`)
		})
	})
}

func TestInvalidRegistrations(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		before := h.count(t, "member")
		valid := registration("minhanh92")
		for name, c := range map[string]struct {
			body   body
			status int
			want   string // after success and message
		}{
			"agreement not accepted":            {valid.with("agreement", false), http.StatusBadRequest, `"errorCode":"register.agreement_required","field":"agreement"`},
			"no agreement":                      {valid.with("agreement", nil), http.StatusBadRequest, `"errorCode":"request_param_err","field":"agreement"`},
			"no age confirmation":               {valid.with("ageConfirmed", nil), http.StatusBadRequest, `"errorCode":"request_param_err","field":"ageConfirmed"`},
			"age not confirmed":                 {valid.with("ageConfirmed", false), http.StatusBadRequest, `"errorCode":"register.age_required","field":"ageConfirmed","args":{"age":"18"}`},
			"another type":                      {valid.with("type", 1), http.StatusForbidden, `"errorCode":"member.type_refused","field":"type"`},
			"normalRegister is false":           {valid.with("normalRegister", false), http.StatusBadRequest, `"errorCode":"request_param_err","field":"normalRegister"`},
			"another module":                    {valid.with("moduleId", "INBOX3"), http.StatusBadRequest, `"errorCode":"request_param_err","field":"moduleId"`},
			"unknown register method":           {valid.with("registerMethod", "DESKTOP"), http.StatusBadRequest, `"errorCode":"request_param_err","field":"registerMethod"`},
			"unknown field":                     {valid.with("vipLabel", "VIP 9"), http.StatusBadRequest, `"errorCode":"request_param_err","field":"vipLabel"`},
			"privileged field":                  {valid.with("parentId", 1), http.StatusBadRequest, `"errorCode":"request_param_err","field":"parentId"`},
			"unknown affiliate code":            {valid.with("affiliateCode", "nobody1"), http.StatusUnprocessableEntity, `"errorCode":"member.affiliate_unknown","field":"affiliateCode"`},
			"malformed affiliate code":          {valid.with("affiliateCode", "<b>"), http.StatusBadRequest, `"errorCode":"member.affiliate_unknown","field":"affiliateCode","args":{"max":"32"}`},
			"field that the form does not have": {valid.with("email", "a@b.co"), http.StatusBadRequest, `"errorCode":"validation.unasked","field":"email"`},
			"different confirmation":            {valid.with("confirmPassword", "qua-xanh8"), http.StatusBadRequest, `"errorCode":"member.password_confirm","field":"confirmPassword"`},
			"no confirmation":                   {valid.with("confirmPassword", nil), http.StatusBadRequest, `"errorCode":"member.password_required","field":"confirmPassword"`},
			"common password":                   {valid.with("password", "Password1").with("confirmPassword", "Password1"), http.StatusBadRequest, `"errorCode":"member.password_common","field":"password"`},
			"malformed number":                  {valid.with("mobileNum", "12"), http.StatusBadRequest, `"errorCode":"member.mobile_format","field":"mobileNum"`},
			"no captcha":                        {valid, http.StatusBadRequest, `"errorCode":"captcha.required","field":"captcha"`},
		} {
			t.Run(name, func(t *testing.T) {
				h.Refill()
				merchanttest.Want(t, h.Call(t, "PUT", registerByNamePath, c.body), c.status, `{"success":false,"message":"(varies)",`+c.want+`}`, "message")
			})
		}
		merchanttest.Want(t, h.register(t, registerByNamePath, valid.with("captcha", "000")), http.StatusUnprocessableEntity, wrongCaptcha)
		h.set(t, "register.slider", `true`)
		merchanttest.Want(t, h.register(t, registerByNamePath, valid), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"challenge.required","field":"challenge"}`)
		merchanttest.Want(t, h.register(t, registerByNamePath, valid.with("challenge", "nonsense")), http.StatusUnprocessableEntity,
			`{"success":false,"message":"the request was refused","errorCode":"challenge.invalid","field":"challenge"}`)
		h.set(t, "register.methods", `["mobile"]`)
		merchanttest.Want(t, h.register(t, registerByNamePath, valid), http.StatusForbidden, registrationClosed)
		h.set(t, "register.methods", `["username"]`)
		merchanttest.Want(t, h.register(t, registerByMobilePath, valid), http.StatusForbidden, registrationClosed)
		off := merchant.SwitchOf(spec.ModuleRegisterFree, false)
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, off); err != nil {
			t.Fatal(err)
		}
		merchanttest.Want(t, h.register(t, registerByNamePath, valid.with("moduleId", "REGISTER_REE3")), http.StatusForbidden, registrationClosed)
		h.set(t, "system.status", `2`)
		merchanttest.Want(t, h.Call(t, "PUT", registerByNamePath, valid), http.StatusServiceUnavailable,
			`{"success":false,"message":"unavailable, try again later","errorCode":"system.maintenance","requestId":"(varies)"}`)
		if n := h.count(t, "member"); n != before {
			t.Errorf("%d new members, want 0", n-before)
		}
	})
}

func TestConcurrentRegistrations(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		var wg sync.WaitGroup
		codes := make(chan int, 8)
		for range 8 {
			wg.Go(func() { codes <- h.Call(t, "PUT", registerByNamePath, registration("minhanh92")).Status })
		}
		wg.Wait()
		close(codes)
		made := 0
		for code := range codes {
			switch code {
			case http.StatusOK:
				made++
			case http.StatusConflict:
			default:
				t.Errorf("status = %d, want 200 or 409", code)
			}
		}
		if made != 1 || h.count(t, "member") != 1 {
			t.Errorf("%d registrations succeeded, want 1", made)
		}
	})
}

func TestRegisterRequiredFields(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "register.captcha", `false`)
	all := body{
		"paymentPassword": "135790", "nickname": "Minh Anh", "payeeName": "NGUYEN VAN A", "email": "a@b.co", "idNumber": "079203001234",
		"qqNum": "12345678", "facebook": "minh.anh", "wechat": "minh_anh", "line": "minh.anh", "whatsapp": "84912345678", "zalo": "0912345678",
	}
	var on []string
	for name := range all {
		on = append(on, `"`+name+`":{"enabled":true,"required":true}`)
	}
	h.set(t, "register.fields", "{"+strings.Join(on, ",")+"}")
	b := registration("minhanh92")
	for name, value := range all {
		b = b.with(name, value)
	}
	for name := range all {
		h.Refill()
		if reply := h.Call(t, "PUT", registerByNamePath, b.with(name, nil)); !strings.Contains(string(reply.Body), `"field":"`+name+`"`) {
			t.Errorf("without %s: %s, want a fault for the field", name, reply.Body)
		}
	}
	if reply := h.Call(t, "PUT", registerByNamePath, b); reply.Status != http.StatusOK {
		t.Fatalf("got %s, want 200", reply.Body)
	}
	if n := h.count(t, "member WHERE nickname = 'Minh Anh' AND payee_name = 'NGUYEN VAN A' AND payment_hash <> '' AND email IS NULL"); n != 1 {
		t.Error("the member has no nickname, payee name or payment password")
	}
	if n := h.count(t, "member_detail"); n != 11 {
		t.Errorf("%d details, want 11", n)
	}
}

func TestRegistrationLookups(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.member(t, "agent88", "qua-xanh7", member.Agent)
		h.member(t, "player1", "qua-xanh7", member.Player)
		for name, c := range map[string]struct {
			path   string
			status int
			want   string
		}{
			"free username":  {"/wps/check/username?username=minhanh92", http.StatusOK, `{"success":true,"value":{"available":true}}`},
			"taken username": {"/wps/check/username?username=PLAYER1", http.StatusOK, `{"success":true,"value":{"available":false}}`},
			"malformed username": {"/wps/check/username?username=a%27--", http.StatusBadRequest,
				`{"success":false,"message":"the request is not valid","errorCode":"member.username_format","field":"username","args":{"max":"16","min":"6"}}`},
			"no username":              {"/wps/check/username", http.StatusBadRequest, `{"success":false,"message":"the request is not valid","errorCode":"validation.required","field":"username"}`},
			"e-mail address":           {"/wps/check/email?email=a@b.co", http.StatusOK, `{"success":true,"value":{"valid":true}}`},
			"malformed e-mail address": {"/wps/check/email?email=a@b", http.StatusOK, `{"success":true,"value":{"valid":false}}`},
			"agent's code":             {"/wps/agent/affiliate?code=Agent88&domain=fairground.example", http.StatusOK, `{"success":true,"value":{"success":true}}`},
			"player's name as a code":  {"/wps/agent/affiliate?code=player1", http.StatusOK, `{"success":true,"value":{"success":false}}`},
			"no code":                  {"/wps/agent/affiliate", http.StatusOK, `{"success":true,"value":{"success":false}}`},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, h.Call(t, "GET", c.path, nil), c.status, c.want)
			})
		}
		limited := false
		for range 40 {
			limited = limited || h.Call(t, "GET", "/wps/check/username?username=minhanh92", nil).Status == http.StatusTooManyRequests
		}
		if !limited {
			t.Error("40 lookups were not limited")
		}
	})
}
