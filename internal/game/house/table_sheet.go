package house

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// sheet is what is said of a round and its tickets, worked out once for all who ask: news costs as much as there are tickets
// and readers, not the one times the other.
type sheet struct {
	round   *query.HouseTableRound
	tickets []query.TableTicketsRow

	own func() map[string][]query.TableTicketsRow // by player

	mu     sync.Mutex
	crowds map[string]crowdShown // by currency
	wires  map[wireKey][]byte
}

// wireKey tells apart what readers are shown at the same time: money in their currency, and the round as it stands.
type wireKey struct{ currency, phase string }

func newSheet(round *query.HouseTableRound, tickets []query.TableTicketsRow) *sheet {
	return &sheet{
		round: round, tickets: tickets, crowds: map[string]crowdShown{}, wires: map[wireKey][]byte{},
		own: sync.OnceValue(func() map[string][]query.TableTicketsRow {
			by := map[string][]query.TableTicketsRow{}
			for _, row := range tickets {
				by[row.Player] = append(by[row.Player], row)
			}
			return by
		}),
	}
}

// of is the same tickets under the round as it stands now.
func (t *sheet) of(round *query.HouseTableRound) *sheet {
	if sameRound(t.round, round) {
		return t
	}
	return newSheet(round, t.tickets)
}

// crowd is who bets on what, as somebody with that currency sees it.
func (t *sheet) crowd(c money.Currency) (crowdShown, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.crowdOf(c)
}

func (t *sheet) crowdOf(c money.Currency) (crowdShown, error) {
	if shown, known := t.crowds[c.Code]; known {
		return shown, nil
	}
	shown, err := crowd(t.tickets, c)
	if err == nil {
		t.crowds[c.Code] = shown
	}
	return shown, err
}

// wire is the part of an item that readers share, the round and its crowd, without the braces around it.
func (t *sheet) wire(c money.Currency, now time.Time) ([]byte, error) {
	round := shownRound(t.round, now)
	key := wireKey{currency: c.Code}
	if round != nil {
		key.phase = round.Phase
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if text, known := t.wires[key]; known {
		return text, nil
	}
	item := struct {
		Round *tableRoundShown `json:"round"`
		Crowd crowdShown       `json:"crowd"`
	}{Round: round, Crowd: crowdShown{Spots: map[string]crowdSpot{}}}
	if round != nil {
		var err error
		if item.Crowd, err = t.crowdOf(c); err != nil {
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

// mine are a player's own tickets, while their round is shown.
func (t *sheet) mine(player string, c money.Currency, now time.Time) ([]ticketShown, error) {
	if shownRound(t.round, now) == nil {
		return []ticketShown{}, nil
	}
	return mine(t.own()[player], player, c)
}

// crowd counts who bets on what: real tickets only.
func crowd(tickets []query.TableTicketsRow, c money.Currency) (crowdShown, error) {
	players, spots, sums := map[string]bool{}, map[string]map[string]bool{}, staked{}
	for _, row := range tickets {
		if row.Status != placed && row.Status != bet && row.Status != settled {
			continue
		}
		var on staked
		if err := json.Unmarshal([]byte(row.Spots), &on); err != nil {
			return crowdShown{}, fmt.Errorf("read ticket %d: %w", row.ID, err)
		}
		players[row.Player] = true
		for id, stake := range on {
			if spots[id] == nil {
				spots[id] = map[string]bool{}
			}
			spots[id][row.Player] = true
			if row.Currency == c.Code {
				sums[id] += stake
			}
		}
	}
	shown := crowdShown{Players: len(players), Spots: map[string]crowdSpot{}}
	for id, who := range spots {
		shown.Spots[id] = crowdSpot{len(who), rest.AmountOf(c, sums[id])}
	}
	return shown, nil
}

// mine are a player's own tickets of a round. One of which nobody knows yet whether it stands is none.
func mine[T query.TableTicketsRow | query.PlayerTicketsRow](tickets []T, player string, c money.Currency) ([]ticketShown, error) {
	shown := []ticketShown{}
	for _, one := range tickets {
		row := query.TableTicketsRow(one)
		if row.Player != player || row.Currency != c.Code || row.Status == betting {
			continue
		}
		ticket, err := showTicket(row, c, false)
		if err != nil {
			return nil, err
		}
		shown = append(shown, ticket)
	}
	return shown, nil
}

// showTicket tells of a ticket; late says that it should be at its end.
func showTicket(row query.TableTicketsRow, c money.Currency, late bool) (ticketShown, error) {
	status, back := ticketStatus(row, late)
	shown := ticketShown{
		ID: strconv.FormatInt(row.ID, 10), BetID: row.SpinID, Spots: map[string]rest.Amount{}, Total: rest.AmountOf(c, money.Minor(row.Stake)),
		Status: status, Win: rest.AmountOf(c, money.Minor(back)),
	}
	var on staked
	if err := json.Unmarshal([]byte(row.Spots), &on); err != nil {
		return shown, fmt.Errorf("read ticket %d: %w", row.ID, err)
	}
	for _, id := range slices.Sorted(maps.Keys(on)) {
		shown.Spots[id] = rest.AmountOf(c, on[id])
	}
	return shown, nil
}
