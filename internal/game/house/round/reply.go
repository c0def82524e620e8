package round

import (
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/seed"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type winReply struct {
	Line   int         `json:"line" doc:"Number of the line, from 1. 0 for scatters, ways and cascades."`
	Ways   int64       `json:"ways" doc:"Number of ways. 0 for scatters, lines and cascades."`
	Symbol string      `json:"symbol"`
	Count  int         `json:"count" doc:"Number of symbols in a row, of reels, or of symbols anywhere, depending on the kind of slot."`
	Times  int64       `json:"times" doc:"The multiplier in the paytable: of a part of the stake, for each way. For scatters: of the whole stake."`
	Amount rest.Amount `json:"amount" doc:"Includes the step's multiplier."`
	Cells  [][2]int    `json:"cells" doc:"Reel and row of each symbol, from 0."`
}

// A stepReply is one grid. In a cascade, another step follows each winning step. Other spins have one step.
type stepReply struct {
	Grid       [][]string  `json:"grid" doc:"By reel, from the top."`
	Wins       []winReply  `json:"wins"`
	Multiplier int64       `json:"multiplier"`
	Win        rest.Amount `json:"win"`
}

type spinReply struct {
	Free       bool        `json:"free"`
	Stops      []int       `json:"stops"`
	Grid       [][]string  `json:"grid" doc:"The grid of the first step."`
	Wins       []winReply  `json:"wins" doc:"The wins of all steps."`
	Win        rest.Amount `json:"win"`
	Multiplier int64       `json:"multiplier" doc:"The multiplier of the last step."`
	Awarded    int         `json:"awarded" doc:"Number of free rounds that this spin awarded."`
	Steps      []stepReply `json:"steps" doc:"One step. In a cascade, one more for each fall."`
}

// An OutcomeReply is a round's outcome. It is exported because the API document omits the fields of unexported embedded types.
type OutcomeReply struct {
	Spins      []spinReply `json:"spins" doc:"The paid spin, then the free rounds. Empty until the round is settled."`
	FreeRounds int         `json:"freeRounds" doc:"Number of free spins."`
}

// A roundReply is a round as its player sees it. It has no outcome and no seed until it is settled.
type roundReply struct {
	OutcomeReply
	ID         string      `json:"id"`
	Nonce      int64       `json:"nonce"`
	At         int64       `json:"at" doc:"Unix milliseconds."`
	Stake      rest.Amount `json:"stake"`
	Win        rest.Amount `json:"win"`
	Net        rest.Amount `json:"net"`
	Seed       *string     `json:"seed" doc:"In hexadecimal. Null until the round is settled."`
	Commitment string      `json:"commitment" doc:"SHA-256 of the seed, published before the bet."`
	ClientSeed string      `json:"clientSeed"`
}

// A nextReply commits to the seed of the next round before the bet (PP-17).
type nextReply struct {
	Nonce      int64  `json:"nonce"`
	Commitment string `json:"commitment"`
	ClientSeed string `json:"clientSeed"`
	Fixed      bool   `json:"fixed" doc:"The player fixed the client seed. If not, the frame draws a new one for the spin."`
}

func newNextReply(next query.HouseSeed) nextReply {
	return nextReply{next.Nonce, seed.Commitment(next.Seed), next.ClientSeed, next.Fixed}
}

// A SlotReply describes a slot and the player's state to the client.
type SlotReply struct {
	Kind        string               `json:"kind" enum:"lines,ways,cascade"`
	Reels       int                  `json:"reels"`
	Rows        int                  `json:"rows"`
	Stakes      []rest.Amount        `json:"stakes"`
	Stake       rest.Amount          `json:"stake" doc:"The selected stake when the game opens: that of the last round, or the default."`
	Parts       int                  `json:"parts" doc:"Number of parts of a stake. Symbols pay a multiple of one part, which is the stake of a line."`
	Lines       int                  `json:"lines" doc:"0 if the slot has no lines."`
	Ways        int64                `json:"ways" doc:"Number of ways in which equal symbols can be on neighbouring reels. 0 if the slot has no ways."`
	RTP         string               `json:"rtp" doc:"Return to player, per cent, rounded down."`
	Strips      [][]string           `json:"strips"`
	Paylines    [][]int              `json:"paylines"`
	Paytable    map[string]reels.Pay `json:"paytable" doc:"By symbol and minimum count: the multiplier of a part of the stake, for each way. For scatters: of the whole stake."`
	Symbols     []string             `json:"symbols"`
	Wild        string               `json:"wild" doc:"Empty if there is none."`
	Scatter     string               `json:"scatter"`
	Multipliers []int64              `json:"multipliers" doc:"Multipliers of a paid spin: of the first grid and after each fall. The last one applies to all later falls."`
	FreeRounds  *reels.FreeRounds    `json:"freeRounds" doc:"Null if there are none."`
	Nonce       int64                `json:"nonce" doc:"Nonce of the next round."`
	Commitment  string               `json:"commitment"`
	ClientSeed  string               `json:"clientSeed"`
	Fixed       bool                 `json:"fixed" doc:"The player fixed the client seed. If not, the frame draws a new one for each spin."`
	CycleMs     int64                `json:"cycleMs" doc:"Minimum time between two bets."`
	Open        *roundReply          `json:"open" doc:"A round that is not settled yet."`
	Last        *roundReply          `json:"last"`
}

type spinResultReply struct {
	Round   roundReply  `json:"round"`
	Balance rest.Amount `json:"balance"`
	Next    nextReply   `json:"next"`
}

type stateReply struct {
	Balance rest.Amount `json:"balance"`
	Open    *roundReply `json:"open"`
	Last    *roundReply `json:"last"`
	Next    nextReply   `json:"next"`
}

type historyReply struct {
	List []roundReply `json:"list"`
	Next *string      `json:"next" doc:"The before value of the next page. Null on the last page."`
}

func newRoundReply(row query.HouseRound) (roundReply, error) {
	c, err := money.Find(row.Currency)
	if err != nil {
		return roundReply{}, err
	}
	reply := roundReply{
		OutcomeReply: OutcomeReply{Spins: []spinReply{}},
		ID:           bet.RoundID(row), Nonce: row.Nonce, At: row.CreatedAt, ClientSeed: row.ClientSeed, Commitment: seed.Published(row.Commitment, row.Seed),
		Stake: rest.AmountOf(c, money.Minor(row.Stake)), Win: rest.AmountOf(c, 0), Net: rest.AmountOf(c, money.Minor(-row.Stake)),
	}
	if row.Status != bet.Settled {
		return reply, nil
	}
	reply.Seed = seed.Revealed(row.Seed)
	reply.Win = rest.AmountOf(c, money.Minor(row.Win))
	reply.Net = rest.AmountOf(c, money.Minor(row.Win-row.Stake))
	reply.OutcomeReply, err = NewOutcomeReply(row.Outcome, c)
	return reply, err
}

// NewOutcomeReply returns the reply for a stored outcome.
func NewOutcomeReply(text string, c money.Currency) (OutcomeReply, error) {
	o, err := reels.ReadOutcome(text)
	if err != nil {
		return OutcomeReply{}, err
	}
	reply := OutcomeReply{Spins: []spinReply{}, FreeRounds: o.FreeRounds}
	for _, s := range o.Spins {
		reply.Spins = append(reply.Spins, newSpinReply(s, c))
	}
	return reply, nil
}

func newSpinReply(s reels.Spin, c money.Currency) spinReply {
	reply := spinReply{Free: s.Free, Stops: s.Stops, Win: rest.AmountOf(c, s.Win), Awarded: s.Awarded, Wins: []winReply{}}
	for i, step := range s.Steps {
		wins := []winReply{}
		for _, w := range step.Wins {
			wins = append(wins, winReply{w.Line, w.Ways, w.Symbol, w.Count, w.Times, rest.AmountOf(c, w.Amount), w.Cells})
		}
		if i == 0 {
			reply.Grid = step.Grid
		}
		reply.Multiplier = step.Multiplier
		reply.Wins = append(reply.Wins, wins...)
		reply.Steps = append(reply.Steps, stepReply{Grid: step.Grid, Wins: wins, Multiplier: step.Multiplier, Win: rest.AmountOf(c, step.Win)})
	}
	return reply
}

func newSlotReply(f slotFrame, st state) (SlotReply, error) {
	c, data := f.Currency, f.machine.Data()
	reply := SlotReply{
		Kind: data.Kind, Reels: len(data.Strips), Rows: data.Rows, Stake: rest.AmountOf(c, f.offer.standard), Parts: data.Parts, Lines: len(data.Lines),
		RTP: machines().rtp[f.machine], Strips: data.Strips, Paylines: data.Lines, Paytable: map[string]reels.Pay{data.Scatter: data.ScatterPays},
		Symbols: data.Symbols, Wild: data.Wild, Scatter: data.Scatter, Multipliers: data.Multipliers, FreeRounds: data.FreeRounds,
		Nonce: st.seed.Nonce, Commitment: seed.Commitment(st.seed.Seed), ClientSeed: st.seed.ClientSeed, Fixed: st.seed.Fixed, CycleMs: MinBetInterval.Milliseconds(),
	}
	if data.Kind == reels.Ways {
		reply.Ways = waysOf(data)
	}
	for _, stake := range f.offer.stakes {
		reply.Stakes = append(reply.Stakes, rest.AmountOf(c, stake))
	}
	for symbol, pay := range data.Pays {
		reply.Paytable[symbol] = pay
	}
	if st.last != nil && f.offer.has(money.Minor(st.last.Stake)) {
		reply.Stake = rest.AmountOf(c, money.Minor(st.last.Stake))
	}
	var err error
	reply.Open, reply.Last, err = st.replies()
	return reply, err
}
