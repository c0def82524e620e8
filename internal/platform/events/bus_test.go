package events

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func openBus(t *testing.T, o BusOptions) *Bus {
	t.Helper()
	b, err := OpenBus(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func subscribe(t *testing.T, b *Bus, subject string) chan string {
	t.Helper()
	got := make(chan string, 100)
	stop, err := b.Subscribe(subject, func(data []byte) { got <- string(data) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return got
}

func expect(t *testing.T, got chan string, want ...string) {
	t.Helper()
	for _, w := range want {
		select {
		case g := <-got:
			if g != w {
				t.Fatalf("got %q, want %q", g, w)
			}
		case <-time.After(time.Minute):
			t.Fatalf("timed out waiting for %q", w)
		}
	}
	select {
	case g := <-got:
		t.Fatalf("unexpected %q", g)
	case <-time.After(20 * time.Millisecond):
	}
}

func TestEmbeddedBus(t *testing.T) {
	t.Parallel()
	b := openBus(t, BusOptions{})
	first, second, other := subscribe(t, b, "news"), subscribe(t, b, "news"), subscribe(t, b, "weather")
	for _, s := range []string{"a", "b", "c"} {
		b.Notify("news", []byte(s))
	}
	expect(t, first, "a", "b", "c")
	expect(t, second, "a", "b", "c")
	expect(t, other)
}

// remoteChanges returns a channel that receives "change" when another replica has committed.
func remoteChanges(t *testing.T, b *Bus) chan string {
	t.Helper()
	changes := make(chan string, 100)
	b.onRemoteChange(func() { changes <- "change" })
	return changes
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// flush waits until the NATS server of each bus knows its subscriptions. Earlier messages are lost.
func flush(t *testing.T, buses ...*Bus) {
	t.Helper()
	for _, b := range buses {
		if err := b.conn.FlushTimeout(time.Minute); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReplicasShareBus(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	one := openBus(t, BusOptions{Listen: address})
	two := openBus(t, BusOptions{URL: "nats://" + address})
	flush(t, one, two)
	changes := remoteChanges(t, one)
	two.Notify("news", nil)
	expect(t, changes, "change")
	changes = remoteChanges(t, two)
	one.Notify("news", nil)
	expect(t, changes, "change")
}

func TestBusStartsBeforeItsNATSServer(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	early := openBus(t, BusOptions{URL: "nats://127.0.0.1:1,nats://" + address})
	if early.Connected() {
		t.Fatal("connected to no server")
	}
	changes := remoteChanges(t, early)
	late := openBus(t, BusOptions{Listen: address})
	<-changes // sent on connecting
	flush(t, early)
	late.Notify("news", nil)
	<-changes
}

func TestCheckSharedFindsAnotherBus(t *testing.T) {
	t.Parallel()
	options := dbtest.Migrated(t, db.Postgres)
	address := freeAddress(t)
	start := func(o BusOptions) *Outbox {
		bus := openBus(t, o)
		out := startOutbox(t, dbtest.Open(t, options), bus)
		run(t, out)
		return out
	}
	start(BusOptions{Listen: address})
	if err := start(BusOptions{URL: "nats://" + address}).CheckShared(t.Context(), 1); err != nil {
		t.Errorf("shared bus: %v", err)
	}
	another := start(BusOptions{Listen: freeAddress(t)})
	err := another.CheckShared(t.Context(), 2)
	for deadline := time.Now().Add(time.Minute); err == nil && time.Now().Before(deadline); { // no replica answered in time
		err = another.CheckShared(t.Context(), 2)
	}
	if !errors.Is(err, db.ErrOtherServer) {
		t.Errorf("another bus: %v, want %v", err, db.ErrOtherServer)
	}
	if err := start(BusOptions{URL: "nats://127.0.0.1:1"}).CheckShared(t.Context(), 3); err != nil {
		t.Errorf("without a connection: %v", err)
	}
}

func TestBusToken(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	address := freeAddress(t)
	one := openBus(t, BusOptions{Listen: address, Token: token})
	changes := remoteChanges(t, one)
	flush(t, one)
	for _, o := range []BusOptions{
		{URL: "nats://" + address, Token: token},
		{URL: "nats://" + token + "@" + address},
		{URL: "nats://" + token + "@" + address, Token: "another-replica's"},
	} {
		openBus(t, o).Notify("news", nil)
		expect(t, changes, "change")
	}
	for _, o := range []BusOptions{
		{URL: "nats://" + address},
		{URL: "nats://" + address, Token: "0123456789abcdeX"},
		{URL: "nats://someone:" + token + "@" + address},
	} {
		b, err := OpenBus(o)
		if err == nil {
			b.Close()
			t.Errorf("%+v was accepted", o)
		} else if strings.Contains(err.Error(), token) {
			t.Errorf("error shows the token: %v", err)
		}
	}
}

func TestOpenBusErrors(t *testing.T) {
	t.Parallel()
	if _, err := OpenBus(BusOptions{URL: "nats://[::1"}); err == nil || !strings.Contains(err.Error(), "reach events server") {
		t.Errorf("malformed URL: %v, want an error with \"reach events server\"", err)
	}
	if _, err := OpenBus(BusOptions{Listen: "nonsense"}); err == nil {
		t.Error("address without a port was accepted")
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if b, err := OpenBus(BusOptions{Listen: taken.Addr().String()}); err == nil {
		b.Close()
		t.Error("a port in use was accepted")
	}
}
