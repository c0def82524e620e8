package table

import (
	"context"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// otherVersionGrace is how long after its deal time an undealt round waits for a server that has its table and engine version.
// During a rolling update, such a server runs. After the wait the round is voided and the stakes are refunded.
const otherVersionGrace = 30 * time.Second

func (r *runner) canDeal(round *query.HouseTableRound) bool {
	return !r.table.retired && r.s.dealers.has(round.Engine, round.Version)
}

// isLeftToOthers reports whether this server leaves the open round to a server that can deal it.
func (r *runner) isLeftToOthers(ctx context.Context, now time.Time, round *query.HouseTableRound) bool {
	if isFinished(round) || r.canDeal(round) {
		return false
	}
	nowMs := db.Millis(now)
	if nowMs >= round.DealAt+otherVersionGrace.Milliseconds() || nowMs < round.OpensAt-maxLateness.Milliseconds() { // the second case: the database's clock was set back
		return false
	}
	r.s.logSkip(ctx, *round)
	return true
}

// logSkip logs once per round that this server leaves it to another one.
func (s *Service) logSkip(ctx context.Context, round query.HouseTableRound) {
	s.loggedSkipsMu.Lock()
	logged := s.loggedSkips[round.TableID] == round.ID
	s.loggedSkips[round.TableID] = round.ID
	s.loggedSkipsMu.Unlock()
	if !logged {
		s.o.Log.WarnContext(ctx, "this server lacks the table or the engine version of a round: the round is left to another server",
			"table", round.TableID, "round", round.ID, "engine", round.Engine, "version", round.Version)
	}
}
