package house

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ByHand leaves the tables to the test: nothing happens at them but by Turn.
func (s *Service) ByHand() { s.desks.byHand = true }

// Turn looks at a table once, as its desk does many times a second. Somebody sits there, or nobody.
func (s *Service) Turn(ctx context.Context, id string, sitting bool) {
	d := s.desks.at(tables().byID[id])
	if !sitting {
		d.mu.Lock()
		clear(d.sitters)
		d.mu.Unlock()
		d.asked = d.asked.Add(-askedLately)
	}
	d.turn(ctx)
}

// TurnAll looks once at every table that has a desk.
func (s *Service) TurnAll(ctx context.Context) {
	s.desks.mu.Lock()
	all := slices.Collect(maps.Values(s.desks.desks))
	s.desks.mu.Unlock()
	for _, d := range all {
		d.turn(ctx)
	}
}

// sevens is a second version of baccarat: the same cards, but the spots of the first one only, and the player always wins.
type sevens struct{ Dealer }

func (s sevens) Data() spot.Data {
	data := s.Dealer.Data()
	data.Version, data.Spots = 2, data.Spots[:1]
	return data
}

func (sevens) Deal(*fairness.Stream) (json.RawMessage, error) {
	return json.RawMessage(`{"player":["7S","TH"],"banker":["TS","6H"],"winner":"player","playerPair":false,"bankerPair":false,"points":{"player":7,"banker":6}}`), nil
}

// Upgrade has the service carry a second version of baccarat, as a later program does.
func (s *Service) Upgrade() {
	first, _ := s.dealers.version("baccarat", 1)
	s.dealers = maps.Clone(s.dealers)
	s.dealers["baccarat"] = []Dealer{first, sevens{first}}
}

// Sitting counts who is told of a table's news, at their desks and by their players.
func (s *Service) Sitting() (atDesks, players int) {
	a := &s.desks
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, d := range a.desks {
		d.mu.Lock()
		atDesks += len(d.sitters)
		d.mu.Unlock()
	}
	a.seats.mu.Lock()
	defer a.seats.mu.Unlock()
	return atDesks, len(a.seats.byPlayer)
}

// Spread tells so many readers of a round with so many tickets, of which each reader has at most one.
func Spread(tickets, readers int) error {
	rows := make([]query.TableTicketsRow, tickets)
	for i := range rows {
		rows[i] = query.TableTicketsRow{ID: int64(i), Player: "p" + strconv.Itoa(i), Currency: "VND", Stake: 10_000, Spots: `{"banker":10000}`, Status: placed}
	}
	sheet := newSheet(&query.HouseTableRound{ID: 1, Status: betting, ClosesAt: 1000, EndsAt: 2000}, rows)
	vnd, err := money.Find("VND")
	if err != nil {
		return err
	}
	for i := range readers {
		if _, err := sheet.wire(vnd, time.UnixMilli(1)); err != nil {
			return err
		}
		if _, err := sheet.mine("p"+strconv.Itoa(i), vnd, time.UnixMilli(1)); err != nil {
			return err
		}
	}
	return nil
}

// Gathering is numbers that are written together.
type Gathering struct{ all together[int] }

// NewGathering writes them with do.
func NewGathering(do func(ctx context.Context, lot []*int) error) *Gathering {
	return &Gathering{together[int]{do: do}}
}

// Ask waits until a number is written.
func (g *Gathering) Ask(ctx context.Context, n int) error { return g.all.ask(ctx, &n) }

// Await waits until so many wait.
func (g *Gathering) Await(count int) {
	for {
		g.all.mu.Lock()
		n := len(g.all.next)
		g.all.mu.Unlock()
		if n >= count {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// TicketStatus is how a ticket stands for its player.
func TicketStatus(status string, stake, win int64, late bool) (shown string, back int64) {
	return ticketStatus(query.TableTicketsRow{Status: status, Stake: stake, Win: win}, late)
}

// Ways are numbers of players that are written together, as on an engine.
type Ways struct{ all lanes[int] }

// NewWays writes them with do.
func NewWays(engine db.Engine, do func(ctx context.Context, lot []*int) error) Ways {
	return Ways{newLanes(engine, do)}
}

// Ask waits until a player's number is written.
func (w Ways) Ask(ctx context.Context, player string, n int) error { return w.all.ask(ctx, player, &n) }

// Theme tells in which pictures a round's game is shown.
func Theme(engine, game string) string { return all().theme(engine, game) }
