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

// Nobody is logged in because another site has led them here: neither a flow begins nor is the one under way touched.
func TestSE09AnotherSiteStartsNoLogin(t *testing.T) { //nolint:tparallel // its parts share one site
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	for from, begins := range map[string]bool{"": true, "none": true, "same-origin": true, "same-site": false, "cross-site": false} {
		t.Run("SE-09 LG-04 from "+from, func(t *testing.T) {
			reply := h.Call(t, http.MethodGet, "/wps/session/outside/google/start?return=%2Fm%2Fhome", nil, "Sec-Fetch-Site", from)
			to, kept := reply.Header.Get("Location"), reply.Header.Get("Set-Cookie")
			if begins && (!strings.HasPrefix(to, h.provider.URL) || kept == "") {
				t.Errorf("led to %s", to)
			}
			if !begins && (to != "/m/login?return=%2Fm%2Fhome" || kept != "") {
				t.Errorf("led to %s, with cookie %q", to, kept)
			}
		})
	}
}

// join makes a member of the person at the service, with a session of their own.
func (h *world) join(t *testing.T, name, person string) int64 {
	t.Helper()
	h.provider.person = person
	b := &browser{h: h}
	id, err := b.enter(t, b.through(t, name, "").Get("ticket"), true)
	if err != nil {
		t.Fatal(err)
	}
	h.tokens[person] = rest.Caller{MemberID: id, MerchantID: h.ID, Type: rest.Player}
	return id
}

// leaveAgain asks, as a member, where to log in again.
func (b *browser) leaveAgain(t *testing.T, name, token string) *url.URL {
	t.Helper()
	reply := b.h.Call(t, http.MethodPost, "/wps/session/outside/"+name+"/again", map[string]any{"return": "/m/member/security"}, "Authorization", token)
	var got struct{ Value struct{ Address string } }
	if err := json.Unmarshal(reply.Body, &got); err != nil || reply.Status != http.StatusOK {
		t.Fatalf("status %d: %s", reply.Status, reply.Body)
	}
	b.keep(t, reply)
	to, err := url.Parse(got.Value.Address)
	if err != nil || !strings.HasPrefix(got.Value.Address, b.h.provider.URL) {
		t.Fatalf("led to %s: %v", got.Value.Address, err)
	}
	return to
}

func TestSE01WhatOneMemberBeginsToProveNobodyElseEnds(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"google", "facebook"} {
		t.Run("SE-01 by "+name, func(t *testing.T) {
			t.Parallel()
			h := newWorld(t, dbtest.SQLite(t))
			an := h.join(t, name, "an")
			h.join(t, name, "binh")
			if reply := h.Call(t, http.MethodPost, "/wps/session/outside/"+name+"/again", map[string]any{}); reply.Status != http.StatusUnauthorized {
				t.Errorf("without a session: status %d", reply.Status)
			}
			for _, person := range []string{"an", "binh", "nobody"} {
				h.provider.person = person
				b := &browser{h: h}
				end := b.visit(t, b.away(t, b.leaveAgain(t, name, "an"))).Query()
				if end.Get("return") != "/m/member/security" {
					t.Errorf("back to %q", end.Get("return"))
				}
				id, err := b.enter(t, end.Get("ticket"), true)
				if person == "an" && (id != an || err != nil) || person != "an" && !errors.Is(err, signin.ErrFailed) {
					t.Errorf("%s: member %d, %v", person, id, err)
				}
			}
		})
	}
}

// Whoever found a phone unlocked is logged in at the service as well: an old login there proves nothing.
func TestSE01LoggingInAgainIsLoggingInAnew(t *testing.T) { //nolint:tparallel // its parts share one provider
	t.Parallel()
	h := newWorld(t, dbtest.SQLite(t))
	h.join(t, "google", "an")
	for _, c := range []struct {
		name  string
		forge func(map[string]any)
		lax   bool
		ago   time.Duration
		want  bool
	}{
		{"SE-01 anew", nil, false, time.Hour, true},
		{"SE-01 four minutes ago", nil, true, 4 * time.Minute, true},
		{"SE-01 six minutes ago", nil, true, 6 * time.Minute, false},
		{"SE-01 in the future", nil, true, -2 * time.Minute, false},
		{"SE-01 at a time that is not told", func(c map[string]any) { delete(c, "auth_time") }, false, 0, false},
		{"SE-01 at a time that is none", func(c map[string]any) { c["auth_time"] = "now" }, false, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.provider.forge, h.provider.lax, h.provider.loggedIn = c.forge, c.lax, h.Clock.Now().Add(-c.ago)
			b := &browser{h: h}
			end := b.visit(t, b.away(t, b.leaveAgain(t, "google", "an"))).Query()
			if got := end.Get("ticket") != ""; got != c.want || end.Get("outside") == "failed" == c.want {
				t.Errorf("%v", end)
			}
			if c.forge == nil {
				plain := &browser{h: h}
				if plain.through(t, "google", "").Get("ticket") == "" {
					t.Error("a login that proves no change was refused")
				}
			}
		})
	}
	h.provider.forge = nil
	h.join(t, "facebook", "an")
	b := &browser{h: h}
	b.away(t, b.leaveAgain(t, "facebook", "an"))
	if got := h.provider.asked.Get("auth_type"); got != "reauthenticate" {
		t.Errorf("SE-01 Facebook was asked for %q", got)
	}
}
