package events

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/rest"
)

const (
	heartbeat       = 20 * time.Second
	recheckInterval = time.Minute // needed because no message reports that a session has expired
	checkTimeout    = 10 * time.Second
)

const streamDescription = "Items have a name (`event:`) and JSON (`data:`); others are comments that keep the connection open.\n\n" +
	"- `balance`: {kind, currency, balance, version}: one of the caller's balances after a change. Versions grow. Ignore one that is lower than the last seen.\n" +
	"- `content.changed`, `catalogue.changed`: {}: an operator has changed the content, or the games. Load what is shown again.\n" +
	"- `lottery.settled`: {gameId, numero, status}: a lottery draw was settled, corrected or voided. Status is `settled` or `void`.\n" +
	"- `chat`: {seq}: the caller's conversation with customer service changed, and seq is the number of its last message. `chat.typing`: {operator}: the operator writes.\n" +
	"- `session`: {state: \"ended\"}: the session is over, and the stream with it.\n" +
	"- `closed`: {errorCode}: the site has closed, to all or to the caller's address, and the stream ends. Status says how and why.\n" +
	"- `replaced`: {}: the member opened too many other streams after this one, which ends."

// Sessions checks sessions by id, because renewing a session replaces the token that opened the stream.
type Sessions interface {
	Alive(ctx context.Context, sessionID int64) (bool, error)
}

// Routes adds the event stream to the API. gate checks whether the site is open; nil means always.
func Routes(a *rest.API, h *Hub, sessions Sessions, gate rest.Gate) {
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/events", ID: "events", Tag: "events", Unrestricted: true,
		Summary: "Event stream: balance, session and other news of the caller",
		Access:  rest.Session, Stream: true, ContentType: "text/event-stream", Description: streamDescription,
	}, &streamer{hub: h, sessions: sessions, gate: gate, caller: memberCaller})
}

// A reader is the member, operator or visitor who reads a stream.
type reader struct {
	merchant, key string
	merchantID    int64
	sessionID     int64
	network       string // of a viewer in a room or a visitor, instead of the session
}

// session returns what the hub knows the reader by, besides the key.
func (r reader) session() string {
	if r.network != "" {
		return r.network
	}
	return strconv.FormatInt(r.sessionID, 10)
}

func memberCaller(ctx context.Context) (reader, bool) {
	c, ok := rest.CallerOf(ctx)
	return reader{merchant: strconv.FormatInt(c.MerchantID, 10), key: strconv.FormatInt(c.MemberID, 10), merchantID: c.MerchantID, sessionID: c.SessionID}, ok
}

// A streamer serves event streams. Clients use fetch, because EventSource cannot send the session header.
type streamer struct {
	hub      *Hub
	sessions Sessions
	gate     rest.Gate
	caller   func(context.Context) (reader, bool)
}

func (t *streamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	caller, ok := t.caller(r.Context())
	if !ok {
		rest.WriteError(w, r, rest.ErrNoSession)
		return
	}
	s, err := t.hub.add(caller.merchant, caller.key, caller.session())
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	// Check again: a message about the session or the site that was sent before the stream was added is lost.
	alive, err := t.sessions.Alive(r.Context(), caller.sessionID)
	if err == nil && !alive {
		err = rest.ErrTokenInvalid
	}
	if err == nil {
		err = t.checkOpen(r.Context(), caller.merchantID, rest.ClientOf(r.Context()))
	}
	if err != nil {
		t.hub.remove(s)
		rest.WriteError(w, r, err)
		return
	}
	rest.ServeEvents(w, r, func(ctx context.Context, out *rest.EventStream) {
		defer t.hub.remove(s)
		if out.Send([]byte("retry: 3000\n: welcome\n\n")) == nil {
			t.pump(ctx, caller, s, out)
		}
	})
}

var beatComment = []byte(": beat\n\n")

func (t *streamer) pump(ctx context.Context, caller reader, s *stream, out *rest.EventStream) {
	beat, check := time.NewTicker(heartbeat), time.NewTicker(recheckInterval)
	defer beat.Stop()
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.done:
			if s.lastEvent != nil {
				_ = out.Send(s.lastEvent) // the stream ends either way
			}
			return
		case <-s.wake:
			events, recheckDue := s.take()
			for _, event := range events {
				if out.Send(event) != nil {
					return
				}
			}
			if recheckDue && t.sendEndIfOver(ctx, caller, out) {
				return
			}
		case <-beat.C:
			if out.Send(beatComment) != nil {
				return
			}
		case <-check.C: // a message may have been lost
			if t.sendEndIfOver(ctx, caller, out) {
				return
			}
		}
	}
}

// sendEndIfOver sends the last event and returns true if the session has ended or the site is closed. An unreachable
// database does not end the stream.
func (t *streamer) sendEndIfOver(ctx context.Context, caller reader, out *rest.EventStream) bool {
	if alive, err := t.isSessionAlive(ctx, caller.sessionID); err == nil && !alive {
		_ = out.Send(sessionEnded) // the stream ends either way
		return true
	}
	return t.sendEndIfClosed(ctx, caller, out)
}

// isSessionAlive has a timeout, so that messages do not wait for a hanging database.
func (t *streamer) isSessionAlive(ctx context.Context, sessionID int64) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return t.sessions.Alive(ctx, sessionID)
}

// sendEndIfClosed sends the last event and returns true if the site is closed to the reader. Other errors of the gate do
// not end the stream.
func (t *streamer) sendEndIfClosed(ctx context.Context, caller reader, out *rest.EventStream) bool {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	err := t.checkOpen(ctx, caller.merchantID, rest.ClientOf(ctx))
	for _, reason := range []*fault.Fault{rest.ErrMaintenance, rest.ErrRestricted} {
		if errors.Is(err, reason) {
			_ = out.Send(frame("closed", []byte(`{"errorCode":"`+reason.Code+`"}`))) // the stream ends either way
			return true
		}
	}
	return false
}

func (t *streamer) checkOpen(ctx context.Context, merchantID int64, address netip.Addr) error {
	if t.gate == nil {
		return nil
	}
	return t.gate.Open(ctx, merchantID, address)
}
