package message_test

import (
	"fmt"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/message"
)

const pushPath = "/wps/member/notifications/push"

// A waiting is a promotion that waits to be sent to the player, by push and by e-mail.
type waiting struct {
	*inboxSite
	service *pushService
	sent    sentMessage
	note    int64
	origin  string // of the e-mail
}

// queuePromotion queues a promotion for a player who has agreed to it.
func queuePromotion(t *testing.T, store *db.Store) waiting {
	t.Helper()
	w := waiting{inboxSite: newInboxSite(t, store), service: newPushService(t)}
	w.Server.Inbox.UseClient(w.service.Client())
	if _, err := store.Writer.ExecContext(t.Context(), "UPDATE member SET email = 'player@mail.example.test' WHERE id = $1", playerID); err != nil {
		t.Fatal(err)
	}
	w.allow(t, true)
	wantEqual(t, "subscribe", w.Call(t, "POST", pushPath, subscription(t, w.service.URL+"/one"), "Authorization", "player").Status, 200)
	w.sent = w.send(t, map[string]any{"audience": "member", "member": "player", "promotional": true}, "Offer", "<p>x</p>")
	notes := w.queuedPushes(t)
	if len(notes) != 1 {
		t.Fatalf("queued push messages: got %d, want 1", len(notes))
	}
	w.note = notes[0]
	if err := store.Reader.QueryRow("SELECT origin FROM dispatch WHERE kind = 'message'").Scan(&w.origin); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w waiting) allow(t *testing.T, allowed bool) {
	t.Helper()
	choice := func(way string) string {
		return fmt.Sprintf(`{"topic":"promotion","way":%q,"allowed":%v}`, way, allowed)
	}
	body := fmt.Sprintf(`{"choices":[%s,%s,%s]}`, choice("inbox"), choice("push"), choice("email"))
	wantEqual(t, "choose", w.Call(t, "PUT", "/wps/member/notifications", body, "Authorization", "player").Status, 200)
}

func TestQueuedPromotionsAreCheckedAgainWhenTheyAreSent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, w waiting)
		want   int
	}{
		"nothing changed": {func(*testing.T, waiting) {}, 1},
		"break begun": {func(t *testing.T, w waiting) {
			t.Helper()
			if err := w.Server.Limits.BeginBreak(t.Context(), playerID, "24h"); err != nil {
				t.Fatal(err)
			}
		}, 0},
		"consent withdrawn": {func(t *testing.T, w waiting) { t.Helper(); w.allow(t, false) }, 0},
		"message withdrawn": {func(t *testing.T, w waiting) {
			t.Helper()
			r := w.operator("POST", "/ops/v1/messages/"+w.sent.ID+"/withdraw", map[string]any{"version": w.sent.Version, "reason": "wrong"})
			wantEqual(t, "withdraw", r.Status, 200)
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				w := queuePromotion(t, store)
				c.change(t, w)
				if err := w.Server.Inbox.Push(t.Context(), w.note); err != nil {
					t.Fatal(err)
				}
				wantEqual(t, "push messages sent", len(w.service.received), c.want)
				wantEqual(t, "push messages left", len(w.queuedPushes(t)), 0)
				allowed, err := w.Server.Inbox.MayEmail(t.Context(), w.origin)
				if err != nil {
					t.Fatal(err)
				}
				wantEqual(t, "may send the e-mail", allowed, c.want == 1)
			})
		})
	}
}

func TestPushMessagesOfTheEarlierMemberOfABrowserAreDropped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newInboxSite(t, store)
		body := subscription(t, "https://push.example.test/shared")
		wantEqual(t, "subscribe", h.Call(t, "POST", pushPath, body, "Authorization", "player").Status, 200)
		h.addSystemMessage(t, playerID, message.WithdrawalPaid, map[string]string{"amount": "5000", "currency": "VND"})
		wantEqual(t, "subscribe again", h.Call(t, "POST", pushPath, body, "Authorization", "player").Status, 200)
		wantEqual(t, "queued for the same member", len(h.queuedPushes(t)), 1)
		wantEqual(t, "subscribe as another member", h.Call(t, "POST", pushPath, body, "Authorization", "stranger").Status, 200)
		wantEqual(t, "queued for the earlier member", len(h.queuedPushes(t)), 0)
	})
}
