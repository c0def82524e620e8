package events

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/platform/rest"
)

// visitorPrefix separates visitors' conversations from members' ids.
const visitorPrefix = "visitor/"

// VisitorKey returns the Member of messages to the visitor of a conversation.
func VisitorKey(chat int64) string { return visitorPrefix + strconv.FormatInt(chat, 10) }

func isVisitor(key string) bool { return strings.HasPrefix(key, visitorPrefix) }

// VisitorRoutes adds the event stream of visitors who chat. find returns the visitor's conversation, or 0.
func VisitorRoutes(a *rest.API, h *Hub, find func(context.Context) (merchantID, chat int64, err error), gate rest.Gate) {
	caller := func(ctx context.Context) (reader, bool) {
		merchantID, chat, err := find(ctx)
		return reader{merchant: strconv.FormatInt(merchantID, 10), key: VisitorKey(chat), merchantID: merchantID}, err == nil && chat != 0
	}
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/visitor/events", ID: "visitorEvents", Tag: "events", Access: rest.Public, Stream: true, ContentType: "text/event-stream",
		Summary:     "Event stream of a visitor who chats",
		Description: "`chat` and `chat.typing`, as in the members' event stream. It needs the cookie of a conversation.",
	}, &streamer{hub: h, sessions: always{}, gate: gate, caller: caller})
}

// always is the session of a visitor, which does not end.
type always struct{}

// Alive implements Sessions.
func (always) Alive(context.Context, int64) (bool, error) { return true, nil }
