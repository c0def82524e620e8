package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// objectName matches names of inputs that may identify an object.
var objectName = regexp.MustCompile(`(?i)(id|ids|name|ticket|token|code|key|preset|file)$`)

// valueInputs are inputs that match objectName but do not identify an object, with the reason.
var valueInputs = map[string]string{
	"moduleId":           "a part of the product",
	"requestId":          "a value of the caller",
	"clientId":           "a value of the caller",
	"name":               "a value of the caller",
	"nickname":           "a value of the caller",
	"payeeName":          "a value of the caller",
	"payerName":          "a value of the caller",
	"gateway":            "proved by the signature",
	"gatewayId":          "proved by the signature",
	"groupName":          "a part of a page",
	"gameName":           "a search text",
	"typeId":             "a kind of list",
	"void":               "a kind of list",
	"countryDialingCode": "a country",
	"merchantCode":       "package rest compares it with the merchant",
	"token":              "the caller's session",
	"firebaseIdToken":    "a proof signed by another service",
	"verificationCode":   "a proof for the number or address in the same request",
	"proofCode":          "a proof for the caller's number or address",
	"recoveryCode":       "a proof for the caller's number or address",
	"affiliateCode":      "public",
	"recommenderId":      "public",
	"code":               "public",
	"username":           "proved by a password or a code, or public",
}

// An accessRow tests a call that identifies an object, as each actor.
type accessRow struct {
	call, field string
	object      func(p *actorServer) string                         // creates an object of the owner
	send        func(p *actorServer, actor, object string) response // sends the call
	want        map[string]string                                   // error code by actor; "" means success
	after       func(t *testing.T, p *actorServer, actor, object string)
}

func everyone(code string) map[string]string {
	m := map[string]string{}
	for _, actor := range actors {
		m[actor] = code
	}
	return m
}

func except(m map[string]string, changes map[string]string) map[string]string {
	m = maps.Clone(m)
	maps.Copy(m, changes)
	return m
}

const (
	noSession    = "login.not.session"
	trialRefused = "member.trial_refused"
)

var accessRows = slices.Concat(memberRows, playRows, cashierRows, lotteryRows, promotionRows, messageRows, chatRows, streamRows)

var memberRows = []accessRow{
	{
		call: "DELETE /wps/session/{id}", field: "id",
		object: func(p *actorServer) string {
			p.logIn("owner")
			type seen struct {
				ID      string
				Current bool
			}
			list := value[[]seen](p.program, http.MethodGet, "/wps/session/list", p.tokens["owner"], "")
			return list[slices.IndexFunc(list, func(s seen) bool { return s.Current })].ID
		},
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/session/"+id, "")
		},
		want: except(everyone("session.unknown"), map[string]string{"visitor": noSession, "owner": ""}),
		after: func(t *testing.T, p *actorServer, actor, _ string) {
			t.Helper()
			if alive := p.as("owner", http.MethodGet, "/wps/session/touch", "").status == http.StatusOK; alive == (actor == "owner") {
				t.Errorf("after %s: session active = %v, want %v", actor, alive, actor != "owner")
			}
		},
	},
	{
		call: "GET /wps/member/headIcon/file/{name}", field: "name",
		object: func(p *actorServer) string {
			a := p.as("owner", http.MethodPost, "/wps/member/headIcon/upload", smallPNG(), "Content-Type", "image/png")
			var chosen struct{ Current string }
			if err := json.Unmarshal(a.Value, &chosen); err != nil {
				p.t.Fatalf("got %+v, want a picture", a)
			}
			return chosen.Current
		},
		send: func(p *actorServer, actor, file string) response { return p.as(actor, http.MethodGet, file, "") },
		want: map[string]string{"visitor": noSession, "owner": "", "other": "avatar.unknown", "trial": trialRefused, "agent": "avatar.unknown"},
	},
	{
		call: "GET /wps/member/kyc/image/{n}", field: "n",
		object: func(p *actorServer) string {
			p.as("owner", http.MethodPost, "/wps/member/kyc", imageForm(kycFields), "Content-Type", formType) // refused after the first
			return "1"
		},
		send: func(p *actorServer, actor, number string) response {
			return p.as(actor, http.MethodGet, "/wps/member/kyc/image/"+number, "")
		},
		want: map[string]string{"visitor": noSession, "owner": "", "other": "kyc.no_image", "trial": trialRefused, "agent": "kyc.no_image"},
	},
	{
		call: "PUT /wps/member/headIcon", field: "preset",
		object: func(*actorServer) string { return "fox" },
		send: func(p *actorServer, actor, preset string) response {
			return p.as(actor, http.MethodPut, "/wps/member/headIcon", body(map[string]any{"preset": preset}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession, "trial": trialRefused}),
	},
	{
		call: "POST /wps/relay/MCSFE_markAnnouncementAsRead", field: "announcementId",
		object: func(p *actorServer) string { return p.notices("other")[0].ID },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/MCSFE_markAnnouncementAsRead", body(map[string]any{"announcementId": id, "read": true}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *actorServer, actor, id string) {
			t.Helper()
			for _, other := range actors[1:] { // visitors have no read marks
				read := slices.ContainsFunc(p.notices(other), func(n notice) bool { return n.ID == id && n.Read })
				if slices.Index(actors, other) > slices.Index(actors, actor) && read {
					t.Errorf("the read mark of %s applies to %s", actor, other)
				}
			}
		},
	},
	{
		call: "GET /wps/relay/MCSFE_getAnnouncement", field: "announcementId",
		object: func(p *actorServer) string { return p.agentNotice() },
		send: func(p *actorServer, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/relay/MCSFE_getAnnouncement?announcementId="+id, "")
		},
		want: except(everyone("content.unknown"), map[string]string{"agent": ""}),
	},
	{
		// Pages are public.
		call: "GET /wps/system/page/{name}", field: "name",
		object: func(*actorServer) string { return "privacy" },
		send: func(p *actorServer, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/system/page/"+name, "")
		},
		want: everyone(""),
	},
	{
		// Pictures of content are public.
		call: "GET /wps/content/picture/{name}", field: "name",
		object: func(*actorServer) string { return "0123456789abcdef0123456789abcdef.webp" },
		send: func(p *actorServer, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/content/picture/"+name, "")
		},
		want: everyone("content.unknown"),
	},
	{
		// Anyone with the ticket can use it. It sets only its owner's password.
		call: "PUT /wps/member/password/reset", field: "ticket",
		object: func(p *actorServer) string { return p.resetTicket() },
		send: func(p *actorServer, actor, ticket string) response {
			return p.as(actor, http.MethodPut, "/wps/member/password/reset", body(map[string]any{
				"ticket": ticket, "newPassword": memberPassword, "confirmNewPassword": memberPassword,
			}))
		},
		want: everyone(""),
		after: func(t *testing.T, p *actorServer, actor, _ string) {
			t.Helper()
			for _, name := range []string{"other", "trial", "agent"} {
				if p.as(name, http.MethodGet, "/wps/session/touch", "").status != http.StatusOK {
					t.Errorf("sent by %s, it ended a session of %s", actor, name)
				}
			}
			if actor != "owner" && p.as("owner", http.MethodGet, "/wps/session/touch", "").status != http.StatusUnauthorized {
				t.Errorf("sent by %s, it did not end the owner's session", actor)
			}
			p.logIn("owner")
		},
	},
	{
		// A puzzle belongs to a network. internal/identity/captcha tests other networks.
		call: "POST /wps/captcha/slider", field: "id",
		object: func(p *actorServer) string {
			id, x := p.sliderPuzzle()
			return body(map[string]any{"id": id, "x": x})
		},
		send: func(p *actorServer, actor, solved string) response {
			return p.as(actor, http.MethodPost, "/wps/captcha/slider", solved)
		},
		want: everyone(""),
	},
	{
		// A ticket of an external login is valid only with the cookie of the browser that started it.
		call: "POST /wps/session/login", field: "ticket",
		object: func(p *actorServer) string {
			digest := sha256.Sum256([]byte("the browser of the owner"))
			ticket, err := p.services.Keys.Seal("signin.ticket", map[string]any{"p": "google", "s": "7", "m": p.demo, "b": digest[:]}, time.Minute)
			if err != nil {
				p.t.Fatal(err)
			}
			return ticket
		},
		send: func(p *actorServer, actor, ticket string) response {
			return p.as(actor, http.MethodPost, "/wps/session/login", body(map[string]any{"type": "outside", "ticket": ticket}), "Cookie", "outside=another")
		},
		want: everyone("outside.failed"),
	},
	{
		// Games are public. The list belongs to the caller.
		call: "POST /wps/relay/MCSFE_addFavoriteGameV2", field: "nodeId",
		object: func(p *actorServer) string { return p.game() },
		send: func(p *actorServer, actor, node string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/MCSFE_addFavoriteGameV2", body(map[string]any{"nodeId": node}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *actorServer, actor, _ string) {
			t.Helper()
			p.checkListed(t, actor, "/wps/relay/MCSFE_getFavoriteGames")
		},
	},
	{
		call: "DELETE /wps/relay/MCSFE_removeFavoriteGameV2", field: "nodeId",
		object: func(p *actorServer) string {
			node := p.game()
			p.as("owner", http.MethodPost, "/wps/relay/MCSFE_addFavoriteGameV2", body(map[string]any{"nodeId": node}))
			return node
		},
		send: func(p *actorServer, actor, node string) response {
			return p.as(actor, http.MethodDelete, "/wps/relay/MCSFE_removeFavoriteGameV2?nodeId="+node, "")
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *actorServer, actor, _ string) {
			t.Helper()
			if left := len(p.games("owner", "/wps/relay/MCSFE_getFavoriteGames")); (left == 0) != (actor == "owner") {
				t.Errorf("after removal by %s: the owner has %d favourites, want none only after their own removal", actor, left)
			}
		},
	},
	{
		call: "POST /wps/relay/GCS_recentGame", field: "nodeId",
		object: func(p *actorServer) string { return p.game() },
		send: func(p *actorServer, actor, node string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/GCS_recentGame", body(map[string]any{"nodeId": node}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *actorServer, actor, _ string) {
			t.Helper()
			p.checkListed(t, actor, "/wps/relay/GCS_recentGame")
		},
	},
}

type listedGame struct{ NodeID string }

func (p *actorServer) game() string {
	p.t.Helper()
	list := value[struct{ Games []listedGame }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList", "", "")
	return list.Games[0].NodeID
}

func (p *actorServer) games(actor, path string) []listedGame {
	p.t.Helper()
	list := value[struct{ Content, List []listedGame }](p.program, http.MethodGet, path, p.tokens[actor], "")
	return append(list.Content, list.List...)
}

// checkListed checks that only the actors up to the given one have a game in their list.
func (p *actorServer) checkListed(t *testing.T, actor, path string) {
	t.Helper()
	for i, other := range actors[1:] {
		want := 0
		if i+1 <= slices.Index(actors, actor) {
			want = 1
		}
		if got := len(p.games(other, path)); got != want {
			t.Errorf("after %s: %s has %d games in the list, want %d", actor, other, got, want)
		}
	}
}

type notice struct {
	ID   string
	Read bool
}

func (p *actorServer) notices(actor string) []notice {
	p.t.Helper()
	return value[[]notice](p.program, http.MethodGet, "/wps/relay/MCSFE_getListAnnouncements?types=PL", p.tokens[actor], "")
}

func (p *actorServer) agentNotice() string {
	p.t.Helper()
	return value[[]notice](p.program, http.MethodGet, "/wps/relay/MCSFE_getListAnnouncements?types=A", p.tokens["agent"], "")[0].ID
}

// resetTicket returns a ticket to reset the owner's password by SMS.
func (p *actorServer) resetTicket() string {
	p.t.Helper()
	p.clockOffset.Add(int64(10 * time.Hour)) // because of the limits of codes per number
	p.logIn("owner")
	for _, name := range []string{"other", "agent"} {
		p.logIn(name)
	}
	p.tokens["trial"] = value[struct{ Token string }](p.program, http.MethodPost, "/wps/member/trial", "", `{"ageConfirmed":true}`).Token
	cookie, read := p.captcha()
	number := map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
	request := maps.Clone(number)
	request["captcha"] = read
	if a := p.send(http.MethodPost, "/wps/member/password/sms", body(request), "Cookie", cookie); a.status != http.StatusOK {
		p.t.Fatalf("got %+v, want 200", a)
	}
	number["verificationCode"] = p.code("+84912345678")
	return value[struct{ Ticket string }](p.program, http.MethodPost, "/wps/member/password/sms/verification", "", body(number)).Ticket
}

// Every call of the OpenAPI document with an input that looks like an object's id must have a row.
func TestSE03ObjectAccess(t *testing.T) {
	t.Parallel()
	for _, missing := range missingRows(t) {
		t.Errorf("%s identifies an object: add a row, or add it to valueInputs", missing)
	}
	for _, r := range slices.Concat(accessRows, limitRows) {
		t.Run("SE-03 "+r.call+" "+r.field, func(t *testing.T) {
			t.Parallel()
			p := newServerWithActors(t)
			for _, actor := range actors {
				object := r.object(p)
				a := r.send(p, actor, object)
				if a.ErrorCode != r.want[actor] || (a.ErrorCode == "") != (a.status == http.StatusOK) {
					t.Errorf("%s: %d %q, want %q", actor, a.status, a.ErrorCode, r.want[actor])
				}
				if r.after != nil {
					r.after(t, p, actor, object)
				}
			}
		})
	}
}

// missingRows returns the inputs of the OpenAPI document without a row, and the rows without an input.
func missingRows(t *testing.T) (missing []string) {
	t.Helper()
	type schema struct {
		Ref        string `json:"$ref"`
		Properties map[string]any
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters  []struct{ Name, In string }
			RequestBody struct {
				Content map[string]struct{ Schema schema }
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	raw, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	listed, used := map[string]bool{}, map[string]bool{}
	for _, r := range slices.Concat(accessRows, limitRows) {
		listed[r.call+" "+r.field] = true
	}
	look := func(call, field string, always bool) {
		switch key := call + " " + field; {
		case listed[key]:
			used[key] = true
		case !always && (!objectName.MatchString(field) || valueInputs[field] != ""):
		default:
			missing = append(missing, key)
		}
	}
	for path, methods := range doc.Paths {
		if strings.HasPrefix(path, "/ops/") { // package ops tests operators' access
			continue
		}
		for method, op := range methods {
			call := strings.ToUpper(method) + " " + path
			if strings.HasPrefix(path, "/vendor/") {
				continue // internal/game/vendor tests the calls of vendors
			}
			for _, in := range op.Parameters {
				if in.In == "path" || in.In == "query" {
					look(call, in.Name, in.In == "path")
				}
			}
			for _, content := range op.RequestBody.Content {
				s := content.Schema
				if s.Ref != "" {
					s = doc.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
				}
				for field := range s.Properties {
					look(call, field, false)
				}
			}
		}
	}
	for key := range listed {
		if !used[key] {
			missing = append(missing, fmt.Sprintf("%s (not in the document)", key))
		}
	}
	slices.Sort(missing)
	return missing
}
