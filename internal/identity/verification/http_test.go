package verification_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const sendPath = "/wps/verification/sms/noLogin"

// Expected response bodies.
const (
	sentBody         = `{"success":true,"value":{"expiredMinutes":1,"expirationTime":1773480473000}}`
	notWaitingBody   = `{"success":true,"value":{"waiting":false}}`
	incorrectBody    = `{"success":false,"message":"the request was refused","errorCode":"verification.incorrect","field":"verificationCode"}`
	expiredBody      = `{"success":false,"message":"the request was refused","errorCode":"verification.expired","field":"verificationCode"}`
	mobileFormatBody = `{"success":false,"message":"the request is not valid","errorCode":"member.mobile_format","field":"mobileNum"}`
)

type sendRequest struct {
	MobileNum   string `json:"mobileNum,omitempty"`
	MobileNo    string `json:"mobileNo,omitempty"`
	DialingCode string `json:"countryDialingCode"`
	Purpose     string `json:"purpose,omitempty"`
	Captcha     string `json:"captcha,omitempty"`
}

func TestCA04SendCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.serveRoutes(t)
		mobile := sendRequest{MobileNum: "0912345678", DialingCode: "84"}
		t.Run("CA-04 a code is sent", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", sendPath, mobile, "Language", "EN"), 200, sentBody)
			rows, err := store.Q().LocalDispatches(t.Context())
			if err != nil || len(rows) != 1 || rows[0].Recipient != memberNumber || rows[0].Kind != "login_code" || !strings.Contains(rows[0].Body, "is your Fairground login code") {
				t.Fatalf("messages = %+v, %v, want one login code for %s", rows, err, memberNumber)
			}
		})
		t.Run("CA-22 mobileNo is an alias of mobileNum, and a second request within a minute gets the same response", func(t *testing.T) {
			s.Clock.Add(59 * time.Second)
			merchanttest.Want(t, s.Call(t, "POST", sendPath, sendRequest{MobileNo: "912345678", DialingCode: "84", Purpose: "login"}), 200, sentBody)
			if n := s.count(t, "dispatch"); n != 1 {
				t.Errorf("%d messages, want 1", n)
			}
		})
		t.Run("SE-02 an unknown number gets the same response and no message", func(t *testing.T) {
			reply := s.Call(t, "POST", sendPath, sendRequest{MobileNum: "987654321", DialingCode: "84"})
			merchanttest.Want(t, reply, 200, `{"success":true,"value":{"expiredMinutes":1,"expirationTime":1773480532000}}`)
			if n := s.messagesSent(t); n != 1 {
				t.Errorf("%d messages, want 1", n)
			}
		})
		t.Run("the registration module sends a registration code, but not to a member's number", func(t *testing.T) {
			s.Clock.Add(time.Hour)
			s.disableRegisterCaptcha(t)
			s.Call(t, "POST", sendPath, mobile, "ModuleId", "REGMOBVERF3")
			merchanttest.Value[struct{}](t, s.Call(t, "POST", sendPath, sendRequest{MobileNum: "987654321", DialingCode: "84", Purpose: "register"}, "Language", "PT"))
			rows, err := store.Q().LocalDispatches(t.Context())
			if err != nil || len(rows) != 2 || rows[0].Recipient != newNumber || rows[0].Kind != "register_code" || rows[0].Language != "pt" {
				t.Fatalf("messages = %+v, %v, want two, first a register code in pt for %s", rows, err, newNumber)
			}
		})
	})
}

func TestSendCodeRefusals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.serveRoutes(t)
		for name, c := range map[string]struct {
			request any
			status  int
			body    string
		}{
			"no number": {sendRequest{DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"validation.required","field":"mobileNum"}`},
			"no country": {`{"mobileNum":"912345678"}`, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"countryDialingCode"}`},
			"number too short": {sendRequest{MobileNum: "12", DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum"}`},
			"full-width digits": {sendRequest{MobileNum: "９１２３４５６７８", DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`},
			"markup in the number": {sendRequest{MobileNum: "<b>912345678", DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`},
			"SQL in the number": {sendRequest{MobileNum: "1' OR '1'='1", DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`},
			"emoji in the number": {sendRequest{MobileNum: "📱912345678", DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`},
			"direction mark in the number": {sendRequest{MobileNum: "\u200f912345678", DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`},
			"number too long": {sendRequest{MobileNum: strings.Repeat("9", 33), DialingCode: "84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum","args":{"max":"20"}}`},
			"plus in the country": {sendRequest{MobileNum: "912345678", DialingCode: "+84"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum"}`},
			"number of the wrong type": {`{"mobileNum":912345678,"countryDialingCode":"84"}`, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"mobileNum"}`},
			"unknown purpose": {sendRequest{MobileNum: "912345678", DialingCode: "84", Purpose: "reset"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"purpose"}`},
			"unknown field": {`{"mobileNum":"912345678","countryDialingCode":"84","deliver":true}`, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"deliver"}`},
			"malformed JSON": {`{"mobileNum":`, 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err"}`},
			"captcha without a cookie": {sendRequest{MobileNum: "912345678", DialingCode: "84", Captcha: "123456"}, 400,
				`{"success":false,"message":"(varies)","errorCode":"captcha.required","field":"captcha"}`},
		} {
			t.Run(name, func(t *testing.T) {
				s := newCodeSite(t, store, nil) // so that the rate limits start from zero
				s.serveRoutes(t)
				merchanttest.Want(t, s.Call(t, "POST", sendPath, c.request), c.status, c.body, "message")
			})
		}
		if n := s.count(t, "dispatch"); n != 0 {
			t.Errorf("%d messages, want 0", n)
		}
	})
}

func TestSendCodeNotOffered(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	s.serveRoutes(t)
	for _, disabled := range []merchant.Switch{
		merchant.SwitchOf(spec.FlagSMSLogin, false),
		merchant.SwitchOf(spec.ModuleRegisterMobile, false),
	} {
		if err := s.Merchants.SetSwitch(t.Context(), s.ID, disabled); err != nil {
			t.Fatal(err)
		}
	}
	for _, purpose := range []string{"login", "register"} {
		merchanttest.Want(t, s.Call(t, "POST", sendPath, sendRequest{MobileNum: "912345678", DialingCode: "84", Purpose: purpose}), 403,
			`{"success":false,"message":"not allowed","errorCode":"access.denied"}`)
	}
	noSMSProvider := newCodeSite(t, dbtest.SQLite(t), func(o *notify.Options) { o.Local = false })
	noSMSProvider.serveRoutes(t)
	merchanttest.Want(t, noSMSProvider.Call(t, "POST", sendPath, sendRequest{MobileNum: "912345678", DialingCode: "84"}), 503,
		`{"success":false,"message":"unavailable, try again later","errorCode":"verification.unavailable","requestId":"(varies)"}`)
}

func makeNumbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "9876500" + string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	return out
}

func TestManyCodesRequireCaptcha(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.serveRoutes(t)
		phoneNumbers := makeNumbers(5)
		for _, number := range phoneNumbers[:3] {
			if reply := s.Call(t, "POST", sendPath, sendRequest{MobileNum: number, DialingCode: "84"}); reply.Status != http.StatusOK {
				t.Fatalf("got %d %s, want 200", reply.Status, reply.Body)
			}
		}
		merchanttest.Want(t, s.Call(t, "POST", sendPath, sendRequest{MobileNum: phoneNumbers[3], DialingCode: "84"}), 400,
			`{"success":false,"message":"the request is not valid","errorCode":"captcha.required","field":"captcha"}`)
		cookie, answer := s.solveCaptcha(t)
		request := sendRequest{MobileNum: phoneNumbers[3], DialingCode: "84", Captcha: answer}
		merchanttest.Want(t, s.Call(t, "POST", sendPath, request, "Cookie", cookie), 200, sentBody)
		merchanttest.Want(t, s.Call(t, "POST", sendPath, request, "Cookie", cookie), 422,
			`{"success":false,"message":"the request was refused","errorCode":"captcha.incorrect","field":"captcha"}`)
	})
}

func TestSE02PartSolvedPicturesDoNotReplaceTheProofOfWork(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	s.serveRoutes(t)
	device, err := http.ParseSetCookie(s.Call(t, "GET", "/wps/captcha/proof?purpose=code", nil).Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	numbers := makeNumbers(6)
	for i, number := range numbers {
		cookie, answer := s.solveCaptcha(t)
		reply := s.Call(t, "POST", sendPath, sendRequest{MobileNum: number, DialingCode: "84", Captcha: answer}, "Cookie", cookie+"; device="+device.Value)
		refused := strings.Contains(string(reply.Body), "proof.required")
		if free := i < 4; refused == free { // three are free, and the fourth one is the first that is too many
			t.Errorf("request %d of a device: got %d %s, want a proof of work from the fifth request on", i+1, reply.Status, reply.Body)
		}
	}
}

func (s *codeSite) disableRegisterCaptcha(t *testing.T) {
	t.Helper()
	if err := s.Merchants.Set(t.Context(), s.ID, "register.captcha", json.RawMessage("false")); err != nil {
		t.Fatal(err)
	}
}

func (s *codeSite) solveCaptcha(t *testing.T) (cookie, answer string) {
	t.Helper()
	reply := s.Call(t, "GET", "/wps/captcha", nil)
	set, err := http.ParseSetCookie(reply.Header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	var sealed struct {
		A string `json:"a"`
	}
	if _, err := s.keys.Unseal("captcha.image", set.Value, &sealed); err != nil {
		t.Fatal(err)
	}
	return "captcha=" + set.Value, sealed.A
}

func TestVA02SendCodeRequiresCaptcha(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		purpose               string
		setting               merchant.Setting
		notRequired, required string
	}{
		"VA-02 part: a registration code": {"register", "register.captcha", "false", "true"},
		"VA-02 part: a login code":        {"login", "login.captcha_after", "1", "0"}, // after one failed login, or always
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCodeSite(t, dbtest.SQLite(t), nil)
			s.serveRoutes(t)
			number := map[string]string{"register": "987654321", "login": "912345678"}[c.purpose]
			request := sendRequest{MobileNum: number, DialingCode: "84", Purpose: c.purpose}
			set := func(value string) {
				t.Helper()
				if err := s.Merchants.Set(t.Context(), s.ID, c.setting, json.RawMessage(value)); err != nil {
					t.Fatal(err)
				}
			}
			set(c.required)
			merchanttest.Want(t, s.Call(t, "POST", sendPath, request), 400,
				`{"success":false,"message":"the request is not valid","errorCode":"captcha.required","field":"captcha"}`)
			cookie, answer := s.solveCaptcha(t)
			request.Captcha = answer + "0"
			merchanttest.Want(t, s.Call(t, "POST", sendPath, request, "Cookie", cookie), 422,
				`{"success":false,"message":"the request was refused","errorCode":"captcha.incorrect","field":"captcha"}`)
			if n := s.count(t, "dispatch"); n != 0 {
				t.Errorf("%d messages before the captcha, want 0", n)
			}
			cookie, request.Captcha = s.solveCaptcha(t)
			merchanttest.Want(t, s.Call(t, "POST", sendPath, request, "Cookie", cookie), 200, sentBody)
			if n := s.count(t, "dispatch"); n != 1 {
				t.Errorf("%d messages after the captcha, want 1", n)
			}
			set(c.notRequired)
			s.Clock.Add(2 * time.Minute)
			request.Captcha = ""
			merchanttest.Value[struct{}](t, s.Call(t, "POST", sendPath, request))
		})
	}
}

// With the captcha module off, codes require no captcha.
func TestManyCodesWithoutCaptchaModule(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	s.serveRoutes(t)
	if err := s.Merchants.SetSwitch(t.Context(), s.ID, merchant.SwitchOf(spec.ModuleCaptcha, false)); err != nil {
		t.Fatal(err)
	}
	for _, number := range makeNumbers(5) {
		if reply := s.Call(t, "POST", sendPath, sendRequest{MobileNum: number, DialingCode: "84"}); reply.Status != http.StatusOK {
			t.Fatalf("got %d %s, want 200", reply.Status, reply.Body)
		}
	}
}

func TestSendCodeLimits(t *testing.T) {
	t.Parallel()
	s := newCodeSite(t, dbtest.SQLite(t), nil)
	s.serveRoutes(t)
	for range 20 { // use up the hourly limit of one number, each time from another network
		_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(memberNumber), Language: "en", Network: fmt.Sprint(s.Clock.Now()), Deliver: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Add(time.Second)
	}
	reply := s.Call(t, "POST", sendPath, sendRequest{MobileNum: "912345678", DialingCode: "84"})
	merchanttest.Want(t, reply, http.StatusTooManyRequests,
		`{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"seconds":"160"}}`)
}

func TestCA18Query(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.serveRoutes(t)
		query := func(params string) merchanttest.Reply {
			return s.Call(t, "GET", "/wps/verification/query?mobileNum=0912345678&countryDialingCode=84"+params, nil)
		}
		merchanttest.Want(t, query(""), 200, notWaitingBody)
		// A code requested from another network is not reported.
		s.request(t, s.subject(memberNumber), true)
		merchanttest.Want(t, query(""), 200, notWaitingBody)
		s.Clock.Add(time.Minute)
		s.Call(t, "POST", sendPath, sendRequest{MobileNum: "912345678", DialingCode: "84"})
		t.Run("CA-18 verification query: only for the network that requested the code", func(t *testing.T) {
			merchanttest.Want(t, query(""), 200, `{"success":true,"value":{"expirationTime":1773480773000,"waiting":true}}`)
		})
		merchanttest.Want(t, query("&purpose=register"), 200, notWaitingBody)
		s.Clock.Add(5 * time.Minute)
		merchanttest.Want(t, query(""), 200, notWaitingBody)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/verification/query?mobileNum=12&countryDialingCode=84", nil), 400, mobileFormatBody)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/verification/query", nil), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"validation.required","field":"mobileNum"}`)
		otherSite := newCodeSite(t, store, nil)
		otherSite.serveRoutes(t)
		merchanttest.Want(t, otherSite.Call(t, "GET", "/wps/verification/query?mobileNum=12&purpose=reset", nil), 400,
			`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"purpose"}`, "message")
	})
}

type bindRequest struct {
	MobileNum   string `json:"mobileNum,omitempty"`
	DialingCode string `json:"countryDialingCode,omitempty"`
	Email       string `json:"email,omitempty"`
	Purpose     string `json:"purpose,omitempty"`
}

func TestBindCodes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		s.serveRoutes(t)
		sms := bindRequest{MobileNum: "0987654321", DialingCode: "84", Purpose: "bind"}
		mail := bindRequest{Email: " a@mail.example ", Purpose: "bind"}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/sms", sms, "Authorization", "real"), 200, sentBody)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/email", mail, "Authorization", "real"), 200, sentBody)
		rows, err := store.Q().LocalDispatches(t.Context())
		if err != nil || len(rows) != 2 || rows[0].Recipient != "a@mail.example" || rows[0].Subject == "" || rows[1].Recipient != newNumber {
			t.Fatalf("messages = %+v, %v, want an e-mail to a@mail.example and an SMS to %s", rows, err, newNumber)
		}
		// For another member's number or address, the response is the same but no message is sent.
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/sms", bindRequest{MobileNum: "912345678", DialingCode: "84", Purpose: "bind"}, "Authorization", "real"), 200, sentBody)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/email", bindRequest{Email: "MINH@mail.example", Purpose: "bind"}, "Authorization", "real"), 200, sentBody)
		if n := s.messagesSent(t); n != 2 {
			t.Errorf("%d messages, want 2", n)
		}
		subject := notify.Subject{MerchantID: s.ID, Channel: notify.Email, Target: "a@mail.example", Purpose: notify.ForBind}
		if err := s.codes.Check(t.Context(), subject, noNetwork, sixDigits.FindString(rows[0].Body)); err != nil {
			t.Errorf("got %v, want the sent code accepted", err)
		}
		for name, c := range map[string]struct {
			path    string
			request any
			token   string
			status  int
			body    string
		}{
			"SMS without a session": {"sms", sms, "", 401,
				`{"success":false,"message":"(varies)","errorCode":"login.not.session"}`},
			"SMS for a trial member": {"sms", sms, "trial", 403,
				`{"success":false,"message":"(varies)","errorCode":"member.trial_refused"}`},
			"invalid number": {"sms", bindRequest{MobileNum: "12", DialingCode: "84", Purpose: "bind"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"member.mobile_format","field":"mobileNum"}`},
			"unknown purpose": {"sms", bindRequest{MobileNum: "987654321", DialingCode: "84", Purpose: "login"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"purpose"}`},
			"no number": {"sms", bindRequest{Purpose: "bind"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"countryDialingCode"}`},
			"e-mail without a session": {"email", mail, "", 401,
				`{"success":false,"message":"(varies)","errorCode":"login.not.session"}`},
			"e-mail for a trial member": {"email", mail, "trial", 403,
				`{"success":false,"message":"(varies)","errorCode":"member.trial_refused"}`},
			"invalid address": {"email", bindRequest{Email: "a@b", Purpose: "bind"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"member.email_format","field":"email","args":{"max":"254"}}`},
			"line breaks in the address": {"email", bindRequest{Email: "a@b.co\r\nBcc: c@d.ef", Purpose: "bind"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"member.email_format","field":"email","args":{"max":"254"}}`},
			"address too long": {"email", bindRequest{Email: strings.Repeat("a", 321), Purpose: "bind"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"member.email_format","field":"email","args":{"max":"254"}}`},
			"no address": {"email", bindRequest{Purpose: "bind"}, "real", 400,
				`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"email"}`},
		} {
			t.Run(name, func(t *testing.T) {
				reply := s.Call(t, "POST", "/wps/verification/"+c.path, c.request, "Authorization", c.token)
				merchanttest.Want(t, reply, c.status, c.body, "message")
			})
		}
	})
}

// Only the network that requested a code gets "expired". Others get "incorrect".
func TestExpiredOnlyForRequester(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newCodeSite(t, store, nil)
		if err := s.Merchants.SetSwitch(t.Context(), s.ID, smsLogin); err != nil {
			t.Fatal(err)
		}
		s.Serve(t, s.tokens(), func(a *rest.API) {
			verification.Routes(a, s.codes)
			checkRoutes(a, s.codes)
		})
		for _, number := range []string{"912345678", "987654321"} { // of a member, and of no member
			s.Call(t, "POST", sendPath, sendRequest{MobileNum: number, DialingCode: "84"})
			try := func() merchanttest.Reply {
				return s.Call(t, "POST", "/wps/check", map[string]string{"target": "+84" + number, "code": "000000"})
			}
			for range 5 {
				merchanttest.Want(t, try(), 422, incorrectBody)
			}
			merchanttest.Want(t, try(), 422, expiredBody) // no attempt is left
			s.Clock.Add(time.Minute)
			s.Call(t, "POST", sendPath, sendRequest{MobileNum: number, DialingCode: "84"})
			merchanttest.Want(t, try(), 422, incorrectBody)
			s.Clock.Add(5 * time.Minute)
			merchanttest.Want(t, try(), 422, expiredBody)
			s.Clock.Add(time.Hour) // so that no captcha is required
		}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/check", map[string]string{"target": "+84900000000", "code": "000000"}), 422, incorrectBody)
		s.request(t, s.subject("+84911111111"), true)
		s.Clock.Add(5 * time.Minute)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/check", map[string]string{"target": "+84911111111", "code": "000000"}), 422, incorrectBody)
	})
}
