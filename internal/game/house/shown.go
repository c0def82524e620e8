package house

import (
	"fairground/internal/game/fairness"
	"fairground/internal/game/house/reels"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type gameShown struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Engine string `json:"engine"`
	Theme  string `json:"theme"`
	Vendor string `json:"vendor"`
}

type currencyShown struct {
	Code     string `json:"code"`
	Symbol   string `json:"symbol"`
	Position string `json:"position" enum:"F,B"`
	Decimals int    `json:"decimals"`
	Pattern  string `json:"pattern"`
}

type playerShown struct {
	Nickname string        `json:"nickname"`
	Language string        `json:"language"`
	Trial    bool          `json:"trial"`
	Currency currencyShown `json:"currency"`
}

type winShown struct {
	Line   int         `json:"line" doc:"From 1; 0 where no line is needed: for scatters, on ways and in a cascade."`
	Ways   int64       `json:"ways" doc:"On how many ways; 0 for scatters, on lines and in a cascade."`
	Symbol string      `json:"symbol"`
	Count  int         `json:"count" doc:"How many: in a row, on how many reels, or anywhere."`
	Times  int64       `json:"times" doc:"As the paytable has it: times a part of the stake, on ways for each way; for scatters times the whole stake."`
	Amount rest.Amount `json:"amount" doc:"With the step's multiplier."`
	Cells  [][2]int    `json:"cells" doc:"Reel and row of each symbol, from 0."`
}

// stepShown is what is seen at once. Spins on lines and ways have one step; those of a cascade have another after each
// step that won something, and its grid is what stands there when the rest has fallen.
type stepShown struct {
	Grid       [][]string  `json:"grid" doc:"By reel, from the top."`
	Wins       []winShown  `json:"wins"`
	Multiplier int64       `json:"multiplier"`
	Win        rest.Amount `json:"win"`
}

// spinShown is one turn of the reels: the first of a round is the paid one, the others are free rounds of the same bet.
type spinShown struct {
	Free       bool        `json:"free"`
	Stops      []int       `json:"stops"`
	Grid       [][]string  `json:"grid" doc:"What the stops show: that of the first step."`
	Wins       []winShown  `json:"wins" doc:"Of all steps."`
	Win        rest.Amount `json:"win"`
	Multiplier int64       `json:"multiplier" doc:"Of the last step."`
	Awarded    int         `json:"awarded" doc:"Free rounds that this spin brought."`
	Steps      []stepShown `json:"steps" doc:"One, or in a cascade one more than there were falls."`
}

type outcomeShown struct {
	Spins      []spinShown `json:"spins" doc:"The paid spin, then the free rounds. None until the round is settled."`
	FreeRounds int         `json:"freeRounds" doc:"How many of the spins were free."`
}

// roundShown is a round as its player sees it. One that is not settled has no outcome and no seed yet.
type roundShown struct {
	outcomeShown
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

// nextShown is what the next round will be drawn from, told before anything is staked on it (PP-17).
type nextShown struct {
	Nonce      int64  `json:"nonce"`
	Commitment string `json:"commitment"`
	ClientSeed string `json:"clientSeed"`
}

func showNext(seed query.HouseSeed) nextShown {
	return nextShown{seed.Nonce, commitment(seed.Seed), seed.ClientSeed}
}

// slotShown is what the client of a game with reels needs.
type slotShown struct {
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
	CycleMs     int64                `json:"cycleMs" doc:"From one bet to the next at least."`
	Open        *roundShown          `json:"open" doc:"A round that is not settled yet."`
	Last        *roundShown          `json:"last"`
}

type sessionShown struct {
	Token   string      `json:"token"`
	Game    gameShown   `json:"game"`
	Player  playerShown `json:"player"`
	Balance rest.Amount `json:"balance"`
	Slot    *slotShown  `json:"slot" doc:"Null where the game has no reels."`
}

type spun struct {
	Round   roundShown  `json:"round"`
	Balance rest.Amount `json:"balance"`
	Next    nextShown   `json:"next"`
}

type stateShown struct {
	Balance rest.Amount `json:"balance"`
	Open    *roundShown `json:"open"`
	Last    *roundShown `json:"last"`
	Next    nextShown   `json:"next"`
}

type historyShown struct {
	List []roundShown `json:"list"`
	Next *string      `json:"next" doc:"To be asked with as before; null: that was all."`
}

// showRound writes a round in its currency's units.
func showRound(row query.HouseRound) (roundShown, error) {
	c, err := money.Find(row.Currency)
	if err != nil {
		return roundShown{}, err
	}
	shown := roundShown{
		outcomeShown: outcomeShown{Spins: []spinShown{}},
		ID:           roundID(row), Nonce: row.Nonce, At: row.CreatedAt, ClientSeed: row.ClientSeed, Commitment: promised(row.Commitment, row.Seed),
		Stake: rest.AmountOf(c, money.Minor(row.Stake)), Win: rest.AmountOf(c, 0), Net: rest.AmountOf(c, money.Minor(-row.Stake)),
	}
	if row.Status != settled {
		return shown, nil
	}
	seed := fairness.Seed(row.Seed).Hex()
	shown.Seed = &seed
	shown.Win = rest.AmountOf(c, money.Minor(row.Win))
	shown.Net = rest.AmountOf(c, money.Minor(row.Win-row.Stake))
	shown.outcomeShown, err = showOutcome(row.Outcome, c)
	return shown, err
}

func showOutcome(text string, c money.Currency) (outcomeShown, error) {
	o, err := reels.ReadOutcome(text)
	if err != nil {
		return outcomeShown{}, err
	}
	shown := outcomeShown{Spins: []spinShown{}, FreeRounds: o.FreeRounds}
	for _, s := range o.Spins {
		shown.Spins = append(shown.Spins, showSpin(s, c))
	}
	return shown, nil
}

func showSpin(s reels.Spin, c money.Currency) spinShown {
	shown := spinShown{Free: s.Free, Stops: s.Stops, Win: rest.AmountOf(c, s.Win), Awarded: s.Awarded, Wins: []winShown{}}
	for i, step := range s.Steps {
		wins := []winShown{}
		for _, w := range step.Wins {
			wins = append(wins, winShown{w.Line, w.Ways, w.Symbol, w.Count, w.Times, rest.AmountOf(c, w.Amount), w.Cells})
		}
		if i == 0 {
			shown.Grid = step.Grid
		}
		shown.Multiplier = step.Multiplier
		shown.Wins = append(shown.Wins, wins...)
		shown.Steps = append(shown.Steps, stepShown{Grid: step.Grid, Wins: wins, Multiplier: step.Multiplier, Win: rest.AmountOf(c, step.Win)})
	}
	return shown
}

// showSlot puts together what a game with reels opens with; nothing for any other.
func (s *Service) showSlot(f frame, st standing) (*slotShown, error) {
	engine, reeled := f.engine.(slots)
	if !reeled {
		return nil, nil //nolint:nilnil // such a game has nothing to show here
	}
	c, data := f.currency, engine.Data()
	shown := slotShown{
		Kind: data.Kind, Reels: len(data.Strips), Rows: data.Rows, Stake: rest.AmountOf(c, f.offer.usual), Parts: data.Parts, Lines: len(data.Lines),
		RTP: s.engines.rtp[f.engine], Strips: data.Strips, Paylines: data.Lines, Paytable: map[string]reels.Pay{data.Scatter: data.ScatterPays},
		Symbols: data.Symbols, Wild: data.Wild, Scatter: data.Scatter, Multipliers: data.Multipliers, FreeRounds: data.FreeRounds,
		Nonce: st.seed.Nonce, Commitment: commitment(st.seed.Seed), ClientSeed: st.seed.ClientSeed, CycleMs: Cycle.Milliseconds(),
	}
	if data.Kind == reels.Ways {
		shown.Ways = 1
		for range data.Strips {
			shown.Ways *= int64(data.Rows)
		}
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
	return &shown, err
}
