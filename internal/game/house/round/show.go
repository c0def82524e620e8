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
	Line   int         `json:"line" doc:"From 1; 0 where no line is needed: for scatters, on ways and in a cascade."`
	Ways   int64       `json:"ways" doc:"On how many ways; 0 for scatters, on lines and in a cascade."`
	Symbol string      `json:"symbol"`
	Count  int         `json:"count" doc:"How many: in a row, on how many reels, or anywhere."`
	Times  int64       `json:"times" doc:"As the paytable has it: times a part of the stake, on ways for each way; for scatters times the whole stake."`
	Amount rest.Amount `json:"amount" doc:"With the step's multiplier."`
	Cells  [][2]int    `json:"cells" doc:"Reel and row of each symbol, from 0."`
}

// A stepReply is one grid. A cascade has another step after each step that wins; other spins have one.
type stepReply struct {
	Grid       [][]string  `json:"grid" doc:"By reel, from the top."`
	Wins       []winReply  `json:"wins"`
	Multiplier int64       `json:"multiplier"`
	Win        rest.Amount `json:"win"`
}

type spinReply struct {
	Free       bool        `json:"free"`
	Stops      []int       `json:"stops"`
	Grid       [][]string  `json:"grid" doc:"What the stops show: that of the first step."`
	Wins       []winReply  `json:"wins" doc:"Of all steps."`
	Win        rest.Amount `json:"win"`
	Multiplier int64       `json:"multiplier" doc:"Of the last step."`
	Awarded    int         `json:"awarded" doc:"Free rounds that this spin brought."`
	Steps      []stepReply `json:"steps" doc:"One, or in a cascade one more than there were falls."`
}

// An OutcomeReply is a round's outcome. Its name is exported, so that the API document describes its fields where it is embedded.
type OutcomeReply struct {
	Spins      []spinReply `json:"spins" doc:"The paid spin, then the free rounds. None until the round is settled."`
	FreeRounds int         `json:"freeRounds" doc:"How many of the spins were free."`
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
	Seed       *string     `json:"seed" doc:"In hexadecimal, once the round is settled."`
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

func showNext(next query.HouseSeed) nextReply {
	return nextReply{next.Nonce, seed.Commitment(next.Seed), next.ClientSeed, next.Fixed}
}

// A SlotReply is a slot as its client needs it.
type SlotReply struct {
	Kind        string               `json:"kind" enum:"lines,ways,cascade"`
	Reels       int                  `json:"reels"`
	Rows        int                  `json:"rows"`
	Stakes      []rest.Amount        `json:"stakes"`
	Stake       rest.Amount          `json:"stake" doc:"Staked when the game opens: the last round's, or the usual one."`
	Parts       int                  `json:"parts" doc:"What a stake is counted in: symbols pay times one of its parts, which is the stake of a line."`
	Lines       int                  `json:"lines" doc:"0 where there are no lines."`
	Ways        int64                `json:"ways" doc:"On how many ways equal symbols can stand on neighbouring reels; 0 where there are no ways."`
	RTP         string               `json:"rtp" doc:"Share of what is staked that comes back, per cent, rounded down."`
	Strips      [][]string           `json:"strips"`
	Paylines    [][]int              `json:"paylines"`
	Paytable    map[string]reels.Pay `json:"paytable" doc:"Of each symbol, from which count on: times a part of the stake, on ways for each way; for scatters times the whole stake."`
	Symbols     []string             `json:"symbols"`
	Wild        string               `json:"wild" doc:"Empty where there is none."`
	Scatter     string               `json:"scatter"`
	Multipliers []int64              `json:"multipliers" doc:"Of a paid spin: at first, and after each fall; the last one stays."`
	FreeRounds  *reels.FreeRounds    `json:"freeRounds" doc:"Null where there are none."`
	Nonce       int64                `json:"nonce" doc:"Of the next round."`
	Commitment  string               `json:"commitment"`
	ClientSeed  string               `json:"clientSeed"`
	Fixed       bool                 `json:"fixed" doc:"The player fixed the client seed. If not, the frame draws a new one for each spin."`
	CycleMs     int64                `json:"cycleMs" doc:"From one bet to the next at least."`
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
	Next *string      `json:"next" doc:"To be asked with as before; null: that was all."`
}

func showRound(row query.HouseRound) (roundReply, error) {
	c, err := money.Find(row.Currency)
	if err != nil {
		return roundReply{}, err
	}
	shown := roundReply{
		OutcomeReply: OutcomeReply{Spins: []spinReply{}},
		ID:           bet.RoundID(row), Nonce: row.Nonce, At: row.CreatedAt, ClientSeed: row.ClientSeed, Commitment: seed.Published(row.Commitment, row.Seed),
		Stake: rest.AmountOf(c, money.Minor(row.Stake)), Win: rest.AmountOf(c, 0), Net: rest.AmountOf(c, money.Minor(-row.Stake)),
	}
	if row.Status != bet.Settled {
		return shown, nil
	}
	shown.Seed = seed.Revealed(row.Seed)
	shown.Win = rest.AmountOf(c, money.Minor(row.Win))
	shown.Net = rest.AmountOf(c, money.Minor(row.Win-row.Stake))
	shown.OutcomeReply, err = ShowOutcome(row.Outcome, c)
	return shown, err
}

// ShowOutcome formats a stored outcome.
func ShowOutcome(text string, c money.Currency) (OutcomeReply, error) {
	o, err := reels.ReadOutcome(text)
	if err != nil {
		return OutcomeReply{}, err
	}
	shown := OutcomeReply{Spins: []spinReply{}, FreeRounds: o.FreeRounds}
	for _, s := range o.Spins {
		shown.Spins = append(shown.Spins, showSpin(s, c))
	}
	return shown, nil
}

func showSpin(s reels.Spin, c money.Currency) spinReply {
	shown := spinReply{Free: s.Free, Stops: s.Stops, Win: rest.AmountOf(c, s.Win), Awarded: s.Awarded, Wins: []winReply{}}
	for i, step := range s.Steps {
		wins := []winReply{}
		for _, w := range step.Wins {
			wins = append(wins, winReply{w.Line, w.Ways, w.Symbol, w.Count, w.Times, rest.AmountOf(c, w.Amount), w.Cells})
		}
		if i == 0 {
			shown.Grid = step.Grid
		}
		shown.Multiplier = step.Multiplier
		shown.Wins = append(shown.Wins, wins...)
		shown.Steps = append(shown.Steps, stepReply{Grid: step.Grid, Wins: wins, Multiplier: step.Multiplier, Win: rest.AmountOf(c, step.Win)})
	}
	return shown
}

func showSlot(f slotFrame, st state) (SlotReply, error) {
	c, data := f.Currency, f.machine.Data()
	shown := SlotReply{
		Kind: data.Kind, Reels: len(data.Strips), Rows: data.Rows, Stake: rest.AmountOf(c, f.offer.standard), Parts: data.Parts, Lines: len(data.Lines),
		RTP: machines().rtp[f.machine], Strips: data.Strips, Paylines: data.Lines, Paytable: map[string]reels.Pay{data.Scatter: data.ScatterPays},
		Symbols: data.Symbols, Wild: data.Wild, Scatter: data.Scatter, Multipliers: data.Multipliers, FreeRounds: data.FreeRounds,
		Nonce: st.seed.Nonce, Commitment: seed.Commitment(st.seed.Seed), ClientSeed: st.seed.ClientSeed, Fixed: st.seed.Fixed, CycleMs: Cycle.Milliseconds(),
	}
	if data.Kind == reels.Ways {
		shown.Ways = waysOf(data)
	}
	for _, stake := range f.offer.stakes {
		shown.Stakes = append(shown.Stakes, rest.AmountOf(c, stake))
	}
	for symbol, pay := range data.Pays {
		shown.Paytable[symbol] = pay
	}
	if st.last != nil && f.offer.has(money.Minor(st.last.Stake)) {
		shown.Stake = rest.AmountOf(c, money.Minor(st.last.Stake))
	}
	var err error
	shown.Open, shown.Last, err = st.show()
	return shown, err
}
