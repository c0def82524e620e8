package servertest

import (
	"net/http"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"fairground/internal/platform/db"
	"fairground/internal/site/merchant/merchanttest"
)

// An Operator sends requests with an operator's session.
type Operator func(method, path string, body any) merchanttest.Reply

// Operator creates an operator of all merchants with a role and logs in. It also confirms a code, so that dangerous calls
// are allowed. The clock advances by a minute.
func (s *Site) Operator(t testing.TB, name, role string) Operator {
	t.Helper()
	return s.OperatorOf(t, 0, name, role)
}

// OperatorOf is like Operator, but for an operator of one merchant.
func (s *Site) OperatorOf(t testing.TB, merchantID int64, name, role string) Operator {
	t.Helper()
	call, _ := s.OperatorSession(t, merchantID, name, role)
	return call
}

// OperatorSession is like OperatorOf. It also returns the Cookie header of the session, for tests that need their own connections.
func (s *Site) OperatorSession(t testing.TB, merchantID int64, name, role string) (call Operator, cookieHeader string) {
	t.Helper()
	draft, password, err := s.Server.Operators.NewDraft(t.Context(), name, []string{role}, merchantID)
	draft.Given = false // tests of the first login change the password, others do not
	if err == nil {
		err = s.Store.Write(t.Context(), func(tx *db.Tx) error { return s.Server.Operators.CreateIn(t.Context(), tx, draft) })
	}
	if err != nil {
		t.Fatal(err)
	}
	const cookieName = "fairground_operator="
	cookie := ""
	call = func(method, path string, body any) merchanttest.Reply {
		s.Refill()
		r := s.Call(t, method, path, body, "Cookie", cookieName+cookie)
		for _, c := range (&http.Response{Header: r.Header}).Cookies() {
			cookie = c.Value
		}
		return r
	}
	type step struct{ Step, Secret string }
	secret := merchanttest.Value[step](t, call(http.MethodPost, "/ops/v1/session", map[string]any{"name": name, "password": password})).Secret
	for _, codePath := range []string{"/ops/v1/session/code", "/ops/v1/session/confirm"} {
		s.Clock.Add(30 * time.Second)
		code, err := totp.GenerateCode(secret, s.Clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		if r := call(http.MethodPost, codePath, map[string]any{"code": code}); r.Status != http.StatusOK {
			t.Fatalf("%s: got %d %s, want 200", codePath, r.Status, r.Body)
		}
	}
	return call, cookieName + cookie
}
