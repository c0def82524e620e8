package lottery

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// Limits of an order.
const (
	maxBets       = 100
	maxChase      = 100
	maxOrderBets  = 1_000  // bets on all numeros together
	maxOrderLines = 20_000 // lines on all numeros together
)

// A BetRequest is one bet of an order.
type BetRequest struct {
	PlayCode  string
	Selection string
	Stake     string // per line, in units of the currency
	Multiple  int
	Odds      string // the odds that the player saw; empty for a play with outcomes
}

// A Chase bets on several numeros in a row.
type Chase struct {
	Count      int // number of numeros, with the first
	Multiplier int
	StopOnWin  bool
}

// An OrderRequest is the content of an order.
type OrderRequest struct {
	RequestID           string
	GameID, Numero      string
	PlayType, PrizeMode string
	Bets                []BetRequest
	Chase               *Chase
}

// A PlacedBet is an accepted bet.
type PlacedBet struct {
	ID       int64
	Numero   string
	PlayCode string
	Lines    int
	Amount   money.Minor
	Odds     play.Odds
}

// A Placed is an accepted order.
type Placed struct {
	OrderID int64
	Bets    []PlacedBet
	Total   money.Minor
	Balance money.Minor
	Numeros []string
}

// A draft is a checked order whose stakes are not posted yet.
type draft struct {
	OrderRequest

	session gameSession
	game    play.Game
	mode    play.Mode
	digest  []byte
	numeros []schedule.Numero
	bets    [][]play.Bet // by numero
	amounts []money.Minor
	total   money.Minor
	limit   money.Minor // maximum payout of a line
	node    int64       // id of the game in the catalogue
	cash    ledger.Account
	house   ledger.Account
}

// place accepts or refuses an order as a whole. A repeated request returns the first response.
func (s *Service) place(ctx context.Context, f gameSession, in OrderRequest) (Placed, error) {
	content, err := json.Marshal(in)
	if err != nil {
		return Placed{}, fmt.Errorf("encode order: %w", err)
	}
	digest := sha256.Sum256(content)
	placed, known, err := s.replay(ctx, s.o.Store.Q(), f.MemberID, in.RequestID, digest[:])
	if err != nil || known {
		return placed, err
	}
	if err := s.takeRate(f.MemberID, false); err != nil { // not for a repeated request: it must get the first response
		return Placed{}, err
	}
	d, err := s.checkOrder(ctx, f, in)
	if err != nil {
		return Placed{}, err
	}
	d.digest = digest[:]
	placed, err = s.storeOrder(ctx, d)
	if err != nil && s.o.Ended(err) {
		return Placed{}, rest.ErrTokenInvalid.Because(err)
	}
	return placed, err
}

// replay returns the first response to a repeated request.
func (s *Service) replay(ctx context.Context, q *query.Queries, memberID int64, requestID string, digest []byte) (placed Placed, known bool, err error) {
	row, err := q.LotteryOrderByRequest(ctx, memberID, requestID)
	if errors.Is(err, sql.ErrNoRows) {
		return Placed{}, false, nil
	}
	if err != nil {
		return Placed{}, false, fmt.Errorf("read order: %w", err)
	}
	if !bytes.Equal(row.Digest, digest) {
		return Placed{}, true, idempotency.ErrConflict
	}
	return placed, true, wrap("decode order", json.Unmarshal([]byte(row.Answer), &placed))
}

// checkOrder checks everything about an order that needs no lock.
func (s *Service) checkOrder(ctx context.Context, f gameSession, in OrderRequest) (*draft, error) {
	d := &draft{OrderRequest: in, session: f}
	var err error
	if d.game, err = s.game(ctx, f.MerchantID, in.GameID); err != nil {
		return nil, err
	}
	if !f.allows(d.game) {
		return nil, ErrOtherGame
	}
	var found bool
	if d.mode, found = play.FindMode(d.game.Form, in.PrizeMode); !found {
		return nil, rest.ErrParam.On("prizeMode")
	}
	first, err := d.game.Timetable.Find(in.Numero)
	if err != nil {
		return nil, err
	}
	count, multiplier := 1, 1
	if c := in.Chase; c != nil {
		count, multiplier = c.Count, c.Multiplier
	}
	switch {
	case count < 1 || count > maxChase:
		return nil, rest.ErrParam.On("chase.count")
	case multiplier < 1 || multiplier > play.MaxMultiple:
		return nil, rest.ErrParam.On("chase.multiplier")
	case len(in.Bets) < 1 || len(in.Bets) > maxBets || len(in.Bets)*count > maxOrderBets:
		return nil, rest.ErrParam.On("bets")
	}
	d.numeros = d.game.Timetable.Chase(first, count)
	if err := s.buildBets(ctx, d, count, multiplier); err != nil {
		return nil, err
	}
	if d.limit, err = s.exposureLimit(ctx, f.MerchantID, f.currency); err != nil {
		return nil, err
	}
	if d.cash, d.house, err = s.accounts(ctx, f); err != nil {
		return nil, err
	}
	d.node = f.GameID
	if f.game == nil {
		vendor, category := vendorOf(d.game)
		t, err := s.tenantOf(ctx, f.MerchantID)
		if err != nil {
			return nil, err
		}
		d.node, err = s.ensureNode(ctx, f.MerchantID, Launch{VendorID: t.vendors[vendor], Code: in.GameID, Vendor: vendor, Category: category}, d.game.Names)
		if err != nil {
			return nil, err
		}
	}
	return d, nil
}

// buildBets builds the bets on every numero. It parses each selection once.
func (s *Service) buildBets(ctx context.Context, d *draft, count, multiplier int) error {
	prices, err := s.readPrices(ctx, d.session.MerchantID) // not from the cache: another replica may have changed them
	if err != nil {
		return err
	}
	if prices.disabled[d.game.ID] {
		return play.ErrUnknownGame
	}
	limits, menu := play.StandardLimits(d.session.currency), play.Menu(d.game.Form, d.PlayType)
	d.bets, d.amounts = make([][]play.Bet, count), make([]money.Minor, count)
	lines := 0
	for i, b := range d.Bets {
		index := slices.IndexFunc(menu, func(p *play.Play) bool { return p.Code == b.PlayCode })
		if index < 0 {
			return play.ErrUnknownPlay.With("bet", i)
		}
		p := menu[index]
		odds := prices.oddsOf(d.game, d.mode, p)
		if !p.HasOutcomes() {
			switch {
			case b.Odds == "":
				return rest.ErrParam.On(fmt.Sprintf("bets[%d].odds", i))
			case !sameOdds(b.Odds, odds[""]):
				return ErrOddsChanged.With("bet", i)
			}
		}
		stake, err := d.session.currency.Parse(b.Stake)
		if err != nil {
			stake = 0 // refused as a stake below the minimum
		}
		bet, err := play.NewBet(p, b.Selection, stake, b.Multiple, limits, odds)
		if err != nil {
			return withBet(err, i)
		}
		if lines += len(bet.Lines) * count; lines > maxOrderLines {
			return play.ErrTooManyLines.With("max", maxOrderLines/count).With("bet", i)
		}
		for k := range count {
			if k > 0 {
				if bet, err = bet.Times(multiplier, limits); err != nil {
					return withBet(err, i)
				}
			}
			d.bets[k] = append(d.bets[k], bet)
			if d.amounts[k], err = d.amounts[k].Add(bet.Amount); err == nil {
				d.total, err = d.total.Add(bet.Amount)
			}
			if err != nil || d.total > ledger.MaxAmount {
				return ledger.ErrInsufficient
			}
		}
	}
	return nil
}

// withBet adds the index of the bet to a fault.
func withBet(err error, bet int) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.With("bet", bet)
	}
	return err
}

// roundName returns the name of a round in the betting record.
func roundName(order int64, numero string) string { return formatID(order) + "-" + numero }
