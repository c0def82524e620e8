package house

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/game/fairness"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// dealtShown is a result in its engine's own shape.
type dealtShown json.RawMessage

// MarshalJSON writes the result as it is stored.
func (r dealtShown) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// Schema tells the document what results look like.
func (dealtShown) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Nullable: true, Type: huma.TypeObject, AdditionalProperties: true,
		Description: "baccarat: {player, banker: [card], winner: player|banker|tie, playerPair, bankerPair, points: {player, banker}}; " +
			"sicbo: {dice: [1, 2, 3]}; dragontiger: {dragon, tiger: card, winner: dragon|tiger|tie}; roulette: {number}. A card is its rank and suit, such as 9S or TH.",
	}
}

type spotShown struct {
	ID      string      `json:"id"`
	Times   []string    `json:"times" doc:"Profit for each unit staked, as a decimal; several where it depends on how often the spot is hit."`
	Numbers []int       `json:"numbers,omitempty" doc:"Of a wheel: the numbers that it covers."`
	RTP     string      `json:"rtp" doc:"Share of what is staked on it that comes back, per cent, rounded down."`
	Minimum rest.Amount `json:"minimum"`
	Maximum rest.Amount `json:"maximum" doc:"Of all of a player's tickets in a round."`
}

type tableShown struct {
	ID      string        `json:"id" doc:"The client seed of its rounds."`
	Engine  string        `json:"engine" enum:"baccarat,sicbo,dragontiger,roulette"`
	Version int           `json:"version"`
	Name    string        `json:"name"`
	Phases  phases        `json:"phases"`
	Chips   []rest.Amount `json:"chips"`
	Unit    rest.Amount   `json:"unit" doc:"Every stake is a multiple of it."`
	Minimum rest.Amount   `json:"minimum" doc:"On one spot."`
	Maximum rest.Amount   `json:"maximum" doc:"Of one ticket."`
	Spots   []spotShown   `json:"spots"`
}

// tableRoundShown is a table's round. Its result is told when it is dealt, after the close, so that it can be shown being
// dealt; its seed with the result phase.
type tableRoundShown struct {
	ID         string     `json:"id"`
	Number     int64      `json:"number" doc:"The nonce of its stream."`
	Phase      string     `json:"phase" enum:"waiting,betting,locked,dealing,result,void"`
	OpensAt    int64      `json:"opensAt" doc:"This and all times: Unix milliseconds by the database's time, as now."`
	ClosesAt   int64      `json:"closesAt"`
	DealAt     int64      `json:"dealAt"`
	ResultAt   int64      `json:"resultAt"`
	EndsAt     int64      `json:"endsAt"`
	Commitment string     `json:"commitment" doc:"SHA-256 of the seed, from the opening on."`
	Seed       *string    `json:"seed" doc:"In hexadecimal, with the result phase, or when the round is called off."`
	Result     dealtShown `json:"result" doc:"From the dealing phase on."`
}

type crowdSpot struct {
	Players int         `json:"players"`
	Amount  rest.Amount `json:"amount" doc:"Of stakes in the caller's currency."`
}

type crowdShown struct {
	Players int                  `json:"players" doc:"Who have a ticket in this round."`
	Spots   map[string]crowdSpot `json:"spots"`
}

type ticketShown struct {
	ID     string                 `json:"id" doc:"Of the round in the record, by which its proof is found."`
	BetID  string                 `json:"betId"`
	Spots  map[string]rest.Amount `json:"spots"`
	Total  rest.Amount            `json:"total"`
	Status string                 `json:"status" enum:"placed,won,lost,owed,refunded,refused" doc:"owed: what comes back could not be paid yet, and will be later."`
	Win    rest.Amount            `json:"win" doc:"What comes back, stakes included; of one that is owed, what is to come."`
}

type pastShown struct {
	Number int64      `json:"number"`
	Result dealtShown `json:"result"`
}

func (t *table) show(f frame) tableShown {
	c, data := f.currency, t.dealer.Data()
	show := func(m money.Minor) rest.Amount { return rest.AmountOf(c, m) }
	shown := tableShown{
		ID: t.ID, Engine: t.Engine, Version: data.Version, Name: t.Name, Phases: t.phases,
		Unit: show(f.limits.unit), Minimum: show(f.limits.minimum), Maximum: show(f.limits.ticket),
	}
	for _, chip := range f.limits.chips {
		shown.Chips = append(shown.Chips, show(chip))
	}
	for _, s := range data.Spots {
		shown.Spots = append(shown.Spots, spotShown{
			ID: s.ID, Times: s.Times, Numbers: s.Numbers, RTP: t.rtp[s.ID], Minimum: show(f.limits.minimum), Maximum: show(f.limits.most(s)),
		})
	}
	return shown
}

// endedFor is how long a round that is over is shown, until the next has opened.
const endedFor = 2 * time.Second

// shownRound is what everybody at the table may know of the round; nil where the table waits for somebody to play.
func shownRound(round *query.HouseTableRound, now time.Time) *tableRoundShown {
	at := db.Millis(now)
	if round == nil || finished(round) && at > round.EndsAt+endedFor.Milliseconds() {
		return nil
	}
	shown := &tableRoundShown{
		ID: strconv.FormatInt(round.ID, 10), Number: round.Number, Phase: round.Status, OpensAt: round.OpensAt, ClosesAt: round.ClosesAt,
		DealAt: round.DealAt, ResultAt: round.ResultAt, EndsAt: round.EndsAt, Commitment: promised(round.Commitment, round.Seed),
	}
	switch round.Status {
	case betting:
		if at >= round.ClosesAt {
			shown.Phase = roundLocked
		}
	case roundDealing:
		shown.Result = dealtShown(round.Result)
	case roundVoid:
		shown.Seed = revealed(round.Seed)
	case roundResult, roundEnded:
		shown.Phase, shown.Result, shown.Seed = roundResult, dealtShown(round.Result), revealed(round.Seed)
	}
	return shown
}

// revealed is a seed that was told; nil where it lies sealed.
func revealed(seed []byte) *string {
	if len(seed) != len(fairness.Seed{}) {
		return nil
	}
	text := fairness.Seed(seed).Hex()
	return &text
}

// payWithin is how old a ticket is when it should be at its end: its round takes less, and so does paying it.
const payWithin = time.Minute

// ticketStatus is how a ticket stands for its player, and what comes back on it: won once something is paid on it, if only the
// stake; owed while the wallet does not take what it brings, or its stake back.
func ticketStatus(row query.TableTicketsRow, late bool) (status string, back int64) {
	switch row.Status {
	case settled:
		if row.Win > 0 {
			return "won", row.Win
		}
		return "lost", 0
	case owed:
		return owes(row.Win)
	case unreturned:
		return owes(row.Stake)
	case bet:
		if late {
			return owes(row.Win)
		}
		return placed, 0
	case refunding:
		if late {
			return owes(row.Stake)
		}
		return refunded, 0
	case refunded:
		return refunded, 0
	case refused:
		return refused, 0
	default:
		return placed, 0
	}
}

// owes is a ticket on which that is still to be paid. With nothing to pay it is lost, whatever the wallet says to it.
func owes(back int64) (status string, comes int64) {
	if back == 0 {
		return "lost", 0
	}
	return owed, back
}
