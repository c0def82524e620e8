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
	sessionInterval   = time.Minute // between checks of the member's session: vendors get no notice of its end
	writeTimeout      = 10 * time.Second
)

const streamDoc = "Items have a name (`event:`) and JSON (`data:`); others are comments that keep the way open.\n\n" +
	"- `table`: {now, round, crowd, mine?, balance?}: at once, at each phase of the round, and when the crowd changes, once a second at most; `mine` and `balance` when they changed. " +
	"The same as in the call of the table.\n" +
	"- `closed`: {errorCode}: the site has closed, to all or to the caller's address, and the stream ends.\n" +
	"- `session`: {state: \"ended\"}: the session is over, and the stream with it.\n" +
	"- `replaced`: {}: the player opened too many other streams after this one, which ends."

// A streamer serves the streams of tables. It queues nothing for a reader: a notified reader gets the current view. It drops
// a reader that does not read.
type streamer struct{ s *Service }

func (t streamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := t.s.enter(r.Context())
	if err == nil {
		_, err = t.s.o.Frames.Balance(r.Context(), f.Frame) // checks the member's session
	}
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	d := t.s.desks.at(f.table)
	l := d.join(f)
	if l == nil {
		rest.WriteError(w, r, refusal.ErrUnavailable)
		return
	}
	defer d.leave(l)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // proxies must not buffer
	out := eventWriter{w: w, control: http.NewResponseController(w)}
	if out.send([]byte("retry: 2000\n: welcome\n\n")) != nil {
		return
	}
	(&reader{s: t.s, f: f, d: d, out: out}).run(rest.WithoutTimeout(r.Context()), l)
}

type reader struct {
	s   *Service
	f   tableFrame
	d   *desk
	out eventWriter

	mine []byte // the tickets that were sent last
}

func (t *reader) run(ctx context.Context, l *listener) {
	beat, check := time.NewTicker(heartbeatInterval), time.NewTicker(sessionInterval)
	defer beat.Stop()
	defer check.Stop()
	if t.sendView(ctx) != nil {
		return
	}
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-t.s.desks.ctx.Done():
			return
		case <-l.changed:
			if t.sendClosed(ctx) {
				return
			}
			err = t.sendView(ctx)
		case <-l.replaced:
			_ = t.out.item("replaced", []byte("{}")) // the stream ends either way
			return
		case <-beat.C:
			if t.sendClosed(ctx) {
				return
			}
			err = t.out.send([]byte(": here\n\n"))
		case <-check.C:
			if _, err = t.balance(ctx); errors.Is(err, refusal.ErrExpired) {
				_ = t.out.item("session", []byte(`{"state":"ended"}`)) // the stream ends either way
				return
			}
			err = nil
		}
		if err != nil {
			return
		}
	}
}

// sendClosed sends the last event if the site is closed to the reader. It ignores other errors of the gate.
func (t *reader) sendClosed(ctx context.Context) bool {
	if t.s.o.Gate == nil {
		return false
	}
	checking, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	err := t.s.o.Gate.Open(checking, rest.MerchantOf(ctx).ID, rest.ClientOf(ctx))
	for _, reason := range []*fault.Fault{rest.ErrMaintenance, rest.ErrRestricted} {
		if errors.Is(err, reason) {
			_ = t.out.item("closed", []byte(`{"errorCode":"`+reason.Code+`"}`)) // the stream ends either way
			return true
		}
	}
	return false
}

func (t *reader) sendView(ctx context.Context) error {
	reading, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	v, err := t.d.view(reading)
	if err != nil {
		return err
	}
	now := v.now()
	own, err := t.ownPart(reading, v.snapshot, now)
	if err != nil {
		return err
	}
	shared, err := v.snapshot.wire(t.f.Currency, now)
	if err != nil {
		return err
	}
	item := make([]byte, 0, len(shared)+len(own)+32)
	item = strconv.AppendInt(append(item, `{"now":`...), db.Millis(now), 10)
	item = append(append(append(item, ','), shared...), own...)
	return t.out.item("table", append(item, '}'))
}

// ownPart returns the reader's tickets and balance if the tickets have changed.
func (t *reader) ownPart(ctx context.Context, snapshot *roundSnapshot, now time.Time) ([]byte, error) {
	own, err := snapshot.ticketsOf(t.f.Player, t.f.Currency, now)
	if err != nil {
		return nil, err
	}
	mine, err := json.Marshal(own)
	if err != nil || string(mine) == string(t.mine) {
		return nil, err
	}
	t.mine = mine
	text := append([]byte(`,"mine":`), mine...)
	if balance, err := t.balance(ctx); err == nil {
		text = append(append(text, `,"balance":`...), balance...)
	}
	return text, nil
}

func (t *reader) balance(ctx context.Context) (rest.Amount, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	b, err := t.s.o.Frames.Balance(ctx, t.f.Frame)
	return rest.AmountOf(t.f.Currency, b), err
}

// An eventWriter flushes every write, and fails for a reader that does not read.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// item sends an event. The data is one line.
func (o eventWriter) item(event string, data []byte) error {
	return o.send([]byte("event: " + event + "\ndata: " + string(data) + "\n\n"))
}

func (o eventWriter) send(p []byte) error {
	if err := o.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := o.w.Write(p); err != nil {
		return err
	}
	return o.control.Flush()
}
