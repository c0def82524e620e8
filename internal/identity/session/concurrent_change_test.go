package session_test

import (
	"encoding/json"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func errorCode(t *testing.T, reply merchanttest.Reply) string {
	t.Helper()
	var failure struct {
		Code string `json:"errorCode"`
	}
	if err := json.Unmarshal(reply.Body, &failure); err != nil {
		t.Fatal(err)
	}
	return failure.Code
}

// A login fails if all sessions of the account are ended between the check of its credentials and the new session.
func TestSE01ConcurrentAccountChangeRejectsLogin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, checks := serveWithChecks(t, store)
		accounts, account := s.accounts(), ""
		for name, body := range map[string]fields{
			"code": sms(nil), "firebase": firebase(nil),
			"outside": {"type": "outside", "ticket": "known"},
		} {
			t.Run(name, func(t *testing.T) {
				if account = "thanhtung"; name == "outside" {
					account = "minhanh92"
				}
				checks.afterProof = func() {
					for _, change := range []func() error{
						func() error { return accounts.Disable(t.Context(), s.ID, account) },
						func() error { return accounts.Enable(t.Context(), s.ID, account) },
					} {
						if err := change(); err != nil {
							t.Fatal(err)
						}
					}
				}
				reply := s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies)
				if reply.Status != 409 || errorCode(t, reply) != "login.overtaken" {
					t.Errorf("%d %s, want 409 login.overtaken", reply.Status, reply.Body)
				}
				checks.afterProof = nil
				if reply := s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies); reply.Status != 200 {
					t.Errorf("next login: %d %s, want 200", reply.Status, reply.Body)
				}
			})
		}
	})
}
