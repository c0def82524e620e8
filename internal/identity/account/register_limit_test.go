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

// limited gives for how many seconds a reply holds its sender back; 0 where it does not.
func retrySeconds(t *testing.T, reply merchanttest.Reply) int {
	t.Helper()
	var said struct {
		ErrorCode string
		Args      map[string]string
	}
	if err := json.Unmarshal(reply.Body, &said); err != nil {
		t.Fatal(err)
	}
	if said.ErrorCode != "rate.limited" {
		return 0
	}
	seconds, err := strconv.Atoi(said.Args["seconds"])
	if err != nil {
		t.Fatalf("%s: %v", reply.Body, err)
	}
	return seconds
}

// Attempts that fail later leave the network's members alone: only members made count against that limit.
func TestFailedRegistrationsMakeNoMembersLimit(t *testing.T) {
	t.Parallel()
	for name, slip := range map[string]func(*testing.T, *testServer, int) merchanttest.Reply{
		"captcha": func(t *testing.T, h *testServer, i int) merchanttest.Reply {
			return h.register(t, byName, registration(fmt.Sprintf("somebody%d", i)).with("captcha", "000"))
		},
		"taken name": func(t *testing.T, h *testServer, _ int) merchanttest.Reply {
			return h.register(t, byName, registration("minhanh92"))
		},
		"wrong code": func(t *testing.T, h *testServer, i int) merchanttest.Reply {
			b := registration(fmt.Sprintf("somebody%d", i)).with("mobileNum", fmt.Sprintf("09876500%02d", i)).with("verificationCode", "000000")
			return h.register(t, byMobile, b)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newServer(t, store)
				h.member(t, "minhanh92", "qua-xanh7", member.Player)
				for i := range 25 {
					if i%10 == 0 {
						h.Refill()
					}
					if reply := slip(t, h, i); reply.Status == http.StatusOK || retrySeconds(t, reply) != 0 {
						t.Fatalf("slip %d: %d %s", i+1, reply.Status, reply.Body)
					}
				}
				if reply := h.register(t, byName, registration("thanhtung")); reply.Status != http.StatusOK {
					t.Errorf("a neighbour after them: %d %s", reply.Status, reply.Body)
				}
			})
		})
	}
}

// Failures are braked by themselves: a try each few seconds is left, and those who succeed are not counted.
func TestFailedRegistrationsAreBraked(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	h.set(t, "register.captcha", `false`)
	h.member(t, "minhanh92", "qua-xanh7", member.Player)
	seconds, slips := 0, 0
	for ; seconds == 0 && slips < 100; slips++ {
		if slips%20 == 0 {
			h.Refill()
		}
		seconds = retrySeconds(t, h.Call(t, "PUT", byName, registration("minhanh92")))
	}
	if slips != 41 || seconds != 10 {
		t.Errorf("held back for %d seconds at slip %d", seconds, slips)
	}
	h.Refill()
	h.Clock.Add(10 * time.Second)
	for i := range 3 { // each gives back what it took
		if reply := h.Call(t, "PUT", byName, registration(fmt.Sprintf("somebody%d", i))); reply.Status != http.StatusOK {
			t.Errorf("%d %s", reply.Status, reply.Body)
		}
	}
}

// One network makes twenty members, by whichever way, and then one each three minutes.
func TestMembersMadeAreLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		h.set(t, "register.captcha", `false`)
		register := func(i int) merchanttest.Reply {
			if i%10 == 0 {
				h.Refill()
			}
			return h.Call(t, "PUT", byName, registration(fmt.Sprintf("somebody%d", i)))
		}
		for i := range 20 {
			if reply := register(i); reply.Status != http.StatusOK {
				t.Fatalf("member %d: %d %s", i+1, reply.Status, reply.Body)
			}
		}
		if seconds := retrySeconds(t, register(20)); seconds != 180 {
			t.Errorf("the next one waits %d seconds", seconds)
		}
		h.Clock.Add(3 * time.Minute)
		if reply := register(21); reply.Status != http.StatusOK {
			t.Errorf("three minutes later: %d %s", reply.Status, reply.Body)
		}
	})
}
