package jackpot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// ErrNoDraw says that a series has no draw of that number.
var ErrNoDraw = fault.New(fault.NotFound, "jackpot.no_draw")

// Chance is a stake's draw, as far as it may be told: what was drawn is known to nobody before the series is over.
type TicketDraw struct {
	Rules

	Currency      money.Currency
	Series, Nonce int64 // 0: it waits for its round
	Stake         money.Minor
	Name          string         // of the series; empty while it waits
	Commitment    string         // of the series' seed; empty while it waits
	Seed          *fairness.Seed // nil: not revealed yet
	Won           money.Minor    // 0: nothing
	PublishedAt   int64
}

// Drawn does the draw again; false while its seed is not revealed.
func (c TicketDraw) Result() (DrawResult, bool) {
	if c.Seed == nil {
		return DrawResult{}, false
	}
	return c.Draw(*c.Seed, c.Name, c.Nonce, c.Stake), true
}

// Own is a member's stake with its draw.
type OwnDraw struct {
	TicketDraw

	ID, At        int64
	Vendor, Round string
	Share         money.Minor
	State         string
}

// Round names a member's round; the zero value all of them.
type RoundRef struct{ Vendor, ID string }

// Own gives a member's stakes below an id, the newest first.
func (s *Service) OwnDraws(ctx context.Context, who rest.Caller, round RoundRef, before int64, most int) ([]OwnDraw, error) {
	rows, err := s.ownTickets(ctx, who, round, before, int32(most))
	if err != nil {
		return nil, fmt.Errorf("read draws: %w", err)
	}
	current, err := s.currentSeries(ctx, who.MerchantID, who.Currency)
	if err != nil {
		return nil, err
	}
	out := make([]OwnDraw, 0, len(rows))
	for _, r := range rows {
		o := OwnDraw{ID: r.TransferID, At: r.CreatedAt, Vendor: r.Vendor, Round: r.Round, Share: money.Minor(r.Share), State: r.State}
		o.TicketDraw = current.draw(r.Series, r.Nonce, r.Stake, endedSeries{r.Seed, r.PublishedAt, r.WonNonce, r.WonAmount})
		out = append(out, o)
	}
	return out, nil
}

func (s *Service) ownTickets(ctx context.Context, who rest.Caller, round RoundRef, before int64, most int32) ([]query.OwnJackpotTicketsRow, error) {
	if round == (RoundRef{}) {
		return s.o.Store.Q().OwnJackpotTickets(ctx, query.OwnJackpotTicketsParams{MemberID: who.MemberID, Currency: who.Currency, Before: before, Most: most})
	}
	found, err := s.o.Store.Q().RoundJackpotTickets(ctx, query.RoundJackpotTicketsParams{
		MerchantID: who.MerchantID, MemberID: who.MemberID, Vendor: round.Vendor, Round: round.ID, Before: before, Most: most,
	})
	rows := make([]query.OwnJackpotTicketsRow, len(found))
	for i, r := range found {
		rows[i] = query.OwnJackpotTicketsRow(r)
	}
	return rows, err
}

// DrawOf gives any draw by its number, whoever staked: a series whose seed is revealed can be gone through from the first to the last.
func (s *Service) FindDraw(ctx context.Context, merchantID int64, code string, series, nonce int64) (TicketDraw, error) {
	current, err := s.currentSeries(ctx, merchantID, code)
	if err != nil {
		return TicketDraw{}, err
	}
	r, err := s.o.Store.Q().JackpotDraw(ctx, query.JackpotDrawParams{MerchantID: merchantID, Currency: code, Series: series, Nonce: nonce})
	if errors.Is(err, sql.ErrNoRows) {
		return TicketDraw{}, ErrNoDraw
	}
	if err != nil {
		return TicketDraw{}, fmt.Errorf("read draw: %w", err)
	}
	return current.draw(series, nonce, r.Stake, endedSeries{r.Seed, r.PublishedAt, r.WonNonce, r.WonAmount}), nil
}

// running is what is published of the series that runs.
type currentSeries struct {
	rules       Rules
	merchantID  int64
	currency    money.Currency
	commitment  string
	publishedAt int64
}

func (s *Service) currentSeries(ctx context.Context, merchantID int64, code string) (currentSeries, error) {
	currency, err := money.Find(code)
	if err != nil {
		return currentSeries{}, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	r := currentSeries{rules: s.o.Rules[code], merchantID: merchantID, currency: currency}
	row, err := s.o.Store.Q().JackpotPool(ctx, merchantID, code)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, fmt.Errorf("read jackpot: %w", err)
	}
	r.publishedAt = row.PublishedAt
	r.commitment, err = s.commitment(row.Seed)
	return r, err
}

// over is what is known of a series once it was won.
type endedSeries struct {
	seed               []byte
	publishedAt, nonce sql.NullInt64
	amount             sql.NullInt64
}

// of makes a stake's chance.
func (r currentSeries) draw(series, nonce, stake int64, o endedSeries) TicketDraw {
	c := TicketDraw{Rules: r.rules, Currency: r.currency, Series: series, Nonce: nonce, Stake: money.Minor(stake)}
	if nonce == 0 {
		return c
	}
	c.Name, c.Commitment, c.PublishedAt = SeriesName(r.merchantID, r.currency.Code, series), r.commitment, r.publishedAt
	if len(o.seed) > 0 {
		seed := fairness.Seed(o.seed)
		c.Seed, c.Commitment, c.PublishedAt = &seed, seed.Commitment(), o.publishedAt.Int64
		if o.nonce.Int64 == nonce {
			c.Won = money.Minor(o.amount.Int64)
		}
	}
	return c
}
