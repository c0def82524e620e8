package notify

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/jobs"
)

// hanging is an SMS gateway that answers nobody until it is released.
type hanging struct {
	*httptest.Server
	asked   chan struct{}
	release func()
}

func newHanging(t *testing.T) *hanging {
	t.Helper()
	released := make(chan struct{})
	g := &hanging{asked: make(chan struct{}, 100), release: sync.OnceFunc(func() { close(released) })}
	g.Server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		g.asked <- struct{}{}
		<-released
	}))
	t.Cleanup(g.Close)
	t.Cleanup(g.release)
	return g
}

// patient is a client that waits for as long as the gateway hangs.
func patient(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// rollUp counts its runs.
func rollUp(runs *atomic.Int64) jobs.Periodic {
	return jobs.Periodic{Name: "ledger.rollup", Every: time.Second, Run: func(context.Context) error { runs.Add(1); return nil }}
}

func await(t *testing.T, what string, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !met(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestAHangingGatewayKeepsNothingElseWaiting(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Parallel()
		g, o := newHanging(t), newPostOffice(t, plain)
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key", SMTP: "smtp://" + o.address, MailFrom: "a@mail.example", Client: patient(t)})
		for range 10 {
			h.send(t, short)
		}
		var runs atomic.Int64
		h.run(t, rollUp(&runs))
		t.Cleanup(g.release) // before the jobs are stopped
		for range 4 {
			<-g.asked
		}
		h.send(t, Message{Channel: Email, To: address, Language: "vi", Kind: LoginCode, Subject: "mã", Text: text})
		await(t, "the e-mail is sent", func() bool { return len(o.received()) == 1 })
		before := runs.Load()
		await(t, "the books are rolled up", func() bool { return runs.Load() >= before+2 })
		if row := h.row(t, 1); row.State != queued {
			t.Errorf("the gateway has answered: %s", row.State)
		}
		g.release()
		await(t, "the text messages are sent", func() bool { return h.row(t, 1).State == sent && h.row(t, 10).State == sent })
	})
}

// An earlier release stored every job in one queue, and every message under one name.
func TestMessagesQueuedByAnEarlierReleaseAreSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Parallel()
		g, o := newHanging(t), newPostOffice(t, plain)
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key", SMTP: "smtp://" + o.address, MailFrom: "a@mail.example", Client: patient(t)})
		for range 10 {
			h.send(t, short)
		}
		h.send(t, Message{Channel: Email, To: address, Language: "vi", Kind: LoginCode, Subject: "mã", Text: text})
		if _, err := store.Writer.ExecContext(t.Context(), "DELETE FROM river_job"); err != nil {
			t.Fatal(err)
		}
		for id := range 11 {
			args := fmt.Sprintf(`{"name": "notify.deliver", "id": %d}`, id+1)
			_, err := store.Writer.ExecContext(t.Context(),
				"INSERT INTO river_job (kind, queue, args, max_attempts) VALUES ('task', 'default', '"+args+"', 8)")
			if err != nil {
				t.Fatal(err)
			}
		}
		h.run(t)
		t.Cleanup(g.release)
		await(t, "the e-mail is sent while the gateway hangs", func() bool { return h.row(t, 11).State == sent })
		g.release()
		await(t, "the text messages are sent", func() bool { return h.row(t, 1).State == sent && h.row(t, 10).State == sent })
	})
}
