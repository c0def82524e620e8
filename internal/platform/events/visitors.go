package events

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/platform/rest"
)

// visitorPrefix separates visitors' keys from members' ids.
const visitorPrefix = "visitor/"

// VisitorKey returns the value of Message.Member for the visitor of a conversation.
func VisitorKey(chat int64) string { return visitorPrefix + strconv.FormatInt(chat, 10) }

func isVisitor(key string) bool { return strings.HasPrefix(key, visitorPrefix) }

// VisitorRoutes adds the event stream for visitors who chat. find returns the visitor's conversation, or 0.
func VisitorRoutes(a *rest.API, h *Hub, find func(context.Context) (merchantID, chat int64, err error), gate rest.Gate) {
	caller := func(ctx context.Context) (reader, bool) {
		merchantID, chat, err := find(ctx)
		return reader{merchant: strconv.FormatInt(merchantID, 10), key: VisitorKey(chat), merchantID: merchantID, network: networkOf(ctx)}, err == nil && chat != 0
	}
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/visitor/events", ID: "visitorEvents", Tag: "events", Access: rest.Public, Stream: true, ContentType: "text/event-stream",
		Summary:     "Event stream of a visitor who chats",
		Description: "`chat` and `chat.typing`, as in the members' event stream. It needs the cookie of a conversation.",
	}, &streamer{hub: h, sessions: endlessSessions{}, gate: gate, caller: caller})
}

// endlessSessions implements Sessions for visitors, whose sessions do not end.
type endlessSessions struct{}

// Alive implements Sessions.
func (endlessSessions) Alive(context.Context, int64) (bool, error) { return true, nil }
