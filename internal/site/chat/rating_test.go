package chat_test

import (
	"net/http"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/chat"
	"fairground/internal/site/merchant/merchanttest"
)

func TestOnlyConversationsWithAnOperatorAreRated(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	end := func(wantRating bool) {
		t.Helper()
		got := merchanttest.Value[chat.View](t, h.call(http.MethodPost, "/wps/chat/close", nil))
		if got.Status != chat.Closed || got.CanRate != wantRating {
			t.Errorf("state = %+v, want closed, and CanRate = %v", got, wantRating)
		}
	}
	rate := func() merchanttest.Reply {
		return h.call(http.MethodPost, "/wps/chat/rate", map[string]any{"stars": 1})
	}
	h.send("a1", "hello")
	h.act(h.latest(), "claim", "release")
	end(false)
	wantError(t, rate(), 409, "chat.rated")

	h.send("a2", "hello again")
	h.act(h.latest(), "claim", "release", "claim")
	end(true)
	merchanttest.Value[chat.View](t, rate())
	if n := h.Number(t, "SELECT COUNT(*) FROM chat_rating WHERE operator = 'thuha'"); n != 1 || h.Count(t, "chat_rating") != 1 {
		t.Errorf("%d of %d ratings are of thuha, want 1 of 1", n, h.Count(t, "chat_rating"))
	}
}
