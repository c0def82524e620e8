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

// A resultReply is a stored result. Its fields depend on the engine.
type resultReply json.RawMessage

// MarshalJSON implements json.Marshaler.
func (r resultReply) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// Schema implements huma.SchemaProvider.
func (resultReply) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Nullable: true, Type: huma.TypeObject, AdditionalProperties: true,
		Description: resultDoc(),
	}
}

type engineName string

// Schema implements huma.SchemaProvider.
func (engineName) Schema(huma.Registry) *huma.Schema {
	names := []any{}
	for _, name := range Engines() {
		names = append(names, name)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names}
}

type spotReply struct {
	ID      string      `json:"id"`
	Times   []string    `json:"times" doc:"Profit per unit staked, as a decimal. There are several if it depends on how often the spot is hit."`
	Numbers []int       `json:"numbers,omitempty" doc:"Roulette only: the numbers that the spot covers."`
	RTP     string      `json:"rtp" doc:"Return to player, per cent, rounded down."`
	Minimum rest.Amount `json:"minimum"`
	Maximum rest.Amount `json:"maximum" doc:"Maximum total of a player's tickets in a round."`
}

type tableReply struct {
	ID      string        `json:"id"`
	Engine  engineName    `json:"engine"`
	Version int           `json:"version"`
	Name    string        `json:"name"`
	Phases  phases        `json:"phases"`
	Chips   []rest.Amount `json:"chips"`
	Unit    rest.Amount   `json:"unit" doc:"Every stake is a multiple of this amount."`
	Minimum rest.Amount   `json:"minimum" doc:"Minimum stake on one spot."`
	Maximum rest.Amount   `json:"maximum" doc:"Maximum total of one ticket."`
	Spots   []spotReply   `json:"spots"`
}

// A tableRoundReply is a table's round. It has the result from the dealing phase on and the seed from the result phase on.
type tableRoundReply struct {
	ID         string      `json:"id"`
	Number     int64       `json:"number" doc:"The nonce of the round's random stream."`
	Phase      string      `json:"phase" enum:"waiting,betting,locked,dealing,result,void"`
	OpensAt    int64       `json:"opensAt" doc:"All times are Unix milliseconds of the same clock as now."`
	ClosesAt   int64       `json:"closesAt"`
	DealAt     int64       `json:"dealAt"`
	ResultAt   int64       `json:"resultAt"`
	EndsAt     int64       `json:"endsAt"`
	Commitment string      `json:"commitment" doc:"SHA-256 of the seed, published when the round opens. It equals the seed of the previous round in the series."`
	ClientSeed string      `json:"clientSeed" doc:"The salt of the series and the table's id. Without a series, only the table's id."`
	SeriesID   string      `json:"seriesId" doc:"The series' id at /wps/fairness/series. Empty without a series."`
	Link       int64       `json:"link" doc:"The index of the seed in the series. 0 without a series."`
	Seed       *string     `json:"seed" doc:"In hexadecimal, from the result phase on, or when the round is void."`
	Result     resultReply `json:"result" doc:"Null before the dealing phase."`
}

type crowdSpot struct {
	Players int         `json:"players"`
	Amount  rest.Amount `json:"amount" doc:"Sum of the stakes in the caller's currency."`
}

type crowdReply struct {
	Players int                  `json:"players" doc:"Players with a ticket in this round. Play money and real money are counted separately; the caller sees only their own kind."`
	Spots   map[string]crowdSpot `json:"spots"`
}

// A TicketReply is a ticket as its player sees it. It is exported because the API document omits the fields of unexported
// embedded types.
type TicketReply struct {
	ID     string                 `json:"id" doc:"The round id in the betting record and for the proof."`
	BetID  string                 `json:"betId"`
	Spots  map[string]rest.Amount `json:"spots"`
	Total  rest.Amount            `json:"total"`
	Status string                 `json:"status" enum:"placed,won,lost,owed,refunded,refused" doc:"owed: the payout has failed so far and is retried."`
	Win    rest.Amount            `json:"win" doc:"The payout including the stake. For owed: the amount that is still to be paid."`
}

type pastReply struct {
	Number int64       `json:"number"`
	Result resultReply `json:"result"`
}

func newTableReply(f tableFrame) tableReply {
	t := f.table
	amount := func(n money.Minor) rest.Amount { return rest.AmountOf(f.Currency, n) }
	data := t.dealer.Data()
	reply := tableReply{
		ID: t.ID, Engine: engineName(t.Engine), Version: data.Version, Name: t.Name, Phases: t.phases,
		Unit: amount(f.limits.unit), Minimum: amount(f.limits.minimum), Maximum: amount(f.limits.ticket),
	}
	for _, chip := range f.limits.chips {
		reply.Chips = append(reply.Chips, amount(chip))
	}
	for _, s := range data.Spots {
		reply.Spots = append(reply.Spots, spotReply{
			ID: s.ID, Times: s.Times, Numbers: s.Numbers, RTP: t.rtp[s.ID], Minimum: amount(f.limits.minimum), Maximum: amount(f.limits.maxStake(s)),
		})
	}
	return reply
}

// shownAfterEnd is how long an ended round stays visible if no other round opens.
const shownAfterEnd = 2 * time.Second

// newRoundReply returns the public part of a round, or nil while the table waits for players.
func newRoundReply(round *query.HouseTableRound, now time.Time) *tableRoundReply {
	nowMs := db.Millis(now)
	if round == nil || isFinished(round) && nowMs > round.EndsAt+shownAfterEnd.Milliseconds() {
		return nil
	}
	reply := &tableRoundReply{
		ID: strconv.FormatInt(round.ID, 10), Number: round.Number, Phase: round.Status, OpensAt: round.OpensAt, ClosesAt: round.ClosesAt,
		DealAt: round.DealAt, ResultAt: round.ResultAt, EndsAt: round.EndsAt, Commitment: seed.Published(round.Commitment, round.Seed),
		ClientSeed: round.ClientSeed, SeriesID: formatSeriesID(round.SeriesID), Link: round.Link,
	}
	switch round.Status {
	case bet.Betting:
		if nowMs >= round.ClosesAt {
			reply.Phase = roundLocked
		}
	case roundDealing:
		reply.Result = resultReply(round.Result)
	case roundVoid:
		reply.Seed = seed.Revealed(round.Seed)
	case roundResult, roundEnded:
		reply.Phase, reply.Result, reply.Seed = roundResult, resultReply(round.Result), seed.Revealed(round.Seed)
	}
	return reply
}

// maxPayTime is the age at which an unpaid ticket is shown as owed. A round and its payouts normally take less time.
const maxPayTime = time.Minute

// Ticket statuses in responses. They are not stored.
const (
	ticketWon  = "won"
	ticketLost = "lost"
	ticketOwed = "owed"
)

// ticketStatus returns the status that a player sees, and the amount that is paid or owed. An overdue ticket is owed if it is
// not paid.
func ticketStatus(row query.TableTicketsRow, overdue bool) (status string, amount int64) {
	switch row.Status {
	case bet.Settled:
		if row.Win > 0 {
			return ticketWon, row.Win
		}
		return ticketLost, 0
	case bet.PayoutStuck:
		return owedStatus(row.Win)
	case bet.RefundStuck:
		return owedStatus(row.Stake)
	case bet.Staked:
		if overdue {
			return owedStatus(row.Win)
		}
		return bet.Placed, 0
	case bet.Refunding:
		if overdue {
			return owedStatus(row.Stake)
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

// owedStatus returns the status of a ticket with an unpaid amount. If the amount is 0, the ticket is lost.
func owedStatus(amount int64) (status string, owed int64) {
	if amount == 0 {
		return ticketLost, 0
	}
	return ticketOwed, amount
}

// newTicketReplies returns a player's tickets of a round. It omits tickets that the wallet has not confirmed.
func newTicketReplies[T query.TableTicketsRow | query.PlayerTicketsRow](tickets []T, player string, c money.Currency) ([]TicketReply, error) {
	replies := []TicketReply{}
	for _, ticket := range tickets {
		row := query.TableTicketsRow(ticket)
		if row.Player != player || row.Currency != c.Code || row.Status == bet.Betting {
			continue
		}
		reply, err := newTicketReply(row, c, false)
		if err != nil {
			return nil, err
		}
		replies = append(replies, reply)
	}
	return replies, nil
}

func newTicketReply(row query.TableTicketsRow, c money.Currency, overdue bool) (TicketReply, error) {
	status, amount := ticketStatus(row, overdue)
	reply := TicketReply{
		ID: strconv.FormatInt(row.ID, 10), BetID: row.SpinID, Spots: map[string]rest.Amount{}, Total: rest.AmountOf(c, money.Minor(row.Stake)),
		Status: status, Win: rest.AmountOf(c, money.Minor(amount)),
	}
	stakes, err := parseSpots(row.Spots)
	for _, id := range slices.Sorted(maps.Keys(stakes)) {
		reply.Spots[id] = rest.AmountOf(c, stakes[id])
	}
	return reply, err
}
