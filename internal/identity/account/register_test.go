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
	byName   = "/wps/member/register"
	byMobile = "/wps/member/register/mobile"
)

// newcomer is a whole body of a registration by username.
func newcomer(username string) body {
	return body{
		"username": username, "password": "qua-xanh7", "confirmPassword": "qua-xanh7", "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "registerUrl": "fairground.example", "domain": "fairground.example", "type": 0,
		"moduleId": "REG3", "normalRegister": true, "countryDialingCode": "84",
	}
}

// join registers as a person does, with a picture read.
func (h *site) join(t *testing.T, path string, b body) merchanttest.Reply {
	t.Helper()
	cookie, answer := h.person(t)
	if b["captcha"] == nil {
		b = b.with("captcha", answer)
	}
	return h.Call(t, "PUT", path, b, "Cookie", cookie)
}

func TestCA05Register(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		h.member(t, "agent88", "qua-xanh7", member.Agent)
		t.Run("CA-05 CA-23 by username, and the new member is logged in", func(t *testing.T) {
			reply := h.join(t, byName, newcomer(" MinhAnh92 ").with("affiliateCode", "AGENT88").with("mobileNum", "0912345678"))
			merchanttest.Golden(t, "register", reply, "token")
			token := merchanttest.Value[struct{ Token string }](t, reply).Token
			merchanttest.Golden(t, "register_info", h.Call(t, "GET", "/wps/member/info", nil, "Authorization", token), "id")
			if !h.alive(t.Context(), h.login(t, "minhanh92", "qua-xanh7")) {
				t.Error("cannot log in")
			}
			var parent, kept, accounts int
			row := store.Reader.QueryRowContext(t.Context(), `SELECT
				(SELECT COUNT(*) FROM member m JOIN member p ON p.id = m.parent_id WHERE m.account = 'minhanh92' AND p.account = 'agent88'),
				(SELECT COUNT(*) FROM member_detail WHERE (name = 'registerMethod' AND value = 'H5') OR (name = 'mobileNum' AND value = '+84912345678')),
				(SELECT COUNT(*) FROM account a JOIN member m ON m.id = a.member_id WHERE m.account = 'minhanh92')`)
			if err := row.Scan(&parent, &kept, &accounts); err != nil || parent != 1 || kept != 2 || accounts == 0 {
				t.Errorf("parent %d, details %d, accounts %d, %v", parent, kept, accounts, err)
			}
			if owned, err := h.members.HasMobile(t.Context(), h.ID, "+84912345678"); owned || err != nil {
				t.Errorf("a number that was only typed belongs to nobody: %v %v", owned, err)
			}
		})
		t.Run("RG-09 by mobile number with a code, and a name is made", func(t *testing.T) {
			ask := body{"mobileNum": "0987654321", "countryDialingCode": "84"}
			if reply := h.Call(t, "POST", "/wps/verification/sms/noLogin", ask, "ModuleId", "REGMOBVERF3"); reply.Status != http.StatusOK {
				t.Fatalf("%s", reply.Body)
			}
			b := newcomer("").with("username", nil).with("mobileNum", "0987654321").with("moduleId", "MOBILENUMREG3")
			merchanttest.Golden(t, "register_mobile_wrong_code", h.join(t, byMobile, b.with("verificationCode", "000000")))
			right := b.with("verificationCode", h.code(t, "+84987654321"))
			reply := h.join(t, byMobile, right)
			merchanttest.Golden(t, "register_mobile", reply, "token", "userName")
			if name := merchanttest.Value[struct{ UserName string }](t, reply).UserName; len(name) != 10 || name[0] != 'u' {
				t.Errorf("%q", name)
			}
			merchanttest.Golden(t, "register_mobile_wrong_code", h.join(t, byMobile, right))
			if got := h.sent(t)[0]; got.Kind != "welcome" || got.Recipient != "+84987654321" {
				t.Errorf("%+v", got)
			}
		})
		t.Run("a code for another number", func(t *testing.T) {
			ask := body{"mobileNum": "0987650001", "countryDialingCode": "84"}
			h.Call(t, "POST", "/wps/verification/sms/noLogin", ask, "ModuleId", "REGMOBVERF3")
			b := newcomer("another1").with("mobileNum", "0987650002").with("verificationCode", h.code(t, "+84987650001"))
			merchanttest.Golden(t, "register_mobile_wrong_code", h.join(t, byMobile, b))
		})
		t.Run("replayed captcha", func(t *testing.T) {
			cookie, answer := h.person(t)
			for _, name := range []string{"replay01", "replay02"} {
				reply := h.Call(t, "PUT", byName, newcomer(name).with("captcha", answer), "Cookie", cookie)
				if name == "replay02" {
					merchanttest.Golden(t, "register_captcha_wrong", reply)
				}
			}
		})
		t.Run("taken, in whatever case", func(t *testing.T) {
			merchanttest.Golden(t, "register_taken", h.join(t, byName, newcomer("MINHANH92")))
		})
	})
}

func TestRegisterRefusals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		before := h.count(t, "member")
		good := newcomer("minhanh92")
		for name, b := range map[string]body{
			"register_agreement":       good.with("agreement", false),
			"register_age":             good.with("ageConfirmed", nil),
			"register_type":            good.with("type", 1),
			"register_not_normal":      good.with("normalRegister", false),
			"register_module_unknown":  good.with("moduleId", "INBOX3"),
			"register_method":          good.with("registerMethod", "DESKTOP"),
			"register_unknown_field":   good.with("vipLabel", "VIP 9"),
			"register_privileged":      good.with("parentId", 1),
			"register_affiliate":       good.with("affiliateCode", "nobody1"),
			"register_affiliate_form":  good.with("affiliateCode", "<b>"),
			"register_unasked":         good.with("email", "a@b.co"),
			"register_confirm":         good.with("confirmPassword", "qua-xanh8"),
			"register_confirm_missing": good.with("confirmPassword", nil),
			"register_common":          good.with("password", "Password1").with("confirmPassword", "Password1"),
			"register_mobile_format":   good.with("mobileNum", "12"),
			"register_captcha_missing": good,
		} {
			h.Refill()
			merchanttest.Golden(t, name, h.Call(t, "PUT", byName, b), "message")
		}
		merchanttest.Golden(t, "register_captcha_wrong", h.join(t, byName, good.with("captcha", "000")))
		h.set(t, "register.slider", `true`)
		merchanttest.Golden(t, "register_challenge_missing", h.join(t, byName, good))
		merchanttest.Golden(t, "register_challenge_invalid", h.join(t, byName, good.with("challenge", "nonsense")))
		h.set(t, "register.methods", `["mobile"]`)
		merchanttest.Golden(t, "register_closed", h.join(t, byName, good))
		h.set(t, "register.methods", `["username"]`)
		merchanttest.Golden(t, "register_closed", h.join(t, byMobile, good))
		off := merchant.SwitchOf(spec.ModuleRegisterFree, false)
		if err := h.Merchants.SetSwitch(t.Context(), h.ID, off); err != nil {
			t.Fatal(err)
		}
		merchanttest.Golden(t, "register_closed", h.join(t, byName, good.with("moduleId", "REGISTER_REE3")))
		h.set(t, "system.status", `2`)
		merchanttest.Golden(t, "register_maintenance", h.Call(t, "PUT", byName, good))
		if n := h.count(t, "member"); n != before {
			t.Errorf("%d members were made", n-before)
		}
	})
}

// Two taps make one member, whatever the engine.
func TestRegisterTwiceAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		h.set(t, "register.captcha", `false`)
		var wg sync.WaitGroup
		codes := make(chan int, 8)
		for range 8 {
			wg.Go(func() { codes <- h.Call(t, "PUT", byName, newcomer("minhanh92")).Status })
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
				t.Errorf("status %d", code)
			}
		}
		if made != 1 || h.count(t, "member") != 1 {
			t.Errorf("%d were made", made)
		}
	})
}

func TestRegisterFieldsThatAreSwitchedOn(t *testing.T) {
	t.Parallel()
	h := newSite(t, dbtest.SQLite(t))
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
	b := newcomer("minhanh92")
	for name, value := range all {
		b = b.with(name, value)
	}
	for name := range all {
		h.Refill()
		if reply := h.Call(t, "PUT", byName, b.with(name, nil)); !strings.Contains(string(reply.Body), `"field":"`+name+`"`) {
			t.Errorf("%s left out: %s", name, reply.Body)
		}
	}
	if reply := h.Call(t, "PUT", byName, b); reply.Status != http.StatusOK {
		t.Fatalf("%s", reply.Body)
	}
	if n := h.count(t, "member WHERE nickname = 'Minh Anh' AND payee_name = 'NGUYEN VAN A' AND payment_hash <> '' AND email IS NULL"); n != 1 {
		t.Error("not kept")
	}
	if n := h.count(t, "member_detail"); n != 11 {
		t.Errorf("%d details", n)
	}
}

func TestChecks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newSite(t, store)
		h.member(t, "agent88", "qua-xanh7", member.Agent)
		h.member(t, "player1", "qua-xanh7", member.Player)
		for name, path := range map[string]string{
			"check_username_free":    "/wps/check/username?username=minhanh92",
			"check_username_taken":   "/wps/check/username?username=PLAYER1",
			"check_username_format":  "/wps/check/username?username=a%27--",
			"check_username_missing": "/wps/check/username",
			"check_email":            "/wps/check/email?email=a@b.co",
			"check_email_format":     "/wps/check/email?email=a@b",
			"check_affiliate":        "/wps/agent/affiliate?code=Agent88&domain=fairground.example",
			"check_affiliate_none":   "/wps/agent/affiliate?code=player1",
			"check_affiliate_empty":  "/wps/agent/affiliate",
		} {
			merchanttest.Golden(t, name, h.Call(t, "GET", path, nil))
		}
		limited := false
		for range 40 {
			limited = limited || h.Call(t, "GET", "/wps/check/username?username=minhanh92", nil).Status == http.StatusTooManyRequests
		}
		if !limited {
			t.Error("names can be tried out without end")
		}
	})
}
