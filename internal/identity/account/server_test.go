package account_test

import (
	"context"
	"net/http"
	"regexp"
	"testing"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/platform/db"
	"fairground/internal/platform/spec"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// A testServer is a complete server with real captchas and sessions. Its codes are in the local outbox.
type testServer struct {
	*servertest.Site
	members  *member.Service
	accounts *account.Service
	sessions *session.Service
}

func newServer(t *testing.T, store *db.Store) *testServer {
	t.Helper()
	s := servertest.New(t, store)
	return &testServer{s, s.Server.Members, s.Server.Accounts, s.Server.Sessions}
}

// options returns the options of the server's account service. A test may replace some of them.
func (h *testServer) options() account.Options {
	s := h.Server
	return account.Options{
		Store: s.Store, Settings: s.Merchants, Members: s.Members, Passwords: s.Passwords, Captchas: s.Captchas, Codes: s.Codes,
		Phones: s.Signin, Sessions: s.Sessions, Breaks: s.Limits, Messages: s.Messages, Limiter: s.Limiter, Keys: s.Keys, Box: s.Box,
		Blobs: h.Blobs, IDs: h.IDs, Now: h.Clock.Now,
	}
}

// acceptAnyCode replaces the code service with one that accepts every code.
func (h *testServer) acceptAnyCode(t *testing.T) {
	t.Helper()
	o := h.options()
	o.Codes = acceptAllCodes{}
	h.accounts = account.New(o)
	h.Server.Accounts = h.accounts
	h.Reroute(t)
}

func draft(h *testServer, username, password string) member.NewMember {
	return member.NewMember{
		MerchantID: h.ID, Username: username, Password: password, Type: member.Player, Currency: "VND", Language: "vi",
	}
}

func (h *testServer) solveCaptcha(t *testing.T) (cookie, answer string) {
	t.Helper()
	reply := h.Call(t, "GET", "/wps/captcha", nil)
	if reply.Status != http.StatusOK {
		t.Fatalf("got %d %s, want 200", reply.Status, reply.Body)
	}
	cookies := (&http.Response{Header: reply.Header}).Cookies()
	var sealed struct {
		A string `json:"a"`
	}
	if _, err := h.Server.Keys.Unseal("captcha.image", cookies[0].Value, &sealed); err != nil {
		t.Fatal(err)
	}
	return "captcha=" + cookies[0].Value, sealed.A
}

// requestRegisterCode sends a registration code to a number, with a solved captcha.
func (h *testServer) requestRegisterCode(t *testing.T, number body) merchanttest.Reply {
	t.Helper()
	cookie, answer := h.solveCaptcha(t)
	return h.Call(t, "POST", "/wps/verification/sms/noLogin", number.with("captcha", answer), "ModuleId", "REGMOBVERF3", "Cookie", cookie)
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code returns the last code sent to a recipient.
func (h *testServer) code(t *testing.T, to string) string {
	t.Helper()
	return h.Code(t, to)
}

type message = servertest.Message

func (h *testServer) sent(t *testing.T) []message {
	t.Helper()
	return h.Sent(t)
}

func (h *testServer) set(t *testing.T, name merchant.Setting, value string) {
	t.Helper()
	h.Set(t, name, value)
}

func (h *testServer) count(t *testing.T, subject string) int {
	t.Helper()
	return h.Count(t, subject)
}

// member creates a member and logs them in.
func (h *testServer) member(t *testing.T, username, password string, kind member.Type) (id int64, token string) {
	t.Helper()
	d := draft(h, username, password)
	d.Type = kind
	return h.Register(t, d), h.login(t, username, password)
}

func (h *testServer) login(t *testing.T, username, password string) string {
	t.Helper()
	return h.Login(t, username, password)
}

func (h *testServer) isLoggedIn(ctx context.Context, token string) bool {
	_, err := h.sessions.Authenticate(ctx, token)
	return err == nil
}

// A body is a JSON object.
type body map[string]any

func (b body) with(name string, value any) body {
	c := body{}
	for k, v := range b {
		c[k] = v
	}
	if value == nil {
		delete(c, name)
	} else {
		c[name] = value
	}
	return c
}

func (h *testServer) sweep(t *testing.T) {
	t.Helper()
	if err := h.accounts.SweepPictures(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (h *testServer) disableModule(t *testing.T, module spec.Module) {
	t.Helper()
	if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(module, false)); err != nil {
		t.Fatal(err)
	}
}

// Response bodies that several tests expect.
const (
	empty              = `{"success":true,"value":{}}`
	staleTicket        = `{"success":false,"message":"the request was refused","errorCode":"member.reset_stale","field":"ticket"}`
	trialRefused       = `{"success":false,"message":"not allowed","errorCode":"member.trial_refused"}`
	codeSent           = `{"success":true,"value":{"expirationTime":"(varies)","expiredMinutes":1}}`
	unknownAvatar      = `{"success":false,"message":"not found","errorCode":"avatar.unknown"}`
	registrationClosed = `{"success":false,"message":"not allowed","errorCode":"register.closed"}`
	wrongCode          = `{"success":false,"message":"the request was refused","errorCode":"verification.incorrect","field":"verificationCode"}`
	wrongCaptcha       = `{"success":false,"message":"the request was refused","errorCode":"captcha.incorrect","field":"captcha"}`
	avatarsOff         = `{"success":false,"message":"not allowed","errorCode":"module.off","args":{"module":"PROFPIC3"}}`
	affiliatesOff      = `{"success":false,"message":"not allowed","errorCode":"module.off","args":{"module":"AFFMAN3"}}`
	bindNotPossible    = `{"success":false,"message":"the request was refused","errorCode":"member.bind_not_possible"}`
	badNumber          = `{"success":false,"message":"the request is not valid","errorCode":"member.mobile_format","field":"mobileNum"}`
)
