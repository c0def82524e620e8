package lottery

import (
	"bytes"
	"cmp"
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
	"fairground/internal/platform/db"
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
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) (err error) {
		placed, err = s.storeOrder(ctx, tx, d)
		return err
	})
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

// storeOrder stores an order and posts its stakes. Immediately before the commit it checks again that the numeros are open
// (PP-14).
func (s *Service) storeOrder(ctx context.Context, tx *db.Tx, d *draft) (Placed, error) {
	now, err := s.o.Time(ctx, tx)
	if err != nil {
		return Placed{}, err
	}
	f, id := d.session, s.o.IDs()
	added, err := tx.Q.AddLotteryOrder(ctx, query.AddLotteryOrderParams{
		ID: id, MerchantID: f.MerchantID, MemberID: f.MemberID, VendorID: f.VendorID, NodeID: d.node, PlayID: f.ID, GameID: int64(d.game.ID), PrizeMode: d.mode.Code,
		Currency: f.Currency, AccountID: d.cash.ID, HouseID: d.house.ID, RequestID: d.RequestID, Digest: d.digest, Total: int64(d.total),
		StopOnWin: d.Chase != nil && d.Chase.StopOnWin, CreatedAt: millis(now),
	})
	if err != nil {
		return Placed{}, fmt.Errorf("add order: %w", err)
	}
	if added == 0 { // the same request was accepted meanwhile
		placed, _, err := s.replay(ctx, tx.Q, f.MemberID, d.RequestID, d.digest)
		return placed, err
	}
	rows, err := s.lockNumeros(ctx, tx, d)
	if err != nil {
		return Placed{}, err
	}
	if err := checkOpen(rows, millis(now)); err != nil {
		return Placed{}, err
	}
	placed := Placed{OrderID: id, Total: d.total}
	transfers := make([]ledger.Transfer, len(rows))
	rounds := make([]int64, len(rows))
	for k, row := range rows {
		rounds[k] = s.o.IDs()
		placed.Numeros = append(placed.Numeros, row.Numero)
		name := roundName(id, row.Numero)
		transfers[k] = ledger.Transfer{
			Key: "lottery/" + formatID(rounds[k]), Debit: d.cash.ID, Credit: d.house.ID, Amount: d.amounts[k], Kind: kindBet, RefType: "round", RefID: name, Guarded: true,
			Rows: []ledger.Row{
				s.o.Record(Move{
					VendorID: f.VendorID, MemberID: f.MemberID, Round: name, Call: moveBet, Tx: formatID(rounds[k]), Amount: d.amounts[k], Currency: f.Currency,
					PlayID: f.ID, GameID: d.node, At: millis(now),
				}),
				s.o.Limits.Stake(f.MemberID, f.Currency, d.amounts[k]),
			},
		}
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, transfers...)
	if err != nil {
		return Placed{}, err
	}
	placed.Balance = posted[len(posted)-1].DebitAfter
	for k, row := range rows {
		if err := s.addRound(ctx, tx, d, &placed, k, row, rounds[k], posted[k].ID); err != nil {
			return Placed{}, err
		}
	}
	stakes := make([]stakeChange, len(rows))
	for k, row := range rows {
		stakes[k] = stakeChange{row.ID, 1, d.amounts[k]}
	}
	if err := countStakes(ctx, tx, id, f.Currency, stakes); err != nil {
		return Placed{}, err
	}
	response, err := json.Marshal(placed)
	if err != nil {
		return Placed{}, fmt.Errorf("encode order: %w", err)
	}
	if err := tx.Q.SetLotteryAnswer(ctx, string(response), id); err != nil {
		return Placed{}, fmt.Errorf("store response: %w", err)
	}
	// Many orders add to the same lines. So the lines are locked last.
	if err := s.addExposure(ctx, tx, d, rows); err != nil {
		return Placed{}, err
	}
	if now, err = s.o.Time(ctx, tx); err != nil {
		return Placed{}, err
	}
	return placed, checkOpen(rows, millis(now))
}

// roundName returns the name of a round in the betting record.
func roundName(order int64, numero string) string { return formatID(order) + "-" + numero }

// lockNumeros returns the order's numeros. None of them can be drawn until the transaction ends.
func (s *Service) lockNumeros(ctx context.Context, tx *db.Tx, d *draft) ([]query.LotteryNumero, error) {
	rows := make([]query.LotteryNumero, len(d.numeros))
	for k, n := range d.numeros {
		var err error
		if rows[k], err = s.ensureNumero(ctx, tx, d.session.MerchantID, d.game, n); err != nil {
			return nil, err
		}
	}
	sorted := make([]*query.LotteryNumero, len(rows)) // locking in the order of ids prevents deadlocks between orders
	for k := range rows {
		sorted[k] = &rows[k]
	}
	slices.SortFunc(sorted, func(a, b *query.LotteryNumero) int { return cmp.Compare(a.ID, b.ID) })
	for _, row := range sorted {
		if err := lockAgainstDraw(ctx, tx, row); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// checkOpen fails if the first numero is not open, or if a later one is closed.
func checkOpen(rows []query.LotteryNumero, now int64) error {
	for k, row := range rows {
		if isClosed(row, now) || k == 0 && now < row.OpenAt {
			return ErrClosed.With("numero", row.Numero)
		}
	}
	return nil
}

// addRound stores the bets on one numero.
func (s *Service) addRound(ctx context.Context, tx *db.Tx, d *draft, placed *Placed, k int, row query.LotteryNumero, round, stake int64) error {
	err := tx.Q.AddLotteryRound(ctx, query.AddLotteryRoundParams{ID: round, OrderID: placed.OrderID, NumeroID: row.ID, Amount: int64(d.amounts[k]), StakeID: stake})
	if err != nil {
		return fmt.Errorf("add round: %w", err)
	}
	for i, b := range d.bets[k] {
		odds, err := oddsText(b.Odds)
		if err != nil {
			return err
		}
		bet := PlacedBet{s.o.IDs(), row.Numero, b.Play.Code, len(b.Lines), b.Amount, b.Odds}
		err = tx.Q.AddLotteryBet(ctx, query.AddLotteryBetParams{
			ID: bet.ID, RoundID: round, OrderID: placed.OrderID, PlayCode: b.Play.Code, Selection: d.Bets[i].Selection, Stake: int64(b.Stake), Multiple: int64(b.Multiple),
			Lines: int64(len(b.Lines)), Amount: int64(b.Amount), Odds: odds,
		})
		if err != nil {
			return fmt.Errorf("add bet: %w", err)
		}
		placed.Bets = append(placed.Bets, bet)
	}
	return nil
}
