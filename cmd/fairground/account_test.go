package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"fairground/internal/demo"
)

// runCommand runs a command that must succeed.
func runCommand(t *testing.T, stdin string, args []string, words ...string) (out string) {
	t.Helper()
	code, out, stderr := command(t, stdin, append(words, args...)...)
	if code != 0 {
		t.Fatalf("%v: exit code = %d, want 0: %s%s", words, code, out, stderr)
	}
	return out
}

func TestCA04LoginBySMSCode(t *testing.T) {
	t.Parallel()
	t.Run("CA-04 CA-20 CA-22 a code with either number field, its expiry in both formats, and the login with it", testLoginBySMSCode)
}

func testLoginBySMSCode(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		runCommand(t, "", args, "merchant", "switch", "flag", "MOBILEVERCODELOGIN3", "on")
		token := s.login("demo88", demo.Password)
		value[struct{ ExpirationTime int64 }](s, http.MethodPost, "/wps/verification/sms", token, `{"mobileNum":"0912345678","countryDialingCode":"84","purpose":"bind"}`)
		value[struct{}](s, http.MethodPut, "/wps/member/mobile", token, body(map[string]any{
			"mobileNum": "0912345678", "countryDialingCode": "84", "verificationCode": s.code("+84912345678"), "password": demo.Password,
		}))
		type sentCode struct {
			ExpiredMinutes int
			ExpirationTime int64
		}
		// CA-22: both number fields, and both formats of the expiry.
		sent := value[sentCode](s, http.MethodPost, "/wps/verification/sms/noLogin", "", `{"mobileNo":"0912345678","countryDialingCode":"84"}`)
		again := value[sentCode](s, http.MethodPost, "/wps/verification/sms/noLogin", "", `{"mobileNum":"912345678","countryDialingCode":"84"}`)
		if sent.ExpiredMinutes != 1 || sent.ExpirationTime == 0 || sent != again {
			t.Errorf("codes = %+v and %+v, want the same code with an expiry of 1 minute", sent, again)
		}
		login := map[string]any{"type": "sms", "username": "912345678", "countryDialingCode": "84", "password": s.code("+84912345678")}
		type grant struct {
			Token, UserName string
			Type            int
			FirstTimeLogin  *bool
		}
		got := value[grant](s, http.MethodPost, "/wps/session/login", "", body(login))
		if got.Token == token || got.UserName != "demo88" || got.Type != 0 || got.FirstTimeLogin == nil {
			t.Errorf("got %+v, want a new token for demo88, type 0, with firstTimeLogin", got)
		}
		if a := s.call(http.MethodPost, "/wps/session/login", "", body(login)); a.ErrorCode != "verification.incorrect" || a.Args["captcha"] != "true" {
			t.Errorf("second use of the code: %+v, want verification.incorrect and captcha true", a)
		}
		s.end()
		for _, secret := range []string{login["password"].(string), got.Token, "912345678"} {
			if strings.Contains(s.log.String(), secret) {
				t.Errorf("SE-15: the log contains %q", secret)
			}
		}
	})
}

func TestTrialHasNoAccountFunctions(t *testing.T) {
	t.Parallel()
	t.Run("RO-07 account part, CA-02: the server rejects all account functions for a trial", testTrial)
}

func testTrial(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		const freeplay = "/wps/session/login/freeplay"
		if a := s.send(http.MethodPost, freeplay, `{"ageConfirmed":false}`, "ModuleId", "FREEPLAY3"); a.ErrorCode != "register.age_required" || a.Field != "ageConfirmed" {
			t.Errorf("PP-08 the trial's part: without age confirmation: %+v, want register.age_required and field ageConfirmed", a)
		}
		type grant struct {
			Token, TrialName     string
			Type, TrialIndicator int
		}
		trial := value[grant](s, http.MethodPost, freeplay, "", `{"ageConfirmed":true,"moduleId":"FREEPLAY3"}`)
		if trial.Type != 4 || trial.TrialIndicator != 1 || trial.TrialName == "" {
			t.Fatalf("got %+v, want type 4, trialIndicator 1 and a name", trial)
		}
		wallet := value[balance](s, http.MethodGet, "/wps/v2/wallets/balance", trial.Token, "")
		if wallet.Currency != "FUN" || wallet.SumBalance.String() == "0" {
			t.Errorf("got %+v, want a positive balance in FUN", wallet)
		}
		refused := 0
		for id, o := range documentedCalls(t) {
			if !o.session || o.path == "/wps/events" || strings.HasPrefix(o.path, "/wps/session/") {
				continue
			}
			var sent string
			if o.takesJSON {
				sent = `{}`
			}
			a := s.call(o.method, strings.Replace(o.path, "{name}", "x", 1), trial.Token, sent)
			own := strings.HasPrefix(o.path, "/wps/member/") && id != "memberInfo" || strings.HasPrefix(o.path, "/wps/verification/")
			if a.status == http.StatusForbidden && a.ErrorCode == "member.trial_refused" {
				refused++
			} else if own {
				t.Errorf("%s = %d %s, want 403 member.trial_refused", id, a.status, a.ErrorCode)
			}
		}
		if refused < 6 {
			t.Errorf("%d calls were rejected, want at least 6", refused)
		}
		for path, sent := range map[string]string{
			"/wps/member/password": `{"oldPassword":"a","newPassword":"qua-do-999","confirmNewPassword":"qua-do-999"}`,
			"/wps/member/profile":  `{"nickname":"Minh"}`, "/wps/member/headIcon": `{"preset":"fox"}`,
			"/wps/member/paymentPassword":  `{"password":"a","paymentPassword":"246810","confirmPaymentPassword":"246810"}`,
			"/wps/member/securityQuestion": `{"question":"first_pet","answer":"Mun","password":"a"}`,
			"/wps/member/mobile":           `{"mobileNum":"0912345678","countryDialingCode":"84","verificationCode":"000000","password":"a"}`,
			"/wps/member/email":            `{"email":"a@b.co","verificationCode":"000000","password":"a"}`,
		} {
			if a := s.call(http.MethodPut, path, trial.Token, sent); a.status != http.StatusForbidden || a.ErrorCode != "member.trial_refused" {
				t.Errorf("%s = %d %s, want 403 member.trial_refused", path, a.status, a.ErrorCode)
			}
		}
		runCommand(t, "", args, "merchant", "switch", "module", "FREEPLAY3", "off")
		a := s.send(http.MethodPost, freeplay, `{"ageConfirmed":true}`, "ModuleId", "FREEPLAY3")
		if a.status != http.StatusOK || string(a.Value) != `{"firstTimeLogin":false,"trialIndicator":0}` {
			t.Errorf("with the module off: %d %s, want 200 and %s", a.status, a.Value, `{"firstTimeLogin":false,"trialIndicator":0}`)
		}
	})
}

func TestRT04PasswordResetByMail(t *testing.T) {
	t.Parallel()
	address, mails := newMailServer(t)
	args := []string{"--data", t.TempDir()}
	s := start(t, append(args, "--smtp", "smtp://"+address, "--mail-from", "play@fairground.example")...)
	runCommand(t, "qua-xanh7\n", args, "member", "create", "minhanh92", "--password-stdin")
	runCommand(t, "", args, "merchant", "switch", "module", "CAPTCHA3", "off") // tests cannot read pictures
	token := s.login("minhanh92", "qua-xanh7")
	const address1 = "minh@fairground.example"
	value[struct{}](s, http.MethodPost, "/wps/verification/email", token, `{"email":"minh@fairground.example","purpose":"bind"}`)
	value[struct{}](s, http.MethodPut, "/wps/member/email", token, body(map[string]any{
		"email": address1, "verificationCode": mails.code(t, address1), "password": "qua-xanh7",
	}))
	value[struct{}](s, http.MethodPost, "/wps/member/password/email", "", `{"email":"minh@fairground.example"}`)
	value[struct{}](s, http.MethodPost, "/wps/member/password/email", "", `{"email":"nobody@fairground.example"}`)
	proved := value[struct{ Ticket string }](s, http.MethodPost, "/wps/member/password/email/verification", "", body(map[string]any{
		"email": address1, "verificationCode": mails.code(t, address1),
	}))
	value[struct{}](s, http.MethodPut, "/wps/member/password/reset", "", body(map[string]any{
		"ticket": proved.Ticket, "newPassword": "qua-do-999", "confirmNewPassword": "qua-do-999",
	}))
	if a := s.call(http.MethodGet, "/wps/session/touch", token, ""); a.status != http.StatusUnauthorized {
		t.Errorf("old session: status = %d, want 401", a.status)
	}
	s.login("minhanh92", "qua-do-999")
	mails.next(t, address1, func(text string) bool { return strings.Contains(text, "minhanh92") }) // the notice about the change
	for len(mails) > 0 {
		if m := <-mails; m.to != address1 {
			t.Errorf("mail to %s, want none", m.to)
		}
	}
	if a := s.call(http.MethodPost, "/wps/member/password/sms", "", `{"mobileNum":"0912345678","countryDialingCode":"84"}`); a.ErrorCode != "verification.unavailable" {
		t.Errorf("reset by SMS without a gateway: %+v, want verification.unavailable", a)
	}
}

func TestRG09RegistrationBySMSCode(t *testing.T) {
	t.Parallel()
	address, messages := newGateway(t)
	args := []string{"--data", t.TempDir()}
	s := start(t, append(args, "--sms-url", address, "--sms-key", gatewayKey, "--outgoing-allow", "127.0.0.0/8")...)
	runCommand(t, "", args, "merchant", "switch", "module", "CAPTCHA3", "off")
	runCommand(t, "", args, "merchant", "switch", "flag", "MOBILEVERCODELOGIN3", "on")
	const number = "+84912345678"
	mobile := map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
	if a := s.send(http.MethodPost, "/wps/verification/sms/noLogin", body(mobile), "ModuleId", "REGMOBVERF3", "Language", "EN"); a.status != http.StatusOK {
		t.Fatalf("got %+v, want 200", a)
	}
	registration := map[string]any{
		"mobileNum": "0912345678", "countryDialingCode": "84", "verificationCode": messages.code(t, number), "password": "qua-xanh7", "confirmPassword": "qua-xanh7",
		"agreement": true, "ageConfirmed": true, "moduleId": "MOBILENUMREG3", "normalRegister": true, "registerMethod": "PWA",
		"registerUrl": "play.example", "domain": "play.example", "type": 0,
	}
	registered := value[struct{ Token, UserName string }](s, http.MethodPut, "/wps/member/register/mobile", "", body(registration))
	welcome := messages.next(t, number, func(text string) bool { return strings.Contains(text, registered.UserName) })
	if sixDigits.MatchString(strings.ReplaceAll(welcome.text, registered.UserName, "")) {
		t.Errorf("the welcome message contains a code: %s", welcome.text)
	}
	value[struct{}](s, http.MethodPost, "/wps/verification/sms/noLogin", "", body(mobile))
	loggedIn := value[struct{ Token, UserName string }](s, http.MethodPost, "/wps/session/login", "", body(map[string]any{
		"type": "sms", "username": "912345678", "countryDialingCode": "84", "password": messages.code(t, number),
	}))
	if loggedIn.UserName != registered.UserName || loggedIn.Token == registered.Token {
		t.Errorf("login = %+v, registration = %+v, want one member with two tokens", loggedIn, registered)
	}
}

func TestLG04LoginWithOpenIDConnect(t *testing.T) {
	t.Parallel()
	t.Run("LG-04 SE-08 the server's part: login with Google requires its flag and returns only to paths of the site", testOpenIDConnect)
}

func testOpenIDConnect(t *testing.T) {
	t.Parallel()
	issuer := newIssuer(t)
	args := []string{"--data", t.TempDir()}
	s := start(t, append(args, "--public-url", publicURL, "--outgoing-allow", "127.0.0.0/8",
		"--google-client-id", clientID, "--google-client-secret", clientSecret, "--google-issuer", issuer.URL)...)
	const begin = "/wps/session/outside/google/start"
	if a := s.send(http.MethodGet, begin, ""); a.header.Get("Location") != "/m/login?outside=failed" {
		t.Errorf("with the flag off: redirect to %s, want /m/login?outside=failed", a.header.Get("Location"))
	}
	runCommand(t, "", args, "merchant", "switch", "flag", "GOOGLELOGIN3", "on")
	// signIn follows the redirects to the issuer and back.
	signIn := func(returnTo string) (query url.Values, cookie, callback string) {
		t.Helper()
		a := s.send(http.MethodGet, begin+"?return="+url.QueryEscape(returnTo), "")
		stateCookie := (&http.Response{Header: a.header}).Cookies()[0]
		authorized, err := noRedirects.Get(a.header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, authorized)
		callback = strings.TrimPrefix(authorized.Header.Get("Location"), publicURL)
		a = s.send(http.MethodGet, callback, "", "Cookie", "outside="+stateCookie.Value)
		end, err := url.Parse(a.header.Get("Location"))
		if err != nil || end.Host != "" || end.Path != "/m/login" {
			t.Fatalf("SE-08: redirect to %s, %v, want no host and path /m/login", end, err)
		}
		return end.Query(), "outside=" + (&http.Response{Header: a.header}).Cookies()[0].Value, callback
	}
	login := func(ticket, cookie string, agreed bool) response {
		return s.send(http.MethodPost, "/wps/session/login", body(map[string]any{
			"type": "outside", "ticket": ticket, "agreement": agreed, "ageConfirmed": agreed,
		}), "Cookie", cookie)
	}
	query, cookie, callback := signIn("/m/member/vip")
	if query.Get("return") != "/m/member/vip" {
		t.Errorf("got %v, want return=/m/member/vip", query)
	}
	if a := s.send(http.MethodGet, callback, "", "Cookie", cookie); a.header.Get("Location") != "/m/login?outside=failed" {
		t.Errorf("second use of the callback: redirect to %s, want /m/login?outside=failed", a.header.Get("Location"))
	}
	first := login(query.Get("ticket"), cookie, false)
	if first.status != http.StatusConflict || first.ErrorCode != "outside.register" {
		t.Fatalf("got %+v, want 409 outside.register", first)
	}
	if a := login(query.Get("ticket"), cookie, true); a.ErrorCode != "outside.failed" {
		t.Errorf("second use of the ticket: %+v, want outside.failed", a)
	}
	if a := login(first.Args["ticket"], cookie, true); a.status != http.StatusOK {
		t.Fatalf("got %+v, want 200", a)
	}
	for _, returnTo := range []string{"", "https://evil.example/m/", "//evil.example", "/m/\\evil.example"} {
		query, cookie, _ := signIn(returnTo)
		if query.Get("return") != "" {
			t.Errorf("SE-08: return = %s, want none", query.Get("return"))
		}
		if a := login(query.Get("ticket"), cookie, false); a.status != http.StatusOK {
			t.Errorf("second login: %+v, want 200", a)
		}
	}
	s.end()
	for _, secret := range []string{clientSecret, query.Get("ticket"), strings.TrimPrefix(cookie, "outside=")} {
		if strings.Contains(s.log.String(), secret) {
			t.Errorf("SE-15: the log contains %.12q", secret)
		}
	}
}
