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

// A roundSnapshot is a round with its tickets. It caches the data that all streams send, so that the cost of an update grows
// with tickets plus streams, not tickets times streams.
type roundSnapshot struct {
	round   *query.HouseTableRound
	tickets []query.TableTicketsRow

	byPlayer func() map[string][]query.TableTicketsRow

	mu         sync.Mutex
	crowds     map[string]crowdReply // by currency
	cachedJSON map[streamKey][]byte
}

type streamKey struct{ currency, phase string }

func newSnapshot(round *query.HouseTableRound, tickets []query.TableTicketsRow) *roundSnapshot {
	return &roundSnapshot{
		round: round, tickets: tickets, crowds: map[string]crowdReply{}, cachedJSON: map[streamKey][]byte{},
		byPlayer: sync.OnceValue(func() map[string][]query.TableTicketsRow {
			by := map[string][]query.TableTicketsRow{}
			for _, row := range tickets {
				by[row.Player] = append(by[row.Player], row)
			}
			return by
		}),
	}
}

// with returns a snapshot of the same tickets with a newer state of the round.
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
	if crowd, cached := t.crowds[c.Code]; cached {
		return crowd, nil
	}
	crowd, err := countCrowd(t.tickets, c)
	if err == nil {
		t.crowds[c.Code] = crowd
	}
	return crowd, err
}

// streamJSON returns the part of a stream event that all clients share: the round and the crowd as JSON, without the outer
// braces.
func (t *roundSnapshot) streamJSON(c money.Currency, now time.Time) ([]byte, error) {
	round := newRoundReply(t.round, now)
	key := streamKey{currency: c.Code}
	if round != nil {
		key.phase = round.Phase
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, cached := t.cachedJSON[key]; cached {
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
	t.cachedJSON[key] = text[1 : len(text)-1]
	return t.cachedJSON[key], nil
}

func (t *roundSnapshot) ticketsOf(player string, c money.Currency, now time.Time) ([]TicketReply, error) {
	if newRoundReply(t.round, now) == nil {
		return []TicketReply{}, nil
	}
	return newTicketReplies(t.byPlayer()[player], player, c)
}

// countCrowd counts the players and stakes that a player with currency c sees. Play money and real money are counted
// separately.
func countCrowd(tickets []query.TableTicketsRow, c money.Currency) (crowdReply, error) {
	players, bySpot, stakesBySpot := map[string]bool{}, map[string]map[string]bool{}, spotStakes{}
	for _, row := range tickets {
		if row.Status != bet.Placed && row.Status != bet.Staked && row.Status != bet.Settled {
			continue
		}
		ticketCurrency, err := money.Find(row.Currency)
		if err != nil {
			return crowdReply{}, err
		}
		if ticketCurrency.Trial != c.Trial {
			continue
		}
		stakes, err := parseSpots(row.Spots)
		if err != nil {
			return crowdReply{}, err
		}
		players[row.Player] = true
		for id, stake := range stakes {
			if bySpot[id] == nil {
				bySpot[id] = map[string]bool{}
			}
			bySpot[id][row.Player] = true
			if row.Currency == c.Code {
				stakesBySpot[id] += stake
			}
		}
	}
	crowd := crowdReply{Players: len(players), Spots: map[string]crowdSpot{}}
	for id, stakes := range bySpot {
		crowd.Spots[id] = crowdSpot{len(stakes), rest.AmountOf(c, stakesBySpot[id])}
	}
	return crowd, nil
}
