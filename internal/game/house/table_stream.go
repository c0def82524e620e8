package house

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

const (
	tableBeat    = 15 * time.Second
	tableRecheck = time.Minute // a session that ended is announced to no vendor
	writeWithin  = 10 * time.Second
)

// tableStreamed is the stream for the document.
const tableStreamed = "Items have a name (`event:`) and JSON (`data:`); others are comments that keep the way open.\n\n" +
	"- `table`: {now, round, crowd, mine?, balance?}: at once, at each phase of the round, and when the crowd changes, once a second at most; `mine` and `balance` when they changed. " +
	"The same as in the call of the table.\n" +
	"- `closed`: {errorCode}: the site has closed, to all or to the caller's address, and the stream ends.\n" +
	"- `session`: {state: \"ended\"}: the session is over, and the stream with it.\n" +
	"- `replaced`: {}: the player opened too many other streams after this one, which ends."

// tableStreamer serves the streams of tables. Nothing is kept for a reader: it is told that there is news, and gets what
// is true when it takes it. One that takes nothing is let go.
type tableStreamer struct{ s *Service }

func (t tableStreamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := t.s.enterTable(r.Context())
	if err == nil {
		_, err = t.s.balance(r.Context(), f) // only the wallet knows whether the session still stands
	}
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	d := t.s.desks.at(f.table)
	sitter := d.sit(f)
	if sitter == nil {
		rest.WriteError(w, r, ErrUnavailable)
		return
	}
	defer d.rise(sitter)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // proxies must not hold items back
	out := tableWriter{w: w, control: http.NewResponseController(w)}
	if out.send([]byte("retry: 2000\n: welcome\n\n")) != nil {
		return
	}
	(&tableReader{s: t.s, f: f, d: d, out: out}).pump(rest.WithoutTimeout(r.Context()), sitter)
}

// tableReader is one open stream and what it was told last.
type tableReader struct {
	s   *Service
	f   frame
	d   *desk
	out tableWriter

	mine []byte
}

func (t *tableReader) pump(ctx context.Context, sitter *sitter) {
	beat, check := time.NewTicker(tableBeat), time.NewTicker(tableRecheck)
	defer beat.Stop()
	defer check.Stop()
	if t.tell(ctx) != nil {
		return
	}
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-t.s.desks.ctx.Done():
			return
		case <-sitter.news:
			if t.closed(ctx) {
				return
			}
			err = t.tell(ctx)
		case <-sitter.replaced:
			_ = t.out.item("replaced", []byte("{}")) // the stream ends either way
			return
		case <-beat.C:
			if t.closed(ctx) {
				return
			}
			err = t.out.send([]byte(": here\n\n"))
		case <-check.C:
			if _, err = t.balance(ctx); errors.Is(err, ErrExpired) {
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

// closed sends the last event when the site has closed to the reader. A gate that cannot tell just now shuts nobody out.
func (t *tableReader) closed(ctx context.Context) bool {
	if t.s.o.Gate == nil {
		return false
	}
	asking, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	err := t.s.o.Gate.Open(asking, rest.MerchantOf(ctx).ID, rest.ClientOf(ctx))
	for _, why := range []*fault.Fault{rest.ErrMaintenance, rest.ErrRestricted} {
		if errors.Is(err, why) {
			_ = t.out.item("closed", []byte(`{"errorCode":"`+why.Code+`"}`)) // the stream ends either way
			return true
		}
	}
	return false
}

// tell sends what is true now.
func (t *tableReader) tell(ctx context.Context) error {
	asking, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	v, err := t.d.view(asking)
	if err != nil {
		return err
	}
	now := v.now()
	text, err := t.own(asking, v.sheet, now)
	if err != nil {
		return err
	}
	shared, err := v.sheet.wire(t.f.currency, now)
	if err != nil {
		return err
	}
	item := make([]byte, 0, len(shared)+len(text)+32)
	item = strconv.AppendInt(append(item, `{"now":`...), db.Millis(now), 10)
	item = append(append(append(item, ','), shared...), text...)
	return t.out.item("table", append(item, '}'))
}

// own is the reader's part of an item: their tickets when they changed, and then the balance.
func (t *tableReader) own(ctx context.Context, sheet *sheet, now time.Time) ([]byte, error) {
	own, err := sheet.mine(t.f.Player, t.f.currency, now)
	if err != nil {
		return nil, err
	}
	mine, err := json.Marshal(own)
	if err != nil || string(mine) == string(t.mine) {
		return nil, err
	}
	t.mine = mine
	text := append([]byte(`,"mine":`), mine...)
	// The first view may be older than what the frame was told by its own calls; the balance never is.
	if balance, err := t.balance(ctx); err == nil {
		text = append(append(text, `,"balance":`...), balance...)
	}
	return text, nil
}

func (t *tableReader) balance(ctx context.Context) (rest.Amount, error) {
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	b, err := t.s.balance(ctx, t.f)
	return rest.AmountOf(t.f.currency, b), err
}

// tableWriter sends at once and gives up on a reader that takes nothing.
type tableWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// item sends JSON on one line.
func (o tableWriter) item(event string, data []byte) error {
	return o.send([]byte("event: " + event + "\ndata: " + string(data) + "\n\n"))
}

func (o tableWriter) send(p []byte) error {
	if err := o.control.SetWriteDeadline(time.Now().Add(writeWithin)); err != nil {
		return err
	}
	if _, err := o.w.Write(p); err != nil {
		return err
	}
	return o.control.Flush()
}
