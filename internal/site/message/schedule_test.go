package message_test

import (
	"maps"
	"strconv"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/message"
)

// schedule stores a message that starts in 10 minutes and ends in 20.
func (h *inboxSite) schedule(t *testing.T, audience map[string]any) (m sentMessage, id int64) {
	t.Helper()
	audience["startsAt"], audience["endsAt"] = db.Millis(h.Clock.Now().Add(10*time.Minute)), db.Millis(h.Clock.Now().Add(20*time.Minute))
	m = h.send(t, audience, "Later", "<p>text</p>")
	wantEqual(t, "status of a new message", m.Status, "scheduled")
	id, err := strconv.ParseInt(m.ID, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return m, id
}

// follow runs the periodic job.
func (h *inboxSite) follow(t *testing.T) {
	t.Helper()
	if err := h.Server.Inbox.FollowSchedule(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// deliver runs the periodic job and, as the queue does, the delivery of a message that is being sent.
func (h *inboxSite) deliver(t *testing.T, id int64) {
	t.Helper()
	h.follow(t)
	if err := h.Server.Inbox.Run(t.Context(), id); err != nil {
		t.Fatal(err)
	}
}

func (h *inboxSite) status(t *testing.T, id string) sentMessage {
	t.Helper()
	return merchanttest.Value[sentMessage](t, h.operator("GET", "/ops/v1/messages/"+id, nil))
}

// events returns the number of transactions that notified members' pages of a change of the inbox.
func (h *inboxSite) events(t *testing.T) int64 {
	t.Helper()
	return h.Number(t, "SELECT COUNT(*) FROM outbox WHERE payload LIKE '%"+message.Event+"%'")
}

func TestMessageToAllIsShownFromItsStartToItsEnd(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		m, id := h.schedule(t, map[string]any{"audience": "all"})
		wantHidden := func(when string) {
			t.Helper()
			wantEqual(t, "unread "+when, h.unread(t, "player"), 0)
			wantEqual(t, "listed "+when, len(h.list(t, "player").List), 0)
			wantEqual(t, "opened "+when, errorCode(t, h.Call(t, "GET", messagePath+m.ID, nil, "Authorization", "player")), "message.unknown")
			wantEqual(t, "marked as read "+when, errorCode(t, h.post(t, "player", readPath, idBody(m.ID))), "message.unknown")
			wantEqual(t, "all marked as read "+when, h.post(t, "player", readAllPath, "").Status, 200)
		}
		wantHidden("before the start")
		h.Clock.Add(10*time.Minute - time.Millisecond)
		h.deliver(t, id)
		wantHidden("a moment before the start")
		wantEqual(t, "status before the start", h.status(t, m.ID).Status, "scheduled")
		wantEqual(t, "events before the start", h.events(t), int64(0))

		h.AddMember(t, 805, "newcomer") // registers after the message was written
		h.Exec(t, "UPDATE member SET created_at = $1 WHERE id = 805", db.Millis(h.Clock.Now()))
		h.Clock.Add(time.Millisecond)
		h.follow(t)
		wantEqual(t, "events at the start", h.events(t), int64(1))
		h.deliver(t, id)
		wantEqual(t, "events after a repeated run", h.events(t), int64(1))
		wantEqual(t, "status after the start", h.status(t, m.ID).Status, "sent")
		wantEqual(t, "unread after the start", h.unread(t, "player"), 1)
		unread, err := h.Server.Inbox.Unread(t.Context(), message.Reader{ID: 805, MerchantID: h.ID, Language: "vi"})
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "unread of the newcomer", unread, 1)
		wantEqual(t, "rows before anyone reads", h.Count(t, "inbox"), 0)
		shownAt := func() int64 {
			type timed struct{ List []struct{ CreatedAt int64 } }
			return merchanttest.Value[timed](t, h.Call(t, "GET", listPath, nil, "Authorization", "player")).List[0].CreatedAt
		}
		wantEqual(t, "time", shownAt(), db.Millis(h.Clock.Now()))
		wantEqual(t, "read all", h.post(t, "player", readAllPath, "").Status, 200)
		wantEqual(t, "rows after one member has read", h.Count(t, "inbox"), 1)
		wantEqual(t, "time after reading", shownAt(), db.Millis(h.Clock.Now()))

		h.Clock.Add(10 * time.Minute)
		wantEqual(t, "unread of the other member after the end", h.unread(t, "stranger"), 0)
		wantHidden("after the end")
		before := h.events(t)
		h.deliver(t, id)
		wantEqual(t, "status after the end", h.status(t, m.ID).Status, "ended")
		wantEqual(t, "events at the end", h.events(t)-before, int64(1))
	})
}

func TestScheduledMessageIsDeliveredAtItsStart(t *testing.T) {
	t.Parallel()
	for name, audience := range map[string]map[string]any{
		"to a member":  {"audience": "member", "member": "player"},
		"to a segment": {"audience": "segment", "segment": map[string]any{"language": "vi"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newInboxSite(t, store)
				h.Exec(t, "UPDATE member SET language = 'pt' WHERE id = $1", strangerID)
				wantEqual(t, "subscribe", h.Call(t, "POST", pushPath, subscription(t, "https://push.example.test/one"), "Authorization", "player").Status, 200)
				m, id := h.schedule(t, maps.Clone(audience))
				h.deliver(t, id)
				wantEqual(t, "reached before the start", h.status(t, m.ID).Reached, int64(0))
				wantEqual(t, "rows before the start", h.Count(t, "inbox"), 0)
				wantEqual(t, "push messages before the start", len(h.queuedPushes(t)), 0)
				wantEqual(t, "events before the start", h.events(t), int64(0))

				h.Clock.Add(10 * time.Minute)
				for range 2 { // a repeated run changes nothing
					h.deliver(t, id)
				}
				m = h.status(t, m.ID)
				wantEqual(t, "status", m.Status, "sent")
				wantEqual(t, "reached", m.Reached, int64(1))
				wantEqual(t, "unread", h.unread(t, "player"), 1)
				wantEqual(t, "unread of the other member", h.unread(t, "stranger"), 0)
				wantEqual(t, "push messages", len(h.queuedPushes(t)), 1)
				wantEqual(t, "events at the start", h.events(t), int64(1))

				h.Clock.Add(10 * time.Minute)
				wantEqual(t, "unread after the end", h.unread(t, "player"), 0)
				wantEqual(t, "listed after the end", len(h.list(t, "player").List), 0)
			})
		})
	}
}

func TestConsentAndWithdrawalDecideAtTheStart(t *testing.T) {
	t.Parallel()
	allow := func(t *testing.T, h *inboxSite) {
		t.Helper()
		body := `{"choices":[{"topic":"promotion","way":"inbox","allowed":true}]}`
		wantEqual(t, "choose", h.Call(t, "PUT", "/wps/member/notifications", body, "Authorization", "player").Status, 200)
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, h *inboxSite, m sentMessage)
		status string
		want   int
	}{
		"no consent": {func(*testing.T, *inboxSite, sentMessage) {}, "sent", 0},
		"consent given": {func(t *testing.T, h *inboxSite, _ sentMessage) {
			t.Helper()
			allow(t, h)
		}, "sent", 1},
		"break begun": {func(t *testing.T, h *inboxSite, _ sentMessage) {
			t.Helper()
			allow(t, h)
			if err := h.Server.Limits.BeginBreak(t.Context(), playerID, "24h"); err != nil {
				t.Fatal(err)
			}
		}, "sent", 0},
		"withdrawn": {func(t *testing.T, h *inboxSite, m sentMessage) {
			t.Helper()
			allow(t, h)
			before := h.events(t)
			r := h.operator("POST", "/ops/v1/messages/"+m.ID+"/withdraw", map[string]any{"version": m.Version, "reason": "wrong"})
			wantEqual(t, "withdraw", r.Status, 200)
			wantEqual(t, "events of the withdrawal", h.events(t)-before, int64(0))
		}, "withdrawn", 0},
		"server down until after the end": {func(t *testing.T, h *inboxSite, _ sentMessage) {
			t.Helper()
			allow(t, h)
			h.Clock.Add(10 * time.Minute)
		}, "ended", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				h := newInboxSite(t, store)
				m, id := h.schedule(t, map[string]any{"audience": "member", "member": "player", "promotional": true})
				c.change(t, h, m)
				h.Clock.Add(10 * time.Minute)
				h.deliver(t, id)
				m = h.status(t, m.ID)
				wantEqual(t, "status", m.Status, c.status)
				wantEqual(t, "reached", m.Reached, int64(c.want))
				wantEqual(t, "rows", h.Count(t, "inbox"), c.want)
				wantEqual(t, "unread", h.unread(t, "player"), c.want)
			})
		})
	}
}

func TestScheduleOfAMessageIsChecked(t *testing.T) {
	t.Parallel()
	h := newInboxSite(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	now := db.Millis(h.Clock.Now())
	for name, c := range map[string]struct {
		starts, ends int64
		want         string
	}{
		"start has passed":      {now, 0, "message.schedule"},
		"end has passed":        {0, now, "message.schedule"},
		"end at the start":      {now + 60_000, now + 60_000, "message.schedule"},
		"end after the start":   {now + 60_000, now + 60_001, ""},
		"end of one sent today": {0, now + 60_000, ""},
	} {
		body := map[string]any{"audience": "all", "texts": texts("x", "y"), "startsAt": c.starts, "endsAt": c.ends}
		wantEqual(t, name, errorCode(t, h.operator("POST", "/ops/v1/messages", body)), c.want)
	}
	listed := func(state string) int {
		return len(merchanttest.Value[struct{ List []sentMessage }](t, h.operator("GET", "/ops/v1/messages?state="+state, nil)).List)
	}
	wantEqual(t, "scheduled messages in the list", listed("scheduled"), 1)
	wantEqual(t, "messages that are being sent in the list", listed("sending"), 1)
}
