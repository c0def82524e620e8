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

// PlaysOptions configure Plays.
type PlaysOptions struct {
	Store *db.Store
	Bus   *events.Bus
	Now   func() time.Time
	Log   *slog.Logger
}

// Plays tracks which plays have ended, on every replica.
type Plays struct {
	o     PlaysOptions
	ended *otter.Cache[string, int64] // when a session, all plays of a member or a single play ended
	stops []func()
}

// NewPlays returns Plays that receive the notifications of other replicas.
func NewPlays(o PlaysOptions) (*Plays, error) {
	p := &Plays{o: o, ended: newCache[string, int64](o.Now, playCacheSize, 3*playCacheTTL)}
	for subject, on := range map[string]func([]byte){events.SubjectSessionEnded: p.onSessionEnded, subjectPlayClosed: p.onClosed} {
		stop, err := o.Bus.Subscribe(subject, on)
		if err != nil {
			p.Close()
			return nil, fmt.Errorf("plays: subscribe: %w", err)
		}
		p.stops = append(p.stops, stop)
	}
	return p, nil
}

// Close cancels the subscriptions.
func (p *Plays) Close() {
	for _, stop := range p.stops {
		stop()
	}
	p.stops = nil
}

// endedSince reports whether the play, its session or all its member's plays may have ended since it was read.
func (p *Plays) endedSince(play *cachedPlay) bool {
	for _, name := range [...]string{"p" + formatID(play.ID), "s" + formatID(play.SessionID), "m" + formatID(play.MemberID)} {
		if at, found := p.ended.GetIfPresent(name); found && at >= play.readAt {
			return true
		}
	}
	return false
}

// IsOpen reports whether a play belongs to the member and is open.
func (p *Plays) IsOpen(ctx context.Context, memberID, playID int64) (bool, error) {
	row, err := p.o.Store.Q().PlayDetail(ctx, "vi", playID, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read play: %w", err)
	}
	return !row.ClosedAt.Valid && db.Millis(p.o.Now())-row.CreatedAt < playTTL.Milliseconds(), nil
}

// CloseAllIn closes a member's open plays in the caller's transaction. The caller must call notify after the commit.
func (p *Plays) CloseAllIn(ctx context.Context, tx *db.Tx, memberID int64) (notify func(), err error) {
	now := p.o.Now()
	err = tx.Q.ClosePlays(ctx, sql.NullInt64{Int64: db.Millis(now), Valid: true}, memberID, db.Millis(now.Add(-playTTL)))
	if err != nil {
		return nil, fmt.Errorf("close plays: %w", err)
	}
	return p.recordClosedIn(ctx, tx, "m"+formatID(memberID))
}

func (p *Plays) recordEnd(name string) { p.ended.Set(name, db.Millis(p.o.Now())) }

// recordClosedIn makes every replica reload a play or a member's plays. The caller must call notify after the commit.
func (p *Plays) recordClosedIn(ctx context.Context, tx *db.Tx, name string) (notify func(), err error) {
	if err := p.o.Bus.AddIn(ctx, tx, subjectPlayClosed, []byte(name)); err != nil {
		return nil, err
	}
	return func() { p.o.Bus.Notify(subjectPlayClosed, []byte(name)) }, nil
}

func (p *Plays) onClosed(data []byte) { p.recordEnd(string(data)) }

func (p *Plays) onSessionEnded(data []byte) {
	var e events.SessionEnded
	if err := json.Unmarshal(data, &e); err != nil {
		p.o.Log.Warn("ignore a malformed notification of ended sessions", "error", err)
		return
	}
	p.SessionEnded(e)
}

// SessionEnded makes this replica reload the plays of a session, or of all the member's sessions.
func (p *Plays) SessionEnded(e events.SessionEnded) {
	if e.Session != "" {
		p.recordEnd("s" + e.Session)
		return
	}
	p.recordEnd("m" + e.Member)
}
