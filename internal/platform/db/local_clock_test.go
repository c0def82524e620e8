package db

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// A fakeMachine has a system clock and a monotonic clock.
type fakeMachine struct {
	system    time.Time
	monotonic time.Duration
	log       bytes.Buffer
}

func (m *fakeMachine) pass(d time.Duration) { m.system, m.monotonic = m.system.Add(d), m.monotonic+d }

func (m *fakeMachine) clock() *localClock {
	return &localClock{
		system: func() time.Time { return m.system }, monotonic: func() time.Duration { return m.monotonic }, log: slog.New(slog.NewTextHandler(&m.log, nil)),
	}
}

// FT-09, part: SQLite's clock.
func TestFT09PartSQLiteClockFollowsSystemClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	type step struct {
		set, pass time.Duration // the system clock is set, then time passes
		want      time.Duration // the clock since the start
	}
	for _, c := range []struct {
		name  string
		steps []step
		logs  int
	}{
		{"no change", []step{{0, time.Hour, time.Hour}, {0, time.Hour, 2 * time.Hour}}, 0},
		{"a small change is ignored", []step{{2 * time.Second, time.Hour, time.Hour}, {-4 * time.Second, time.Hour, 2 * time.Hour}}, 0},
		{"small changes add up", []step{{time.Second, time.Hour, time.Hour}, {2 * time.Second, time.Hour, 2*time.Hour + 3*time.Second}}, 1},
		{"sleep", []step{{0, time.Hour, time.Hour}, {8 * time.Hour, 0, 9 * time.Hour}, {0, time.Hour, 10 * time.Hour}}, 1},
		{"set forward after the start", []step{{time.Hour * 24 * 365, time.Second, time.Hour*24*365 + time.Second}}, 1},
		{"set back", []step{
			{-10 * time.Second, 0, 0},
			{0, 10 * time.Second, 5 * time.Second},
			{0, 10 * time.Second, 10 * time.Second}, // both agree
			{0, 10 * time.Second, 20 * time.Second},
		}, 2},
		{"set back, then forward", []step{
			{-time.Hour, 0, 0},
			{0, time.Minute, 30 * time.Second},
			{2 * time.Hour, 0, time.Hour + time.Minute},
			{0, time.Minute, time.Hour + 2*time.Minute},
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := &fakeMachine{system: start}
			clock := m.clock()
			last := clock.now()
			for i, s := range c.steps {
				m.system = m.system.Add(s.set)
				if now := clock.now(); now.Before(last) {
					t.Errorf("step %d: clock = %v, want no earlier than %v", i, now, last)
				}
				m.pass(s.pass)
				last = clock.now()
				if got := last.Sub(start); got != s.want {
					t.Errorf("step %d: clock = start + %v, want start + %v", i, got, s.want)
				}
			}
			if got := strings.Count(m.log.String(), "\n"); got != c.logs {
				t.Errorf("%d log lines, want %d:\n%s", got, c.logs, &m.log)
			}
		})
	}
}
