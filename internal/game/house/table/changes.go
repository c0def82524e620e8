package table

import (
	"strings"
	"time"

	"fairground/internal/game/house/bet"
	"fairground/internal/platform/db/query"
)

// A Bus sends notifications between replicas.
type Bus interface {
	Hint(subject string, data []byte) // the notification may be lost
	Subscribe(subject string, fn func(data []byte)) (stop func(), err error)
	Connected() bool // without a connection, no notification arrives
}

const (
	changeSubject = "house.table"
	// pollIntervalWithBus is the time between two polls within a phase. It is less than half of leaseDuration, so that a leader
	// renews its lease in time.
	pollIntervalWithBus = 3 * time.Second
	// ticketIntervalWithBus is the time after which tickets are read again without a notification. Notifications can be lost, and
	// recovery sends none.
	ticketIntervalWithBus = 10 * time.Second
)

// Kinds of change.
const (
	roundChange   = "round"
	ticketsChange = "tickets"
)

// subscribe subscribes to the notifications of other replicas.
func (rs *runners) subscribe() {
	if rs.s.o.Bus == nil {
		return
	}
	stop, err := rs.s.o.Bus.Subscribe(changeSubject, rs.receive)
	if err != nil {
		rs.s.o.Log.WarnContext(rs.ctx, "cannot subscribe to table changes: tables poll the database twice a second", "error", err)
		return
	}
	rs.subscribed, rs.unsubscribe = true, stop
}

// isNotified reports whether notifications of other replicas arrive.
func (rs *runners) isNotified() bool { return rs.subscribed && rs.s.o.Bus.Connected() }

// receive handles a notification. Its three words are the sender, the kind of change and the table.
func (rs *runners) receive(data []byte) {
	parts := strings.Fields(string(data))
	if len(parts) != 3 {
		return
	}
	rs.mu.Lock()
	runner, own := rs.byID[parts[2]], parts[0] == rs.owner
	rs.mu.Unlock()
	switch {
	case runner == nil || own:
	case parts[1] == roundChange:
		runner.wake()
	default:
		runner.markTicketsChanged()
	}
}

// notifyReplicas notifies the other replicas of a committed change.
func (r *runner) notifyReplicas(kind string) {
	if r.s.runners.isNotified() {
		r.s.o.Bus.Hint(changeSubject, []byte(r.s.runners.owner+" "+kind+" "+r.table.ID))
	}
}

// maxPollDelay returns the maximum time until the next poll. A round whose phase should have ended is polled more often.
func (rs *runners) maxPollDelay(round *query.HouseTableRound, nowMs int64) time.Duration {
	if !rs.isNotified() || isOverdue(round, nowMs) {
		return pollInterval
	}
	return pollIntervalWithBus
}

func isOverdue(round *query.HouseTableRound, nowMs int64) bool {
	if round == nil {
		return true
	}
	switch round.Status {
	case bet.Betting:
		return nowMs >= round.ClosesAt
	case roundLocked:
		return nowMs >= round.DealAt
	case roundDealing:
		return nowMs >= round.ResultAt
	case roundEnded:
		return true
	default:
		return nowMs >= round.EndsAt
	}
}

// maxTicketAge returns the age at which tickets are read again.
func (rs *runners) maxTicketAge(changed bool) time.Duration {
	if rs.isNotified() && !changed {
		return ticketIntervalWithBus
	}
	return ticketInterval
}

// maxStateAge returns the age at which a request reads the state again.
func (rs *runners) maxStateAge() time.Duration {
	if rs.isNotified() {
		return pollIntervalWithBus + time.Second
	}
	return ticketInterval
}
