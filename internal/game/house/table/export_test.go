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

// SetManual stops the tables from polling by themselves.
func (s *Service) SetManual() { s.desks.manual = true }

// Poll polls a table once. Unless wanted, it first removes the listeners and expires the last request.
func (s *Service) Poll(ctx context.Context, id string, wanted bool) {
	d := s.desks.at(tables().byID[id])
	if !wanted {
		d.mu.Lock()
		clear(d.listeners)
		d.mu.Unlock()
		d.lastRequest = d.lastRequest.Add(-requestLifetime)
	}
	d.poll(ctx)
}

// ReadsTickets reports whether a poll this long after the last read reads the tickets from the database.
func (s *Service) ReadsTickets(ctx context.Context, id string, after time.Duration) (bool, error) {
	d := s.desks.at(tables().byID[id])
	manual := s.desks.manual
	s.desks.manual = false
	defer func() { s.desks.manual = manual }()
	d.mu.Lock()
	d.ticketsRead = d.ticketsRead.Add(-after)
	before := d.ticketsRead
	d.mu.Unlock()
	v, err := d.update(ctx, true)
	if err != nil {
		return false, err
	}
	d.publish(v)
	return d.ticketsRead != before, nil
}

// Woken reports whether a table is to be polled at once, and resets that.
func (s *Service) Woken(id string) bool {
	select {
	case <-s.desks.at(tables().byID[id]).woken:
		return true
	default:
		return false
	}
}

// PollAll polls every running table once.
func (s *Service) PollAll(ctx context.Context) {
	s.desks.mu.Lock()
	all := slices.Collect(maps.Values(s.desks.byID))
	s.desks.mu.Unlock()
	for _, d := range all {
		d.poll(ctx)
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

// Upgrade adds version 2 of baccarat, as a later program has.
func (s *Service) Upgrade() {
	first, _ := s.dealers.find("baccarat", 1)
	s.dealers = maps.Clone(s.dealers)
	s.dealers["baccarat"] = []Dealer{first, secondVersion{first}}
}

// Listeners counts the open streams and their players.
func (s *Service) Listeners() (streams, players int) {
	a := &s.desks
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, d := range a.byID {
		d.mu.Lock()
		streams += len(d.listeners)
		d.mu.Unlock()
	}
	a.listeners.mu.Lock()
	defer a.listeners.mu.Unlock()
	return streams, len(a.listeners.byPlayer)
}

// Broadcast builds the stream items of a round for a number of readers. Each has at most one ticket.
func Broadcast(tickets, readers int) error {
	rows := make([]query.TableTicketsRow, tickets)
	for i := range rows {
		rows[i] = query.TableTicketsRow{ID: int64(i), Player: "p" + strconv.Itoa(i), Currency: "VND", Stake: 10_000, Spots: `{"banker":10000}`, Status: bet.Placed}
	}
	snapshot := newSnapshot(&query.HouseTableRound{ID: 1, Status: bet.Betting, ClosesAt: 1000, EndsAt: 2000}, rows)
	vnd, err := money.Find("VND")
	if err != nil {
		return err
	}
	for i := range readers {
		if _, err := snapshot.wire(vnd, time.UnixMilli(1)); err != nil {
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

// Engines returns the names of all table games.
func Engines() (names []string) {
	for _, e := range engines() {
		names = append(names, e.name())
	}
	return names
}
