package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// registration returns the body of a registration by username.
func registration(username string, more map[string]any) string {
	fields := map[string]any{
		"username": username, "password": memberPassword, "confirmPassword": memberPassword, "agreement": true, "ageConfirmed": true,
		"registerMethod": "H5", "registerUrl": "play.example", "domain": "play.example", "type": 0, "moduleId": "REG3", "normalRegister": true,
	}
	maps.Copy(fields, more)
	maps.DeleteFunc(fields, func(_ string, v any) bool { return v == nil })
	return body(fields)
}

const (
	loginPath    = "/wps/session/login"
	registerPath = "/wps/member/register"
	passwordPath = "/wps/member/password"
)

// wantCode checks the error code of a response. An empty code means success.
func wantCode(t *testing.T, name string, a response, code string) {
	t.Helper()
	if a.ErrorCode != code || (code == "") != (a.status == http.StatusOK) {
		t.Errorf("%s: %d %q, want %q", name, a.status, a.ErrorCode, code)
	}
}

func (p *actorServer) hasSession(token string) bool {
	return p.call(http.MethodGet, "/wps/session/touch", token, "").status == http.StatusOK
}

// count counts the rows of a table. The argument may also contain a WHERE clause.
func (p *actorServer) count(of string) (n int) {
	p.t.Helper()
	if err := p.services.Store.Reader.QueryRowContext(p.t.Context(), "SELECT COUNT(*) FROM "+of).Scan(&n); err != nil {
		p.t.Fatal(err)
	}
	return n
}

func (p *actorServer) createMember(username string, kind member.Type) {
	p.t.Helper()
	_, err := p.services.Members.Create(p.t.Context(), member.NewMember{
		MerchantID: p.demo, Username: username, Password: memberPassword, Type: kind, Currency: "VND", Language: "en", OfAge: true,
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

func TestAccountRules(t *testing.T) {
	t.Parallel()
	for title, check := range map[string]func(t *testing.T, p *actorServer){
		"EN-04 member info has id, nickname, account, type and club label; the wallet has symbol and sum":                                checkMemberInfo,
		"EN-05 RO-02 RO-08 the server's part: types 0, 1 and 2 have full access, 4 has no account functions, 40 to 42 cannot log in":     checkMemberTypes,
		"RO-06 separate login errors for non-members and non-agents, only after a correct password":                                      checkLoginAreas,
		"VA-04 CA-25 registration settings serve the shared rules of ruling 8, field by field":                                           checkFormRules,
		"VA-09 every field is rejected with its message from the settings":                                                               checkFieldMessages,
		"VA-06 VA-11 a new password follows the rules, differs from the old one and is confirmed; the old one has only a maximum length": checkPasswordChange,
		"RG-08 the server's part: the four register methods and the host name are stored, others rejected":                               checkRegisterMethods,
		"CA-01 CA-21 the server's part: plain and encrypted body, and the device is stored":                                              checkLoginBodies,
		"CA-17 logout, password change, session renew":                                                                                   checkTokens,
		"CA-18 all other calls of accounts work":                                                                                         checkOtherCalls,
		"CA-23 register has a module, the flag and the domain; a type other than 0 is rejected":                                          checkRegisterOrigin,
		"SE-01 tokens are random, new at each login, hashed, revocable, and have idle and absolute expiry":                               checkSessions,
		"SE-07 the avatar's part: size, file type, pixels, random name, sent as an attachment":                                           checkAvatars,
		"SE-13 stored and accepted part: argon2id, common passwords rejected, 64 characters accepted":                                    checkPasswordStorage,
		"PP-08 the accounts' part: the age is confirmed before registration and trial play":                                              checkAgeConfirmation,
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			check(t, newServerWithActors(t))
		})
	}
}

func checkMemberInfo(t *testing.T, p *actorServer) {
	info := value[struct {
		ID, Nickname, Account *string
		Type                  *int
		ClubLabel             *struct{ LabelName *string }
	}](p.program, http.MethodGet, "/wps/member/info", p.tokens["agent"], "")
	if info.ID == nil || info.Nickname == nil || info.Account == nil || *info.Account != "agent001" || info.Type == nil || *info.Type != 1 || info.ClubLabel == nil || info.ClubLabel.LabelName == nil {
		t.Errorf("got %+v, want all fields of agent001, type 1", info)
	}
	wallet := value[struct {
		CurrencySymbol *string
		SumBalance     *json.Number
	}](p.program, http.MethodGet, "/wps/v2/wallets/balance", p.tokens["agent"], "")
	if wallet.CurrencySymbol == nil || *wallet.CurrencySymbol == "" || wallet.SumBalance == nil {
		t.Errorf("got %+v, want a currency symbol and a balance", wallet)
	}
}

func checkMemberTypes(t *testing.T, p *actorServer) {
	game := p.slot()
	launch := body(map[string]any{"gameCategory": game.GameCategory, "vendor": game.VendorCode, "gameId": game.GameID, "nodeId": game.NodeID, "supportPlay": true})
	favourite := body(map[string]any{"nodeId": game.NodeID})
	for kind := range member.Type(3) {
		name := fmt.Sprintf("real00%d", kind)
		p.createMember(name, kind)
		token := p.login(name, memberPassword)
		wantCode(t, name, p.call(http.MethodGet, "/wps/member/security", token, ""), "")
		wantCode(t, name+" launches", p.call(http.MethodPost, "/wps/game/launchGame", token, launch), "")
		wantCode(t, name+" adds a favourite", p.call(http.MethodPost, "/wps/relay/MCSFE_addFavoriteGameV2", token, favourite), "")
		wantCode(t, name+" removes it", p.call(http.MethodDelete, "/wps/relay/MCSFE_removeFavoriteGameV2?nodeId="+game.NodeID, token, ""), "")
		wantCode(t, name, p.call(http.MethodPut, "/wps/member/headIcon", token, `{"preset":"fox"}`), "")
		wantCode(t, name, p.call(http.MethodPost, "/wps/verification/email", token, body(map[string]any{"email": name + "@b.co", "purpose": "bind"})), "")
		wantCode(t, name, p.call(http.MethodDelete, "/wps/session/logout", token, ""), "")
	}
	wantCode(t, "a trial", p.as("trial", http.MethodGet, "/wps/member/security", ""), "member.trial_refused")
	wantCode(t, "a trial", p.as("trial", http.MethodPost, "/wps/verification/email", `{"email":"a@b.co","purpose":"bind"}`), "member.trial_refused")
	wantCode(t, "a trial", p.as("trial", http.MethodDelete, "/wps/session/logout", ""), "")
	for _, kind := range []member.Type{40, 41, 42} {
		name := fmt.Sprintf("house0%d", kind)
		p.createMember(name, kind)
		wantCode(t, name, p.call(http.MethodPost, loginPath, "", body(map[string]any{"username": name, "password": memberPassword})), "login.not_member")
	}
}

func checkLoginAreas(t *testing.T, p *actorServer) {
	p.createMember("service01", member.Staff)
	login := func(username, password, area string) response {
		fields := map[string]any{"username": username, "password": password}
		if area != "" {
			fields["area"] = area
		}
		return p.call(http.MethodPost, loginPath, "", body(fields))
	}
	wantCode(t, "service account", login("service01", memberPassword, ""), "login.not_member")
	wantCode(t, "player in the agents' area", login("owner001", memberPassword, "agent"), "login.not_agent")
	wantCode(t, "agent in the agents' area", login("agent001", memberPassword, "agent"), "")
	wantCode(t, "service account with a wrong password", login("service01", "qua-xanh8", ""), "login.incorrect")
	wantCode(t, "player in the agents' area with a wrong password", login("owner001", "qua-xanh8", "agent"), "login.incorrect")
}

type servedRule struct {
	Required bool
	Min, Max int
}

type registerSettings struct {
	Fields []struct {
		Name                 string
		Enabled, Required    *bool
		Order                *int
		AcceptedPattern      *string
		MinLength, MaxLength *int
		Messages             map[string]string
	}
	Rules map[string][]servedRule
}

func (p *actorServer) settings() registerSettings {
	p.t.Helper()
	return value[registerSettings](p.program, http.MethodGet, "/wps/system/setting/register", "", "")
}

func checkFormRules(t *testing.T, p *actorServer) {
	s := p.settings()
	bounds := func(name string) (minLength, maxLength int) {
		for _, r := range s.Rules[name] {
			minLength, maxLength = max(minLength, r.Min), max(maxLength, r.Max)
		}
		return minLength, maxLength
	}
	for name, want := range map[string][2]int{
		"loginUsername": {0, 64}, "loginPassword": {0, 64}, "loginMobileNum": {0, 20}, "verificationCode": {6, 10}, "password": {8, 64},
		"username": {6, 16}, "email": {0, 254}, "captcha": {0, 6},
	} {
		if lo, hi := bounds(name); lo != want[0] || hi != want[1] || !slices.ContainsFunc(s.Rules[name], func(r servedRule) bool { return r.Required }) {
			t.Errorf("%s: required length %d to %d, want %v", name, lo, hi, want)
		}
	}
	if len(s.Fields) < 19 {
		t.Errorf("%d fields, want at least 19", len(s.Fields))
	}
	for _, f := range s.Fields {
		if f.Enabled == nil || f.Required == nil || f.Order == nil || f.AcceptedPattern == nil || f.MinLength == nil || f.MaxLength == nil || f.Messages["required"] == "" || f.Messages["format"] == "" {
			t.Errorf("got %+v, want all fields and the messages required and format", f)
		}
	}
}

func checkFieldMessages(t *testing.T, p *actorServer) {
	var enabled []string
	good := map[string]any{}
	for name, valid := range map[string]string{
		"paymentPassword": "135790", "nickname": "Minh", "payeeName": "NGUYEN VAN A", "email": "a@b.co", "idNumber": "079203001234", "qqNum": "12345678",
		"facebook": "minh.anh", "wechat": "minh_anh", "line": "minh.anh", "whatsapp": "84912345678", "zalo": "0912345678",
	} {
		enabled = append(enabled, fmt.Sprintf(`%q:{"enabled":true,"required":true}`, name))
		good[name] = valid
	}
	p.set("register.fields", "{"+strings.Join(enabled, ",")+"}")
	p.set("register.captcha", `false`)
	tried := 0
	for i, f := range p.settings().Fields {
		if !*f.Enabled || !*f.Required || slices.Contains([]string{"confirmPassword", "verificationCode"}, f.Name) {
			continue // confirmPassword depends on another field; verificationCode is for registration by mobile
		}
		tried++
		for broken, want := range map[string]string{"": f.Messages["required"], "<\u202e": f.Messages["format"]} {
			fields := maps.Clone(good)
			fields[f.Name] = broken
			a := p.send(http.MethodPut, registerPath, registration("minhanh92", fields), "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i))
			if wantCode(t, f.Name+" "+broken, a, want); a.Field != f.Name {
				t.Errorf("%s: field = %s, want %v", f.Name, a.Field, f.Name)
			}
		}
	}
	if tried < 12 {
		t.Errorf("tested %d fields, want at least 12", tried)
	}
}

func checkPasswordChange(t *testing.T, p *actorServer) {
	change := func(old, fresh, confirm string) response {
		return p.as("owner", http.MethodPut, passwordPath, body(map[string]any{"oldPassword": old, "newPassword": fresh, "confirmNewPassword": confirm}))
	}
	wantCode(t, "same password", change(memberPassword, memberPassword, memberPassword), "member.password_same")
	wantCode(t, "different confirmation", change(memberPassword, another, "qua-do-998"), "member.password_confirm")
	if a := change(memberPassword, another, ""); a.ErrorCode != "member.password_required" || a.Field != "confirmNewPassword" {
		t.Errorf("without confirmation: %+v, want member.password_required and field confirmNewPassword", a)
	}
	wantCode(t, "short new password", change(memberPassword, "qua-1", "qua-1"), "member.password_format")
	wantCode(t, "new password without a digit", change(memberPassword, "qua-xanh-la", "qua-xanh-la"), "member.password_format")
	wantCode(t, "old password of one letter", change("x", another, another), "member.password_wrong")
	wantCode(t, "old password of 65 characters", change(strings.Repeat("x", 65), another, another), "member.password_format")
	wantCode(t, "valid change", change(memberPassword, another, another), "")
}

func checkRegisterMethods(t *testing.T, p *actorServer) {
	p.set("register.captcha", `false`)
	for _, method := range []string{"APP", "H5", "PWA", "WEBCLIP"} {
		wantCode(t, method, p.call(http.MethodPut, registerPath, "", registration("by"+strings.ToLower(method)+"01", map[string]any{"registerMethod": method})), "")
		if n := p.count("member_detail WHERE name = 'registerMethod' AND value = '" + method + "'"); n != 1 {
			t.Errorf("%s is stored %d times, want once", method, n)
		}
	}
	if n := p.count("member_detail WHERE name = 'registerUrl' AND value = 'play.example'"); n != 4 {
		t.Errorf("the host is stored %d times, want 4", n)
	}
	wantCode(t, "unknown method", p.call(http.MethodPut, registerPath, "", registration("minhanh92", map[string]any{"registerMethod": "IOS"})), "request_param_err")
	wantCode(t, "long host", p.call(http.MethodPut, registerPath, "", registration("minhanh92", map[string]any{"registerUrl": strings.Repeat("a", 256)})), "request_param_err")
}

func checkLoginBodies(t *testing.T, p *actorServer) {
	plain := map[string]any{"username": "other001", "password": memberPassword}
	var grant struct{ Token string }
	for name, sent := range map[string][]string{
		"plain": {body(plain)}, "encrypted": {p.sealed("nonce-of-the-statement", 0, plain), "Encryption", "jwe"},
	} {
		a := p.send(http.MethodPost, loginPath, sent[0], append(sent[1:], "Device", "OTHERS")...)
		if wantCode(t, name, a, ""); json.Unmarshal(a.Value, &grant) != nil || !p.hasSession(grant.Token) {
			t.Errorf("%s: the answer is %s, want the token of a session", name, a.Value)
		}
	}
	type listed struct{ Device string }
	list := value[[]listed](p.program, http.MethodGet, "/wps/session/list", grant.Token, "")
	if n := len(slices.DeleteFunc(list, func(s listed) bool { return s.Device != "OTHERS" })); n != 2 {
		t.Errorf("%d sessions have the device OTHERS, want 2", n)
	}
}

func checkTokens(t *testing.T, p *actorServer) {
	old := p.tokens["owner"]
	renewed := value[struct{ Token string }](p.program, http.MethodPut, "/wps/session/renew", old, "").Token
	if p.hasSession(old) || !p.hasSession(renewed) {
		t.Error("renew did not replace the token")
	}
	changed := value[struct{ Token string }](p.program, http.MethodPut, passwordPath, renewed, body(map[string]any{
		"oldPassword": memberPassword, "newPassword": another, "confirmNewPassword": another,
	})).Token
	if p.hasSession(renewed) || !p.hasSession(changed) {
		t.Error("a password change did not replace the token")
	}
	wantCode(t, "logout", p.call(http.MethodDelete, "/wps/session/logout", changed, ""), "")
	if p.hasSession(changed) {
		t.Error("the session is active after the logout")
	}
}

func checkOtherCalls(t *testing.T, p *actorServer) {
	for _, c := range []struct{ actor, method, path, body, want string }{
		{"", http.MethodPost, "/wps/member/testPlay", `{"ageConfirmed":true}`, `"trialIndicator":1`},
		{"", http.MethodPost, "/wps/member/trial", `{"ageConfirmed":true}`, `"trialIndicator":1`},
		{"", http.MethodGet, "/wps/check/username?username=owner001", "", `"available":false`},
		{"", http.MethodGet, "/wps/check/username?username=nobody01", "", `"available":true`},
		{"", http.MethodGet, "/wps/check/email?email=a@b.co", "", `"valid":true`},
		{"", http.MethodGet, "/wps/check/email?email=a@b", "", `"valid":false`},
		{"", http.MethodGet, "/wps/agent/affiliate?code=agent001", "", `"success":true`},
		{"", http.MethodGet, "/wps/agent/affiliate?code=owner001", "", `"success":false`},
		{"", http.MethodGet, "/wps/verification/query?mobileNum=912345678&countryDialingCode=84", "", `"waiting":false`},
		{"owner", http.MethodGet, "/wps/member/headIcon", "", `"presets":[{`},
		{"owner", http.MethodPut, "/wps/member/headIcon", `{"preset":"fox"}`, `/fox.`},
		{"owner", http.MethodGet, "/wps/member/securityQuestion", "", `"questions":["`},
		{"owner", http.MethodPut, "/wps/member/securityQuestion", `{"question":"first_pet","answer":"Mun","password":"qua-xanh7"}`, ``},
		{"owner", http.MethodGet, "/wps/member/info", "", `"account":"owner001"`},
	} {
		a := p.as(c.actor, c.method, c.path, c.body)
		if wantCode(t, c.path, a, ""); !strings.Contains(string(a.Value), c.want) {
			t.Errorf("%s = %s, want it to contain %s", c.path, a.Value, c.want)
		}
	}
	sealed := p.sealed("nonce-of-a-new-password", 0, map[string]any{"ticket": p.resetTicket(), "newPassword": another, "confirmNewPassword": another})
	wantCode(t, "encrypted password reset", p.send(http.MethodPut, "/wps/member/password/reset", sealed, "Encryption", "jwe"), "")
	p.login("owner001", another)
}

func checkRegisterOrigin(t *testing.T, p *actorServer) {
	p.set("register.captcha", `false`)
	register := func(more map[string]any) response {
		return p.call(http.MethodPut, registerPath, "", registration("minhanh92", more))
	}
	for _, kind := range []int{1, 2, 4, 40, -1} {
		wantCode(t, fmt.Sprint(kind), register(map[string]any{"type": kind}), "member.type_refused")
	}
	wantCode(t, "normalRegister false", register(map[string]any{"normalRegister": false}), "request_param_err")
	wantCode(t, "wrong module", register(map[string]any{"moduleId": "INBOX3"}), "request_param_err")
	p.setSwitch(merchant.SwitchOf(spec.ModuleRegisterFree, false))
	wantCode(t, "module that is off", register(map[string]any{"moduleId": "REGISTER_REE3"}), "register.closed")
	wantCode(t, "valid registration", register(nil), "")
	if p.count("member_detail WHERE name = 'domain' AND value = 'play.example'") != 1 || p.count("member WHERE account = 'minhanh92' AND type = 0") != 1 {
		t.Error("the domain is not stored, or the member has another type")
	}
}

func checkSessions(t *testing.T, p *actorServer) {
	first, second := p.login("other001", memberPassword), p.login("other001", memberPassword)
	if !regexp.MustCompile(`^[\w-]{43}$`).MatchString(first) || first == second { // 256 bits
		t.Errorf("tokens = %q and %q, want two different ones of 43 characters", first, second)
	}
	if dump := p.dump(); strings.Contains(dump, first) || strings.Contains(dump, second) {
		t.Error("the database contains a token")
	}
	wantCode(t, "logout", p.call(http.MethodDelete, "/wps/session/logout", first, ""), "")
	if p.hasSession(first) || !p.hasSession(second) {
		t.Error("the logout did not end exactly its own session")
	}
	third := p.login("other001", memberPassword)
	change := body(map[string]any{"oldPassword": memberPassword, "newPassword": "Sao-mai-88", "confirmNewPassword": "Sao-mai-88"})
	wantCode(t, "password change", p.call(http.MethodPut, "/wps/member/password", third, change), "")
	if p.hasSession(second) || p.hasSession(third) {
		t.Error("a session is active after the password change")
	}
	fourth := p.login("other001", "Sao-mai-88")
	if err := p.services.Accounts.Disable(t.Context(), p.demo, "other001"); err != nil || p.hasSession(fourth) {
		t.Errorf("a session is active after its account was disabled: %v", err)
	}

	idle := p.login("owner001", memberPassword)
	p.clockOffset.Add(int64(31 * time.Minute))
	if p.hasSession(idle) {
		t.Error("an idle session is active after 31 minutes")
	}
	p.logIn("owner")
	const step, lifetime = 29 * time.Minute, 24 * time.Hour
	for age := step; age < lifetime+step; age += step {
		p.clockOffset.Add(int64(step))
		if alive := p.hasSession(p.tokens["owner"]); alive != (age < lifetime) {
			t.Fatalf("after %v of use: active = %v, want %v", age, alive, age < lifetime)
		}
	}
}

func checkAvatars(t *testing.T, p *actorServer) {
	upload := func(kind, file string) response {
		return p.as("owner", http.MethodPost, "/wps/member/headIcon/upload", file, "Content-Type", kind)
	}
	wantCode(t, "large file", upload("image/png", smallPNG()+strings.Repeat("x", 5<<20)), "request.too_large")
	wantCode(t, "wrong content type", upload("image/jpeg", smallPNG()), "avatar.format")
	wantCode(t, "HTML", upload("image/png", "<html>"), "avatar.format")
	wantCode(t, "too many pixels", upload("image/png", hugePNG()), "avatar.too_large")
	a := upload("image/png", smallPNG())
	var chosen struct{ Current string }
	if err := json.Unmarshal(a.Value, &chosen); err != nil || !regexp.MustCompile(`^/wps/member/headIcon/file/[a-z0-9]{26}\.jpg$`).MatchString(chosen.Current) {
		t.Fatalf("got %s (%v), want the address of a JPEG file", a.Value, err)
	}
	h := p.as("owner", http.MethodGet, chosen.Current, "").header
	if h.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || h.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("got headers %v, want a sandboxed JPEG attachment with nosniff", h)
	}
}

func checkPasswordStorage(t *testing.T, p *actorServer) {
	p.set("register.captcha", `false`)
	wantCode(t, "common password", p.call(http.MethodPut, registerPath, "", registration("minhanh92", map[string]any{"password": common, "confirmPassword": common})), "member.password_common")
	long := strings.Repeat("a1", 32)
	wantCode(t, "64 characters", p.call(http.MethodPut, registerPath, "", registration("minhanh92", map[string]any{"password": long, "confirmPassword": long})), "")
	p.login("minhanh92", long)
	wantCode(t, "65 characters", p.call(http.MethodPut, registerPath, "", registration("minhanh93", map[string]any{"password": long + "a", "confirmPassword": long + "a"})), "member.password_format")
	if n := p.count("member WHERE password_hash <> '' AND password_hash NOT LIKE '$argon2id$%'"); n != 0 || p.count("member WHERE password_hash LIKE '$argon2id$%'") < 4 {
		t.Errorf("%d passwords are not hashed with argon2id", n)
	}
}

func checkAgeConfirmation(t *testing.T, p *actorServer) {
	p.set("register.captcha", `false`)
	p.set("system.age_limit", `21`)
	for name, a := range map[string]response{
		"registering": p.call(http.MethodPut, registerPath, "", registration("minhanh92", map[string]any{"ageConfirmed": false})),
		"a trial":     p.call(http.MethodPost, "/wps/session/login/freeplay", "", `{"ageConfirmed":false}`),
	} {
		if wantCode(t, name, a, "register.age_required"); a.Args["age"] != "21" {
			t.Errorf("%s: %+v, want age 21", name, a.Args)
		}
	}
	if p.count("member WHERE account = 'minhanh92'") != 0 {
		t.Error("a member was created")
	}
}
