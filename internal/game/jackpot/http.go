package jackpot

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/money"
	"fairground/internal/platform/rest"
)

// ErrNone says that no jackpot is played for.
var ErrNone = fault.New(fault.NotFound, "jackpot.none")

type poolReply struct {
	Currency       string          `json:"currency"`
	Amount         rest.Amount     `json:"amount" doc:"What is in the pool now."`
	Seed           rest.Amount     `json:"seed" doc:"What the operator puts in when a series begins."`
	Cap            rest.Amount     `json:"cap" doc:"It does not grow beyond; stakes still have their part."`
	SharePerMille  int64           `json:"sharePerMille" doc:"What of every thousand staked goes into the pool. It is not taken from what the games return. 0: nothing is added, and the pool is played for until it is won."`
	Most           rest.Amount     `json:"most" doc:"Of one stake so much counts; what is staked above gives nothing and has no part."`
	PerDay         int64           `json:"perDay" doc:"So often it may be won within 24 hours before the next series waits."`
	BeginsAt       int64           `json:"beginsAt" doc:"Unix milliseconds: it was won so often that the next series waits until then, and stakes give nothing and have no part. 0: it is played for."`
	Games          []eligibleReply `json:"games" doc:"Games whose stakes have a part; none while it rests."`
	Unit           rest.Amount     `json:"unit" doc:"So much of a stake is one part."`
	Parts          int             `json:"parts" doc:"A stake wins with the chance of its parts in so many."`
	Series         int64           `json:"series"`
	Draws          int64           `json:"draws" doc:"So many stakes were drawn for in this series."`
	ClientSeed     string          `json:"clientSeed" doc:"The series' name, which stands where a player's own seed stands in rounds."`
	Commitment     string          `json:"commitment" doc:"SHA-256 of the seed that this series is drawn from, in hexadecimal."`
	NextCommitment string          `json:"nextCommitment" doc:"The same of the series after it."`
	PublishedAt    int64           `json:"publishedAt" doc:"Unix milliseconds."`
	Wins           []winReply      `json:"wins" doc:"The last series, the newest first."`
}

type eligibleReply struct {
	Category string   `json:"category"`
	Vendors  []string `json:"vendors" nullable:"false" doc:"Codes."`
}

type winReply struct {
	Series      int64       `json:"series"`
	Username    string      `json:"account" doc:"Masked."`
	Amount      rest.Amount `json:"amount"`
	Stake       rest.Amount `json:"stake" doc:"What of the stake counts."`
	WonAt       int64       `json:"wonAt" doc:"Unix milliseconds."`
	ClientSeed  string      `json:"clientSeed"`
	Seed        string      `json:"seed" doc:"Revealed, in hexadecimal: every draw of the series can be done again."`
	Commitment  string      `json:"commitment"`
	PublishedAt int64       `json:"publishedAt"`
	Nonce       int64       `json:"nonce" doc:"Which draw of the series won."`
	Number      int64       `json:"number" doc:"What was drawn."`
	Below       int64       `json:"below" doc:"It won because it is below this, the stake's parts."`
}

type chanceReply struct {
	Currency    string       `json:"currency"`
	Series      int64        `json:"series" doc:"0 while the stake waits for its round."`
	Nonce       int64        `json:"nonce" doc:"Which draw of the series; 0 while the stake waits for its round."`
	Stake       rest.Amount  `json:"stake" doc:"What of the stake counts."`
	Unit        rest.Amount  `json:"unit" doc:"So much of a stake is one part."`
	Parts       int          `json:"parts"`
	ClientSeed  string       `json:"clientSeed" doc:"The series' name; empty while the stake waits."`
	Commitment  string       `json:"commitment" doc:"Published before the stake; empty while the stake waits."`
	PublishedAt int64        `json:"publishedAt" doc:"Unix milliseconds."`
	Seed        *string      `json:"seed" doc:"In hexadecimal; null until the series is over."`
	Number      *int         `json:"number" doc:"What was drawn; null until the seed is revealed."`
	Below       *int         `json:"below" doc:"It wins when the number is below this, the stake's parts; null until the seed is revealed."`
	Won         *rest.Amount `json:"won" nullable:"true" doc:"What the draw won; null where it won nothing."`
}

type ownReply struct {
	Draw    chanceReply `json:"draw"`
	State   string      `json:"state" enum:"open,drawn,void" doc:"open: its round is not settled, or the series has not begun. void: the stake was taken back."`
	Share   rest.Amount `json:"share" doc:"What went from it into the pool."`
	Vendor  string      `json:"vendor"`
	RoundID string      `json:"roundId"`
	At      int64       `json:"at" doc:"Unix milliseconds: when it was staked."`
}

type ownPage struct {
	List []ownReply `json:"list"`
	Next string     `json:"next" doc:"Empty on the last page."`
}

type ownInput struct {
	Cursor   string `query:"cursor" maxLength:"20" pattern:"^[0-9]*$" doc:"What the page before said is next."`
	PageSize int    `query:"pageSize" minimum:"1" maximum:"100" default:"20"`
	Vendor   string `query:"vendor" maxLength:"32" doc:"With roundId: its vendor's code."`
	RoundID  string `query:"roundId" maxLength:"64" doc:"Only the draws of this round's stakes."`
}

type drawInput struct {
	Currency string `query:"currency" maxLength:"8" doc:"Of the pool; the caller's, or the merchant's, unless said."`
	Series   int64  `query:"series" minimum:"1" maximum:"1000000000000" required:"true"`
	Nonce    int64  `query:"nonce" minimum:"1" maximum:"1000000000000" required:"true"`
}

// Routes adds the calls by which everybody reads a jackpot's rules, funding, seed, wins and draws, and members their own.
func Routes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/jackpot/pool", ID: "jackpotPool", Tag: "jackpot", Summary: "The jackpot that is played for: rules, funding, seed and last wins",
		Access: rest.Public, Faults: []*fault.Fault{ErrNone},
	}, s.show)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/jackpot/draw", ID: "jackpotDraw", Tag: "jackpot", Summary: "One draw of a series by its number, whoever staked",
		Access: rest.Public, Faults: []*fault.Fault{ErrNoDraw},
	}, s.showDraw)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/jackpot/draws", ID: "jackpotDraws", Tag: "jackpot", Summary: "The caller's own draws, the newest first",
		Access: rest.Session,
	}, s.showOwn)
}

// currencyOf is in what the caller plays: somebody on trial plays for a pool of their own.
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
	return drawReplyOf(c), nil
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
		ClientSeed: c.Name, Commitment: c.Commitment, PublishedAt: c.PublishedAt,
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

func replyOf(p Pool) poolReply {
	figure := func(m money.Minor) rest.Amount { return rest.AmountOf(p.Currency, m) }
	out := poolReply{
		Currency: p.Currency.Code, Amount: figure(p.Amount), Seed: figure(p.StartAmount), Cap: figure(p.Cap), SharePerMille: p.SharePerMille,
		Most: figure(p.MaxStake), PerDay: p.MaxWinsPerDay, BeginsAt: p.BeginsAt, Games: []eligibleReply{}, Unit: figure(p.Unit), Parts: p.Parts, Series: p.Series, Draws: p.Draws,
		ClientSeed: p.Name, Commitment: p.Commitment, NextCommitment: p.NextCommitment, PublishedAt: p.PublishedAt, Wins: []winReply{},
	}
	for _, one := range p.Games {
		out.Games = append(out.Games, eligibleReply(one))
	}
	for _, w := range p.Wins {
		seed := fairness.Seed(w.Seed)
		name := SeriesName(p.merchantID, p.Currency.Code, w.Series)
		out.Wins = append(out.Wins, winReply{
			Series: w.Series, Username: rest.Mask(w.Account), Amount: figure(money.Minor(w.Amount)), Stake: figure(money.Minor(w.Stake)), WonAt: w.WonAt,
			ClientSeed: name, Seed: seed.Hex(), Commitment: seed.Commitment(), PublishedAt: w.PublishedAt, Nonce: w.Nonce, Number: w.Number,
			Below: int64(p.Draw(seed, name, w.Nonce, money.Minor(w.Stake)).Below),
		})
	}
	return out
}
