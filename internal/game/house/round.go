package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// How a round stands. Betting: the bet was asked for, and nobody knows more. Placed: it lies on a table and waits for the
// table's round. Bet: it stands, the outcome is drawn. These and refunding are open: somebody has to bring them on.
const (
	betting   = "betting"
	placed    = "placed"
	bet       = "bet"
	settled   = "settled"
	refunding = "refunding" // the bet is to be taken back, whether it went through or not
	refunded  = "refunded"
	refused   = "refused"

	// Set aside: the wallet says no to what the round brings, or to the bet's return, and goes on saying it. It stays owed, and
	// waits for the operator; the player plays on.
	owed       = "owed"
	unreturned = "unreturned"
)

// remembered are the codes that a bet's id keeps for ever: nothing was moved under it and nothing will be.
var remembered = []string{codeFunds, codeLimit, codeExcluded, codeClosed, codeNoRound, codeRolled, codeCurrency}

// spin plays a round, once however often it is asked for under the frame's name for it.
func (s *Service) spin(ctx context.Context, f frame, spinID string, stake money.Minor) (query.HouseRound, error) {
	// Whoever leaves now still gets what the round brings.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driveWithin)
	defer cancel()
	row, err := s.o.Store.Q().HouseRoundBySpin(ctx, f.Player, spinID)
	if errors.Is(err, sql.ErrNoRows) {
		row, err = s.begin(ctx, f, spinID, stake)
	}
	if err != nil {
		return row, wrap("begin round", err)
	}
	if money.Minor(row.Stake) != stake || row.Vendor != f.Vendor || row.Game != f.Game {
		return row, ErrConflict.On("spinId")
	}
	row, err = s.drive(ctx, row)
	if err != nil {
		return row, err
	}
	if row.Status == refused {
		s.forget(f.Player, row.ID)
	}
	return row, ended(row)
}

// ended tells why a round has no outcome.
func ended(row query.HouseRound) error {
	switch row.Status {
	case settled:
		return nil
	case placed, bet:
		if row.TableRound.Valid {
			return nil
		}
		return ErrPending
	case refused:
		return refusal(row.Reason)
	case refunded:
		return ErrRefunded
	case owed, unreturned:
		return ErrSetAside
	default:
		return ErrPending
	}
}

// begin writes a new round down, before anything is asked of the wallet. Nothing may fail later for want of
// randomness: it is tried here.
func (s *Service) begin(ctx context.Context, f frame, spinID string, stake money.Minor) (row query.HouseRound, err error) {
	if !f.offer.has(stake) {
		return row, ErrStake.On("stake")
	}
	if err := f.engine.CheckStake(stake); err != nil {
		return row, err
	}
	if _, err := s.newSeed(); err != nil {
		return row, err
	}
	if _, err := s.seedOf(ctx, f.Player); err != nil {
		return row, err
	}
	now := s.o.Now()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		seed, err := s.readable(tx.Q.LockHouseSeed(ctx, f.Player))
		if err != nil {
			return err
		}
		row, err = tx.Q.HouseRoundBySpin(ctx, f.Player, spinID)
		if err == nil || !errors.Is(err, sql.ErrNoRows) {
			return err // the same tap, a moment ago
		}
		at, err := s.now(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.pace(ctx, tx.Q, f.Player, now, at); err != nil {
			return err
		}
		id := s.o.IDs()
		n, err := tx.Q.AddHouseRound(ctx, query.AddHouseRoundParams{
			ID: id, Player: f.Player, SpinID: spinID, Vendor: f.Vendor, Game: f.Game, WalletSession: f.WalletSession,
			Currency: f.Currency, Engine: f.engine.Name(), Version: int64(f.engine.Version()), Stake: int64(stake),
			ClientSeed: seed.ClientSeed, Nonce: seed.Nonce, Commitment: commitment(seed.Seed), PublishedAt: seed.PublishedAt, CreatedAt: db.Millis(at),
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrPending // another round of the player was cut off, and comes to its end first
		}
		row, err = tx.Q.HouseRound(ctx, id)
		return err
	})
	if err == nil {
		s.note(f.Player, row.ID, now)
	}
	return row, err
}

// pace keeps rounds apart (PP-10): by the database's time, one clock for all replicas and the next start, and by this
// process's steady one, which nobody can set back.
func (s *Service) pace(ctx context.Context, q *query.Queries, player string, now, at time.Time) error {
	last, err := q.LastHouseRoundAt(ctx, player)
	if err != nil {
		return err
	}
	since := time.Duration(db.Millis(at)-last) * time.Millisecond
	s.mu.Lock()
	began, known := s.began[player]
	s.mu.Unlock()
	if known && now.Sub(began.at) < Cycle || since > -Cycle && since < Cycle {
		return ErrTooFast
	}
	return nil
}

// begun is when a round began.
type begun struct {
	round int64
	at    time.Time
}

// note remembers when a player's round began, and forgets those that no longer matter.
func (s *Service) note(player string, round int64, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const many = 1 << 12
	if len(s.began) >= many {
		for other, began := range s.began {
			if at.Sub(began.at) >= Cycle {
				delete(s.began, other)
			}
		}
	}
	s.began[player] = begun{round, at}
}

// forget lets a player try again at once whose round was refused: nothing was played.
func (s *Service) forget(player string, round int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began[player].round == round {
		delete(s.began, player)
	}
}

// drive brings a round on as far as it will go. Any number may drive the same round at once, here and in other
// processes: what they ask of the wallet has one name for all of them, and each step is written down once.
func (s *Service) drive(ctx context.Context, row query.HouseRound) (query.HouseRound, error) {
	for {
		var err error
		switch row.Status {
		case betting:
			err = s.bet(ctx, &row)
		case placed:
			if over, err := s.count(ctx, row); err != nil || !over {
				return row, err
			}
		case bet:
			err = s.pay(ctx, row)
		case refunding:
			err = s.giveBack(ctx, row)
		default:
			return row, nil
		}
		if err != nil {
			return row, err
		}
		if row, err = s.o.Store.Q().HouseRound(ctx, row.ID); err != nil {
			return row, fmt.Errorf("read round: %w", err)
		}
	}
}

// bet asks the wallet for the stake, unless it is too late for that.
func (s *Service) bet(ctx context.Context, row *query.HouseRound) error {
	over, reason, err := s.tooLate(ctx, *row)
	switch {
	case err != nil:
		return err
	case over:
		return s.move(ctx, *row, refunding, reason)
	default:
		return s.stake(ctx, row)
	}
}

// stake asks the wallet for it; once it stands, the outcome is drawn and kept, or the ticket lies on its table.
func (s *Service) stake(ctx context.Context, row *query.HouseRound) error {
	t, err := s.ask(ctx, *row, "bet", ask{TxID: tx(*row, "b"), Amount: amountOf(*row, row.Stake)})
	switch {
	case err != nil:
		return err
	case t.Code == codeOK && row.TableRound.Valid:
		return s.place(ctx, row, t)
	case t.Code == codeOK:
		return s.draw(ctx, *row)
	case slices.Contains(remembered, t.Code):
		return s.move(ctx, *row, refused, t.Code)
	default:
		// The wallet would take the same bet another time: so that it never does, it is taken back first.
		return s.move(ctx, *row, refunding, t.Code)
	}
}

// tooLate tells whether a bet is not to be asked for any more: nobody waits for it, or its table has closed.
func (s *Service) tooLate(ctx context.Context, row query.HouseRound) (over bool, reason string, err error) {
	if row.TableRound.Valid {
		open, err := s.stillTakesBets(ctx, row.TableRound.Int64)
		return err == nil && !open, codeBetsClosed, err
	}
	now, err := s.now(ctx, nil)
	return now.Sub(time.UnixMilli(row.CreatedAt)) > betWithin, "", err
}

// draw makes the outcome. The seed becomes this round's in the same transaction, so no other can have it.
func (s *Service) draw(ctx context.Context, row query.HouseRound) error {
	next, err := s.newSeed()
	if err != nil {
		return err // the round stays as it is, and is given back when the source stays away
	}
	sealed, err := s.sealSeed(next)
	if err != nil {
		return err
	}
	return wrap("draw", s.o.Store.Write(ctx, func(tx *db.Tx) error {
		seed, err := s.readable(tx.Q.LockHouseSeed(ctx, row.Player))
		if err != nil {
			return err
		}
		engine, found := s.engines.version(row.Engine, row.Version)
		if !found {
			return fmt.Errorf("no version %d of %s", row.Version, row.Engine)
		}
		outcome, win, err := engine.Play(
			fairness.NewStream(fairness.Seed(seed.Seed), row.ClientSeed, row.Nonce), money.Minor(row.Stake))
		if err != nil {
			return err
		}
		n, err := tx.Q.PlayHouseRound(ctx, query.PlayHouseRoundParams{ID: row.ID, Seed: seed.Seed, Outcome: string(outcome), Win: int64(win)})
		if err != nil || n == 0 {
			return err // somebody else has brought it on
		}
		turned, err := tx.Q.TurnHouseSeed(ctx, query.TurnHouseSeedParams{
			Player: row.Player, Nonce: row.Nonce, Seed: sealed, PublishedAt: db.Millis(s.o.Now()),
		})
		if err == nil && len(turned) == 0 {
			err = fmt.Errorf("round %d has nonce %d, the seed %d", row.ID, row.Nonce, seed.Nonce)
		}
		return err
	}))
}

// pay hands the outcome to the wallet and closes the round. It is asked for until it is done: the player has seen or
// may have seen what it brings. A wallet that goes on refusing it must not keep the player from all other rounds.
func (s *Service) pay(ctx context.Context, row query.HouseRound) error {
	t, err := s.ask(ctx, row, "win", winOf(row, "w"))
	if err != nil {
		return err
	}
	return s.paid(ctx, row, t)
}

// winOf asks for what the round brings, under a name.
func winOf(row query.HouseRound, call string) ask {
	return ask{TxID: tx(row, call), Amount: amountOf(row, row.Win), EndRound: true}
}

// paid takes the wallet's answer to a win.
func (s *Service) paid(ctx context.Context, row query.HouseRound, t told) error {
	if t.Code != codeOK {
		s.o.Log.ErrorContext(ctx, "the wallet does not take a win", "round", row.ID, "code", t.Code)
		return s.setAside(ctx, row, owed, t.Code)
	}
	balance, err := balanceOf(row, t)
	if err != nil {
		return err
	}
	return wrap("settle", s.settles.ask(ctx, row.Player, &settling{id: row.ID, balance: balance, at: db.Millis(s.o.Now())}))
}

// balanceOf is what the wallet says that the player has now.
func balanceOf(row query.HouseRound, t told) (int64, error) {
	currency, err := money.Find(row.Currency)
	if err != nil {
		return 0, err
	}
	balance, err := currency.Parse(t.Balance)
	return int64(balance), wrap("read balance", err)
}

// giveBack takes a bet back, also one that never came.
func (s *Service) giveBack(ctx context.Context, row query.HouseRound) error {
	t, err := s.ask(ctx, row, "rollback", backOf(row, "r"))
	if err != nil {
		return err
	}
	return s.returned(ctx, row, t)
}

// backOf asks for the bet's return, under a name.
func backOf(row query.HouseRound, call string) ask {
	return ask{TxID: tx(row, call), RefTxID: tx(row, "b")}
}

// returned takes the wallet's answer to a rollback.
func (s *Service) returned(ctx context.Context, row query.HouseRound, t told) error {
	if t.Code != codeOK {
		s.o.Log.ErrorContext(ctx, "the wallet does not take a bet back", "round", row.ID, "code", t.Code)
		return s.setAside(ctx, row, unreturned, t.Code)
	}
	if row.Status == refunding && row.Reason != "" {
		return s.move(ctx, row, refused, row.Reason)
	}
	return s.move(ctx, row, refunded, "") // also what was set aside: its player was told that the stake is to come
}

func (s *Service) move(ctx context.Context, row query.HouseRound, next, reason string) error {
	return wrap("move round", s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.MoveHouseRound(ctx, query.MoveHouseRoundParams{ID: row.ID, Was: row.Status, Next: next, Reason: reason})
		return err
	}))
}

// ask sends a call of a round. All that tells one call from another follows from the round's id, so a repetition, by
// whoever, is the same call.
func (s *Service) ask(ctx context.Context, row query.HouseRound, name string, a ask) (told, error) {
	at, err := s.unseal(row.WalletSession)
	if err != nil {
		return told{}, err
	}
	a.RequestID, a.SessionID, a.Currency, a.GameCode, a.RoundID = a.TxID, at.session, row.Currency, row.Game, roundID(row)
	t, err := s.o.Wallet.call(ctx, at, row.Vendor, name, a)
	if err != nil {
		s.o.Log.WarnContext(ctx, "the wallet did not answer", "round", row.ID, "call", name, "error", err)
		return t, ErrPending.Because(err)
	}
	return t, nil
}

func roundID(row query.HouseRound) string { return strconv.FormatInt(row.ID, 10) }

func tx(row query.HouseRound, call string) string { return "r" + roundID(row) + ":" + call }

func amountOf(row query.HouseRound, minor int64) string {
	c, err := money.Find(row.Currency)
	if err != nil {
		return "" // refused by the wallet
	}
	return c.Format(money.Minor(minor))
}
