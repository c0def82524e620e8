package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// Every captcha, ticket, code and other proof can be used only once.
func TestReplayedProofsAreRejected(t *testing.T) {
	t.Parallel()
	register := map[string]any{
		"username": "minhanh92", "password": memberPassword, "confirmPassword": memberPassword, "agreement": true, "ageConfirmed": true,
	}
	for name, replay := range map[string]struct {
		proof       func(p *actorServer) (method, path, body string, headers []string)
		first, then string // error codes of the two requests; "" means success
	}{
		"captcha": {func(p *actorServer) (string, string, string, []string) {
			cookie, read := p.captcha()
			return http.MethodPost, "/wps/member/password/sms", body(map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84", "captcha": read}), []string{"Cookie", cookie}
		}, "", "captcha.incorrect"},
		"captcha after a wrong solution": {func(p *actorServer) (string, string, string, []string) {
			cookie, read := p.captcha()
			p.send(http.MethodPost, "/wps/member/password/sms", `{"mobileNum":"0912345678","countryDialingCode":"84","captcha":"x"}`, "Cookie", cookie)
			return http.MethodPost, "/wps/member/password/sms", body(map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84", "captcha": read}), []string{"Cookie", cookie}
		}, "captcha.incorrect", "captcha.incorrect"},
		"slider puzzle": {func(p *actorServer) (string, string, string, []string) {
			id, x := p.sliderPuzzle()
			return http.MethodPost, "/wps/captcha/slider", body(map[string]any{"id": id, "x": x}), nil
		}, "", "challenge.invalid"},
		"slider pass": {func(p *actorServer) (string, string, string, []string) {
			p.set("login.slider", `true`)
			id, x := p.sliderPuzzle()
			pass := value[struct{ Pass string }](p.program, http.MethodPost, "/wps/captcha/slider", "", body(map[string]any{"id": id, "x": x})).Pass
			return http.MethodPost, "/wps/session/login", body(map[string]any{"username": "owner001", "password": memberPassword, "challenge": pass}), nil
		}, "", "challenge.invalid"},
		"slider pass for another call": {func(p *actorServer) (string, string, string, []string) {
			p.set("login.slider", `true`)
			p.set("register.slider", `true`)
			p.set("register.captcha", `false`)
			id, x := p.sliderPuzzle()
			pass := value[struct{ Pass string }](p.program, http.MethodPost, "/wps/captcha/slider", "", body(map[string]any{"id": id, "x": x})).Pass
			p.send(http.MethodPost, "/wps/session/login", body(map[string]any{"username": "owner001", "password": memberPassword, "challenge": pass}))
			register["challenge"] = pass
			return http.MethodPut, "/wps/member/register", body(register), nil
		}, "challenge.invalid", "challenge.invalid"},
		"login code": {func(p *actorServer) (string, string, string, []string) {
			p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true))
			p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
			return http.MethodPost, "/wps/session/login", body(map[string]any{
				"type": "sms", "username": "912345678", "countryDialingCode": "84", "password": p.code("+84912345678"),
			}), nil
		}, "", "verification.incorrect"},
		"login code for a reset": {func(p *actorServer) (string, string, string, []string) {
			p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true))
			p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
			return http.MethodPost, "/wps/member/password/sms/verification", body(map[string]any{
				"mobileNum": "912345678", "countryDialingCode": "84", "verificationCode": p.code("+84912345678"),
			}), nil
		}, "verification.incorrect", "verification.incorrect"},
		"code of another number": {func(p *actorServer) (string, string, string, []string) {
			p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true))
			p.exec("UPDATE member SET mobile = '+84987654321' WHERE account = 'other001'")
			p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
			return http.MethodPost, "/wps/session/login", body(map[string]any{
				"type": "sms", "username": "987654321", "countryDialingCode": "84", "password": p.code("+84912345678"),
			}), nil
		}, "verification.incorrect", "captcha.required"},
		"reset ticket": {func(p *actorServer) (string, string, string, []string) {
			return http.MethodPut, "/wps/member/password/reset", body(map[string]any{
				"ticket": p.resetTicket(), "newPassword": another, "confirmNewPassword": another,
			}), nil
		}, "", "member.reset_stale"},
		"encrypted login": {func(p *actorServer) (string, string, string, []string) {
			sealed := p.sealed("nonce-of-the-replay", 0, map[string]any{"username": "owner001", "password": memberPassword})
			return http.MethodPost, "/wps/session/login", sealed, []string{"Encryption", "jwe"}
		}, "", "jwe.invalid"},
		"encrypted login with a used nonce": {func(p *actorServer) (string, string, string, []string) {
			fields := map[string]any{"username": "owner001", "password": memberPassword}
			p.send(http.MethodPost, "/wps/session/login", p.sealed("nonce-of-the-replay", 0, fields), "Encryption", "jwe")
			return http.MethodPost, "/wps/session/login", p.sealed("nonce-of-the-replay", time.Minute, fields), []string{"Encryption", "jwe"}
		}, "jwe.invalid", "jwe.invalid"},
		"encrypted login, a day late": {func(p *actorServer) (string, string, string, []string) {
			sealed := p.sealed("nonce-of-yesterday", 0, map[string]any{"username": "owner001", "password": memberPassword})
			p.clockOffset.Add(int64(24 * time.Hour))
			return http.MethodPost, "/wps/session/login", sealed, []string{"Encryption", "jwe"}
		}, "jwe.time", "jwe.time"},
		"encrypted login, by a clock a day ahead": {func(p *actorServer) (string, string, string, []string) {
			sealed := p.sealed("nonce-of-tomorrow", 24*time.Hour, map[string]any{"username": "owner001", "password": memberPassword})
			return http.MethodPost, "/wps/session/login", sealed, []string{"Encryption", "jwe"}
		}, "jwe.time", "jwe.time"},
		"ticket of an external login": {func(p *actorServer) (string, string, string, []string) {
			digest := sha256.Sum256([]byte("the-one"))
			ticket, err := p.services.Keys.Seal("signin.ticket", map[string]any{"p": "google", "s": "7", "m": p.demo, "b": digest[:]}, time.Minute)
			if err != nil {
				p.t.Fatal(err)
			}
			return http.MethodPost, "/wps/session/login", body(map[string]any{
				"type": "outside", "ticket": ticket, "agreement": true, "ageConfirmed": true,
			}), []string{"Cookie", "outside=the-one"}
		}, "", "outside.failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newServerWithActors(t)
			method, path, sent, headers := replay.proof(p)
			for _, want := range []string{replay.first, replay.then} {
				if a := p.send(method, path, sent, headers...); a.ErrorCode != want || (want == "") != (a.status == http.StatusOK) {
					t.Errorf("%d %q, want %q", a.status, a.ErrorCode, want)
				}
			}
		})
	}
}

// placeTableBet bets with the token of one frame. It reads the open round with the token of another.
func (p *actorServer) placeTableBet(token, otherToken string) (a response) {
	p.t.Helper()
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		table := value[struct {
			Table struct {
				Minimum json.Number
				Spots   []struct{ ID string }
			}
			Round *struct{ ID, Phase string }
		}](p.program, http.MethodGet, "/house/v1/table", otherToken, "")
		if table.Round == nil || table.Round.Phase != "betting" {
			continue
		}
		a = p.call(http.MethodPost, "/house/v1/table/bet", token, fmt.Sprintf(
			`{"betId":"00000000-0000-4000-8000-000000000002","round":%q,"spots":{%q:%s}}`, table.Round.ID, table.Table.Spots[0].ID, table.Table.Minimum))
		if a.ErrorCode != "house.betting_closed" {
			break
		}
	}
	return a
}

// Disabling an account ends its streams and sessions. Tickets and codes from before no longer allow a login.
func TestSE01DisabledWhileLoggedIn(t *testing.T) {
	t.Parallel()
	p := newServerWithActors(t)
	p.setSwitch(merchant.SwitchOf(spec.FlagSMSLogin, true))
	ticket := p.resetTicket()
	p.send(http.MethodPost, "/wps/verification/sms/noLogin", `{"mobileNum":"0912345678","countryDialingCode":"84"}`)
	code := p.code("+84912345678")
	p.logIn("owner")
	frame, tableToken, otherToken := p.frame("owner"), p.tableToken("owner"), p.tableToken("other")
	lotteryToken := p.lotteryToken("owner")
	news := p.events(p.tokens["owner"])
	if err := p.services.Accounts.Disable(t.Context(), p.demo, "owner001"); err != nil {
		t.Fatal(err)
	}
	select {
	case item := <-news:
		if item != `session {"state":"ended"}` {
			t.Errorf("event = %q, want session ended", item)
		}
	case <-time.After(testTimeout):
		t.Error("the stream sent no event")
	}
	calls := 0
	for id, o := range documentedCalls(t) {
		if !o.session {
			continue
		}
		if strings.HasPrefix(o.path, "/ops/") { // for operators, who have other sessions
			continue
		}
		calls++
		if strings.HasPrefix(o.path, "/house/") { // a frame's session depends on the member's
			var a response
			switch {
			case id == "houseTableBet":
				a = p.placeTableBet(tableToken, otherToken)
			case strings.HasPrefix(o.path, "/house/v1/table"):
				a = p.call(o.method, o.path, tableToken, "")
			case o.takesJSON:
				sent := fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-000000000001","stake":%s}`, frame.Slot.Stake)
				a = p.call(o.method, o.path, frame.Token, sent)
			default:
				a = p.call(o.method, o.path, frame.Token, "")
			}
			if a.status != http.StatusUnauthorized || a.ErrorCode != "house.session_expired" {
				t.Errorf("%s = %d %s, want 401 house.session_expired", id, a.status, a.ErrorCode)
			}
			continue
		}
		if strings.HasPrefix(o.path, "/lgw/") { // a frame's session depends on the member's
			sent := ""
			if o.takesJSON {
				sent = lotteryOrder("1")
			}
			path := strings.Replace(o.path, "{id}", "7", 1)
			if a := p.call(o.method, path, lotteryToken, sent); a.status != http.StatusUnauthorized || a.ErrorCode != "user.or.token.invalid" {
				t.Errorf("%s: %d %s, want 401 user.or.token.invalid", id, a.status, a.ErrorCode)
			}
			continue
		}
		path := strings.NewReplacer("{id}", "7", "{name}", "x").Replace(o.path)
		if a := p.as("owner", o.method, path, ""); a.status != http.StatusUnauthorized || a.ErrorCode != "user.or.token.invalid" {
			t.Errorf("%s = %d %s, want 401 user.or.token.invalid", id, a.status, a.ErrorCode)
		}
		if a := p.as("other", http.MethodGet, "/wps/session/touch", ""); a.status != http.StatusOK {
			t.Fatalf("session of another member after %s: %+v, want 200", id, a)
		}
	}
	if calls < 20 {
		t.Errorf("%d calls need a session, want at least 20", calls)
	}
	for name, c := range map[string]struct{ method, path, body, want string }{
		"password": {http.MethodPost, "/wps/session/login", `{"username":"owner001","password":"qua-xanh7"}`, "login.locked"},
		"code": {http.MethodPost, "/wps/session/login", body(map[string]any{
			"type": "sms", "username": "912345678", "countryDialingCode": "84", "password": code,
		}), "login.locked"},
		"ticket": {http.MethodPut, "/wps/member/password/reset", body(map[string]any{
			"ticket": ticket, "newPassword": another, "confirmNewPassword": another,
		}), "member.reset_stale"},
	} {
		if a := p.send(c.method, c.path, c.body); a.ErrorCode != c.want {
			t.Errorf("%s: %d %s, want %s", name, a.status, a.ErrorCode, c.want)
		}
	}
	if err := p.services.Accounts.Enable(t.Context(), p.demo, "owner001"); err != nil {
		t.Fatal(err)
	}
	if a := p.as("owner", http.MethodGet, "/wps/session/touch", ""); a.status != http.StatusUnauthorized {
		t.Errorf("ended session after enabling: status = %d, want 401", a.status)
	}
	p.logIn("owner")
}
