package table

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/seed"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A dealtReply is a stored result. Its shape depends on the engine.
type dealtReply json.RawMessage

// MarshalJSON implements json.Marshaler.
func (r dealtReply) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// Schema implements huma.SchemaProvider.
func (dealtReply) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Nullable: true, Type: huma.TypeObject, AdditionalProperties: true,
		Description: resultDoc(),
	}
}

type engineName string

// Schema implements huma.SchemaProvider.
func (engineName) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: engineNames()}
}

type spotReply struct {
	ID      string      `json:"id"`
	Times   []string    `json:"times" doc:"Profit for each unit staked, as a decimal; several where it depends on how often the spot is hit."`
	Numbers []int       `json:"numbers,omitempty" doc:"Of a wheel: the numbers that it covers."`
	RTP     string      `json:"rtp" doc:"Share of what is staked on it that comes back, per cent, rounded down."`
	Minimum rest.Amount `json:"minimum"`
	Maximum rest.Amount `json:"maximum" doc:"Of all of a player's tickets in a round."`
}

type tableReply struct {
	ID      string        `json:"id"`
	Engine  engineName    `json:"engine"`
	Version int           `json:"version"`
	Name    string        `json:"name"`
	Phases  phases        `json:"phases"`
	Chips   []rest.Amount `json:"chips"`
	Unit    rest.Amount   `json:"unit" doc:"Every stake is a multiple of it."`
	Minimum rest.Amount   `json:"minimum" doc:"On one spot."`
	Maximum rest.Amount   `json:"maximum" doc:"Of one ticket."`
	Spots   []spotReply   `json:"spots"`
}

// A tableRoundReply is a table's round. It has the result from the dealing phase on, and the seed from the result phase on.
type tableRoundReply struct {
	ID         string     `json:"id"`
	Number     int64      `json:"number" doc:"The nonce of its stream."`
	Phase      string     `json:"phase" enum:"waiting,betting,locked,dealing,result,void"`
	OpensAt    int64      `json:"opensAt" doc:"This and all times: Unix milliseconds by the database's time, as now."`
	ClosesAt   int64      `json:"closesAt"`
	DealAt     int64      `json:"dealAt"`
	ResultAt   int64      `json:"resultAt"`
	EndsAt     int64      `json:"endsAt"`
	Commitment string     `json:"commitment" doc:"SHA-256 of the seed, from the opening on. It is the seed of the round before in the same series."`
	ClientSeed string     `json:"clientSeed" doc:"The salt of the series and the table's id; of rounds without a series the table's id."`
	SeriesID   string     `json:"seriesId" doc:"The series at /wps/fairness/series; empty without one."`
	Link       int64      `json:"link" doc:"The link of the series that is the seed; 0 without one."`
	Seed       *string    `json:"seed" doc:"In hexadecimal, with the result phase, or when the round is called off."`
	Result     dealtReply `json:"result" doc:"From the dealing phase on."`
}

type crowdSpot struct {
	Players int         `json:"players"`
	Amount  rest.Amount `json:"amount" doc:"Of stakes in the caller's currency."`
}

type crowdReply struct {
	Players int                  `json:"players" doc:"Who have a ticket in this round. Play money and real money are counted apart: the caller sees the own kind."`
	Spots   map[string]crowdSpot `json:"spots"`
}

// A TicketReply is a ticket as its player sees it. Its name is exported, so that the API document describes its fields where it
// is embedded.
type TicketReply struct {
	ID     string                 `json:"id" doc:"Of the round in the record, by which its proof is found."`
	BetID  string                 `json:"betId"`
	Spots  map[string]rest.Amount `json:"spots"`
	Total  rest.Amount            `json:"total"`
	Status string                 `json:"status" enum:"placed,won,lost,owed,refunded,refused" doc:"owed: what comes back could not be paid yet, and will be later."`
	Win    rest.Amount            `json:"win" doc:"What comes back, stakes included; of one that is owed, what is to come."`
}

type pastReply struct {
	Number int64      `json:"number"`
	Result dealtReply `json:"result"`
}

func showTable(f tableFrame) tableReply {
	t := f.table
	show := func(n money.Minor) rest.Amount { return rest.AmountOf(f.Currency, n) }
	data := t.dealer.Data()
	shown := tableReply{
		ID: t.ID, Engine: engineName(t.Engine), Version: data.Version, Name: t.Name, Phases: t.phases,
		Unit: show(f.limits.unit), Minimum: show(f.limits.minimum), Maximum: show(f.limits.ticket),
	}
	for _, chip := range f.limits.chips {
		shown.Chips = append(shown.Chips, show(chip))
	}
	for _, s := range data.Spots {
		shown.Spots = append(shown.Spots, spotReply{
			ID: s.ID, Times: s.Times, Numbers: s.Numbers, RTP: t.rtp[s.ID], Minimum: show(f.limits.minimum), Maximum: show(f.limits.maxOn(s)),
		})
	}
	return shown
}

// shownAfterEnd is how long an ended round is shown while no other has opened.
const shownAfterEnd = 2 * time.Second

// showTableRound returns the public part of a round, or nil while the table waits for players.
func showTableRound(round *query.HouseTableRound, now time.Time) *tableRoundReply {
	at := db.Millis(now)
	if round == nil || isFinished(round) && at > round.EndsAt+shownAfterEnd.Milliseconds() {
		return nil
	}
	shown := &tableRoundReply{
		ID: strconv.FormatInt(round.ID, 10), Number: round.Number, Phase: round.Status, OpensAt: round.OpensAt, ClosesAt: round.ClosesAt,
		DealAt: round.DealAt, ResultAt: round.ResultAt, EndsAt: round.EndsAt, Commitment: seed.Published(round.Commitment, round.Seed),
		ClientSeed: round.ClientSeed, SeriesID: seriesText(round.SeriesID), Link: round.Link,
	}
	switch round.Status {
	case bet.Betting:
		if at >= round.ClosesAt {
			shown.Phase = roundLocked
		}
	case roundDealing:
		shown.Result = dealtReply(round.Result)
	case roundVoid:
		shown.Seed = seed.Revealed(round.Seed)
	case roundResult, roundEnded:
		shown.Phase, shown.Result, shown.Seed = roundResult, dealtReply(round.Result), seed.Revealed(round.Seed)
	}
	return shown
}

// maxPayTime is the age at which an unpaid ticket is shown as owed. Rounds and payouts take less.
const maxPayTime = time.Minute

// Statuses of a ticket that only its player sees.
const (
	ticketWon  = "won"
	ticketLost = "lost"
	ticketOwed = "owed"
)

// ticketStatus returns a ticket's status for its player, and the amount paid or due. A late ticket that is not paid is owed.
func ticketStatus(row query.TableTicketsRow, late bool) (status string, amount int64) {
	switch row.Status {
	case bet.Settled:
		if row.Win > 0 {
			return ticketWon, row.Win
		}
		return ticketLost, 0
	case bet.PayoutStuck:
		return due(row.Win)
	case bet.RefundStuck:
		return due(row.Stake)
	case bet.Staked:
		if late {
			return due(row.Win)
		}
		return bet.Placed, 0
	case bet.Refunding:
		if late {
			return due(row.Stake)
		}
		return bet.Refunded, 0
	case bet.Refunded:
		return bet.Refunded, 0
	case bet.Refused:
		return bet.Refused, 0
	default:
		return bet.Placed, 0
	}
}

// due returns the status of a ticket with an amount still to pay. With nothing to pay the ticket is lost.
func due(amount int64) (status string, still int64) {
	if amount == 0 {
		return ticketLost, 0
	}
	return ticketOwed, amount
}

// showTickets returns a player's tickets of a round. Unconfirmed tickets are omitted.
func showTickets[T query.TableTicketsRow | query.PlayerTicketsRow](tickets []T, player string, c money.Currency) ([]TicketReply, error) {
	shown := []TicketReply{}
	for _, one := range tickets {
		row := query.TableTicketsRow(one)
		if row.Player != player || row.Currency != c.Code || row.Status == bet.Betting {
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

func showTicket(row query.TableTicketsRow, c money.Currency, late bool) (TicketReply, error) {
	status, amount := ticketStatus(row, late)
	shown := TicketReply{
		ID: strconv.FormatInt(row.ID, 10), BetID: row.SpinID, Spots: map[string]rest.Amount{}, Total: rest.AmountOf(c, money.Minor(row.Stake)),
		Status: status, Win: rest.AmountOf(c, money.Minor(amount)),
	}
	on, err := parseSpots(row.Spots)
	for _, id := range slices.Sorted(maps.Keys(on)) {
		shown.Spots[id] = rest.AmountOf(c, on[id])
	}
	return shown, err
}
