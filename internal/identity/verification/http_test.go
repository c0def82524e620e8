package verification_test

import (
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

const open = "/wps/verification/sms/noLogin"

type ask struct {
	MobileNum   string `json:"mobileNum,omitempty"`
	MobileNo    string `json:"mobileNo,omitempty"`
	DialingCode string `json:"countryDialingCode"`
	Purpose     string `json:"purpose,omitempty"`
	Captcha     string `json:"captcha,omitempty"`
}

func TestCA04SendCode(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		s.serve(t)
		mobile := ask{MobileNum: "0912345678", DialingCode: "84"}
		t.Run("CA-04 a code is sent", func(t *testing.T) {
			merchanttest.Want(t, s.Call(t, "POST", open, mobile, "Language", "EN"), 200, sent)
			rows, err := store.Q().LocalDispatches(t.Context())
			if err != nil || len(rows) != 1 || rows[0].Recipient != known || rows[0].Kind != "login_code" || !strings.Contains(rows[0].Body, "is your Fairground login code") {
				t.Fatalf("%+v, %v", rows, err)
			}
		})
		t.Run("CA-22 mobileNo is mobileNum, and the answer repeats within a minute", func(t *testing.T) {
			s.Clock.Add(59 * time.Second)
			merchanttest.Want(t, s.Call(t, "POST", open, ask{MobileNo: "912345678", DialingCode: "84", Purpose: "login"}), 200, sent)
			if n := s.count(t, "dispatch"); n != 1 {
				t.Errorf("%d messages", n)
			}
		})
		t.Run("SE-02 an unknown number gets the same answer and no message", func(t *testing.T) {
			reply := s.Call(t, "POST", open, ask{MobileNum: "987654321", DialingCode: "84"})
			merchanttest.Want(t, reply, 200, `{"success":true,"value":{"expiredMinutes":5,"expirationTime":1773480772000}}`)
			if n := s.count(t, "dispatch WHERE state = 'local'"); n != 1 {
				t.Errorf("%d messages", n)
			}
		})
		t.Run("the module of the registration asks for another code, of which a member's number gets none", func(t *testing.T) {
			s.Clock.Add(time.Hour)
			s.Call(t, "POST", open, mobile, "ModuleId", "REGMOBVERF3")
			merchanttest.Value[struct{}](t, s.Call(t, "POST", open, ask{MobileNum: "987654321", DialingCode: "84", Purpose: "register"}, "Language", "PT"))
			rows, err := store.Q().LocalDispatches(t.Context())
			if err != nil || len(rows) != 2 || rows[0].Recipient != unknown || rows[0].Kind != "register_code" || rows[0].Language != "pt" {
				t.Fatalf("%+v, %v", rows, err)
			}
		})
	})
}

func TestSendCodeRefusals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		s.serve(t)
		for name, body := range map[string]any{
			"send_no_number":       ask{DialingCode: "84"},
			"send_no_country":      `{"mobileNum":"912345678"}`,
			"send_number":          ask{MobileNum: "12", DialingCode: "84"},
			"send_number_wide":     ask{MobileNum: "９１２３４５６７８", DialingCode: "84"},
			"send_number_markup":   ask{MobileNum: "<b>912345678", DialingCode: "84"},
			"send_number_sql":      ask{MobileNum: "1' OR '1'='1", DialingCode: "84"},
			"send_number_emoji":    ask{MobileNum: "📱912345678", DialingCode: "84"},
			"send_number_mark":     ask{MobileNum: "\u200f912345678", DialingCode: "84"},
			"send_number_long":     ask{MobileNum: strings.Repeat("9", 33), DialingCode: "84"},
			"send_country":         ask{MobileNum: "912345678", DialingCode: "+84"},
			"send_number_type":     `{"mobileNum":912345678,"countryDialingCode":"84"}`,
			"send_purpose":         ask{MobileNum: "912345678", DialingCode: "84", Purpose: "reset"},
			"send_unknown_field":   `{"mobileNum":"912345678","countryDialingCode":"84","really":true}`,
			"send_malformed":       `{"mobileNum":`,
			"send_captcha_without": ask{MobileNum: "912345678", DialingCode: "84", Captcha: "123456"},
		} {
			t.Run(name, func(t *testing.T) {
				s := newSite(t, store, nil) // its own limit of calls
				s.serve(t)
				merchanttest.Golden(t, name, s.Call(t, "POST", open, body), "message")
			})
		}
		if n := s.count(t, "dispatch"); n != 0 {
			t.Errorf("%d messages", n)
		}
	})
}

func TestSendCodeWhereItIsNotOffered(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.serve(t)
	for _, off := range []merchant.Switch{
		merchant.SwitchOf(spec.FlagSMSLogin, false),
		merchant.SwitchOf(spec.ModuleRegisterMobile, false),
	} {
		if err := s.Merchants.SetSwitch(t.Context(), s.ID, off); err != nil {
			t.Fatal(err)
		}
	}
	for _, purpose := range []string{"login", "register"} {
		merchanttest.Want(t, s.Call(t, "POST", open, ask{MobileNum: "912345678", DialingCode: "84", Purpose: purpose}), 403,
			`{"success":false,"message":"not allowed","errorCode":"access.denied"}`)
	}
	mute := newSite(t, dbtest.SQLite(t), func(o *notify.Options) { o.Local = false })
	mute.serve(t)
	merchanttest.Want(t, mute.Call(t, "POST", open, ask{MobileNum: "912345678", DialingCode: "84"}), 503,
		`{"success":false,"message":"unavailable, try again later","errorCode":"verification.unavailable","requestId":"(varies)"}`)
}

// numbers are valid ones that nobody has.
func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "9876500" + string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	return out
}

func TestManyCodesNeedACaptcha(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		s.serve(t)
		all := numbers(5)
		for _, number := range all[:3] {
			if reply := s.Call(t, "POST", open, ask{MobileNum: number, DialingCode: "84"}); reply.Status != http.StatusOK {
				t.Fatalf("%d %s", reply.Status, reply.Body)
			}
		}
		merchanttest.Want(t, s.Call(t, "POST", open, ask{MobileNum: all[3], DialingCode: "84"}), 400,
			`{"success":false,"message":"the request is not valid","errorCode":"captcha.required","field":"captcha"}`)
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
		asked := ask{MobileNum: all[3], DialingCode: "84", Captcha: sealed.A}
		merchanttest.Want(t, s.Call(t, "POST", open, asked, "Cookie", "captcha="+set.Value), 200, sent)
		merchanttest.Want(t, s.Call(t, "POST", open, asked, "Cookie", "captcha="+set.Value), 422,
			`{"success":false,"message":"refused by a rule","errorCode":"captcha.incorrect","field":"captcha"}`)
	})
}

// Where there is no captcha to be had, none is asked for: the network's own limit is left.
func TestManyCodesWithoutCaptchas(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.serve(t)
	if err := s.Merchants.SetSwitch(t.Context(), s.ID, merchant.SwitchOf(spec.ModuleCaptcha, false)); err != nil {
		t.Fatal(err)
	}
	for _, number := range numbers(5) {
		if reply := s.Call(t, "POST", open, ask{MobileNum: number, DialingCode: "84"}); reply.Status != http.StatusOK {
			t.Fatalf("%d %s", reply.Status, reply.Body)
		}
	}
}

func TestSendCodeLimits(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.serve(t)
	for range 20 { // as many as a target has an hour, asked for elsewhere
		_, err := s.codes.Request(t.Context(), verification.Request{Subject: s.subject(known), Language: "en", Network: fmt.Sprint(s.Clock.Now()), Really: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Clock.Add(time.Second)
	}
	reply := s.Call(t, "POST", open, ask{MobileNum: "912345678", DialingCode: "84"})
	merchanttest.Want(t, reply, http.StatusTooManyRequests,
		`{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"seconds":"160"}}`)
}

func TestCA18Query(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		s.serve(t)
		query := func(rest string) merchanttest.Reply {
			return s.Call(t, "GET", "/wps/verification/query?mobileNum=0912345678&countryDialingCode=84"+rest, nil)
		}
		merchanttest.Want(t, query(""), 200, notWaiting)
		// Another network's code is none of ours.
		s.request(t, s.subject(known), true)
		merchanttest.Want(t, query(""), 200, notWaiting)
		s.Clock.Add(time.Minute)
		s.Call(t, "POST", open, ask{MobileNum: "912345678", DialingCode: "84"})
		t.Run("CA-18 verification query: only for who asked", func(t *testing.T) {
			merchanttest.Want(t, query(""), 200, `{"success":true,"value":{"expirationTime":1773480773000,"waiting":true}}`)
		})
		merchanttest.Want(t, query("&purpose=register"), 200, notWaiting)
		s.Clock.Add(5 * time.Minute)
		merchanttest.Want(t, query(""), 200, notWaiting)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/verification/query?mobileNum=12&countryDialingCode=84", nil), 400, mobileFormat)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/verification/query", nil), http.StatusBadRequest,
			`{"success":false,"message":"the request is not valid","errorCode":"validation.required","field":"mobileNum"}`)
		fresh := newSite(t, store, nil)
		fresh.serve(t)
		merchanttest.Want(t, fresh.Call(t, "GET", "/wps/verification/query?mobileNum=12&purpose=reset", nil), 400,
			`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"purpose"}`, "message")
	})
}

type own struct {
	MobileNum   string `json:"mobileNum,omitempty"`
	DialingCode string `json:"countryDialingCode,omitempty"`
	Email       string `json:"email,omitempty"`
	Purpose     string `json:"purpose,omitempty"`
}

func TestOwnCodes(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		s.serve(t)
		sms := own{MobileNum: "0987654321", DialingCode: "84", Purpose: "bind"}
		mail := own{Email: " a@mail.example ", Purpose: "bind"}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/sms", sms, "Authorization", "real"), 200, sent)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/email", mail, "Authorization", "real"), 200, sent)
		rows, err := store.Q().LocalDispatches(t.Context())
		if err != nil || len(rows) != 2 || rows[0].Recipient != "a@mail.example" || rows[0].Subject == "" || rows[1].Recipient != unknown {
			t.Fatalf("%+v, %v", rows, err)
		}
		// What another member has is not told, and gets no message.
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/sms", own{MobileNum: "912345678", DialingCode: "84", Purpose: "bind"}, "Authorization", "real"), 200, sent)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/verification/email", own{Email: "MINH@mail.example", Purpose: "bind"}, "Authorization", "real"), 200, sent)
		if n := s.count(t, "dispatch WHERE state = 'local'"); n != 2 {
			t.Errorf("%d messages", n)
		}
		of := notify.Subject{MerchantID: s.ID, Channel: notify.Email, Target: "a@mail.example", Purpose: notify.ForBind}
		if err := s.codes.Check(t.Context(), of, noNetwork, sixDigits.FindString(rows[0].Body)); err != nil {
			t.Errorf("%v", err)
		}
		for name, c := range map[string]struct {
			path  string
			body  any
			token string
		}{
			"own_sms_no_session":   {"sms", sms, ""},
			"own_sms_trial":        {"sms", sms, "trial"},
			"own_sms_number":       {"sms", own{MobileNum: "12", DialingCode: "84", Purpose: "bind"}, "real"},
			"own_sms_purpose":      {"sms", own{MobileNum: "987654321", DialingCode: "84", Purpose: "login"}, "real"},
			"own_sms_missing":      {"sms", own{Purpose: "bind"}, "real"},
			"own_email_no_session": {"email", mail, ""},
			"own_email_trial":      {"email", mail, "trial"},
			"own_email_address":    {"email", own{Email: "a@b", Purpose: "bind"}, "real"},
			"own_email_lines":      {"email", own{Email: "a@b.co\r\nBcc: c@d.ef", Purpose: "bind"}, "real"},
			"own_email_long":       {"email", own{Email: strings.Repeat("a", 321), Purpose: "bind"}, "real"},
			"own_email_missing":    {"email", own{Purpose: "bind"}, "real"},
		} {
			merchanttest.Golden(t, name, s.Call(t, "POST", "/wps/verification/"+c.path, c.body, "Authorization", c.token), "message")
		}
	})
}

// Only who asked is told that a code has run out; to all others it is just wrong.
func TestExpiredIsToldToWhoAsked(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		if err := s.Merchants.SetSwitch(t.Context(), s.ID, smsLogin); err != nil {
			t.Fatal(err)
		}
		s.Serve(t, s.tokens(), func(a *rest.API) {
			verification.Routes(a, s.codes)
			checkRoutes(a, s.codes)
		})
		for _, number := range []string{"912345678", "987654321"} { // a member's, and nobody's
			s.Call(t, "POST", open, ask{MobileNum: number, DialingCode: "84"})
			try := func() merchanttest.Reply {
				return s.Call(t, "POST", "/wps/check", map[string]string{"target": "+84" + number, "code": "000000"})
			}
			for range 5 {
				merchanttest.Want(t, try(), 422, codeIncorrect)
			}
			merchanttest.Want(t, try(), 422, codeExpired) // no try is left
			s.Clock.Add(time.Minute)
			s.Call(t, "POST", open, ask{MobileNum: number, DialingCode: "84"})
			merchanttest.Want(t, try(), 422, codeIncorrect)
			s.Clock.Add(5 * time.Minute)
			merchanttest.Want(t, try(), 422, codeExpired)
			s.Clock.Add(time.Hour) // or a captcha would be asked for
		}
		merchanttest.Want(t, s.Call(t, "POST", "/wps/check", map[string]string{"target": "+84900000000", "code": "000000"}), 422, codeIncorrect)
		s.request(t, s.subject("+84911111111"), true)
		s.Clock.Add(5 * time.Minute)
		merchanttest.Want(t, s.Call(t, "POST", "/wps/check", map[string]string{"target": "+84911111111", "code": "000000"}), 422, codeIncorrect)
	})
}
