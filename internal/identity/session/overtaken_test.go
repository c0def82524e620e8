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
	var said struct {
		Code string `json:"errorCode"`
	}
	if err := json.Unmarshal(reply.Body, &said); err != nil {
		t.Fatal(err)
	}
	return said.Code
}

// A login whose account is closed or given a new password after the proof was found right opens no session, by whichever
// way it comes.
func TestSE01EveryLoginIsOvertakenByWhatEndsTheSessions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, g := serveModes(t, store)
		accounts, account := s.accounts(), ""
		for name, body := range map[string]fields{
			"code": sms(nil), "firebase": firebase(nil),
			"outside": {"type": "outside", "ticket": "known"},
		} {
			t.Run(name, func(t *testing.T) {
				if account = "thanhtung"; name == "outside" {
					account = "minhanh92"
				}
				g.proved = func() {
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
					t.Errorf("%d %s", reply.Status, reply.Body)
				}
				g.proved = nil
				if reply := s.Call(t, "POST", "/wps/session/login", body, "Cookie", cookies); reply.Status != 200 {
					t.Errorf("the next login: %d %s", reply.Status, reply.Body)
				}
			})
		}
	})
}
