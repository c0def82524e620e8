package vendor

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// What a rollback's answer may say beside its code.
const (
	statusTombstone = "tombstone" // the bet has not come, and never will
	statusReversed  = "reversed"
	statusUnchanged = "unchanged" // nothing was given back: the bet was refused or is back already, or the id is no bet's
)

// reversalKey is the key of the transfer that gives a stake back; no txId has a stroke.
func reversalKey(key string) string { return key + "/reversal" }

// errTaken ends a rollback's transaction when the call's own id turns out to be another's: what was done for it is undone.
var errTaken = errors.New("the id was taken meanwhile")

// rollback reverses a bet once. Whether its session is known does not matter: the bet tells the player.
func (s *Service) rollback(ctx context.Context, m *maker, r *request) (answer, error) {
	p, err := s.find(ctx, m, r.SessionID)
	if err != nil {
		return answer{}, err
	}
	t, currency, err := s.rollbackTransfer(ctx, m, p, r)
	if err != nil {
		return answer{}, err
	}
	for range 4 { // an id goes from free to tombstoned to used, never back
		row, known, err := s.standing(ctx, t.Key)
		if err != nil {
			return answer{}, err
		}
		if known && row.Kind != tombstone {
			return s.replayRollback(ctx, m, p, r, t, row, currency)
		}
		var posted ledger.Posted
		var refused error
		err = s.o.Ledger.Write(ctx, func(tx *db.Tx) (err error) {
			posted, refused, err = s.takeBack(ctx, tx, m, r, t, known)
			return err
		})
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return answer{}, fmt.Errorf("roll back: %w", err)
		}
		word, err := codeOf(refused)
		if err != nil {
			return answer{}, fmt.Errorf("roll back: %w", err)
		}
		return s.sayRollback(ctx, m, r, t.Key, say(word, currency, posted.DebitAfter).movement(posted.ID, posted.Replayed))
	}
	return answer{}, fmt.Errorf("roll back: %w", errTaken)
}

// rollbackTransfer is the call's own transfer, which moves nothing, in the currency of its player: the one whose bet it is, whoever's session
// the call names; where there is no such bet, the session's.
func (s *Service) rollbackTransfer(ctx context.Context, m *maker, p *live, r *request) (ledger.Transfer, string, error) {
	t := ledger.Transfer{
		Key: keyOf(m, r.TxID), Kind: kindRollback, RefType: "tx", RefID: r.RefTxID, Empty: true,
		Note: r.backContent(),
	}
	bet, known, err := s.standing(ctx, keyOf(m, r.RefTxID))
	if err != nil {
		return t, "", err
	}
	if known && bet.Kind == kindBet && !bet.Refusal.Valid {
		row, err := s.o.Store.Q().MoveByID(ctx, bet.ID)
		if err != nil {
			return t, "", fmt.Errorf("read bet: %w", err)
		}
		t.Debit, t.Credit = bet.DebitID, bet.CreditID
		return t, row.Currency, nil
	}
	if p != nil {
		t.Debit, t.Credit = p.cash, p.house
		return t, p.currency, nil
	}
	t, err = s.nobodys(ctx, m, t)
	return t, r.Currency, err
}

// takeBack does it in one transaction: the bet's key is held by a tombstone where it has not come, and its stake given back
// where it has. refused is what is remembered against the call.
func (s *Service) takeBack(ctx context.Context, tx *db.Tx, m *maker, r *request, t ledger.Transfer, tombstoned bool) (posted ledger.Posted, refused, err error) {
	if !tombstoned { // what was itself taken back before it came does nothing
		if err := s.o.Ledger.LockIn(ctx, tx, keyOf(m, r.RefTxID), t.Debit, t.Credit); err != nil {
			return posted, nil, err
		}
		bet, err := s.o.Ledger.TombstoneIn(ctx, tx, keyOf(m, r.RefTxID))
		if err != nil {
			return posted, nil, err
		}
		if bet.Kind == kindBet && bet.Refusal == "" && !bet.Settled {
			if t.Refuse, err = s.reverse(ctx, tx, r, t.Key, bet.ID, true); err != nil {
				return posted, nil, err
			}
		}
	}
	got, err := s.o.Ledger.PostIn(ctx, tx, t)
	switch word, unclear := codeOf(err); {
	case unclear != nil:
		return posted, nil, unclear
	case word == duplicateConflict, word == txRolledBack && !tombstoned:
		return posted, nil, errTaken // what is refused for its id must have done nothing
	}
	if len(got) > 0 {
		posted = got[0]
	}
	return posted, err, nil
}

// reverse gives a stake back, or the code of what stands against it. Guarded, it is asked of the round, too.
func (s *Service) reverse(ctx context.Context, tx *db.Tx, r *request, key string, betID int64, guarded bool) (refusal string, err error) {
	bet, err := tx.Q.TransferByID(ctx, betID)
	if err != nil {
		return "", fmt.Errorf("read bet: %w", err)
	}
	row, err := tx.Q.MoveByID(ctx, betID)
	if err != nil {
		return "", fmt.Errorf("read bet: %w", err)
	}
	t := ledger.Transfer{
		Key: reversalKey(key), Debit: bet.CreditID, Credit: bet.DebitID, Amount: money.Minor(bet.Amount), Kind: ledger.KindReversal,
		Origin: betID, RefType: bet.RefType, RefID: bet.RefID, Note: r.note, Guarded: guarded, Rows: []ledger.Row{s.reversed(r, row).row()},
	}
	if s.o.Limits != nil {
		back, err := s.o.Limits.TakenBack(ctx, tx, betID, row.MemberID, row.Currency, money.Minor(bet.Amount))
		if err != nil {
			return "", err
		}
		t.Rows = append(t.Rows, back...)
	}
	_, err = s.o.Ledger.PostIn(ctx, tx, t)
	var f *fault.Fault
	switch {
	case errors.Is(err, ledger.ErrSettled): // another rollback was faster
		return "", nil
	case errors.Is(err, ledger.ErrConflict): // under this very id, of another bet
		return "", errTaken
	case errors.As(err, &f) && f.Kind == fault.Refused:
		return f.Code, nil
	}
	return "", err
}

func (s *Service) reversed(r *request, bet query.MoveByIDRow) move {
	return move{
		vendorID: bet.VendorID, memberID: bet.MemberID, round: bet.Round, what: movedRollback, tx: r.TxID, amount: money.Minor(bet.Amount),
		currency: bet.Currency, playID: bet.PlayID, gameID: bet.GameID, at: db.Millis(s.o.Now()),
	}
}

// replayRollback gives the first answer again.
func (s *Service) replayRollback(ctx context.Context, m *maker, p *live, r *request, t ledger.Transfer, row query.CallByKeyRow, currency string) (answer, error) {
	anothers := p != nil && // a balance is told of the bet's player, or of the session's
		row.DebitAfter.Valid && row.DebitID != p.cash && row.DebitID != t.Debit
	if row.Kind != t.Kind || row.RefID != t.RefID || row.Note != t.Note || anothers {
		a, err := s.sayNow(ctx, duplicateConflict, p, r)
		return a.movement(0, false), err
	}
	word, known := codes[row.Refusal.String]
	if !known {
		return answer{}, fmt.Errorf("a refusal that the protocol has no word for: %s", row.Refusal.String)
	}
	return s.sayRollback(ctx, m, r, t.Key, say(word, currency, money.Minor(row.DebitAfter.Int64)).movement(row.ID, true))
}

// sayRollback adds what became of the bet, as it will be said every time.
func (s *Service) sayRollback(ctx context.Context, m *maker, r *request, key string, a answer) (answer, error) {
	if a.Code != ok {
		return a, nil
	}
	reversal, known, err := s.standing(ctx, reversalKey(key))
	if err != nil {
		return a, err
	}
	if known && !reversal.Refusal.Valid {
		a.Status = statusReversed
		return a, nil
	}
	bet, known, err := s.standing(ctx, keyOf(m, r.RefTxID))
	if err != nil {
		return a, err
	}
	if a.Status = statusUnchanged; known && bet.Refusal.String == ledger.ErrTombstone.Code {
		a.Status = statusTombstone
	}
	return a, nil
}
