package table

import (
	"encoding/json"
	"sync"
	"time"

	"fairground/internal/game/house/bet"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A roundSnapshot is a round with its tickets. It caches what streams send, so that an update costs tickets plus readers, not
// tickets times readers.
type roundSnapshot struct {
	round   *query.HouseTableRound
	tickets []query.TableTicketsRow

	byPlayer func() map[string][]query.TableTicketsRow

	mu     sync.Mutex
	crowds map[string]crowdReply // by currency
	wires  map[wireKey][]byte
}

type wireKey struct{ currency, phase string }

func newSnapshot(round *query.HouseTableRound, tickets []query.TableTicketsRow) *roundSnapshot {
	return &roundSnapshot{
		round: round, tickets: tickets, crowds: map[string]crowdReply{}, wires: map[wireKey][]byte{},
		byPlayer: sync.OnceValue(func() map[string][]query.TableTicketsRow {
			by := map[string][]query.TableTicketsRow{}
			for _, row := range tickets {
				by[row.Player] = append(by[row.Player], row)
			}
			return by
		}),
	}
}

// with returns a snapshot of the same tickets with a new state of the round.
func (t *roundSnapshot) with(round *query.HouseTableRound) *roundSnapshot {
	if sameRound(t.round, round) {
		return t
	}
	return newSnapshot(round, t.tickets)
}

func (t *roundSnapshot) crowd(c money.Currency) (crowdReply, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.crowdLocked(c)
}

func (t *roundSnapshot) crowdLocked(c money.Currency) (crowdReply, error) {
	if shown, cached := t.crowds[c.Code]; cached {
		return shown, nil
	}
	shown, err := countCrowd(t.tickets, c)
	if err == nil {
		t.crowds[c.Code] = shown
	}
	return shown, err
}

// wire returns the part of a stream item that all readers share: the round and the crowd as JSON, without the outer braces.
func (t *roundSnapshot) wire(c money.Currency, now time.Time) ([]byte, error) {
	round := showTableRound(t.round, now)
	key := wireKey{currency: c.Code}
	if round != nil {
		key.phase = round.Phase
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, cached := t.wires[key]; cached {
		return text, nil
	}
	item := struct {
		Round *tableRoundReply `json:"round"`
		Crowd crowdReply       `json:"crowd"`
	}{Round: round, Crowd: crowdReply{Spots: map[string]crowdSpot{}}}
	if round != nil {
		var err error
		if item.Crowd, err = t.crowdLocked(c); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(item)
	if err != nil {
		return nil, err
	}
	t.wires[key] = text[1 : len(text)-1]
	return t.wires[key], nil
}

func (t *roundSnapshot) ticketsOf(player string, c money.Currency, now time.Time) ([]TicketReply, error) {
	if showTableRound(t.round, now) == nil {
		return []TicketReply{}, nil
	}
	return showTickets(t.byPlayer()[player], player, c)
}

// countCrowd counts the tickets that a player with currency c sees. Tickets with play money and tickets with real money are
// separate crowds.
func countCrowd(tickets []query.TableTicketsRow, c money.Currency) (crowdReply, error) {
	players, bySpot, sums := map[string]bool{}, map[string]map[string]bool{}, spotStakes{}
	for _, row := range tickets {
		if row.Status != bet.Placed && row.Status != bet.Staked && row.Status != bet.Settled {
			continue
		}
		own, err := money.Find(row.Currency)
		if err != nil {
			return crowdReply{}, err
		}
		if own.Trial != c.Trial {
			continue
		}
		on, err := parseSpots(row.Spots)
		if err != nil {
			return crowdReply{}, err
		}
		players[row.Player] = true
		for id, stake := range on {
			if bySpot[id] == nil {
				bySpot[id] = map[string]bool{}
			}
			bySpot[id][row.Player] = true
			if row.Currency == c.Code {
				sums[id] += stake
			}
		}
	}
	shown := crowdReply{Players: len(players), Spots: map[string]crowdSpot{}}
	for id, on := range bySpot {
		shown.Spots[id] = crowdSpot{len(on), rest.AmountOf(c, sums[id])}
	}
	return shown, nil
}
