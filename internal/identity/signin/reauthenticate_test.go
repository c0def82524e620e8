package signin_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/signin"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
)

func TestSE09CrossSiteRequestStartsNoLogin(t *testing.T) { //nolint:tparallel // its subtests share one server
	t.Parallel()
	h := newHarness(t, dbtest.SQLite(t))
	for from, wantStart := range map[string]bool{"": true, "none": true, "same-origin": true, "same-site": false, "cross-site": false} {
		t.Run("SE-09 LG-04 from "+from, func(t *testing.T) {
			reply := h.Call(t, http.MethodGet, "/wps/session/outside/google/start?return=%2Fm%2Fhome", nil, "Sec-Fetch-Site", from)
			redirect, cookie := reply.Header.Get("Location"), reply.Header.Get("Set-Cookie")
			if wantStart && (!strings.HasPrefix(redirect, h.provider.URL) || cookie == "") {
				t.Errorf("redirect to %s with cookie %q, want the provider and a cookie", redirect, cookie)
			}
			if !wantStart && (redirect != "/m/login?return=%2Fm%2Fhome" || cookie != "") {
				t.Errorf("redirect to %s with cookie %q, want the login page and no cookie", redirect, cookie)
			}
		})
	}
}

// register creates a member for the person at the provider, with a session.
func (h *harness) register(t *testing.T, name, person string) int64 {
	t.Helper()
	h.provider.person = person
	b := &browser{h: h}
	id, err := b.redeem(t, b.completeFlow(t, name, "").Get("ticket"), true)
	if err != nil {
		t.Fatal(err)
	}
	h.tokens[person] = rest.Caller{MemberID: id, MerchantID: h.ID, Type: rest.Player}
	return id
}

func (b *browser) startReauth(t *testing.T, name, token string) *url.URL {
	t.Helper()
	reply := b.h.Call(t, http.MethodPost, "/wps/session/outside/"+name+"/again", map[string]any{"return": "/m/member/security"}, "Authorization", token)
	var got struct{ Value struct{ Address string } }
	if err := json.Unmarshal(reply.Body, &got); err != nil || reply.Status != http.StatusOK {
		t.Fatalf("status %d: %s, want 200", reply.Status, reply.Body)
	}
	b.storeCookie(t, reply)
	redirect, err := url.Parse(got.Value.Address)
	if err != nil || !strings.HasPrefix(got.Value.Address, b.h.provider.URL) {
		t.Fatalf("address %s: %v, want the provider", got.Value.Address, err)
	}
	return redirect
}

func TestSE01OnlyTheSameMemberCompletesReauthentication(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"google", "facebook"} {
		t.Run("SE-01 by "+name, func(t *testing.T) {
			t.Parallel()
			h := newHarness(t, dbtest.SQLite(t))
			an := h.register(t, name, "an")
			h.register(t, name, "binh")
			if reply := h.Call(t, http.MethodPost, "/wps/session/outside/"+name+"/again", map[string]any{}); reply.Status != http.StatusUnauthorized {
				t.Errorf("without a session: status = %d, want 401", reply.Status)
			}
			for _, person := range []string{"an", "binh", "nobody"} {
				h.provider.person = person
				b := &browser{h: h}
				loginQuery := b.visit(t, b.logInAtProvider(t, b.startReauth(t, name, "an"))).Query()
				if loginQuery.Get("return") != "/m/member/security" {
					t.Errorf("return = %q, want /m/member/security", loginQuery.Get("return"))
				}
				id, err := b.redeem(t, loginQuery.Get("ticket"), true)
				if person == "an" && (id != an || err != nil) || person != "an" && !errors.Is(err, signin.ErrFailed) {
					t.Errorf("%s: member %d, %v", person, id, err)
				}
			}
		})
	}
}

// Someone who holds the member's unlocked phone may be logged in at the provider as well, so an old login proves nothing.
func TestSE01ReauthenticationRequiresRecentLogin(t *testing.T) { //nolint:tparallel // its subtests share one provider
	t.Parallel()
	h := newHarness(t, dbtest.SQLite(t))
	h.register(t, "google", "an")
	for _, c := range []struct {
		name          string
		tamper        func(map[string]any)
		ignoresReauth bool
		loginAge      time.Duration
		wantTicket    bool
	}{
		{"SE-01 now", nil, false, time.Hour, true},
		{"SE-01 four minutes ago", nil, true, 4 * time.Minute, true},
		{"SE-01 six minutes ago", nil, true, 6 * time.Minute, false},
		{"SE-01 in the future", nil, true, -2 * time.Minute, false},
		{"SE-01 without auth_time", func(c map[string]any) { delete(c, "auth_time") }, false, 0, false},
		{"SE-01 with a malformed auth_time", func(c map[string]any) { c["auth_time"] = "now" }, false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.provider.tamper, h.provider.ignoresReauth, h.provider.loggedIn = c.tamper, c.ignoresReauth, h.Clock.Now().Add(-c.loginAge)
			b := &browser{h: h}
			loginQuery := b.visit(t, b.logInAtProvider(t, b.startReauth(t, "google", "an"))).Query()
			if got := loginQuery.Get("ticket") != ""; got != c.wantTicket || loginQuery.Get("outside") == "failed" == c.wantTicket {
				t.Errorf("query of the login page = %v, want a ticket: %v", loginQuery, c.wantTicket)
			}
			if c.tamper == nil {
				plain := &browser{h: h}
				if plain.completeFlow(t, "google", "").Get("ticket") == "" {
					t.Error("a plain login was refused")
				}
			}
		})
	}
	h.provider.tamper = nil
	h.register(t, "facebook", "an")
	b := &browser{h: h}
	b.logInAtProvider(t, b.startReauth(t, "facebook", "an"))
	if got := h.provider.lastQuery.Get("auth_type"); got != "reauthenticate" {
		t.Errorf("SE-01 auth_type = %q, want reauthenticate", got)
	}
}
