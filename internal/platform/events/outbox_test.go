package events

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

var errUndone = errors.New("undone")

func message(n int) Message {
	return Message{Member: "7", Event: "count", Data: json.RawMessage(strconv.Itoa(n))}
}

// announce writes messages in a transaction that is committed or not.
func announce(t *testing.T, o *Outbox, commit bool, numbers ...int) {
	t.Helper()
	err := o.store.Write(t.Context(), func(tx *db.Tx) error {
		for _, n := range numbers {
			if err := o.Add(t.Context(), tx, time.Now(), message(n)); err != nil {
				return err
			}
		}
		if !commit {
			return errUndone
		}
		return nil
	})
	if commit && err != nil || !commit && !errors.Is(err, errUndone) {
		t.Fatal(err)
	}
}

func run(t *testing.T, o *Outbox) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); o.Run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

// numbers reads n announced numbers off the bus.
func numbers(t *testing.T, got chan string, n int) []int {
	t.Helper()
	var all []int
	for len(all) < n {
		select {
		case raw := <-got:
			var messages []Message
			if err := json.Unmarshal([]byte(raw), &messages); err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				v, err := strconv.Atoi(string(m.Data))
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, v)
			}
		case <-time.After(time.Minute):
			t.Fatalf("heard only %v", all)
		}
	}
	return all
}

func rowsLeft(t *testing.T, s *db.Store) (n int) {
	t.Helper()
	if err := s.Reader.QueryRow("SELECT COUNT(*) FROM outbox").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOutbox(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		bus := openBus(t, BusOptions{})
		got := make(chan string, 2000)
		stopHearing, err := bus.Subscribe(subjectMessages, func(data []byte) { got <- string(data) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(stopHearing)
		o := NewOutbox(s, bus, nil)

		announce(t, o, true, 1, 2)
		announce(t, o, false, 99)
		stop := run(t, o) // what was there before the start is announced too
		if all := numbers(t, got, 2); !slices.Equal(all, []int{1, 2}) {
			t.Fatalf("announced %v", all)
		}
		// More than one batch, in order, without being woken.
		var want []int
		for n := 10; n < 10+2*relayBatch+5; n++ {
			want = append(want, n)
		}
		announce(t, o, true, want...)
		if all := numbers(t, got, len(want)); !slices.Equal(all, want) {
			t.Errorf("out of order: %v", all)
		}
		cleared := func() { // nothing stays behind once it was announced
			t.Helper()
			for end := time.Now().Add(time.Minute); rowsLeft(t, s) > 0; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d rows are left", rowsLeft(t, s))
				}
			}
		}
		cleared()
		stop()
		announce(t, o, true, 4)
		stop = run(t, NewOutbox(s, bus, nil)) // another process takes over
		if all := numbers(t, got, 1); all[0] != 4 {
			t.Errorf("after a restart: %v", all)
		}
		cleared()
		stop()
		t.Run("PP-01 server part: what was committed is announced by its own word, not by the look of each second", func(t *testing.T) {
			// It never looks by itself within the test.
			woken := NewOutbox(s, bus, nil)
			woken.poll = time.Hour
			run(t, woken)
			announce(t, woken, true, 3)
			woken.Wake()
			if all := numbers(t, got, 1); all[0] != 3 {
				t.Errorf("woken: %v", all)
			}
		})
	})
}

// While the bus is away nothing is lost.
func TestOutboxKeepsWhatTheBusDoesNotTake(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		away, err := OpenBus(BusOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := NewOutbox(s, away, nil)
		away.Close()
		announce(t, o, true, 1)
		if err := o.relay(t.Context(), true); err == nil {
			t.Fatal("the relay claims to have announced")
		}
		if n := rowsLeft(t, s); n != 1 {
			t.Fatalf("%d rows are left", n)
		}
		bus := openBus(t, BusOptions{})
		got := subscribe(t, bus, subjectMessages)
		run(t, NewOutbox(s, bus, nil))
		if all := numbers(t, got, 1); all[0] != 1 {
			t.Errorf("announced %v", all)
		}
	})
}

// Replicas share the rows: each is announced by one of them.
func TestReplicasAnnounceOnce(t *testing.T) {
	t.Parallel()
	o := dbtest.Migrated(t, db.Postgres)
	bus := openBus(t, BusOptions{})
	got := make(chan string, 2000)
	stop, err := bus.Subscribe(subjectMessages, func(data []byte) { got <- string(data) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	first := NewOutbox(dbtest.Open(t, o), bus, nil)
	run(t, first)
	second := NewOutbox(dbtest.Open(t, o), bus, nil)
	run(t, second)
	const count = 300
	for n := range count {
		announce(t, first, true, n)
		first.Wake()
		second.Wake()
	}
	all := numbers(t, got, count)
	slices.Sort(all)
	for n := range count {
		if all[n] != n {
			t.Fatalf("announced %v", all)
		}
	}
	select {
	case extra := <-got:
		t.Errorf("announced twice: %s", extra)
	case <-time.After(50 * time.Millisecond):
	}
}
