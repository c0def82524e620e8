package lottery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/play"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Kinds of transfer.
const (
	kindBet      = "lottery.bet"
	kindWin      = "lottery.win"
	kindRebate   = "lottery.rebate"
	kindEnd      = "lottery.end"
	kindClawback = "lottery.clawback"
)

// cancel cancels an order's rounds whose numeros are not closed yet, and refunds their stakes. If it refunds any, it sends the
// member a message of the given kind, unless the kind is empty.
func (s *Service) cancel(ctx context.Context, memberID, orderID int64, message string) (returned, balance money.Minor, err error) {
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		order, err := tx.Q.LockLotteryOrder(ctx, orderID)
		if errors.Is(err, sql.ErrNoRows) || err == nil && order.MemberID != memberID {
			return ErrUnknownOrder
		}
		if err != nil {
			return fmt.Errorf("lock order: %w", err)
		}
		if returned, err = s.cancelIn(ctx, tx, order); err != nil || returned == 0 || message == "" {
			return err
		}
		return s.o.Messages.SystemIn(ctx, tx, memberID, message, nil)
	})
	if err != nil {
		return 0, 0, err
	}
	order, err := s.o.Store.Q().LotteryOrder(ctx, orderID)
	if err != nil {
		return 0, 0, fmt.Errorf("read order: %w", err)
	}
	balance, err = s.o.Ledger.Balance(ctx, order.AccountID)
	return returned, balance, err
}

// cancelIn cancels the open rounds of a locked order.
func (s *Service) cancelIn(ctx context.Context, tx *db.Tx, order query.LotteryOrder) (returned money.Minor, err error) {
	now, err := s.o.Time(ctx, tx)
	if err != nil {
		return 0, err
	}
	rows, err := tx.Q.CancellableLotteryRounds(ctx, order.ID, millis(now))
	if err != nil {
		return 0, fmt.Errorf("read rounds: %w", err)
	}
	var stakes []stakeChange
	var cancelled []query.CancellableLotteryRoundsRow
	for _, row := range rows { // sorted by numero id
		numero := query.LotteryNumero{ID: row.NumeroID}
		if err := lockAgainstDraw(ctx, tx, &numero); err != nil {
			return 0, err
		}
		if now, err = s.o.Time(ctx, tx); err != nil {
			return 0, err
		}
		if isClosed(numero, millis(now)) {
			continue
		}
		changed, err := tx.Q.CancelLotteryRound(ctx, row.ID)
		if err != nil {
			return 0, fmt.Errorf("cancel round: %w", err)
		}
		if changed == 0 {
			continue
		}
		if err := tx.Q.EndLotteryBets(ctx, stateCancelled, row.ID); err != nil {
			return 0, fmt.Errorf("cancel bets: %w", err)
		}
		if err := s.returnStake(ctx, tx, settlement{order: order, id: row.ID, numero: row.Numero, amount: money.Minor(row.Amount), stakeID: row.StakeID}, millis(now)); err != nil {
			return 0, err
		}
		if returned, err = returned.Add(money.Minor(row.Amount)); err != nil {
			return 0, err
		}
		stakes = append(stakes, stakeChange{stakeKey{row.NumeroID, order.Currency, order.ID % stakeParts}, -1, -money.Minor(row.Amount)})
		cancelled = append(cancelled, row)
	}
	// Orders lock stakes before lines, too.
	if err := countStakes(ctx, tx, stakes); err != nil {
		return 0, err
	}
	for _, row := range cancelled {
		if err := s.dropExposure(ctx, tx, order, row); err != nil {
			return 0, err
		}
	}
	return returned, nil
}

// returnStake refunds the stake of a round.
func (s *Service) returnStake(ctx context.Context, tx *db.Tx, r settlement, now int64) error {
	limitRows, err := s.o.Limits.TakenBack(ctx, tx, r.stakeID, r.order.MemberID, r.order.Currency, r.amount)
	if err != nil {
		return err
	}
	name := roundName(r.order.ID, r.numero)
	_, err = s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: "lottery/" + formatID(r.id) + "/return", Debit: r.order.HouseID, Credit: r.order.AccountID, Amount: r.amount, Kind: ledger.KindReversal, Origin: r.stakeID,
		RefType: "round", RefID: name,
		Rows: append([]ledger.Row{s.o.Record(Move{
			VendorID: r.order.VendorID, MemberID: r.order.MemberID, Round: name, Call: moveRollback, Tx: formatID(r.id) + "/return", Amount: r.amount,
			Currency: r.order.Currency, PlayID: r.order.PlayID, GameID: r.order.NodeID, At: now,
		})}, limitRows...),
	})
	if errors.Is(err, ledger.ErrSettled) { // another process was faster
		return nil
	}
	return wrap("return stake", err)
}

// dropExposure subtracts the bets of a cancelled round from the exposure of their lines.
func (s *Service) dropExposure(ctx context.Context, tx *db.Tx, order query.LotteryOrder, row query.CancellableLotteryRoundsRow) error {
	bets, err := tx.Q.LotteryBetsOfRound(ctx, row.ID)
	if err != nil {
		return fmt.Errorf("read bets: %w", err)
	}
	g := s.byID[int(order.GameID)]
	var all []liability
	index := map[lineKey]int{}
	for _, b := range bets {
		bet, err := restoreBet(g, b)
		if err != nil {
			return err
		}
		for _, l := range bet.Lines {
			key := lineKey{row.NumeroID, order.Currency, b.PlayCode, l.Key}
			i, known := index[key]
			if !known {
				i = len(all)
				index[key], all = i, append(all, liability{lineKey: key, odds: decimal.Zero})
			}
			all[i].amount -= bet.Exposure(l)
		}
	}
	sums, err := changeExposure(ctx, tx, all)
	if err != nil {
		return err
	}
	for _, sum := range sums {
		if sum <= 0 {
			return wrap("drop exposure", tx.Q.DropEmptyLotteryExposures(ctx, row.NumeroID, order.Currency))
		}
	}
	return nil
}

// restoreBet rebuilds a bet from its row.
func restoreBet(g play.Game, b query.LotteryBet) (play.Bet, error) {
	p, err := play.Find(g.Form, b.PlayCode)
	if err != nil {
		return play.Bet{}, err
	}
	odds, err := parseOdds(b.Odds)
	if err != nil {
		return play.Bet{}, err
	}
	lines, err := p.Parse(b.Selection)
	if err != nil {
		return play.Bet{}, fmt.Errorf("stored bet %d: %w", b.ID, err)
	}
	return play.Bet{Play: p, Lines: lines, Stake: money.Minor(b.Stake), Multiple: int(b.Multiple), Odds: odds, Amount: money.Minor(b.Amount)}, nil
}
