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

// hangingGateway is an SMS gateway that does not respond until released.
type hangingGateway struct {
	*httptest.Server
	requests chan struct{}
	release  func()
}

func newHangingGateway(t *testing.T) *hangingGateway {
	t.Helper()
	released := make(chan struct{})
	g := &hangingGateway{requests: make(chan struct{}, 100), release: sync.OnceFunc(func() { close(released) })}
	g.Server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		g.requests <- struct{}{}
		<-released
	}))
	t.Cleanup(g.Close)
	t.Cleanup(g.release)
	return g
}

func clientWithoutTimeout(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func countingJob(runs *atomic.Int64) jobs.Periodic {
	return jobs.Periodic{Name: "ledger.rollup", Every: time.Second, Run: func(context.Context) error { runs.Add(1); return nil }}
}

func await(t *testing.T, what string, met func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !met(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("timeout waiting for: %s", what)
		}
	}
}

func TestHangingGatewayBlocksOnlyItsQueue(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Parallel()
		g, mail := newHangingGateway(t), newMailServer(t, plain)
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key", SMTP: "smtp://" + mail.address, MailFrom: "a@mail.example", Client: clientWithoutTimeout(t)})
		for range 10 {
			h.send(t, sampleSMS)
		}
		var runs atomic.Int64
		h.run(t, countingJob(&runs))
		t.Cleanup(g.release) // runs before the jobs stop
		for range 4 {
			<-g.requests
		}
		h.send(t, Message{Channel: Email, To: address, Language: "vi", Kind: LoginCode, Subject: "mã", Text: text})
		await(t, "e-mail sent", func() bool { return len(mail.messages()) == 1 })
		before := runs.Load()
		await(t, "periodic job runs", func() bool { return runs.Load() >= before+2 })
		if row := h.row(t, 1); row.State != queued {
			t.Errorf("state of message 1 = %s, want queued", row.State)
		}
		g.release()
		await(t, "text messages sent", func() bool { return h.row(t, 1).State == sent && h.row(t, 10).State == sent })
	})
}

// Earlier releases had one queue and one task for all messages.
func TestMessagesOfEarlierReleasesAreSent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Parallel()
		g, mail := newHangingGateway(t), newMailServer(t, plain)
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key", SMTP: "smtp://" + mail.address, MailFrom: "a@mail.example", Client: clientWithoutTimeout(t)})
		for range 10 {
			h.send(t, sampleSMS)
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
		await(t, "e-mail sent while the gateway hangs", func() bool { return h.row(t, 11).State == sent })
		g.release()
		await(t, "text messages sent", func() bool { return h.row(t, 1).State == sent && h.row(t, 10).State == sent })
	})
}
