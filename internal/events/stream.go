package events

import (
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/rest"
)

const (
	heartbeat    = 20 * time.Second
	recheck      = time.Minute // a session that ran out by time is announced by nobody
	writeTimeout = 10 * time.Second
)

// Register adds the event stream to the API. sessions is asked now and then whether the caller's session is
// still alive.
func Register(a *rest.API, h *Hub, sessions rest.Authenticator) {
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/events", ID: "events", Tag: "events",
		Summary: "Event stream: balance, session and other news of the caller",
		Access:  rest.Session, Timeout: -1,
	}, &streamer{hub: h, sessions: sessions})
}

// streamer serves event streams. Read with fetch, for EventSource cannot send the session's header.
type streamer struct {
	hub      *Hub
	sessions rest.Authenticator
}

func (t *streamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	caller, ok := rest.CallerOf(r.Context())
	if !ok {
		rest.WriteError(w, r, rest.ErrNoSession)
		return
	}
	s, err := t.hub.add(strconv.FormatInt(caller.MerchantID, 10), strconv.FormatInt(caller.MemberID, 10), strconv.FormatInt(caller.SessionID, 10))
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	defer t.hub.remove(s)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // proxies must not hold items back
	out := writer{w: w, control: http.NewResponseController(w)}
	if out.write([]byte("retry: 3000\n: welcome\n\n")) != nil {
		return
	}
	t.pump(r, s, out)
}

// pump sends until the browser leaves, the session ends or the hub lets the stream go.
func (t *streamer) pump(r *http.Request, s *stream, out writer) {
	beat, check := time.NewTicker(heartbeat), time.NewTicker(recheck)
	defer beat.Stop()
	defer check.Stop()
	token := rest.TokenOf(r.Context())
	for {
		var wire []byte
		select {
		case <-r.Context().Done():
			return
		case <-s.done:
			if s.farewell != nil {
				_ = out.write(s.farewell) // the stream ends either way
			}
			return
		case wire = <-s.frames:
		case <-beat.C:
			wire = []byte(": beat\n\n")
		case <-check.C:
			if _, err := t.sessions.Authenticate(r.Context(), token); fault.KindOf(err) == fault.Unauth && err != nil {
				_ = out.write(sessionEnded)
				return
			}
			continue
		}
		if out.write(wire) != nil {
			return
		}
	}
}

// writer sends at once and gives up on a reader that takes nothing.
type writer struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (o writer) write(p []byte) error {
	if err := o.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := o.w.Write(p); err != nil {
		return err
	}
	return o.control.Flush()
}
