package vendor

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
)

// PlaysOptions of the plays.
type PlaysOptions struct {
	Store *db.Store
	Bus   *events.Bus
	Now   func() time.Time
	Log   *slog.Logger
}

// Plays knows which plays are open, and hears on every replica of those that end.
type Plays struct {
	o     PlaysOptions
	ended *otter.Cache[string, int64] // sessions, members and plays that ended, and when
	stops []func()
}

// NewPlays makes the plays and listens for what ends elsewhere.
func NewPlays(o PlaysOptions) (*Plays, error) {
	p := &Plays{o: o, ended: timed[string, int64](o.Now, cacheSize, 3*cacheFor)}
	for subject, on := range map[string]func([]byte){events.SubjectSessionEnded: p.onSessionEnded, playsClosed: p.onClosed} {
		stop, err := o.Bus.Subscribe(subject, on)
		if err != nil {
			p.Close()
			return nil, fmt.Errorf("plays: listen for what ends: %w", err)
		}
		p.stops = append(p.stops, stop)
	}
	return p, nil
}

// Close stops listening.
func (p *Plays) Close() {
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
}

// endedSince tells whether a play, its session or its member's plays may have ended since it was read.
func (p *Plays) endedSince(one *live) bool {
	for _, name := range [...]string{"p" + text(one.ID), "s" + text(one.SessionID), "m" + text(one.MemberID)} {
		if at, told := p.ended.GetIfPresent(name); told && at >= one.readAt {
			return true
		}
	}
	return false
}

// IsOpen tells whether a play is the member's and was not closed.
func (p *Plays) IsOpen(ctx context.Context, memberID, playID int64) (bool, error) {
	row, err := p.o.Store.Q().PlayShown(ctx, "vi", playID, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read play: %w", err)
	}
	return !row.ClosedAt.Valid && db.Millis(p.o.Now())-row.CreatedAt < playFor.Milliseconds(), nil
}

// CloseAllIn closes every play of a member that runs, in the caller's transaction. tell spreads it, once it is committed.
func (p *Plays) CloseAllIn(ctx context.Context, tx *db.Tx, memberID int64) (tell func(), err error) {
	now := p.o.Now()
	err = tx.Q.ClosePlays(ctx, sql.NullInt64{Int64: db.Millis(now), Valid: true}, memberID, db.Millis(now.Add(-playFor)))
	if err != nil {
		return nil, fmt.Errorf("close plays: %w", err)
	}
	return func() { p.tellClosed("m" + text(memberID)) }, nil
}

// noteEnd remembers that something ended, so that plays read before it are read anew.
func (p *Plays) noteEnd(name string) { p.ended.Set(name, db.Millis(p.o.Now())) }

// tellClosed has every server read a play, or a member's plays, anew.
func (p *Plays) tellClosed(name string) {
	p.noteEnd(name)
	p.o.Bus.Notify(playsClosed, []byte(name), cacheFor)
}

func (p *Plays) onClosed(data []byte) { p.noteEnd(string(data)) }

func (p *Plays) onSessionEnded(data []byte) {
	var e events.SessionEnded
	if err := json.Unmarshal(data, &e); err != nil {
		p.o.Log.Warn("read word of ended sessions", "error", err)
		return
	}
	p.SessionEnded(e)
}

// SessionEnded has the plays of a session, or of all sessions of a member, read anew.
func (p *Plays) SessionEnded(e events.SessionEnded) {
	if e.Session != "" {
		p.noteEnd("s" + e.Session)
		return
	}
	p.noteEnd("m" + e.Member)
}
