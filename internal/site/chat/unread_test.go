package chat_test

import (
	"net/http"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestCA16UnreadCountsPart(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	const liveChat, customerService = "/wps/relay/CBS_unreadCount", "/wps/relay/CSP_unreadCount"
	chatCount := func(path string) int64 {
		t.Helper()
		return merchanttest.Value[struct{ TotalUnreadCount int64 }](t, h.call(http.MethodGet, path, nil)).TotalUnreadCount
	}
	wantCounts := func(when string, chatUnread, inboxUnread int64) {
		t.Helper()
		inbox := merchanttest.Value[struct{ InboxUnreadCount int64 }](t, h.call(http.MethodGet, "/wps/relay/EMFE_getInboxUnreadCount", nil)).InboxUnreadCount
		if got := [3]int64{chatCount(liveChat), chatCount(customerService), inbox}; got != [3]int64{chatUnread, chatUnread, inboxUnread} {
			t.Errorf("%s: unread in the live chat, from customer service and in the inbox = %v, want %d, %d and %d", when, got, chatUnread, chatUnread, inboxUnread)
		}
	}
	wantCounts("at first", 0, 0)
	h.send("a1", "hello")
	row := h.act(h.latest(), "claim")
	h.reply(row.ID, "o1", "one")
	h.reply(row.ID, "o2", "two")
	text := map[string]any{"vi": map[string]string{"title": "Bảo trì", "body": "<p>02:00</p>"}}
	if r := h.operator(http.MethodPost, "/ops/v1/messages", map[string]any{"audience": "member", "member": "minhanh92", "texts": text}); r.Status != http.StatusOK {
		t.Fatalf("message: got %d %s, want 200", r.Status, r.Body)
	}
	wantCounts("after two answers and a message", 2, 1)
	merchanttest.Value[struct{}](t, h.call(http.MethodPost, "/wps/chat/read", map[string]any{"seq": h.state().LastSeq}))
	wantCounts("after reading the chat", 0, 1)

	for _, path := range []string{liveChat, customerService} {
		wantError(t, h.Call(t, http.MethodGet, path, nil), 401, "login.not.session")
	}
	if err := h.Merchants.SetSwitch(t.Context(), h.ID, merchant.SwitchOf(spec.ModuleChat, false)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{liveChat, customerService} {
		wantError(t, h.call(http.MethodGet, path, nil), 403, "module.off")
	}
}
