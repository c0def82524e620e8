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

func started(t *testing.T, s *db.Store, bus *Bus) *Outbox {
	t.Helper()
	o := NewOutbox(s, bus, nil)
	if err := o.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return o
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
		announce(t, NewOutbox(s, bus, nil), true, 98)
		o := started(t, s, bus) // rows from before the start are not needed
		announce(t, o, true, 1, 2)
		announce(t, o, false, 99)
		stop := run(t, o)
		if all := numbers(t, got, 2); !slices.Equal(all, []int{1, 2}) {
			t.Fatalf("delivered %v, want 1 and 2", all)
		}
		// More than one batch, in order, without Wake.
		var want []int
		for n := 10; n < 10+2*readBatch+5; n++ {
			want = append(want, n)
		}
		announce(t, o, true, want...)
		if all := numbers(t, got, len(want)); !slices.Equal(all, want) {
			t.Errorf("out of order: %v", all)
		}
		stop()
		t.Run("PP-01 server part: a commit wakes the reader without waiting for the poll", func(t *testing.T) {
			// No poll within the test.
			woken := started(t, s, bus)
			woken.poll = time.Hour
			run(t, woken)
			announce(t, woken, true, 3)
			woken.Wake()
			if all := numbers(t, got, 1); all[0] != 3 {
				t.Errorf("after Wake: %v, want 3", all)
			}
		})
	})
}

func TestOutboxDeletesOldRows(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		o := started(t, s, openBus(t, BusOptions{}))
		pass := func() { // a minute and a second
			t.Helper()
			o.trimTime = time.Time{}
			for i := range o.passed {
				o.passed[i].at = o.passed[i].at.Add(-retention)
			}
			if err := o.read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		announce(t, o, true, 1)
		pass()
		announce(t, o, true, 2)
		if n := rowsLeft(t, s); n != 2 {
			t.Errorf("%d rows right after they were read, want 2", n)
		}
		pass()
		if n := rowsLeft(t, s); n != 1 {
			t.Errorf("%d rows a minute after the first was read, want 1", n)
		}
	})
}

func TestOutboxAfterALongPause(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		bus := openBus(t, BusOptions{})
		missed := subscribe(t, bus, SubjectMissed)
		o := started(t, s, bus)
		if err := o.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect(t, missed)
		o.readAt = o.readAt.Add(-missedAfter)
		if err := o.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect(t, missed, "")
	})
}

// Two processes on one database, whose buses are not connected, like a command with --db and a server.
func TestChangeReachesOtherProcess(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		here, there := openBus(t, BusOptions{}), openBus(t, BusOptions{})
		got := subscribe(t, there, "news")
		run(t, started(t, s, there))
		err := s.Write(t.Context(), func(tx *db.Tx) error { return here.AddIn(t.Context(), tx, "news", []byte("one")) })
		if err != nil {
			t.Fatal(err)
		}
		here.Notify("news", []byte("one"))
		expect(t, got, "one")
		if here.Added() != 1 || there.Added() != 0 {
			t.Errorf("added %d and %d changes, want 1 and 0", here.Added(), there.Added())
		}
	})
}

// PostgreSQL assigns ids before the commit.
func TestLowerIDCommittedLater(t *testing.T) {
	t.Parallel()
	s := dbtest.Open(t, dbtest.Migrated(t, db.Postgres))
	bus := openBus(t, BusOptions{})
	got := subscribe(t, bus, "news")
	o := started(t, s, bus)
	read := func() {
		t.Helper()
		o.gapsRead = time.Time{}
		if err := o.read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	add := func(tx *db.Tx, text string) error { return bus.AddIn(t.Context(), tx, "news", []byte(text)) }
	for _, first := range []string{"first on an empty outbox", "first"} {
		err := s.Write(t.Context(), func(slow *db.Tx) error {
			if err := add(slow, first); err != nil {
				return err
			}
			if err := s.Write(t.Context(), func(tx *db.Tx) error { return add(tx, "second") }); err != nil {
				return err
			}
			read()
			expect(t, got, "second")
			late := started(t, s, bus) // starts while the transaction is open
			if _, noted := late.gaps[late.last-1]; !noted && first == "first" {
				t.Errorf("gaps %v, want %d", late.gaps, late.last-1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		read()
		expect(t, got, first)
		read()
		expect(t, got)
	}
}
