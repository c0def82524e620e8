package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/outgoing"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// harness is a Service on a real database with a manual clock.
type harness struct {
	*Service
	store *db.Store
	queue *jobs.Queue
	ms    atomic.Int64
	log   *syncBuffer
}

// syncBuffer is a buffer that is safe for concurrent writes.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (j *syncBuffer) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.Write(p)
}

func (j *syncBuffer) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.buf.String()
}

func (h *harness) now() time.Time      { return time.UnixMilli(h.ms.Load()) }
func (h *harness) add(d time.Duration) { h.ms.Add(d.Milliseconds()) }

func open(t *testing.T, store *db.Store, o Options) *harness {
	t.Helper()
	if err := jobs.Migrate(t.Context(), store); err != nil {
		t.Fatal(err)
	}
	queue, err := jobs.NewQueue(store)
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{store: store, queue: queue, log: &syncBuffer{}}
	h.ms.Store(time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC).UnixMilli())
	var last atomic.Int64
	o.Store, o.Queue, o.Now = store, queue, h.now
	if o.Client == nil {
		o.Client = outgoing.New(loopbackNetworks)
	}
	o.IDs = func() int64 { return last.Add(1) }
	o.Log = slog.New(slog.NewTextHandler(h.log, nil))
	if h.Service, err = New(o); err != nil {
		t.Fatal(err)
	}
	return h
}

// run starts the job runner.
func (h *harness) run(t *testing.T, work ...jobs.Periodic) {
	t.Helper()
	r, err := jobs.New(h.store, h.o.Log, h.queue, work...)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := r.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
}

func (h *harness) send(t *testing.T, m Message) {
	t.Helper()
	if err := h.store.Write(t.Context(), func(tx *db.Tx) error { return h.SendIn(t.Context(), tx, m) }); err != nil {
		t.Fatal(err)
	}
}

func (h *harness) row(t *testing.T, id int64) query.Dispatch {
	t.Helper()
	row, err := h.store.Q().Dispatch(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// check compares the state of a message. The text of a sent, failed or withheld message must be cleared.
func (h *harness) check(t *testing.T, id int64, state string) {
	t.Helper()
	row := h.row(t, id)
	if row.State != state {
		t.Errorf("state of message %d = %s, want %s", id, row.State, state)
	}
	if blank := row.Body == ""; blank != (state != queued && state != local) {
		t.Errorf("text of a message in state %s = %q, want one only while it is queued or local", state, row.Body)
	}
}

func (h *harness) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := h.store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

const number, address, text = "+84912345678", "minh@mail.example", "482913 là mã"

var sampleSMS = Message{Channel: SMS, To: number, Language: "vi", Kind: LoginCode, Text: text}

func TestMessageIsSentAfterCommitOnly(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := newFakeGateway(t, "key")
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key"})
		rollback := errors.New("rollback")
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			if err := h.SendIn(t.Context(), tx, sampleSMS); err != nil {
				return err
			}
			return rollback
		})
		if !errors.Is(err, rollback) {
			t.Fatal(err)
		}
		h.send(t, sampleSMS) // message 2
		h.run(t)
		select {
		case got := <-g.accepted:
			if want := (smsRequest{ID: "2", To: number, Text: text}); got != want {
				t.Errorf("request = %+v, want %+v", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatal("timeout waiting for the message")
		}
		for h.row(t, 2).State == queued {
			time.Sleep(10 * time.Millisecond)
		}
		h.check(t, 2, sent)
		if n := h.count(t, "dispatch"); n != 1 {
			t.Errorf("%d messages stored, want 1", n)
		}
	})
}

// A withheld message stores the same rows and is not sent.
func TestWithheldMessageIsNotSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := newFakeGateway(t, "key")
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key"})
		m := sampleSMS
		m.Withheld = true
		h.send(t, m)
		if row := h.row(t, 1); row.State != withheld || row.Recipient != "" || row.Body != "" {
			t.Errorf("row = %+v, want state %v, no recipient and no body", row, withheld)
		}
		h.send(t, sampleSMS)
		if n := h.count(t, "river_job"); n != 2 {
			t.Errorf("%d jobs, want 2", n)
		}
		if err := h.deliver(t.Context(), 1, false); err != nil {
			t.Errorf("deliver: got %v, want no error", err)
		}
		if len(g.accepted) != 0 {
			t.Error("a withheld message was sent")
		}
	})
}

func TestMessageIsCheckedAgainWhenItIsSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := newFakeGateway(t, "key")
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key"})
		h.Recheck(LoginCode, func(_ context.Context, origin string) (bool, error) { return origin == "allowed", nil })
		for _, origin := range []string{"allowed", "refused", ""} {
			m := sampleSMS
			m.Origin = origin
			h.send(t, m)
		}
		for id, want := range []string{1: sent, 2: withheld, 3: sent} {
			if want == "" {
				continue
			}
			if err := h.deliver(t.Context(), int64(id), false); err != nil {
				t.Errorf("deliver %d: got %v, want no error", id, err)
			}
			h.check(t, int64(id), want)
		}
		if len(g.accepted) != 2 {
			t.Errorf("messages sent: got %d, want 2", len(g.accepted))
		}
	})
}

func TestExpiredMessageIsNotSent(t *testing.T) {
	t.Parallel()
	g := newFakeGateway(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	m := sampleSMS
	m.Until = h.now().Add(5 * time.Minute)
	h.send(t, m)
	h.send(t, m)
	h.add(5 * time.Minute)
	if err := h.deliver(t.Context(), 1, false); err != nil {
		t.Errorf("deliver: got %v, want no error", err)
	}
	h.check(t, 1, sent)
	h.add(time.Millisecond)
	if err := h.deliver(t.Context(), 2, false); err == nil {
		t.Error("deliver of an expired message succeeded")
	}
	h.check(t, 2, failed)
	if len(g.accepted) != 1 {
		t.Errorf("%d messages sent, want 1", len(g.accepted))
	}
}

func TestLocalOutboxKeepsMessages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := open(t, store, Options{Local: true})
		if !h.Can(SMS) || !h.Can(Email) {
			t.Error("a demo must be able to send on both channels")
		}
		h.send(t, sampleSMS)
		h.check(t, 1, local)
		m := sampleSMS
		m.Withheld = true
		h.send(t, m)
		h.check(t, 2, withheld)
		if n := h.count(t, "river_job"); n != 0 {
			t.Errorf("%d jobs, want 0", n)
		}
	})
}

func TestWithoutCarrier(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	h := open(t, store, Options{})
	if h.Can(SMS) || h.Can(Email) {
		t.Error("Can = true without a carrier")
	}
	if err := store.Write(t.Context(), func(tx *db.Tx) error { return h.SendIn(t.Context(), tx, sampleSMS) }); err == nil {
		t.Error("SendIn succeeded without a carrier")
	}
	// Queued while a carrier was configured.
	err := store.Write(t.Context(), func(tx *db.Tx) error {
		return tx.Q.AddDispatch(t.Context(), query.AddDispatchParams{ID: 7, Channel: "sms", Recipient: number, Body: text, State: queued})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.deliver(t.Context(), 7, false); err == nil {
		t.Error("deliver succeeded without a carrier")
	}
	h.check(t, 7, failed)
	if err := h.deliver(t.Context(), 8, false); err != nil {
		t.Errorf("deleted message: %v", err)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := open(t, store, Options{Local: true})
		h.send(t, sampleSMS)
		h.add(retention)
		h.send(t, sampleSMS)
		h.add(time.Millisecond)
		if err := h.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := h.count(t, "dispatch"); n != 1 {
			t.Errorf("%d messages left, want 1", n)
		}
	})
}

func TestBackoffGrows(t *testing.T) {
	t.Parallel()
	var got []time.Duration
	for failures := 1; failures <= attempts; failures++ {
		got = append(got, backoff(failures))
	}
	if fmt.Sprint(got) != "[5s 10s 20s 40s 1m20s 2m40s 5m20s 10m0s]" || backoff(100) != maxBackoff {
		t.Errorf("backoffs = %v, want 5s, doubled up to %v", got, maxBackoff)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]Options{
		"plain text to another machine": {SMSURL: "http://sms.example/send", SMSKey: "k"},
		"no scheme":                     {SMSURL: "sms.example", SMSKey: "k"},
		"no key":                        {SMSURL: "https://sms.example/send"},
		"malformed":                     {SMSURL: "https://%zz", SMSKey: "k"},
		"no SMTP address":               {SMTP: "mail.example:587", MailFrom: "a@b.example"},
		"another scheme":                {SMTP: "http://mail.example", MailFrom: "a@b.example"},
		"no sender":                     {SMTP: "smtp://mail.example"},
		"no such port":                  {SMTP: "smtp://mail.example:99999", MailFrom: "a@b.example"},
	} {
		queue, err := jobs.NewQueue(dbtest.SQLite(t))
		if err != nil {
			t.Fatal(err)
		}
		o.Queue = queue
		if _, err := New(o); err == nil {
			t.Errorf("%s: New succeeded, want an error", name)
		} else if strings.Contains(err.Error(), "%zz") {
			t.Errorf("%s: the error contains the URL: %v", name, err)
		}
	}
}

// Every kind has a text in every language, with all placeholders filled in.
func TestTemplates(t *testing.T) {
	t.Parallel()
	v := Values{Site: "Fairground", Code: "482913", Username: "minhanh92", Minutes: 5}
	hasCode := map[Kind]bool{LoginCode: true, RegisterCode: true, ResetCode: true, BindCode: true, Welcome: false, PasswordChanged: false, PaymentReset: false}
	for kind, code := range hasCode {
		seen := map[string]bool{}
		for _, language := range []string{"vi", "en", "ur", "pt"} {
			m := Compose(Email, address, language, kind, v)
			if m.Channel != Email || m.To != address || m.Language != language || m.Kind != kind {
				t.Errorf("got %+v, want the given channel, address, language and kind", m)
			}
			for part, content := range map[string]string{"subject": m.Subject, "text": m.Text} {
				if content == "" || strings.ContainsAny(content, "{}") || !strings.Contains(content, "Fairground") || seen[content] {
					t.Errorf("%s in %s: %s = %q, want an own text with the name Fairground and no placeholders", kind, language, part, content)
				}
				seen[content] = true
			}
			if code != strings.HasPrefix(m.Text, "482913") || code != strings.Contains(m.Text, " 5 ") || code == strings.Contains(m.Text, "minhanh92") {
				t.Errorf("%s in %s = %q, want the code first and the minutes: %v, or else the member's name", kind, language, m.Text, code)
			}
			if m := Compose(SMS, number, language, kind, v); m.Subject != "" {
				t.Errorf("text message has the subject %q, want none", m.Subject)
			}
		}
	}
	if m := Compose(SMS, number, "xx", LoginCode, v); m.Language != "vi" || !strings.Contains(m.Text, "mã đăng nhập") {
		t.Errorf("unknown language: %+v, want language vi and \"mã đăng nhập\"", m)
	}
}
