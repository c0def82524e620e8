package events

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/platform/rest"
)

// roomPrefix separates live streams from members' ids.
const roomPrefix = "room/"

// RoomKey returns the Member of messages to all viewers of a live stream.
func RoomKey(id int64) string { return roomPrefix + strconv.FormatInt(id, 10) }

func isRoom(key string) bool { return strings.HasPrefix(key, roomPrefix) }

// RoomRoutes adds the event stream of viewers, who need no session. find checks the room that the path names.
func RoomRoutes(a *rest.API, h *Hub, op rest.Op, gate rest.Gate, find func(ctx context.Context, name string) (id int64, err error)) {
	op.Stream, op.ContentType = true, "text/event-stream"
	rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		id, err := find(ctx, r.PathValue("id"))
		if err != nil {
			rest.WriteError(w, r, err)
			return
		}
		merchantID := rest.MerchantOf(ctx).ID
		viewer := reader{merchant: strconv.FormatInt(merchantID, 10), key: RoomKey(id), merchantID: merchantID, network: networkOf(ctx)}
		t := &streamer{hub: h, sessions: endlessSessions{}, gate: gate, caller: func(context.Context) (reader, bool) { return viewer, true }}
		t.ServeHTTP(w, r)
	}))
}

// networkOf returns the network of a viewer or visitor.
func networkOf(ctx context.Context) string { return rest.Network(rest.ClientOf(ctx)).String() }
