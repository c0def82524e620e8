package jackpot

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/series"
	"fairground/internal/money"
	"fairground/internal/platform/rest"
)

// ErrNone means that there is no jackpot.
var ErrNone = fault.New(fault.NotFound, "jackpot.none")

type poolReply struct {
	Currency       string          `json:"currency"`
	Amount         rest.Amount     `json:"amount" doc:"Current amount of the pool."`
	Seed           rest.Amount     `json:"seed" doc:"Start amount, which the operator pays when a series begins."`
	Cap            rest.Amount     `json:"cap" doc:"Maximum amount of the pool. Stakes still take part when it is reached."`
	SharePerMille  int64           `json:"sharePerMille" doc:"Share of stakes that goes into the pool, per mille. It does not reduce the games' returns. 0: nothing is added, and the pool can be won once."`
	Most           rest.Amount     `json:"most" doc:"Maximum counted stake. The part above it pays no share and does not raise the chance."`
	PerDay         int64           `json:"perDay" doc:"Number of wins within 24 hours that pauses the pool."`
	BeginsAt       int64           `json:"beginsAt" doc:"End of the pause in Unix milliseconds; stakes take no part until then. 0: not paused."`
	Games          []eligibleGames `json:"games" doc:"Games whose stakes take part; empty during a pause."`
	Unit           rest.Amount     `json:"unit" doc:"Stake per part."`
	Parts          int             `json:"parts" doc:"A stake wins with a chance of its parts out of this number."`
	Series         int64           `json:"series"`
	Draws          int64           `json:"draws" doc:"Number of draws in this series."`
	ClientSeed     string          `json:"clientSeed" doc:"The series' name, used as the client seed; empty while the series waits for its seed."`
	Commitment     string          `json:"commitment" doc:"SHA-256 of this series' seed, in hexadecimal; empty while the series waits for its seed."`
	NextCommitment string          `json:"nextCommitment" doc:"Commitment of the next series, if an older version published it. Otherwise empty: the next seed comes from the chain, whose end is public."`
	ChainID        string          `json:"chainId" doc:"The series of seeds at /wps/fairness/series; empty for an older seed."`
	Link           int64           `json:"link" doc:"The link of the chain that is this series' seed; 0 for an older seed."`
	PublishedAt    int64           `json:"publishedAt" doc:"Unix milliseconds."`
	Wins           []winReply      `json:"wins" doc:"Latest wins, newest first."`
}

type eligibleGames struct {
	Category string   `json:"category"`
	Vendors  []string `json:"vendors" nullable:"false" doc:"Vendor codes."`
}

type winReply struct {
	Series      int64       `json:"series"`
	Username    string      `json:"account" doc:"Masked."`
	Amount      rest.Amount `json:"amount"`
	Stake       rest.Amount `json:"stake" doc:"Counted part of the stake."`
	WonAt       int64       `json:"wonAt" doc:"Unix milliseconds."`
	ClientSeed  string      `json:"clientSeed"`
	Seed        string      `json:"seed" doc:"Revealed seed in hexadecimal, to verify all draws of the series."`
	Commitment  string      `json:"commitment"`
	PublishedAt int64       `json:"publishedAt"`
	Nonce       int64       `json:"nonce" doc:"Number of the winning ticket."`
	ChainID     string      `json:"chainId" doc:"The series of seeds; empty for an older seed."`
	Link        int64       `json:"link"`
	Number      int64       `json:"number" doc:"Drawn number."`
	Below       int64       `json:"below" doc:"The stake's parts; the draw won because number is below it."`
}

type chanceReply struct {
	Currency    string       `json:"currency"`
	Series      int64        `json:"series" doc:"0 until the round is settled."`
	Nonce       int64        `json:"nonce" doc:"Number of the ticket in the pool, given when it was bought."`
	ChainID     string       `json:"chainId" doc:"The series of seeds; empty for an older seed, and until the round is settled."`
	Link        int64        `json:"link"`
	Stake       rest.Amount  `json:"stake" doc:"Counted part of the stake."`
	Unit        rest.Amount  `json:"unit" doc:"Stake per part."`
	Parts       int          `json:"parts"`
	ClientSeed  string       `json:"clientSeed" doc:"The series' name; empty until the round is settled."`
	Commitment  string       `json:"commitment" doc:"Published before the draw; empty until the round is settled."`
	PublishedAt int64        `json:"publishedAt" doc:"Unix milliseconds."`
	Seed        *string      `json:"seed" doc:"In hexadecimal; null until the series ends."`
	Number      *int         `json:"number" doc:"Drawn number; null until the seed is revealed."`
	Below       *int         `json:"below" doc:"The stake's parts; the draw wins if number is below it. Null until the seed is revealed."`
	Won         *rest.Amount `json:"won" nullable:"true" doc:"Amount won; null if the draw lost."`

	Chain *series.Reply `json:"chain,omitempty" doc:"The series of seeds, which says where its salt came from. Absent in lists, and for an older seed."`
}

type ownReply struct {
	Draw    chanceReply `json:"draw"`
	State   string      `json:"state" enum:"open,drawn,void" doc:"open: the round is not settled, or the series has not begun. void: the stake was returned."`
	Share   rest.Amount `json:"share" doc:"Amount paid into the pool."`
	Vendor  string      `json:"vendor"`
	RoundID string      `json:"roundId"`
	At      int64       `json:"at" doc:"Time of the stake in Unix milliseconds."`
}

type ownPage struct {
	List []ownReply `json:"list"`
	Next string     `json:"next" doc:"Empty on the last page."`
}

type ownInput struct {
	Cursor   string `query:"cursor" maxLength:"20" pattern:"^[0-9]*$" doc:"The next value of the previous page."`
	PageSize int    `query:"pageSize" minimum:"1" maximum:"100" default:"20"`
	Vendor   string `query:"vendor" maxLength:"32" doc:"The round's vendor code, with roundId."`
	RoundID  string `query:"roundId" maxLength:"64" doc:"Selects the draws of one round."`
}

type drawInput struct {
	Currency string `query:"currency" maxLength:"8" doc:"The pool's currency. Default: the caller's or the merchant's."`
	Series   int64  `query:"series" minimum:"1" maximum:"1000000000000" required:"true"`
	Nonce    int64  `query:"nonce" minimum:"1" maximum:"1000000000000" required:"true"`
}

// Routes adds the jackpot's operations to the API.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/jackpot/pool", ID: "jackpotPool", Tag: "jackpot", Summary: "Get the jackpot: rules, funding, commitment and latest wins",
		Access: rest.Public, Faults: []*fault.Fault{ErrNone},
	}, s.show)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/jackpot/draw", ID: "jackpotDraw", Tag: "jackpot", Summary: "Get any draw of a series",
		Access: rest.Public, Faults: []*fault.Fault{ErrNoDraw},
	}, s.showDraw)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/jackpot/draws", ID: "jackpotDraws", Tag: "jackpot", Summary: "List the caller's draws, newest first",
		Access: rest.Session,
	}, s.showOwn)
}

// currencyOf returns the caller's currency, or the merchant's. Trial members have a separate pool.
func (s *Service) currencyOf(ctx context.Context) (string, error) {
	if who, known := rest.CallerOf(ctx); known {
		return who.Currency, nil
	}
	currency, err := s.o.Settings.Currency(ctx, rest.MerchantOf(ctx).ID)
	return currency.Code, err
}

func (s *Service) show(ctx context.Context, _ *struct{}) (poolReply, error) {
	code, err := s.currencyOf(ctx)
	if err != nil {
		return poolReply{}, err
	}
	p, found, err := s.Show(ctx, rest.MerchantOf(ctx).ID, code)
	if err != nil {
		return poolReply{}, err
	}
	if !found {
		return poolReply{}, ErrNone
	}
	return replyOf(p), nil
}

func (s *Service) showDraw(ctx context.Context, in *drawInput) (chanceReply, error) {
	code := in.Currency
	if code == "" {
		var err error
		if code, err = s.currencyOf(ctx); err != nil {
			return chanceReply{}, err
		}
	} else if _, known := s.o.Rules[code]; !known {
		return chanceReply{}, ErrNoDraw
	}
	c, err := s.FindDraw(ctx, rest.MerchantOf(ctx).ID, code, in.Series, in.Nonce)
	if err != nil {
		return chanceReply{}, err
	}
	out := drawReplyOf(c)
	if c.SeriesID != 0 {
		of, err := s.o.Series.Find(ctx, c.SeriesID)
		if err != nil {
			return chanceReply{}, err
		}
		chain := series.ReplyOf(of)
		out.Chain = &chain
	}
	return out, nil
}

func (s *Service) showOwn(ctx context.Context, in *ownInput) (ownPage, error) {
	who, known := rest.CallerOf(ctx)
	if !known {
		return ownPage{}, rest.ErrNoSession
	}
	before := int64(math.MaxInt64)
	if in.Cursor != "" {
		var err error
		if before, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil {
			return ownPage{}, rest.ErrParam.On("cursor")
		}
	}
	own, err := s.OwnDraws(ctx, who, RoundRef{in.Vendor, in.RoundID}, before, in.PageSize+1)
	if err != nil {
		return ownPage{}, err
	}
	page := ownPage{List: []ownReply{}}
	if len(own) > in.PageSize {
		own = own[:in.PageSize]
		page.Next = strconv.FormatInt(own[len(own)-1].ID, 10)
	}
	for _, o := range own {
		page.List = append(page.List, ownReply{drawReplyOf(o.TicketDraw), o.State, rest.AmountOf(o.Currency, o.Share), o.Vendor, o.Round, o.At})
	}
	return page, nil
}

func drawReplyOf(c TicketDraw) chanceReply {
	figure := func(m money.Minor) rest.Amount { return rest.AmountOf(c.Currency, m) }
	out := chanceReply{
		Currency: c.Currency.Code, Series: c.Series, Nonce: c.Nonce, Stake: figure(c.Stake), Unit: figure(c.Unit), Parts: c.Parts,
		ClientSeed: c.Name, Commitment: c.Commitment, PublishedAt: c.PublishedAt, ChainID: idText(c.SeriesID), Link: c.Link,
	}
	if drawn, revealed := c.Result(); revealed {
		seed := c.Seed.Hex()
		out.Seed, out.Number, out.Below = &seed, &drawn.Number, &drawn.Below
	}
	if c.Won > 0 {
		won := figure(c.Won)
		out.Won = &won
	}
	return out
}

func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

func replyOf(p Pool) poolReply {
	figure := func(m money.Minor) rest.Amount { return rest.AmountOf(p.Currency, m) }
	out := poolReply{
		Currency: p.Currency.Code, Amount: figure(p.Amount), Seed: figure(p.StartAmount), Cap: figure(p.Cap), SharePerMille: p.SharePerMille,
		Most: figure(p.MaxStake), PerDay: p.MaxWinsPerDay, BeginsAt: p.BeginsAt, Games: []eligibleGames{}, Unit: figure(p.Unit), Parts: p.Parts, Series: p.Series, Draws: p.Draws,
		ClientSeed: p.Name, Commitment: p.Commitment, NextCommitment: p.NextCommitment, ChainID: idText(p.SeriesID), Link: p.Link, PublishedAt: p.PublishedAt, Wins: []winReply{},
	}
	for _, games := range p.Games {
		out.Games = append(out.Games, eligibleGames(games))
	}
	for _, w := range p.Wins {
		seed := fairness.Seed(w.Seed)
		name := nameOf(p.merchantID, p.Currency.Code, w.Series, w.Name)
		out.Wins = append(out.Wins, winReply{
			Series: w.Series, Username: rest.Mask(w.Account), Amount: figure(money.Minor(w.Amount)), Stake: figure(money.Minor(w.Stake)), WonAt: w.WonAt,
			ClientSeed: name, Seed: seed.Hex(), Commitment: seed.Commitment(), PublishedAt: w.PublishedAt, Nonce: w.Nonce, Number: w.Number,
			ChainID: idText(w.SeriesID), Link: w.Link,
			Below: int64(p.Draw(seed, name, w.Nonce, money.Minor(w.Stake)).Below),
		})
	}
	return out
}
