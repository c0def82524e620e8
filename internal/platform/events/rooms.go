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

// maxRoomStreamsPerNetwork bounds the event streams that one network opens in a room. A mobile network may hold many viewers.
const maxRoomStreamsPerNetwork = 200

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
		viewer := reader{merchant: strconv.FormatInt(merchantID, 10), key: RoomKey(id), merchantID: merchantID, network: rest.Network(rest.ClientOf(ctx)).String()}
		t := &streamer{hub: h, sessions: endlessSessions{}, gate: gate, caller: func(context.Context) (reader, bool) { return viewer, true }}
		t.ServeHTTP(w, r)
	}))
}

// dropOldest ends the oldest event stream of a network that has too many in a room, and returns the others. The caller locks the hub.
func (h *Hub) dropOldest(streams []*stream, network string) []*stream {
	oldest, count := -1, 0
	for i, s := range streams {
		if s.session == network {
			if count++; oldest < 0 {
				oldest = i
			}
		}
	}
	if count < maxRoomStreamsPerNetwork {
		return streams
	}
	streams[oldest].end(replaced)
	h.open.Add(-1)
	return append(streams[:oldest:oldest], streams[oldest+1:]...)
}
