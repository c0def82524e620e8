package account_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// retrySeconds returns the seconds of a rate.limited response, or 0.
func retrySeconds(t *testing.T, reply merchanttest.Reply) int {
	t.Helper()
	var refusal struct {
		ErrorCode string
		Args      map[string]string
	}
	if err := json.Unmarshal(reply.Body, &refusal); err != nil {
		t.Fatal(err)
	}
	if refusal.ErrorCode != "rate.limited" {
		return 0
	}
	seconds, err := strconv.Atoi(refusal.Args["seconds"])
	if err != nil {
		t.Fatalf("%s: %v", reply.Body, err)
	}
	return seconds
}

func TestFailedRegistrationsDoNotUseTheMemberLimit(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*testing.T, *testServer, int) merchanttest.Reply{
		"captcha": func(t *testing.T, h *testServer, i int) merchanttest.Reply {
			return h.register(t, registerByNamePath, registration(fmt.Sprintf("newname%d", i)).with("captcha", "000"))
		},
		"taken name": func(t *testing.T, h *testServer, _ int) merchanttest.Reply {
			return h.register(t, registerByNamePath, registration("minhanh92"))
		},
		"wrong code": func(t *testing.T, h *testServer, i int) merchanttest.Reply {
			b := registration(fmt.Sprintf("newname%d", i)).with("mobileNum", fmt.Sprintf("09876500%02d", i)).with("verificationCode", "000000")
			return h.register(t, registerByMobilePath, b)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newServer(t, store)
				h.set(t, "captcha.proof_of_work", `"off"`)
				h.member(t, "minhanh92", "qua-xanh7", member.Player)
				for i := range 25 {
					if i%10 == 0 {
						h.Refill()
					}
					if reply := fail(t, h, i); reply.Status == http.StatusOK || retrySeconds(t, reply) != 0 {
						t.Fatalf("failure %d: %d %s, want a refusal without a limit", i+1, reply.Status, reply.Body)
					}
				}
				if reply := h.register(t, registerByNamePath, registration("thanhtung")); reply.Status != http.StatusOK {
					t.Errorf("registration after the failures: %d %s, want 200", reply.Status, reply.Body)
				}
			})
		})
	}
}

func TestFailedRegistrationsAreLimited(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "captcha.proof_of_work", `"off"`)
	h.set(t, "register.captcha", `false`)
	h.member(t, "minhanh92", "qua-xanh7", member.Player)
	seconds, failures := 0, 0
	for ; seconds == 0 && failures < 100; failures++ {
		if failures%20 == 0 {
			h.Refill()
		}
		seconds = retrySeconds(t, h.Call(t, "PUT", registerByNamePath, registration("minhanh92")))
	}
	if failures != 41 || seconds != 10 {
		t.Errorf("limited for %d seconds at failure %d, want 10 at 41", seconds, failures)
	}
	h.Refill()
	h.Clock.Add(10 * time.Second)
	for i := range 3 { // a success does not count
		if reply := h.Call(t, "PUT", registerByNamePath, registration(fmt.Sprintf("newname%d", i))); reply.Status != http.StatusOK {
			t.Errorf("got %d %s, want 200", reply.Status, reply.Body)
		}
	}
}

func TestNewMembersAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		register := func(i int) merchanttest.Reply {
			if i%10 == 0 {
				h.Refill()
			}
			return h.Call(t, "PUT", registerByNamePath, registration(fmt.Sprintf("newname%d", i)))
		}
		for i := range 20 {
			if reply := register(i); reply.Status != http.StatusOK {
				t.Fatalf("member %d: %d %s, want 200", i+1, reply.Status, reply.Body)
			}
		}
		if seconds := retrySeconds(t, register(20)); seconds != 180 {
			t.Errorf("member 21: limited for %d seconds, want 180", seconds)
		}
		h.Clock.Add(3 * time.Minute)
		if reply := register(21); reply.Status != http.StatusOK {
			t.Errorf("three minutes later: %d %s, want 200", reply.Status, reply.Body)
		}
	})
}
