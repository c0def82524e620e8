package table

import (
	"strings"
	"time"

	"fairground/internal/game/house/bet"
	"fairground/internal/platform/db/query"
)

// A Bus carries notices between replicas.
type Bus interface {
	Hint(subject string, data []byte) // may be lost
	Subscribe(subject string, fn func(data []byte)) (stop func(), err error)
}

const (
	changeSubject = "house.table"
	// fallbackInterval is the time between two polls within a phase while the bus reports changes. It is below half of
	// leaseDuration, so that a leader renews its lease in time.
	fallbackInterval = 3 * time.Second
	// ticketFallback is the time after which tickets are read again without a notice: recovery sends none, and a notice can be lost.
	ticketFallback = 10 * time.Second
)

// Kinds of change.
const (
	roundChange   = "round"
	ticketsChange = "tickets"
)

// subscribe lets the desks read by change. Without a bus they poll.
func (a *desks) subscribe() {
	if a.s.o.Bus == nil {
		return
	}
	stop, err := a.s.o.Bus.Subscribe(changeSubject, a.receive)
	if err != nil {
		a.s.o.Log.WarnContext(a.ctx, "tables read their state twice a second: no notices of changes", "error", err)
		return
	}
	a.byChange, a.unsubscribe = true, stop
}

// receive handles a notice: the sender, the kind and the table.
func (a *desks) receive(data []byte) {
	parts := strings.Fields(string(data))
	if len(parts) != 3 {
		return
	}
	a.mu.Lock()
	d, own := a.byID[parts[2]], parts[0] == a.owner
	a.mu.Unlock()
	switch {
	case d == nil || own:
	case parts[1] == roundChange:
		d.wake()
	default:
		d.markChanged()
	}
}

// notify reports a committed change to the other replicas.
func (d *desk) notify(kind string) {
	if d.s.desks.byChange {
		d.s.o.Bus.Hint(changeSubject, []byte(d.s.desks.owner+" "+kind+" "+d.table.ID))
	}
}

// interval returns the longest time to the next poll. A round that should have moved on is polled more often.
func (a *desks) interval(round *query.HouseTableRound, at int64) time.Duration {
	if !a.byChange || isOverdue(round, at) {
		return pollInterval
	}
	return fallbackInterval
}

func isOverdue(round *query.HouseTableRound, at int64) bool {
	if round == nil {
		return true
	}
	switch round.Status {
	case bet.Betting:
		return at >= round.ClosesAt
	case roundLocked:
		return at >= round.DealAt
	case roundDealing:
		return at >= round.ResultAt
	case roundEnded:
		return true
	default:
		return at >= round.EndsAt
	}
}

// ticketAge returns the age up to which tickets are not read again.
func (a *desks) ticketAge(changed bool) time.Duration {
	if a.byChange && !changed {
		return ticketFallback
	}
	return ticketInterval
}

// viewAge returns the age up to which a view is not read again for a request.
func (a *desks) viewAge() time.Duration {
	if a.byChange {
		return fallbackInterval + time.Second
	}
	return ticketInterval
}
