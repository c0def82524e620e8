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

// names tells an input that may name an object from one that carries a value.
var objectName = regexp.MustCompile(`(?i)(id|ids|name|ticket|token|code|key|preset|file)$`)

// values are inputs that are called like an object's name and are none.
var valueInputs = map[string]string{
	"moduleId":           "a part of the product, switched for all",
	"nickname":           "the caller's own",
	"payeeName":          "the caller's own",
	"groupName":          "a part of a page",
	"gameName":           "what is searched for among games that everyone sees",
	"typeId":             "a kind of list",
	"countryDialingCode": "a country",
	"merchantCode":       "the border holds it against the site's own",
	"token":              "the caller's own session",
	"firebaseIdToken":    "a proof that another service has signed",
	"verificationCode":   "a proof; whose it is follows from the number or address beside it",
	"proofCode":          "a proof; it is held against what the caller has bound",
	"recoveryCode":       "a proof; it is held against what the caller has bound",
	"affiliateCode":      "given away by agents, to be named by anyone",
	"recommenderId":      "given away by agents, to be named by anyone",
	"code":               "given away by agents, to be asked about by anyone",
	"username":           "proved by a password or a code, or to be asked about by anyone; the rest of the answer is the same for all",
}

// row is a call that names an object: what each actor is answered, and what must hold after each.
type accessRow struct {
	call, field string
	object      func(p *callers) string                         // makes one of the owner's
	send        func(p *callers, actor, object string) response // names it
	want        map[string]string                               // by actor; empty is done
	after       func(t *testing.T, p *callers, actor, object string)
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

var accessRows = slices.Concat(memberRows, playRows)

var memberRows = []accessRow{
	{
		call: "DELETE /wps/session/{id}", field: "id",
		object: func(p *callers) string {
			p.logIn("owner")
			type seen struct {
				ID      string
				Current bool
			}
			list := value[[]seen](p.program, http.MethodGet, "/wps/session/list", p.tokens["owner"], "")
			return list[slices.IndexFunc(list, func(s seen) bool { return s.Current })].ID
		},
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodDelete, "/wps/session/"+id, "")
		},
		want: except(everyone("session.unknown"), map[string]string{"visitor": noSession, "owner": ""}),
		after: func(t *testing.T, p *callers, actor, _ string) {
			t.Helper()
			if alive := p.as("owner", http.MethodGet, "/wps/session/touch", "").status == http.StatusOK; alive == (actor == "owner") {
				t.Errorf("the session lives: %v", alive)
			}
		},
	},
	{
		call: "GET /wps/member/headIcon/file/{name}", field: "name",
		object: func(p *callers) string {
			a := p.as("owner", http.MethodPost, "/wps/member/headIcon/upload", smallPNG(), "Content-Type", "image/png")
			var chosen struct{ Current string }
			if err := json.Unmarshal(a.Value, &chosen); err != nil {
				p.t.Fatalf("%+v", a)
			}
			return chosen.Current
		},
		send: func(p *callers, actor, file string) response { return p.as(actor, http.MethodGet, file, "") },
		want: map[string]string{"visitor": noSession, "owner": "", "other": "avatar.unknown", "trial": trialRefused, "agent": "avatar.unknown"},
	},
	{
		call: "PUT /wps/member/headIcon", field: "preset",
		object: func(*callers) string { return "fox" },
		send: func(p *callers, actor, preset string) response {
			return p.as(actor, http.MethodPut, "/wps/member/headIcon", body(map[string]any{"preset": preset}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession, "trial": trialRefused}),
	},
	{
		call: "POST /wps/relay/MCSFE_markAnnouncementAsRead", field: "announcementId",
		object: func(p *callers) string { return p.notices("other")[0].ID },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/MCSFE_markAnnouncementAsRead", body(map[string]any{"announcementId": id, "read": true}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *callers, actor, id string) {
			t.Helper()
			for _, other := range actors[1:] { // who reads it reads it for themselves; visitors' lists have no marks
				read := slices.ContainsFunc(p.notices(other), func(n notice) bool { return n.ID == id && n.Read })
				if slices.Index(actors, other) > slices.Index(actors, actor) && read {
					t.Errorf("read by %s, it is read for %s", actor, other)
				}
			}
		},
	},
	{
		call: "GET /wps/relay/MCSFE_getAnnouncement", field: "announcementId",
		object: func(p *callers) string { return p.agentNotice() },
		send: func(p *callers, actor, id string) response {
			return p.as(actor, http.MethodGet, "/wps/relay/MCSFE_getAnnouncement?announcementId="+id, "")
		},
		want: except(everyone("content.unknown"), map[string]string{"agent": ""}),
	},
	{
		// Pages are everybody's to read.
		call: "GET /wps/system/page/{name}", field: "name",
		object: func(*callers) string { return "privacy" },
		send: func(p *callers, actor, name string) response {
			return p.as(actor, http.MethodGet, "/wps/system/page/"+name, "")
		},
		want: everyone(""),
	},
	{
		// A ticket is the proof itself, earned by a code: whoever hands it in, it sets its owner's password and nobody else's.
		call: "PUT /wps/member/password/reset", field: "ticket",
		object: func(p *callers) string { return p.resetTicket() },
		send: func(p *callers, actor, ticket string) response {
			return p.as(actor, http.MethodPut, "/wps/member/password/reset", body(map[string]any{
				"ticket": ticket, "newPassword": memberPassword, "confirmNewPassword": memberPassword,
			}))
		},
		want: everyone(""),
		after: func(t *testing.T, p *callers, actor, _ string) {
			t.Helper()
			for _, name := range []string{"other", "trial", "agent"} {
				if p.as(name, http.MethodGet, "/wps/session/touch", "").status != http.StatusOK {
					t.Errorf("handed in by %s, it ended a session of %s", actor, name)
				}
			}
			if actor != "owner" && p.as("owner", http.MethodGet, "/wps/session/touch", "").status != http.StatusUnauthorized {
				t.Errorf("handed in by %s, it left the owner's session", actor)
			}
			p.logIn("owner")
		},
	},
	{
		// A puzzle belongs to the network that was given it, whoever sits there; that another network cannot use it, captcha itself shows.
		call: "POST /wps/captcha/slider", field: "id",
		object: func(p *callers) string {
			id, x := p.sliderPuzzle()
			return body(map[string]any{"id": id, "x": x})
		},
		send: func(p *callers, actor, solved string) response {
			return p.as(actor, http.MethodPost, "/wps/captcha/slider", solved)
		},
		want: everyone(""),
	},
	{
		// A ticket of another service belongs to the browser that was led there: without its cookie it is worth nothing.
		call: "POST /wps/session/login", field: "ticket",
		object: func(p *callers) string {
			digest := sha256.Sum256([]byte("the browser of the owner"))
			ticket, err := p.services.Keys.Seal("signin.ticket", map[string]any{"p": "google", "s": "7", "m": p.demo, "b": digest[:]}, time.Minute)
			if err != nil {
				p.t.Fatal(err)
			}
			return ticket
		},
		send: func(p *callers, actor, ticket string) response {
			return p.as(actor, http.MethodPost, "/wps/session/login", body(map[string]any{"type": "outside", "ticket": ticket}), "Cookie", "outside=another")
		},
		want: everyone("outside.failed"),
	},
	{
		// Everyone sees the games; whose list one is on is the caller's.
		call: "POST /wps/relay/MCSFE_addFavoriteGameV2", field: "nodeId",
		object: func(p *callers) string { return p.game() },
		send: func(p *callers, actor, node string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/MCSFE_addFavoriteGameV2", body(map[string]any{"nodeId": node}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *callers, actor, _ string) {
			t.Helper()
			p.checkListed(t, actor, "/wps/relay/MCSFE_getFavoriteGames")
		},
	},
	{
		call: "DELETE /wps/relay/MCSFE_removeFavoriteGameV2", field: "nodeId",
		object: func(p *callers) string {
			node := p.game()
			p.as("owner", http.MethodPost, "/wps/relay/MCSFE_addFavoriteGameV2", body(map[string]any{"nodeId": node}))
			return node
		},
		send: func(p *callers, actor, node string) response {
			return p.as(actor, http.MethodDelete, "/wps/relay/MCSFE_removeFavoriteGameV2?nodeId="+node, "")
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *callers, actor, _ string) {
			t.Helper()
			if left := len(p.games("owner", "/wps/relay/MCSFE_getFavoriteGames")); (left == 0) != (actor == "owner") {
				t.Errorf("removed by %s, the owner has %d favourites", actor, left)
			}
		},
	},
	{
		call: "POST /wps/relay/GCS_recentGame", field: "nodeId",
		object: func(p *callers) string { return p.game() },
		send: func(p *callers, actor, node string) response {
			return p.as(actor, http.MethodPost, "/wps/relay/GCS_recentGame", body(map[string]any{"nodeId": node}))
		},
		want: except(everyone(""), map[string]string{"visitor": noSession}),
		after: func(t *testing.T, p *callers, actor, _ string) {
			t.Helper()
			p.checkListed(t, actor, "/wps/relay/GCS_recentGame")
		},
	},
}

type listedGame struct{ NodeID string }

// game is one that everyone sees.
func (p *callers) game() string {
	p.t.Helper()
	list := value[struct{ Games []listedGame }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList", "", "")
	return list.Games[0].NodeID
}

// games are those of an actor's own list.
func (p *callers) games(actor, path string) []listedGame {
	p.t.Helper()
	list := value[struct{ Content, List []listedGame }](p.program, http.MethodGet, path, p.tokens[actor], "")
	return append(list.Content, list.List...)
}

// onlyThoseUpTo looks into everyone's list: those whose turn has not come have nothing on it yet.
func (p *callers) checkListed(t *testing.T, actor, path string) {
	t.Helper()
	for i, other := range actors[1:] {
		want := 0
		if i+1 <= slices.Index(actors, actor) {
			want = 1
		}
		if got := len(p.games(other, path)); got != want {
			t.Errorf("after %s, %s has %d games listed", actor, other, got)
		}
	}
}

type notice struct {
	ID   string
	Read bool
}

func (p *callers) notices(actor string) []notice {
	p.t.Helper()
	return value[[]notice](p.program, http.MethodGet, "/wps/relay/MCSFE_getListAnnouncements?types=PL", p.tokens[actor], "")
}

// agentNotice is what only agents are told.
func (p *callers) agentNotice() string {
	p.t.Helper()
	return value[[]notice](p.program, http.MethodGet, "/wps/relay/MCSFE_getListAnnouncements?types=A", p.tokens["agent"], "")[0].ID
}

// resetTicket is what the owner has for the code that came to their number.
func (p *callers) resetTicket() string {
	p.t.Helper()
	p.clockOffset.Add(int64(10 * time.Hour)) // codes to one number are few an hour and few a day
	p.logIn("owner")
	for _, name := range []string{"other", "agent"} {
		p.logIn(name)
	}
	p.tokens["trial"] = value[struct{ Token string }](p.program, http.MethodPost, "/wps/member/trial", "", `{"ageConfirmed":true}`).Token
	cookie, read := p.captcha()
	his := map[string]any{"mobileNum": "0912345678", "countryDialingCode": "84"}
	asked := maps.Clone(his)
	asked["captcha"] = read
	if a := p.send(http.MethodPost, "/wps/member/password/sms", body(asked), "Cookie", cookie); a.status != http.StatusOK {
		p.t.Fatalf("%+v", a)
	}
	his["verificationCode"] = p.code("+84912345678")
	return value[struct{ Ticket string }](p.program, http.MethodPost, "/wps/member/password/sms/verification", "", body(his)).Ticket
}

// Every call that names an object, by everyone. The rows follow the API's document: a call whose input looks like the
// name of an object fails here until somebody has said whose it is.
func TestSE03EveryObjectByEveryone(t *testing.T) {
	t.Parallel()
	for _, missing := range missingRows(t) {
		t.Errorf("%s names an object that no row of the accessRows, and none of its values, knows", missing)
	}
	for _, r := range slices.Concat(accessRows, limitRows) {
		t.Run("SE-03 "+r.call+" "+r.field, func(t *testing.T) {
			t.Parallel()
			p := newCallers(t)
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

// unlisted reads the document and gives the inputs that neither the matrix nor the list of values knows.
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
		for method, op := range methods {
			call := strings.ToUpper(method) + " " + path
			if strings.HasPrefix(path, "/vendor/") {
				continue // made by vendors, who prove themselves; whose objects they may name, internal/game/vendor shows
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
			missing = append(missing, fmt.Sprintf("%s (which is no longer in the document)", key))
		}
	}
	slices.Sort(missing)
	return missing
}
