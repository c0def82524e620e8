package house

import (
	"context"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// foreignFor is how long a round waits, from when it should be dealt, for somebody who has its table and the version of its engine. While
// programs are exchanged one after another there is one; after that nobody will come, and what was staked goes back.
const foreignFor = 30 * time.Second

// has tells whether this program can deal and settle by a version. A round always names one: nothing stands for the newest.
func (all dealers) has(engine string, version int64) bool {
	_, known := all.version(engine, version)
	return known && version > 0
}

// deals tells whether this program can deal a round of the table.
func (d *desk) deals(round *query.HouseTableRound) bool {
	return !d.table.dropped && d.s.dealers.has(round.Engine, round.Version)
}

// isForeign tells whether the table's round is to be left to a program that has its table and its version.
func (d *desk) isForeign(ctx context.Context, now time.Time, round *query.HouseTableRound) bool {
	if finished(round) || d.deals(round) {
		return false
	}
	at := db.Millis(now)
	if at >= round.DealAt+foreignFor.Milliseconds() || at < round.OpensAt-lateness.Milliseconds() { // the latter: the database's clock was set back
		return false
	}
	d.s.leaveForeign(ctx, *round)
	return true
}

// leaveForeign says once of a round that it is left to another.
func (s *Service) leaveForeign(ctx context.Context, round query.HouseTableRound) {
	s.mu.Lock()
	said := s.foreign[round.TableID] == round.ID
	s.foreign[round.TableID] = round.ID
	s.mu.Unlock()
	if !said {
		s.o.Log.WarnContext(ctx, "a table's round is of a table or a version that this program does not have, and left to another that does",
			"table", round.TableID, "round", round.ID, "engine", round.Engine, "version", round.Version)
	}
}
