package message_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/message"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const playerID, strangerID = 801, 802

const (
	listPath       = "/wps/relay/EMFE_getInboxMessages"
	countPath      = "/wps/relay/EMFE_getInboxUnreadCount"
	messagePath    = "/wps/relay/EMFE_getInboxMessage?id="
	readPath       = "/wps/relay/EMFE_markInboxMessageAsRead"
	readAllPath    = "/wps/relay/EMFE_markAllInboxMessagesAsRead"
	deletePath     = "/wps/relay/EMFE_deleteInboxMessage"
	deleteReadPath = "/wps/relay/EMFE_deleteReadInboxMessages"
)

// An inboxSite is a site with two members and an operator.
type inboxSite struct {
	*servertest.Site
	operator servertest.Operator
}

func newInboxSite(t *testing.T, store *db.Store) *inboxSite {
	t.Helper()
	h := &inboxSite{Site: servertest.New(t, store)}
	h.AddMember(t, playerID, "player")
	h.AddMember(t, strangerID, "stranger")
	h.Serve(t, merchanttest.Tokens{
		"player": h.Caller(playerID, "player"), "stranger": h.Caller(strangerID, "stranger"), "trial": {MemberID: 803, MerchantID: h.ID, Type: rest.Trial, Currency: "VND"},
	}, func(a *rest.API) { h.Server.Routes(a, nil) })
	h.operator = h.Operator(t, "sender", "support")
	return h
}

func (h *inboxSite) addSystemMessage(t *testing.T, memberID int64, kind message.Kind, args map[string]string) {
	t.Helper()
	err := h.Store.Write(t.Context(), func(tx *db.Tx) error { return h.Server.Inbox.SystemIn(t.Context(), tx, memberID, string(kind), args) })
	if err != nil {
		t.Fatal(err)
	}
}

type item struct {
	ID, Kind, Title, Preview, Text, HTML, Link string
	Read                                       bool
}

type inbox struct {
	List []item
	Next string
}

func (h *inboxSite) list(t *testing.T, who string, more ...string) inbox {
	t.Helper()
	return merchanttest.Value[inbox](t, h.Call(t, "GET", listPath, nil, append([]string{"Authorization", who}, more...)...))
}

func (h *inboxSite) unread(t *testing.T, who string) int {
	t.Helper()
	return merchanttest.Value[struct{ InboxUnreadCount int }](t, h.Call(t, "GET", countPath, nil, "Authorization", who)).InboxUnreadCount
}

func (h *inboxSite) post(t *testing.T, who, path, body string) merchanttest.Reply {
	t.Helper()
	return h.Call(t, "POST", path, body, "Authorization", who)
}

func idBody(i string) string { return fmt.Sprintf(`{"id":%q}`, i) }

func errorCode(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

func wantEqual[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func texts(title, body string) map[string]any {
	return map[string]any{"vi": map[string]string{"title": title, "body": body}, "en": map[string]string{"title": title + " EN", "body": body}}
}

type sentMessage struct {
	ID, Status       string
	Reached, Version int64
	Texts            map[string]message.Text
}

func (h *inboxSite) send(t *testing.T, audience map[string]any, title, body string) sentMessage {
	t.Helper()
	audience["texts"] = texts(title, body)
	return merchanttest.Value[sentMessage](t, h.operator("POST", "/ops/v1/messages", audience))
}

func TestRT33PartSystemMessages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		h.addSystemMessage(t, playerID, message.DepositCredited, map[string]string{"amount": "2500000", "currency": "VND"})
		h.addSystemMessage(t, playerID, message.WithdrawalRefused, map[string]string{"amount": "1234.50", "currency": "BRL", "reason": "Wrong <name>"})
		wantEqual(t, "unread", h.unread(t, "player"), 2)
		wantEqual(t, "unread of another member", h.unread(t, "stranger"), 0)
		all := h.list(t, "player", "Language", "VI")
		wantEqual(t, "Vietnamese text", all.List[1].Preview, "2.500.000\u00a0₫ đã được cộng vào ví của bạn.")
		english := h.list(t, "player", "Language", "EN")
		wantEqual(t, "English text", english.List[1].Preview, "2,500,000\u00a0₫ is in your wallet.")
		wantEqual(t, "reason", strings.HasSuffix(english.List[0].Preview, "Reason: Wrong <name>"), true)

		first := all.List[1].ID
		opened := merchanttest.Value[item](t, h.Call(t, "GET", messagePath+first, nil, "Authorization", "player"))
		wantEqual(t, "link", opened.Link, "/m/member/transactions")
		wantEqual(t, "another member's message", errorCode(t, h.Call(t, "GET", messagePath+first, nil, "Authorization", "stranger")), "message.unknown")
		wantEqual(t, "another member marks it as read", errorCode(t, h.post(t, "stranger", readPath, idBody(first))), "message.unknown")
		wantEqual(t, "another member deletes", errorCode(t, h.post(t, "stranger", deletePath, idBody(first))), "message.unknown")
		wantEqual(t, "error for a trial member", errorCode(t, h.Call(t, "GET", countPath, nil, "Authorization", "trial")) != "", true)

		wantEqual(t, "read", h.post(t, "player", readPath, idBody(first)).Status, 200)
		wantEqual(t, "read again", h.post(t, "player", readPath, idBody(first)).Status, 200)
		wantEqual(t, "unread after reading", h.unread(t, "player"), 1)
		deleted := merchanttest.Value[struct{ Deleted int64 }](t, h.post(t, "player", deleteReadPath, ""))
		wantEqual(t, "deleted", deleted.Deleted, int64(1))
		remaining := h.list(t, "player")
		wantEqual(t, "messages left", len(remaining.List), 1)
		wantEqual(t, "deleted message opened", errorCode(t, h.Call(t, "GET", messagePath+first, nil, "Authorization", "player")), "message.unknown")
		wantEqual(t, "delete unread", h.post(t, "player", deletePath, idBody(remaining.List[0].ID)).Status, 200)
		wantEqual(t, "unread at the end", h.unread(t, "player"), 0)
	})
}

func TestRT33PartMessageToAll(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		m := h.send(t, map[string]any{"audience": "all"}, "Bảo trì", "<p>02:00</p>")
		var rows int
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM inbox").Scan(&rows); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "rows before anyone reads", rows, 0)
		wantEqual(t, "unread", h.unread(t, "player"), 1)
		wantEqual(t, "id in the list", h.list(t, "player").List[0].ID, m.ID)

		// Several tabs mark the message as read at once.
		var tabs sync.WaitGroup
		statuses := make([]int, 4)
		for i := range statuses {
			tabs.Go(func() { statuses[i] = h.Call(t, "POST", readPath, idBody(m.ID), "Authorization", "player").Status })
		}
		tabs.Wait()
		for _, status := range statuses {
			wantEqual(t, "status of a tab", status, 200)
		}
		wantEqual(t, "unread after reading", h.unread(t, "player"), 0)
		wantEqual(t, "unread of the other member", h.unread(t, "stranger"), 1)
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM inbox").Scan(&rows); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "rows after one member has read", rows, 1)

		wantEqual(t, "delete unread", h.post(t, "stranger", deletePath, idBody(m.ID)).Status, 200)
		wantEqual(t, "list after deleting", len(h.list(t, "stranger").List), 0)
		h.send(t, map[string]any{"audience": "all"}, "Second", "<p>text</p>")
		wantEqual(t, "read all", h.post(t, "player", readAllPath, "").Status, 200)
		wantEqual(t, "unread after reading all", h.unread(t, "player"), 0)

		h.AddMember(t, 805, "newcomer")
		h.Exec(t, "UPDATE member SET created_at = $1 WHERE id = 805", db.Millis(h.Clock.Now().Add(time.Minute)))
		unread, err := h.Server.Inbox.Unread(t.Context(), message.Reader{ID: 805, MerchantID: h.ID, Language: "vi"})
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "older messages for a new member", unread, 0)

		withdrawn := merchanttest.Value[sentMessage](t, h.operator("POST", "/ops/v1/messages/"+m.ID+"/withdraw", map[string]any{"version": m.Version, "reason": "wrong"}))
		wantEqual(t, "status", withdrawn.Status, "withdrawn")
		wantEqual(t, "withdraw again", errorCode(t, h.operator("POST", "/ops/v1/messages/"+m.ID+"/withdraw", map[string]any{"version": 2})), "message.withdrawn")
		wantEqual(t, "list after withdrawal", len(h.list(t, "player").List), 1)
	})
}

func TestJobDeliversToSegment(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		ctx := t.Context()
		for i := range 620 {
			h.AddMember(t, int64(10_000+i), fmt.Sprintf("many%03d", i))
		}
		h.Exec(t, "UPDATE member SET language = 'pt' WHERE id = 801")
		segment := map[string]any{"audience": "segment", "segment": map[string]any{"language": "vi", "type": 0}}
		preview := merchanttest.Value[struct{ Members int64 }](t, h.operator("POST", "/ops/v1/messages/preview", segment))
		wantEqual(t, "preview", preview.Members, int64(621))
		m := h.send(t, segment, "To a segment", "<p>Hello</p>")
		wantEqual(t, "status at first", m.Status, "sending")
		var number int64
		if _, err := fmt.Sscan(m.ID, &number); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a repeated run changes nothing
			if err := h.Server.Inbox.Run(ctx, number); err != nil {
				t.Fatal(err)
			}
		}
		m = merchanttest.Value[sentMessage](t, h.operator("GET", "/ops/v1/messages/"+m.ID, nil))
		wantEqual(t, "status", m.Status, "sent")
		wantEqual(t, "reached", m.Reached, int64(621))
		wantEqual(t, "unread in the segment", h.unread(t, "stranger"), 1)
		wantEqual(t, "unread outside the segment", h.unread(t, "player"), 0)

		empty := map[string]any{"audience": "segment", "segment": map[string]any{"depositMin": 1}}
		preview = merchanttest.Value[struct{ Members int64 }](t, h.operator("POST", "/ops/v1/messages/preview", empty))
		wantEqual(t, "members with deposits", preview.Members, int64(0))
		bad := map[string]any{"audience": "segment", "segment": map[string]any{"depositMin": 5, "depositMax": 2}}
		wantEqual(t, "contradicting bounds", errorCode(t, h.operator("POST", "/ops/v1/messages/preview", bad)), "message.segment")
	})
}

func TestSE06PartMessageTextIsSanitized(t *testing.T) {
	t.Parallel()
	h := newInboxSite(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	m := h.send(t, map[string]any{"audience": "member", "member": "Player"}, "Hi", `<p onclick="x()">Safe</p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">go</a>`)
	wantEqual(t, "stored text", m.Texts["vi"].Body, `<p>Safe</p><img src="x">go`)
	opened := merchanttest.Value[item](t, h.Call(t, "GET", messagePath+m.ID, nil, "Authorization", "player"))
	wantEqual(t, "shown text", opened.HTML, `<p>Safe</p><img src="x">go`)
	wantEqual(t, "preview", h.list(t, "player").List[0].Preview, "Safe go")
	for name, c := range map[string]struct {
		body map[string]any
		want string
	}{
		"only script":        {map[string]any{"audience": "all", "texts": texts("x", "<script>1</script>")}, "message.text"},
		"no text":            {map[string]any{"audience": "all", "texts": map[string]any{}}, "message.text"},
		"only Urdu":          {map[string]any{"audience": "all", "texts": map[string]any{"ur": map[string]string{"title": "x", "body": "y"}}}, "message.text"},
		"long text":          {map[string]any{"audience": "all", "texts": texts("x", strings.Repeat("ă", 20_001))}, "message.text"},
		"1 MB":               {map[string]any{"audience": "all", "texts": texts("x", strings.Repeat("x", 1<<20))}, "request.too_large"},
		"unknown member":     {map[string]any{"audience": "member", "member": "nobody", "texts": texts("x", "y")}, "message.member"},
		"link to other site": {map[string]any{"audience": "all", "link": "https://evil.example.test", "texts": texts("x", "y")}, "message.link"},
	} {
		wantEqual(t, name, errorCode(t, h.operator("POST", "/ops/v1/messages", c.body)), c.want)
	}
}

func TestPromotionsNeedConsentAndNoBreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		toAll := map[string]any{"audience": "all", "promotional": true}
		toOne := map[string]any{"audience": "member", "member": "player", "promotional": true, "texts": texts("Offer", "<p>x</p>")}
		h.send(t, toAll, "Offer", "<p>x</p>")
		wantEqual(t, "unread before consent", h.unread(t, "player"), 0)
		wantEqual(t, "to one before consent", errorCode(t, h.operator("POST", "/ops/v1/messages", toOne)), "message.consent")

		choose := func(allowed bool) {
			body := fmt.Sprintf(`{"choices":[{"topic":"promotion","way":"inbox","allowed":%v}]}`, allowed)
			r := h.Call(t, "PUT", "/wps/member/notifications", body, "Authorization", "player")
			wantEqual(t, "choose", r.Status, 200)
		}
		choose(true)
		wantEqual(t, "unread after consent", h.unread(t, "player"), 1)
		wantEqual(t, "unread of another member", h.unread(t, "stranger"), 0)
		preview := merchanttest.Value[struct{ Members int64 }](t, h.operator("POST", "/ops/v1/messages/preview", map[string]any{"audience": "all", "promotional": true}))
		wantEqual(t, "preview", preview.Members, int64(1))

		own := merchanttest.Value[sentMessage](t, h.operator("POST", "/ops/v1/messages", toOne))
		wantEqual(t, "unread after an own promotion", h.unread(t, "player"), 2)
		segment := h.send(t, map[string]any{"audience": "segment", "promotional": true}, "Offer", "<p>x</p>")
		var segmentID int64
		if _, err := fmt.Sscan(segment.ID, &segmentID); err != nil {
			t.Fatal(err)
		}
		wantHidden := func(when string) {
			t.Helper()
			wantEqual(t, "unread "+when, h.unread(t, "player"), 0)
			wantEqual(t, "listed "+when, len(h.list(t, "player").List), 0)
			opened := h.Call(t, "GET", messagePath+own.ID, nil, "Authorization", "player")
			wantEqual(t, "opened "+when, errorCode(t, opened), "message.unknown")
		}
		choose(false)
		wantHidden("without consent")
		choose(true)
		wantEqual(t, "listed with consent again", len(h.list(t, "player").List), 2)

		if err := h.Server.Limits.BeginBreak(t.Context(), playerID, "24h"); err != nil {
			t.Fatal(err)
		}
		wantHidden("on a break")
		// The break began after the job had read its members.
		if err := h.Server.Inbox.DeliverBatch(t.Context(), segmentID, []int64{playerID}); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "reached on a break", merchanttest.Value[sentMessage](t, h.operator("GET", "/ops/v1/messages/"+segment.ID, nil)).Reached, int64(0))
		wantEqual(t, "rows of the promotion", h.Number(t, "SELECT COUNT(*) FROM inbox WHERE message_id = $1", segmentID), int64(0))
		wantEqual(t, "to one on a break", errorCode(t, h.operator("POST", "/ops/v1/messages", toOne)), "message.consent")
		h.addSystemMessage(t, playerID, message.DepositCredited, map[string]string{"amount": "1", "currency": "VND"})
		wantEqual(t, "system message on a break", h.unread(t, "player"), 1)

		choose(false)
		var consents int
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM notify_consent").Scan(&consents); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "records of consent", consents, 4)
		r := h.Call(t, "PUT", "/wps/member/notifications", `{"choices":[{"topic":"money","way":"inbox","allowed":false}]}`, "Authorization", "player")
		wantEqual(t, "switch off the inbox for money", errorCode(t, r), "message.choice")
	})
}

func TestThousandUnreadMessages(t *testing.T) {
	t.Parallel()
	h := newInboxSite(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	err := h.Store.Write(t.Context(), func(tx *db.Tx) error {
		for range 1000 {
			if err := h.Server.Inbox.SystemIn(t.Context(), tx, playerID, string(message.LimitRaised), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "unread", h.unread(t, "player"), 1000)
	seen := map[string]bool{}
	for cursor := ""; ; {
		p := merchanttest.Value[inbox](t, h.Call(t, "GET", listPath+"?pageSize=100&cursor="+cursor, nil, "Authorization", "player"))
		for _, i := range p.List {
			seen[i.ID] = true
		}
		if cursor = p.Next; cursor == "" {
			break
		}
	}
	wantEqual(t, "messages on all pages", len(seen), 1000)
	wantEqual(t, "read all", h.post(t, "player", readAllPath, "").Status, 200)
	wantEqual(t, "unread after reading all", h.unread(t, "player"), 0)
}
