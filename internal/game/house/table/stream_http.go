package table

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/house/refusal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

const (
	heartbeatInterval = 15 * time.Second
	sessionInterval   = time.Minute // between checks of the member's session, whose end is not reported to vendors
	readTimeout       = 10 * time.Second
)

const streamDoc = "Events have a name (`event:`) and JSON data (`data:`). Comments keep the connection open.\n\n" +
	"- `table`: {now, round, crowd, mine?, balance?}: sent first, at each phase of the round, and when the crowd changes, at most once a second. `mine` and `balance` are sent when the tickets have changed. " +
	"The fields are those of GET /house/v1/table.\n" +
	"- `closed`: {errorCode}: the site has closed, for everyone or for the caller's network, and the stream ends.\n" +
	"- `session`: {state: \"ended\"}: the session has ended, and the stream ends.\n" +
	"- `replaced`: {}: the player has opened too many newer streams, and this one ends."

// A streamer serves the event streams of tables. It queues no events: a notified client gets the current state. It disconnects
// a client that does not read.
type streamer struct{ s *Service }

func (t streamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := t.s.callerFrame(r.Context())
	if err == nil {
		_, err = t.s.o.Frames.Balance(r.Context(), f.Frame) // checks the member's session
	}
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	runner := t.s.runners.startForRequest(f.table)
	l := runner.join(f)
	if l == nil {
		rest.WriteError(w, r, refusal.ErrUnavailable)
		return
	}
	rest.ServeEvents(w, r, func(ctx context.Context, out *rest.EventStream) {
		defer runner.leave(l)
		if out.Send([]byte("retry: 2000\n: welcome\n\n")) == nil {
			(&streamClient{service: t.s, frame: f, runner: runner, out: eventWriter{out}}).run(ctx, l)
		}
	})
}

// A streamClient sends events to one client.
type streamClient struct {
	service *Service
	frame   tableFrame
	runner  *runner
	out     eventWriter

	mine []byte // the last tickets sent
}

func (c *streamClient) run(ctx context.Context, l *listener) {
	beat, check := time.NewTicker(heartbeatInterval), time.NewTicker(sessionInterval)
	defer beat.Stop()
	defer check.Stop()
	if c.sendState(ctx) != nil {
		return
	}
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-c.service.runners.ctx.Done():
			return
		case <-l.changed:
			if c.sendClosed(ctx) {
				return
			}
			err = c.sendState(ctx)
		case <-l.replaced:
			_ = c.out.sendEvent("replaced", []byte("{}")) // the stream ends either way
			return
		case <-beat.C:
			if c.sendClosed(ctx) {
				return
			}
			err = c.out.Send([]byte(": here\n\n"))
		case <-check.C:
			if _, err = c.balance(ctx); errors.Is(err, refusal.ErrExpired) {
				_ = c.out.sendEvent("session", []byte(`{"state":"ended"}`)) // the stream ends either way
				return
			}
			err = nil
		}
		if err != nil {
			return
		}
	}
}

// sendClosed sends the closed event if the site is closed to the client, and reports whether it is. It ignores other errors
// of the gate.
func (c *streamClient) sendClosed(ctx context.Context) bool {
	if c.service.o.Gate == nil {
		return false
	}
	checkCtx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	err := c.service.o.Gate.Open(checkCtx, rest.MerchantOf(ctx).ID, rest.ClientOf(ctx))
	for _, reason := range []*fault.Fault{rest.ErrMaintenance, rest.ErrRestricted} {
		if errors.Is(err, reason) {
			_ = c.out.sendEvent("closed", []byte(`{"errorCode":"`+reason.Code+`"}`)) // the stream ends either way
			return true
		}
	}
	return false
}

func (c *streamClient) sendState(ctx context.Context) error {
	readCtx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	state, err := c.runner.current(readCtx)
	if err != nil {
		return err
	}
	now := state.now()
	own, err := c.ownPart(readCtx, state.snapshot, now)
	if err != nil {
		return err
	}
	shared, err := state.snapshot.streamJSON(c.frame.Currency, now)
	if err != nil {
		return err
	}
	item := make([]byte, 0, len(shared)+len(own)+32)
	item = strconv.AppendInt(append(item, `{"now":`...), db.Millis(now), 10)
	item = append(append(append(item, ','), shared...), own...)
	return c.out.sendEvent("table", append(item, '}'))
}

// ownPart returns the client's tickets and balance as JSON, or nothing if the tickets have not changed.
func (c *streamClient) ownPart(ctx context.Context, snapshot *roundSnapshot, now time.Time) ([]byte, error) {
	own, err := snapshot.ticketsOf(c.frame.Player, c.frame.Currency, now)
	if err != nil {
		return nil, err
	}
	mine, err := json.Marshal(own)
	if err != nil || string(mine) == string(c.mine) {
		return nil, err
	}
	c.mine = mine
	text := append([]byte(`,"mine":`), mine...)
	if balance, err := c.balance(ctx); err == nil {
		text = append(append(text, `,"balance":`...), balance...)
	}
	return text, nil
}

func (c *streamClient) balance(ctx context.Context) (rest.Amount, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	b, err := c.service.o.Frames.Balance(ctx, c.frame.Frame)
	return rest.AmountOf(c.frame.Currency, b), err
}

// An eventWriter sends the events of a table.
type eventWriter struct{ *rest.EventStream }

// sendEvent sends an event. The data must be one line.
func (o eventWriter) sendEvent(event string, data []byte) error {
	return o.Send([]byte("event: " + event + "\ndata: " + string(data) + "\n\n"))
}
