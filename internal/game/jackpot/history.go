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

// ErrNoDraw means that a series has no draw with that number.
var ErrNoDraw = fault.New(fault.NotFound, "jackpot.no_draw")

// A TicketDraw is the public data of a ticket's draw. The result is secret until the series ends.
type TicketDraw struct {
	Rules

	Currency    money.Currency
	Series      int64 // 0 while the round is not settled
	Nonce       int64 // the ticket's number, from the purchase on
	Stake       money.Minor
	Name        string         // series name; empty while the round is not settled
	Commitment  string         // of the series' seed; empty while the round is not settled
	Seed        *fairness.Seed // nil until revealed
	Won         money.Minor    // 0 if the draw lost
	SeriesID    int64          // of the hash chain; 0 without one
	Link        int64
	PublishedAt int64
}

// Result repeats the draw. It returns false until the seed is revealed.
func (c TicketDraw) Result() (DrawResult, bool) {
	if c.Seed == nil {
		return DrawResult{}, false
	}
	return c.Draw(*c.Seed, c.Name, c.Nonce, c.Stake), true
}

// An OwnDraw is a member's ticket with its draw.
type OwnDraw struct {
	TicketDraw

	ID, At        int64
	Vendor, Round string
	Share         money.Minor
	State         string
}

// A RoundRef identifies a member's round. The zero value selects all rounds.
type RoundRef struct{ Vendor, ID string }

// OwnDraws returns a member's tickets with IDs below before, newest first.
func (s *Service) OwnDraws(ctx context.Context, who rest.Caller, round RoundRef, before int64, limit int) ([]OwnDraw, error) {
	rows, err := s.ownTickets(ctx, who, round, before, int32(limit))
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
		o.TicketDraw = current.draw(r.Series, r.Nonce, r.Stake, endedSeries{r.Seed, r.PublishedAt, r.WonNonce, r.WonAmount, r.Name, r.SeriesID, r.Link})
		out = append(out, o)
	}
	return out, nil
}

func (s *Service) ownTickets(ctx context.Context, who rest.Caller, round RoundRef, before int64, limit int32) ([]query.OwnJackpotTicketsRow, error) {
	if round == (RoundRef{}) {
		return s.o.Store.Q().OwnJackpotTickets(ctx, query.OwnJackpotTicketsParams{MemberID: who.MemberID, Currency: who.Currency, Before: before, Most: limit})
	}
	found, err := s.o.Store.Q().RoundJackpotTickets(ctx, query.RoundJackpotTicketsParams{
		MerchantID: who.MerchantID, MemberID: who.MemberID, Vendor: round.Vendor, Round: round.ID, Before: before, Most: limit,
	})
	rows := make([]query.OwnJackpotTicketsRow, len(found))
	for i, r := range found {
		rows[i] = query.OwnJackpotTicketsRow(r)
	}
	return rows, err
}

// FindDraw returns any draw of a series, so that anyone can verify all of them once the seed is revealed.
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
	return current.draw(series, nonce, r.Stake, endedSeries{r.Seed, r.PublishedAt, r.WonNonce, r.WonAmount, r.Name, r.SeriesID, r.Link}), nil
}

// A currentSeries is the public data of the running series.
type currentSeries struct {
	rules       Rules
	merchantID  int64
	currency    money.Currency
	commitment  string
	name        string
	seriesID    int64
	link        int64
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
	r.publishedAt, r.name, r.seriesID, r.link = row.PublishedAt, row.Name, row.SeriesID, row.Link
	r.commitment, err = s.commitment(row.Seed)
	return r, err
}

// An endedSeries is the data of a series that is over. It is empty for the running series.
type endedSeries struct {
	seed           []byte
	publishedAt    int64
	nonce, amount  sql.NullInt64 // of the win; null if the series ended without one
	name           string
	seriesID, link int64
}

func (r currentSeries) draw(series, nonce, stake int64, o endedSeries) TicketDraw {
	c := TicketDraw{Rules: r.rules, Currency: r.currency, Series: series, Nonce: nonce, Stake: money.Minor(stake)}
	if series == 0 {
		return c
	}
	c.Name, c.Commitment, c.PublishedAt, c.SeriesID, c.Link = nameOf(r.merchantID, r.currency.Code, series, r.name), r.commitment, r.publishedAt, r.seriesID, r.link
	if len(o.seed) > 0 {
		seed := fairness.Seed(o.seed)
		c.Seed, c.Commitment, c.PublishedAt = &seed, seed.Commitment(), o.publishedAt
		c.Name, c.SeriesID, c.Link = nameOf(r.merchantID, r.currency.Code, series, o.name), o.seriesID, o.link
		if o.nonce.Int64 == nonce {
			c.Won = money.Minor(o.amount.Int64)
		}
	}
	return c
}
