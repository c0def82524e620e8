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

var errRollback = errors.New("roll back")

func message(n int) Message {
	return Message{Member: "7", Event: "count", Data: json.RawMessage(strconv.Itoa(n))}
}

// addNumbers writes messages with the numbers in one transaction, which it commits or rolls back.
func addNumbers(t *testing.T, o *Outbox, commit bool, numbers ...int) {
	t.Helper()
	err := o.store.Write(t.Context(), func(tx *db.Tx) error {
		for _, n := range numbers {
			if err := o.Add(t.Context(), tx, time.Now(), message(n)); err != nil {
				return err
			}
		}
		if !commit {
			return errRollback
		}
		return nil
	})
	if commit && err != nil || !commit && !errors.Is(err, errRollback) {
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

// readNumbers returns the numbers of the next n messages.
func readNumbers(t *testing.T, got chan string, n int) []int {
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

func countRows(t *testing.T, s *db.Store) (n int) {
	t.Helper()
	if err := s.Reader.QueryRow("SELECT COUNT(*) FROM outbox").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func startOutbox(t *testing.T, s *db.Store, bus *Bus) *Outbox {
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
		unsubscribe, err := bus.Subscribe(subjectMessages, func(data []byte) { got <- string(data) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(unsubscribe)
		addNumbers(t, NewOutbox(s, bus, nil), true, 98)
		o := startOutbox(t, s, bus) // skips the row with 98
		addNumbers(t, o, true, 1, 2)
		addNumbers(t, o, false, 99)
		stop := run(t, o)
		if all := readNumbers(t, got, 2); !slices.Equal(all, []int{1, 2}) {
			t.Fatalf("delivered %v, want 1 and 2", all)
		}
		// The outbox delivers more than one batch in order, also without Wake.
		var want []int
		for n := 10; n < 10+2*readBatch+5; n++ {
			want = append(want, n)
		}
		addNumbers(t, o, true, want...)
		if all := readNumbers(t, got, len(want)); !slices.Equal(all, want) {
			t.Errorf("numbers = %v, want %v", all, want)
		}
		stop()
		t.Run("PP-01 server part: a commit wakes the reader without waiting for the poll", func(t *testing.T) {
			woken := startOutbox(t, s, bus)
			woken.pollInterval = time.Hour // longer than the test
			run(t, woken)
			addNumbers(t, woken, true, 3)
			woken.Wake()
			if all := readNumbers(t, got, 1); all[0] != 3 {
				t.Errorf("after Wake: %v, want 3", all)
			}
		})
	})
}

// A change of another process without NATS wakes no reader.
func TestPP01PartChangesWithoutAWakeAreReadWithinASecond(t *testing.T) {
	t.Parallel()
	if pollInterval > time.Second/2 {
		t.Errorf("interval of the poll = %v, want at most half a second", pollInterval)
	}
}

func TestOutboxDeletesOldRows(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		o := startOutbox(t, s, openBus(t, BusOptions{}))
		readAfterRetention := func() { // makes the last reads look a minute older, and reads again
			t.Helper()
			o.trimmedAt = time.Time{}
			for i := range o.readPositions {
				o.readPositions[i].at = o.readPositions[i].at.Add(-retention)
			}
			if err := o.read(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		addNumbers(t, o, true, 1)
		readAfterRetention()
		addNumbers(t, o, true, 2)
		if n := countRows(t, s); n != 2 {
			t.Errorf("%d rows right after they were read, want 2", n)
		}
		readAfterRetention()
		if n := countRows(t, s); n != 1 {
			t.Errorf("%d rows a minute after the first was read, want 1", n)
		}
	})
}

func TestOutboxReportsMissedChangesAfterALongPause(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		bus := openBus(t, BusOptions{})
		missed := subscribe(t, bus, SubjectMissed)
		o := startOutbox(t, s, bus)
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

// The two processes use one database, but their buses are not connected. A command with --db and a server work like this.
func TestChangeReachesOtherProcess(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		here, there := openBus(t, BusOptions{}), openBus(t, BusOptions{})
		got := subscribe(t, there, "news")
		run(t, startOutbox(t, s, there))
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

// PostgreSQL assigns ids before the commit, so a lower id can become visible later.
func TestLowerIDCommittedLater(t *testing.T) {
	t.Parallel()
	s := dbtest.Open(t, dbtest.Migrated(t, db.Postgres))
	bus := openBus(t, BusOptions{})
	got := subscribe(t, bus, "news")
	o := startOutbox(t, s, bus)
	read := func() {
		t.Helper()
		o.gapsReadAt = time.Time{}
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
			late := startOutbox(t, s, bus) // starts while the first transaction is open
			if _, recorded := late.gaps[late.lastID-1]; !recorded && first == "first" {
				t.Errorf("gaps %v, want %d", late.gaps, late.lastID-1)
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
