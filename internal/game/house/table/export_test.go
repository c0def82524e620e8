package table

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// DisablePolling lets the test poll the tables.
func (s *Service) DisablePolling() { s.runners.polledByTest = true }

// Poll polls a table once. Unless inUse, it first removes the listeners and expires the last request.
func (s *Service) Poll(ctx context.Context, id string, inUse bool) {
	runner := s.runners.startForRequest(tables().byID[id])
	if !inUse {
		runner.mu.Lock()
		clear(runner.listeners)
		runner.mu.Unlock()
		runner.lastRequest = runner.lastRequest.Add(-requestLifetime)
	}
	runner.poll(ctx)
}

// ReadsTickets reports whether a poll reads the tickets from the database when this much time has passed since the last read.
func (s *Service) ReadsTickets(ctx context.Context, id string, after time.Duration) (bool, error) {
	runner := s.runners.startForRequest(tables().byID[id])
	manual := s.runners.polledByTest
	s.runners.polledByTest = false
	defer func() { s.runners.polledByTest = manual }()
	runner.mu.Lock()
	runner.ticketsReadAt = runner.ticketsReadAt.Add(-after)
	before := runner.ticketsReadAt
	runner.mu.Unlock()
	v, err := runner.update(ctx, true)
	if err != nil {
		return false, err
	}
	runner.publish(v)
	return runner.ticketsReadAt != before, nil
}

// HasWakeUp reports whether a table has been woken up since the last call.
func (s *Service) HasWakeUp(id string) bool {
	select {
	case <-s.runners.startForRequest(tables().byID[id]).wakeUp:
		return true
	default:
		return false
	}
}

// PollAll polls every running table once.
func (s *Service) PollAll(ctx context.Context) {
	s.runners.mu.Lock()
	all := slices.Collect(maps.Values(s.runners.byID))
	s.runners.mu.Unlock()
	for _, runner := range all {
		runner.poll(ctx)
	}
}

// secondVersion is a version 2 of baccarat with only the first spot, on which the player always wins.
type secondVersion struct{ Dealer }

func (s secondVersion) Data() spot.Data {
	data := s.Dealer.Data()
	data.Version, data.Spots = 2, data.Spots[:1]
	return data
}

func (secondVersion) Deal(*fairness.Stream) (json.RawMessage, error) {
	return json.RawMessage(`{"player":["7S","TH"],"banker":["TS","6H"],"winner":"player","playerPair":false,"bankerPair":false,"points":{"player":7,"banker":6}}`), nil
}

// AddSecondVersion adds version 2 of baccarat, as a later release would.
func (s *Service) AddSecondVersion() {
	first, _ := s.dealers.find("baccarat", 1)
	s.dealers = maps.Clone(s.dealers)
	s.dealers["baccarat"] = []Dealer{first, secondVersion{first}}
}

// CountStreams counts the open streams and their players.
func (s *Service) CountStreams() (streams, players int) {
	a := &s.runners
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, runner := range a.byID {
		runner.mu.Lock()
		streams += len(runner.listeners)
		runner.mu.Unlock()
	}
	a.listeners.mu.Lock()
	defer a.listeners.mu.Unlock()
	return streams, len(a.listeners.byPlayer)
}

// BuildStreamItems builds a round's events for many clients. Each client has at most one ticket.
func BuildStreamItems(tickets, clients int) error {
	rows := make([]query.TableTicketsRow, tickets)
	for i := range rows {
		rows[i] = query.TableTicketsRow{ID: int64(i), Player: "p" + strconv.Itoa(i), Currency: "VND", Stake: 10_000, Spots: `{"banker":10000}`, Status: bet.Placed}
	}
	snapshot := newSnapshot(&query.HouseTableRound{ID: 1, Status: bet.Betting, ClosesAt: 1000, EndsAt: 2000}, rows)
	vnd, err := money.Find("VND")
	if err != nil {
		return err
	}
	for i := range clients {
		if _, err := snapshot.streamJSON(vnd, time.UnixMilli(1)); err != nil {
			return err
		}
		if _, err := snapshot.ticketsOf("p"+strconv.Itoa(i), vnd, time.UnixMilli(1)); err != nil {
			return err
		}
	}
	return nil
}

// TicketStatus exports ticketStatus.
func TicketStatus(status string, stake, win int64, late bool) (shown string, amount int64) {
	return ticketStatus(query.TableTicketsRow{Status: status, Stake: stake, Win: win}, late)
}

// FirstTable returns the first table of an engine, and its first game.
func FirstTable(engine string) (game, id string) {
	for _, t := range tables().Tables {
		if t.Engine == engine {
			return t.Games[0], t.ID
		}
	}
	return "", ""
}
