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
			t.Fatalf("got only %v", all)
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
		stop := run(t, o) // rows from before the start are published too
		if all := numbers(t, got, 2); !slices.Equal(all, []int{1, 2}) {
			t.Fatalf("published %v", all)
		}
		// More than one batch, in order, without Wake.
		var want []int
		for n := 10; n < 10+2*relayBatch+5; n++ {
			want = append(want, n)
		}
		announce(t, o, true, want...)
		if all := numbers(t, got, len(want)); !slices.Equal(all, want) {
			t.Errorf("out of order: %v", all)
		}
		cleared := func() { // rows are deleted once published
			t.Helper()
			for end := time.Now().Add(time.Minute); rowsLeft(t, s) > 0; time.Sleep(10 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%d rows left", rowsLeft(t, s))
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
		t.Run("PP-01 server part: a commit wakes the relay without waiting for the poll", func(t *testing.T) {
			// No poll within the test.
			woken := NewOutbox(s, bus, nil)
			woken.poll = time.Hour
			run(t, woken)
			announce(t, woken, true, 3)
			woken.Wake()
			if all := numbers(t, got, 1); all[0] != 3 {
				t.Errorf("after Wake: %v", all)
			}
		})
	})
}

func TestOutboxKeepsRowsWithoutBus(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		unavailable, err := OpenBus(BusOptions{})
		if err != nil {
			t.Fatal(err)
		}
		o := NewOutbox(s, unavailable, nil)
		unavailable.Close()
		announce(t, o, true, 1)
		if err := o.relay(t.Context(), true); err == nil {
			t.Fatal("relay without a bus succeeded")
		}
		if n := rowsLeft(t, s); n != 1 {
			t.Fatalf("%d rows left, want 1", n)
		}
		bus := openBus(t, BusOptions{})
		got := subscribe(t, bus, subjectMessages)
		run(t, NewOutbox(s, bus, nil))
		if all := numbers(t, got, 1); all[0] != 1 {
			t.Errorf("published %v", all)
		}
	})
}

func TestReplicasPublishOnce(t *testing.T) {
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
			t.Fatalf("published %v", all)
		}
	}
	select {
	case extra := <-got:
		t.Errorf("published twice: %s", extra)
	case <-time.After(50 * time.Millisecond):
	}
}
