package table

import (
	"context"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// foreignGrace is how long an undealt round waits, from its deal time, for a program that has its table and its engine's version.
// During a rolling update there is one. After that the round is voided and the stakes go back.
const foreignGrace = 30 * time.Second

func (d *desk) canDeal(round *query.HouseTableRound) bool {
	return !d.table.retired && d.s.dealers.has(round.Engine, round.Version)
}

// isForeign reports whether the open round is left to a program that can deal it.
func (d *desk) isForeign(ctx context.Context, now time.Time, round *query.HouseTableRound) bool {
	if isFinished(round) || d.canDeal(round) {
		return false
	}
	at := db.Millis(now)
	if at >= round.DealAt+foreignGrace.Milliseconds() || at < round.OpensAt-maxLateness.Milliseconds() { // the latter: the database's clock was set back
		return false
	}
	d.s.logForeign(ctx, *round)
	return true
}

// logForeign logs once per round that it is left to another program.
func (s *Service) logForeign(ctx context.Context, round query.HouseTableRound) {
	s.foreignMu.Lock()
	logged := s.foreign[round.TableID] == round.ID
	s.foreign[round.TableID] = round.ID
	s.foreignMu.Unlock()
	if !logged {
		s.o.Log.WarnContext(ctx, "this program lacks the table or the engine version of a round, which is left to another program",
			"table", round.TableID, "round", round.ID, "engine", round.Engine, "version", round.Version)
	}
}
