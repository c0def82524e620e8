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

const member, other = 801, 802

const (
	list       = "/wps/relay/EMFE_getInboxMessages"
	count      = "/wps/relay/EMFE_getInboxUnreadCount"
	one        = "/wps/relay/EMFE_getInboxMessage?id="
	read       = "/wps/relay/EMFE_markInboxMessageAsRead"
	readAll    = "/wps/relay/EMFE_markAllInboxMessagesAsRead"
	remove     = "/wps/relay/EMFE_deleteInboxMessage"
	removeRead = "/wps/relay/EMFE_deleteReadInboxMessages"
)

// A house is a site with two members and an operator.
type house struct {
	*servertest.Site
	operator servertest.Operator
}

func newHouse(t *testing.T, store *db.Store) *house {
	t.Helper()
	h := &house{Site: servertest.New(t, store)}
	h.AddMember(t, member, "player")
	h.AddMember(t, other, "stranger")
	h.Serve(t, merchanttest.Tokens{
		"player": h.Caller(member, "player"), "stranger": h.Caller(other, "stranger"), "trial": {MemberID: 803, MerchantID: h.ID, Type: rest.Trial, Currency: "VND"},
	}, func(a *rest.API) { h.Server.Routes(a, nil) })
	h.operator = h.Operator(t, "sender", "support")
	return h
}

func (h *house) system(t *testing.T, memberID int64, kind message.Kind, args map[string]string) {
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

func (h *house) list(t *testing.T, who string, more ...string) inbox {
	t.Helper()
	return merchanttest.Value[inbox](t, h.Call(t, "GET", list, nil, append([]string{"Authorization", who}, more...)...))
}

func (h *house) unread(t *testing.T, who string) int {
	t.Helper()
	return merchanttest.Value[struct{ InboxUnreadCount int }](t, h.Call(t, "GET", count, nil, "Authorization", who)).InboxUnreadCount
}

func (h *house) post(t *testing.T, who, path, body string) merchanttest.Reply {
	t.Helper()
	return h.Call(t, "POST", path, body, "Authorization", who)
}

func id(i string) string { return fmt.Sprintf(`{"id":%q}`, i) }

func code(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func texts(title, body string) map[string]any {
	return map[string]any{"vi": map[string]string{"title": title, "body": body}, "en": map[string]string{"title": title + " EN", "body": body}}
}

type sent struct {
	ID, Status       string
	Reached, Version int64
	Texts            map[string]message.Text
}

func (h *house) send(t *testing.T, audience map[string]any, title, body string) sent {
	t.Helper()
	audience["texts"] = texts(title, body)
	return merchanttest.Value[sent](t, h.operator("POST", "/ops/v1/messages", audience))
}

func TestRT33PartSystemMessages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHouse(t, store)
		h.system(t, member, message.DepositCredited, map[string]string{"amount": "2500000", "currency": "VND"})
		h.system(t, member, message.WithdrawalRefused, map[string]string{"amount": "1234.50", "currency": "BRL", "reason": "Wrong <name>"})
		want(t, "unread", h.unread(t, "player"), 2)
		want(t, "unread of another member", h.unread(t, "stranger"), 0)
		all := h.list(t, "player", "Language", "VI")
		want(t, "Vietnamese text", all.List[1].Preview, "2.500.000 VND đã được cộng vào ví của bạn.")
		english := h.list(t, "player", "Language", "EN")
		want(t, "English text", english.List[1].Preview, "2,500,000 VND is in your wallet.")
		want(t, "reason", strings.HasSuffix(english.List[0].Preview, "Reason: Wrong <name>"), true)

		first := all.List[1].ID
		opened := merchanttest.Value[item](t, h.Call(t, "GET", one+first, nil, "Authorization", "player"))
		want(t, "link", opened.Link, "/m/member/transactions")
		want(t, "another member's message", code(t, h.Call(t, "GET", one+first, nil, "Authorization", "stranger")), "message.unknown")
		want(t, "another member reads", code(t, h.post(t, "stranger", read, id(first))), "message.unknown")
		want(t, "another member deletes", code(t, h.post(t, "stranger", remove, id(first))), "message.unknown")
		want(t, "trial", code(t, h.Call(t, "GET", count, nil, "Authorization", "trial")) != "", true)

		want(t, "read", h.post(t, "player", read, id(first)).Status, 200)
		want(t, "read again", h.post(t, "player", read, id(first)).Status, 200)
		want(t, "unread after reading", h.unread(t, "player"), 1)
		deleted := merchanttest.Value[struct{ Deleted int64 }](t, h.post(t, "player", removeRead, ""))
		want(t, "deleted", deleted.Deleted, int64(1))
		left := h.list(t, "player")
		want(t, "left", len(left.List), 1)
		want(t, "deleted message opened", code(t, h.Call(t, "GET", one+first, nil, "Authorization", "player")), "message.unknown")
		want(t, "delete unread", h.post(t, "player", remove, id(left.List[0].ID)).Status, 200)
		want(t, "unread at the end", h.unread(t, "player"), 0)
	})
}

func TestRT33PartMessageToAll(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHouse(t, store)
		m := h.send(t, map[string]any{"audience": "all"}, "Bảo trì", "<p>02:00</p>")
		var rows int
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM inbox").Scan(&rows); err != nil {
			t.Fatal(err)
		}
		want(t, "rows before anyone reads", rows, 0)
		want(t, "unread", h.unread(t, "player"), 1)
		want(t, "id in the list", h.list(t, "player").List[0].ID, m.ID)

		// Two tabs read at once.
		var tabs sync.WaitGroup
		statuses := make([]int, 4)
		for i := range statuses {
			tabs.Go(func() { statuses[i] = h.Call(t, "POST", read, id(m.ID), "Authorization", "player").Status })
		}
		tabs.Wait()
		for _, status := range statuses {
			want(t, "status of a tab", status, 200)
		}
		want(t, "unread after reading", h.unread(t, "player"), 0)
		want(t, "unread of the other", h.unread(t, "stranger"), 1)
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM inbox").Scan(&rows); err != nil {
			t.Fatal(err)
		}
		want(t, "rows after one has read", rows, 1)

		want(t, "delete unread", h.post(t, "stranger", remove, id(m.ID)).Status, 200)
		want(t, "deleted stays deleted", len(h.list(t, "stranger").List), 0)
		h.send(t, map[string]any{"audience": "all"}, "Second", "<p>text</p>")
		want(t, "read all", h.post(t, "player", readAll, "").Status, 200)
		want(t, "unread after all", h.unread(t, "player"), 0)

		h.AddMember(t, 805, "newcomer")
		h.Exec(t, "UPDATE member SET created_at = $1 WHERE id = 805", db.Millis(h.Clock.Now().Add(time.Minute)))
		seen, err := h.Server.Inbox.Unread(t.Context(), message.Reader{ID: 805, MerchantID: h.ID, Language: "vi"})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "older messages for a new member", seen, 0)

		withdrawn := merchanttest.Value[sent](t, h.operator("POST", "/ops/v1/messages/"+m.ID+"/withdraw", map[string]any{"version": m.Version, "reason": "wrong"}))
		want(t, "status", withdrawn.Status, "withdrawn")
		want(t, "withdraw again", code(t, h.operator("POST", "/ops/v1/messages/"+m.ID+"/withdraw", map[string]any{"version": 2})), "message.withdrawn")
		want(t, "list after withdrawal", len(h.list(t, "player").List), 1)
	})
}

func TestSegmentByJob(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHouse(t, store)
		ctx := t.Context()
		for i := range 620 {
			h.AddMember(t, int64(10_000+i), fmt.Sprintf("many%03d", i))
		}
		h.Exec(t, "UPDATE member SET language = 'pt' WHERE id = 801")
		segment := map[string]any{"audience": "segment", "segment": map[string]any{"language": "vi", "type": 0}}
		preview := merchanttest.Value[struct{ Members int64 }](t, h.operator("POST", "/ops/v1/messages/preview", segment))
		want(t, "preview", preview.Members, int64(621))
		m := h.send(t, segment, "To a segment", "<p>Hello</p>")
		want(t, "status at first", m.Status, "sending")
		var number int64
		if _, err := fmt.Sscan(m.ID, &number); err != nil {
			t.Fatal(err)
		}
		for range 2 { // a repeated run changes nothing
			if err := h.Server.Inbox.Run(ctx, number); err != nil {
				t.Fatal(err)
			}
		}
		m = merchanttest.Value[sent](t, h.operator("GET", "/ops/v1/messages/"+m.ID, nil))
		want(t, "status", m.Status, "sent")
		want(t, "reached", m.Reached, int64(621))
		want(t, "in the segment", h.unread(t, "stranger"), 1)
		want(t, "outside the segment", h.unread(t, "player"), 0)

		empty := map[string]any{"audience": "segment", "segment": map[string]any{"depositMin": 1}}
		preview = merchanttest.Value[struct{ Members int64 }](t, h.operator("POST", "/ops/v1/messages/preview", empty))
		want(t, "members with deposits", preview.Members, int64(0))
		bad := map[string]any{"audience": "segment", "segment": map[string]any{"depositMin": 5, "depositMax": 2}}
		want(t, "contradicting bounds", code(t, h.operator("POST", "/ops/v1/messages/preview", bad)), "message.segment")
	})
}

func TestSE06PartMessageTextIsSanitized(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	m := h.send(t, map[string]any{"audience": "member", "member": "Player"}, "Hi", `<p onclick="x()">Safe</p><script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">go</a>`)
	want(t, "stored text", m.Texts["vi"].Body, `<p>Safe</p><img src="x">go`)
	opened := merchanttest.Value[item](t, h.Call(t, "GET", one+m.ID, nil, "Authorization", "player"))
	want(t, "shown text", opened.HTML, `<p>Safe</p><img src="x">go`)
	want(t, "preview", h.list(t, "player").List[0].Preview, "Safe go")
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
		want(t, name, code(t, h.operator("POST", "/ops/v1/messages", c.body)), c.want)
	}
}

func TestNothingPromotionalWithoutConsentOrOnABreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newHouse(t, store)
		toAll := map[string]any{"audience": "all", "promotional": true}
		toOne := map[string]any{"audience": "member", "member": "player", "promotional": true, "texts": texts("Offer", "<p>x</p>")}
		h.send(t, toAll, "Offer", "<p>x</p>")
		want(t, "before consent", h.unread(t, "player"), 0)
		want(t, "to one before consent", code(t, h.operator("POST", "/ops/v1/messages", toOne)), "message.consent")

		choose := func(allowed bool) {
			body := fmt.Sprintf(`{"choices":[{"topic":"promotion","way":"inbox","allowed":%v}]}`, allowed)
			r := h.Call(t, "PUT", "/wps/member/notifications", body, "Authorization", "player")
			want(t, "choose", r.Status, 200)
		}
		choose(true)
		want(t, "after consent", h.unread(t, "player"), 1)
		want(t, "of another member", h.unread(t, "stranger"), 0)
		count := merchanttest.Value[struct{ Members int64 }](t, h.operator("POST", "/ops/v1/messages/preview", map[string]any{"audience": "all", "promotional": true}))
		want(t, "preview", count.Members, int64(1))

		if err := h.Server.Limits.BeginBreak(t.Context(), member, "24h"); err != nil {
			t.Fatal(err)
		}
		want(t, "on a break", h.unread(t, "player"), 0)
		want(t, "to one on a break", code(t, h.operator("POST", "/ops/v1/messages", toOne)), "message.consent")
		h.system(t, member, message.DepositCredited, map[string]string{"amount": "1", "currency": "VND"})
		want(t, "about money on a break", h.unread(t, "player"), 1)

		choose(false)
		var kept int
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM notify_consent").Scan(&kept); err != nil {
			t.Fatal(err)
		}
		want(t, "records of consent", kept, 2)
		r := h.Call(t, "PUT", "/wps/member/notifications", `{"choices":[{"topic":"money","way":"inbox","allowed":false}]}`, "Authorization", "player")
		want(t, "switch off what is fixed", code(t, r), "message.choice")
	})
}

func TestThousandUnread(t *testing.T) {
	t.Parallel()
	h := newHouse(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	err := h.Store.Write(t.Context(), func(tx *db.Tx) error {
		for range 1000 {
			if err := h.Server.Inbox.SystemIn(t.Context(), tx, member, string(message.LimitRaised), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "unread", h.unread(t, "player"), 1000)
	seen := map[string]bool{}
	for cursor := ""; ; {
		p := merchanttest.Value[inbox](t, h.Call(t, "GET", list+"?pageSize=100&cursor="+cursor, nil, "Authorization", "player"))
		for _, i := range p.List {
			seen[i.ID] = true
		}
		if cursor = p.Next; cursor == "" {
			break
		}
	}
	want(t, "on all pages", len(seen), 1000)
	want(t, "read all", h.post(t, "player", readAll, "").Status, 200)
	want(t, "unread after all", h.unread(t, "player"), 0)
}
