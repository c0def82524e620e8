package lottery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
)

// parallelPosts is how many payments of a chunk are posted at once. The ledger writes them in batches.
const parallelPosts = 256

// A settlement settles, corrects or refunds a round.
type settlement struct {
	order        query.LotteryOrder // only the fields that transfers need
	id           int64
	numero       string
	amount       money.Minor
	stakeID      int64
	status       string
	paid         money.Minor // by earlier runs
	notRecovered money.Minor // what this run could not take back
	stop         bool        // a win cancels the rest of the order

	bets           []settledBet
	payout, rebate money.Minor
	won            bool
}

// A settledBet is the outcome of a bet.
type settledBet struct {
	id             int64
	state          string
	payout, rebate money.Minor
}

// SettleDue settles all numeros that have a result or are void.
func (s *Service) SettleDue(ctx context.Context) error {
	return s.settleDue(ctx, func(context.Context) (bool, error) { return true, nil })
}

// settleDue settles one chunk of each numero in turn, so that a numero with many bets does not delay the others. It stops
// when mayContinue reports false.
func (s *Service) settleDue(ctx context.Context, mayContinue func(context.Context) (bool, error)) error {
	var failed error
	skipped := map[int64]bool{} // numeros that failed
	for {
		rows, err := s.o.Store.Q().PendingLotteryNumeros(ctx)
		if err != nil {
			return errors.Join(failed, fmt.Errorf("read numeros to settle: %w", err))
		}
		rows = slices.DeleteFunc(rows, func(n query.LotteryNumero) bool { return skipped[n.ID] })
		if len(rows) == 0 {
			return failed
		}
		for _, row := range rows {
			if leading, err := mayContinue(ctx); err != nil || !leading {
				return errors.Join(failed, err)
			}
			if err := s.settle(ctx, row); err != nil {
				skipped[row.ID] = true
				failed = errors.Join(failed, fmt.Errorf("settle %d/%s: %w", row.GameID, row.Numero, err))
			}
		}
	}
}

// settle settles the next chunk of a numero. Any process can take over after a crash, because a chunk can be repeated:
// every payment has a key, and rounds that a later run has settled stay unchanged.
func (s *Service) settle(ctx context.Context, n query.LotteryNumero) error {
	g, known := s.byID[int(n.GameID)]
	if !known {
		return fmt.Errorf("no game %d", n.GameID)
	}
	var result draw.Result
	if n.Status != statusVoid {
		var err error
		if result, err = draw.Parse(g.Form, n.Result); err != nil {
			return err
		}
	}
	chunk, last, more, err := s.readChunk(ctx, n, g, result)
	if err != nil {
		return err
	}
	if last > n.Progress {
		if err := s.settleChunk(ctx, n, chunk); err != nil {
			return err
		}
		if err := s.storeChunk(ctx, n, chunk, last); err != nil {
			return err
		}
	}
	if more {
		return nil
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return err
		}
		finished, err := tx.Q.FinishLotteryNumero(ctx, millis(now), n.ID, n.Run)
		if err != nil || finished == 0 {
			return wrap("finish settlement", err)
		}
		if err := tx.Q.DropLotteryExposures(ctx, n.ID); err != nil { // nothing limits bets on it any more
			return fmt.Errorf("drop exposure: %w", err)
		}
		return s.announce(ctx, tx, n, now)
	})
}

// EventSettled is the name of the event for a settled, corrected or voided draw.
const EventSettled = "lottery.settled"

// maxAnnouncedAge is the maximum age of a draw that is announced. After downtime, many old draws are settled at once.
const maxAnnouncedAge = time.Hour

// announce sends the event of a settled draw to members and operators.
func (s *Service) announce(ctx context.Context, tx *db.Tx, n query.LotteryNumero, now time.Time) error {
	entered := !n.SeriesID.Valid && !n.Simulated
	if n.Run == 1 && !entered && millis(now)-n.DrawAt > maxAnnouncedAge.Milliseconds() {
		return nil
	}
	status := statusSettled
	if n.Status == statusVoid {
		status = statusVoid
	}
	data, err := json.Marshal(map[string]string{"gameId": formatID(n.GameID), "numero": n.Numero, "status": status})
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	if err := s.o.Outbox.Add(ctx, tx, now, events.Message{Merchant: formatID(n.MerchantID), Event: EventSettled, Data: data}); err != nil {
		return err
	}
	return s.o.Screens.Changed(ctx, tx, opsKind, opsID(n.GameID, n.Numero))
}

// readChunk returns the next rounds with their outcomes, the id of the last one read, and whether there may be more.
func (s *Service) readChunk(ctx context.Context, n query.LotteryNumero, g play.Game, result draw.Result) (chunk []*settlement, last int64, more bool, err error) {
	rows, err := s.o.Store.Q().LotteryRoundsToSettle(ctx, n.ID, n.Progress, int32(s.o.ChunkSize))
	if err != nil || len(rows) == 0 {
		return nil, n.Progress, false, wrap("read rounds", err)
	}
	last, more = rows[len(rows)-1].ID, len(rows) == s.o.ChunkSize
	bets, err := s.o.Store.Q().LotteryBetsToSettle(ctx, n.ID, n.Progress, last)
	if err != nil {
		return nil, 0, false, fmt.Errorf("read bets: %w", err)
	}
	for _, row := range rows {
		r := &settlement{
			order: query.LotteryOrder{
				ID: row.OrderID, MerchantID: row.MerchantID, MemberID: row.MemberID, VendorID: row.VendorID, NodeID: row.NodeID, PlayID: row.PlayID,
				Currency: row.Currency, AccountID: row.AccountID, HouseID: row.HouseID,
			},
			id: row.ID, numero: n.Numero, amount: money.Minor(row.Amount), stakeID: row.StakeID, status: row.Status, paid: money.Minor(row.Paid), stop: row.StopOnWin,
		}
		for len(bets) > 0 && bets[0].RoundID == row.ID {
			if err := r.addOutcome(n, g, row.PrizeMode, bets[0], result); err != nil {
				return nil, 0, false, err
			}
			bets = bets[1:]
		}
		if row.Status != stateCancelled && row.Run < n.Run {
			chunk = append(chunk, r)
		}
	}
	return chunk, last, more, nil
}

// addOutcome adds the outcome of a bet.
func (r *settlement) addOutcome(n query.LotteryNumero, g play.Game, mode string, b query.LotteryBet, result draw.Result) error {
	out := settledBet{id: b.ID, state: stateVoid}
	if n.Status != statusVoid {
		bet, err := restoreBet(g, b)
		if err != nil {
			return err
		}
		m, _ := play.FindMode(g.Form, mode)
		out.payout, _ = bet.Pay(result)
		out.state, out.rebate = stateLost, m.PaidBack(bet.Amount)
		if out.payout > 0 {
			out.state, r.won = stateWon, true
		}
	}
	r.bets = append(r.bets, out)
	r.payout += out.payout
	r.rebate += out.rebate
	return nil
}

// settleChunk posts the payments of a chunk, and cancels the orders that a win stops. The states of the bets are stored
// afterwards.
func (s *Service) settleChunk(ctx context.Context, n query.LotteryNumero, chunk []*settlement) error {
	posts, ctx := errgroup.WithContext(ctx)
	posts.SetLimit(parallelPosts)
	for _, r := range chunk {
		posts.Go(func() error { return s.pay(ctx, n, r) })
	}
	if err := posts.Wait(); err != nil {
		return err
	}
	return nil
}

// pay posts the payments of one round.
func (s *Service) pay(ctx context.Context, n query.LotteryNumero, r *settlement) error {
	switch {
	case n.Status == statusVoid:
		return s.refund(ctx, n, r)
	case r.status == stateOpen:
		if r.rebate > 0 {
			if err := s.credit(ctx, n, r, kindRebate, "rebate", r.rebate, false); err != nil {
				return err
			}
		}
		if err := s.credit(ctx, n, r, kindWin, "", r.payout, true); err != nil {
			return err
		}
	default:
		if err := s.correct(ctx, n, r); err != nil {
			return err
		}
	}
	if !r.won || !r.stop {
		return nil
	}
	_, _, err := s.cancel(ctx, r.order.MemberID, r.order.ID, "")
	return wrap("stop the chase", err)
}

// correct pays or takes back the difference to what earlier runs paid.
func (s *Service) correct(ctx context.Context, n query.LotteryNumero, r *settlement) error {
	due := r.payout + r.rebate
	if due < r.paid {
		return s.takeBack(ctx, n, r, r.paid-due)
	}
	if due > r.paid {
		if err := s.credit(ctx, n, r, kindWin, "", due-r.paid, false); err != nil {
			return err
		}
	}
	if n.Run <= 2 { // the first correction has no debts before it
		return nil
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		if stale, err := isStale(ctx, tx, n, r); err != nil || stale {
			return err
		}
		return tx.Q.DropLotteryDebts(ctx, r.id, n.Run)
	})
}

// isStale locks a round, and reports whether this run or a later one has settled it. This happens if a process continues
// after it has lost its lease. What the run has taken back may no longer be visible, because later runs drop debts.
func isStale(ctx context.Context, tx *db.Tx, n query.LotteryNumero, r *settlement) (bool, error) {
	run, err := tx.Q.LockLotteryRound(ctx, r.id)
	if err != nil {
		return false, fmt.Errorf("lock round: %w", err)
	}
	return run >= n.Run, nil
}

// paymentKey returns the key of a payment to a round in one run of the settlement.
func paymentKey(n query.LotteryNumero, r *settlement, part string) string {
	return strings.TrimSuffix(fmt.Sprintf("lottery/%d/%d/%s", r.id, n.Run, part), "/")
}

// credit pays a round. An amount of 0 only ends the round in the record.
func (s *Service) credit(ctx context.Context, n query.LotteryNumero, r *settlement, kind, part string, amount money.Minor, ends bool) error {
	move := s.newMove(n, r, moveWin, part, amount)
	move.Ends = ends
	t := ledger.Transfer{
		Key: paymentKey(n, r, part), Debit: r.order.HouseID, Credit: r.order.AccountID, Amount: amount, Kind: kind, RefType: "round", RefID: move.Round,
	}
	if amount == 0 {
		t.Kind, t.Empty, move.Call = kindEnd, true, moveEnd
	} else {
		t.Rows = append(t.Rows, s.o.Limits.Return(r.order.MemberID, r.order.Currency, amount))
	}
	t.Rows = append(t.Rows, s.o.Record(move))
	_, err := s.o.Ledger.Post(ctx, t)
	return wrap("pay round", err)
}

func (s *Service) newMove(n query.LotteryNumero, r *settlement, call, part string, amount money.Minor) Move {
	return Move{
		VendorID: r.order.VendorID, MemberID: r.order.MemberID, Round: roundName(r.order.ID, r.numero), Call: call, Amount: amount, Currency: r.order.Currency,
		Tx: strings.TrimPrefix(paymentKey(n, r, part), "lottery/"), PlayID: r.order.PlayID, GameID: r.order.NodeID, At: millis(s.o.Now()),
	}
}

// refund takes back what an earlier result paid, and then returns the stake of a void numero.
func (s *Service) refund(ctx context.Context, n query.LotteryNumero, r *settlement) error {
	if r.paid > 0 {
		if err := s.takeBack(ctx, n, r, r.paid); err != nil {
			return err
		}
	}
	if r.status == stateVoid {
		return nil
	}
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		now, err := s.o.Time(ctx, tx)
		if err != nil {
			return err
		}
		return s.returnStake(ctx, tx, *r, millis(now))
	})
}

// maxClawbacks is the maximum number of attempts to take back a win while the member spends money.
const maxClawbacks = 20

// takeBack takes back what an earlier result overpaid. The part that exceeds the balance becomes a debt, which replaces earlier
// debts of the round.
func (s *Service) takeBack(ctx context.Context, n query.LotteryNumero, r *settlement, amount money.Minor) error {
	key := paymentKey(n, r, "clawback")
	for range maxClawbacks {
		err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
			if stale, err := isStale(ctx, tx, n, r); err != nil || stale {
				return err
			}
			done, err := tx.Q.LotteryClawbackDone(ctx, key, r.id, n.Run)
			if err != nil {
				return fmt.Errorf("read clawback: %w", err)
			}
			if done {
				debt, err := tx.Q.LotteryDebt(ctx, r.id, n.Run)
				r.notRecovered = money.Minor(debt)
				return err
			}
			if err := tx.Q.DropLotteryDebts(ctx, r.id, n.Run); err != nil {
				return fmt.Errorf("drop earlier debts: %w", err)
			}
			balance, err := tx.Q.BalanceOfAccount(ctx, r.order.AccountID)
			if err != nil {
				return fmt.Errorf("read balance: %w", err)
			}
			taken := min(amount, max(0, money.Minor(balance)))
			if taken > 0 {
				move := s.newMove(n, r, moveWin, "clawback", -taken)
				_, err := s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
					Key: key, Debit: r.order.AccountID, Credit: r.order.HouseID, Amount: taken, Kind: kindClawback, RefType: "round", RefID: move.Round,
					Rows: []ledger.Row{s.o.Record(move), s.o.Limits.Return(r.order.MemberID, r.order.Currency, -taken)},
				})
				if err != nil {
					return err
				}
			}
			r.notRecovered = amount - taken
			if r.notRecovered == 0 {
				return nil
			}
			now, err := s.o.Time(ctx, tx)
			if err != nil {
				return err
			}
			return tx.Q.AddLotteryDebt(ctx, query.AddLotteryDebtParams{
				ID: s.o.IDs(), MerchantID: r.order.MerchantID, MemberID: r.order.MemberID, RoundID: r.id, Run: n.Run, Currency: r.order.Currency,
				Amount: int64(r.notRecovered), CreatedAt: millis(now),
			})
		})
		if !errors.Is(err, ledger.ErrInsufficient) { // the member has spent money meanwhile
			return wrap("take back a win", err)
		}
	}
	return wrap("take back a win", ledger.ErrInsufficient)
}
