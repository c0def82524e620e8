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

// Status values of a rollback's response.
const (
	statusTombstone = "tombstone" // the bet had not arrived and will be refused
	statusReversed  = "reversed"
	statusUnchanged = "unchanged" // nothing returned: the bet was refused or already reversed, or refTxId is not a bet
)

// reversalKey returns the key of the transfer that returns a stake. A txId cannot contain "/", so the key is unique.
func reversalKey(key string) string { return key + "/reversal" }

// errIDTaken aborts a rollback if another call has used its txId in the meantime.
var errIDTaken = errors.New("the txId was used by another call meanwhile")

// rollback reverses a bet once. The session may be unknown, because the bet identifies the player.
func (s *Service) rollback(ctx context.Context, v *vendor, r *request) (response, error) {
	p, err := s.playBySession(ctx, v, r.SessionID)
	if err != nil {
		return response{}, err
	}
	t, currency, err := s.rollbackTransfer(ctx, v, p, r)
	if err != nil {
		return response{}, err
	}
	for range 4 { // a txId only changes from free to tombstoned to used, so few attempts are enough
		row, known, err := s.callByKey(ctx, t.Key)
		if err != nil {
			return response{}, err
		}
		if known && row.Kind != tombstone {
			return s.replayRollback(ctx, v, p, r, t, row, currency)
		}
		var posted ledger.Posted
		var refused error
		err = s.o.Ledger.Write(ctx, func(tx *db.Tx) (err error) {
			posted, refused, err = s.rollbackInTx(ctx, tx, v, r, t, known)
			return err
		})
		if errors.Is(err, errIDTaken) {
			continue
		}
		if err != nil {
			return response{}, fmt.Errorf("roll back: %w", err)
		}
		result, err := codeOf(refused)
		if err != nil {
			return response{}, fmt.Errorf("roll back: %w", err)
		}
		return s.withRollbackStatus(ctx, v, r, t.Key, newResponse(result, currency, posted.DebitAfter).withMovement(posted.ID, posted.Replayed))
	}
	return response{}, fmt.Errorf("roll back: %w", errIDTaken)
}

// rollbackTransfer returns the call's own transfer, which moves nothing, and its currency. It belongs to the bet's
// player, even if the session is another player's. Without such a bet it belongs to the session's player.
func (s *Service) rollbackTransfer(ctx context.Context, v *vendor, p *cachedPlay, r *request) (ledger.Transfer, string, error) {
	t := ledger.Transfer{
		Key: keyOf(v, r.TxID), Kind: kindRollback, RefType: "tx", RefID: r.RefTxID, Empty: true,
		Note: r.rollbackContent(),
	}
	bet, known, err := s.callByKey(ctx, keyOf(v, r.RefTxID))
	if err != nil {
		return t, "", err
	}
	if known && bet.Kind == kindBet && !bet.Refusal.Valid {
		row, err := s.o.Store.Q().VendorMoveByID(ctx, bet.ID)
		if err != nil {
			return t, "", fmt.Errorf("read bet: %w", err)
		}
		t.Debit, t.Credit = bet.DebitID, bet.CreditID
		return t, row.Currency, nil
	}
	if p != nil {
		t.Debit, t.Credit = p.playerAccount, p.vendorAccount
		return t, p.currency, nil
	}
	t, err = s.withHouseAccounts(ctx, v, t)
	return t, r.Currency, err
}

// rollbackInTx reverses the bet, or stores a tombstone if the bet has not arrived. refused is the refusal that the protocol stores
// for the call.
func (s *Service) rollbackInTx(ctx context.Context, tx *db.Tx, v *vendor, r *request, t ledger.Transfer, tombstoned bool) (posted ledger.Posted, refused, err error) {
	if !tombstoned { // a rollback that was itself rolled back does nothing
		if err := s.o.Ledger.LockIn(ctx, tx, keyOf(v, r.RefTxID), t.Debit, t.Credit); err != nil {
			return posted, nil, err
		}
		bet, err := s.o.Ledger.TombstoneIn(ctx, tx, keyOf(v, r.RefTxID))
		if err != nil {
			return posted, nil, err
		}
		if bet.Kind == kindBet && bet.Refusal == "" && !bet.Settled {
			if t.Refuse, err = s.reverseBet(ctx, tx, r, t.Key, bet.ID, true); err != nil {
				return posted, nil, err
			}
		}
	}
	got, err := s.o.Ledger.PostIn(ctx, tx, t)
	switch result, unknownErr := codeOf(err); {
	case unknownErr != nil:
		return posted, nil, unknownErr
	case result == duplicateConflict, result == txRolledBack && !tombstoned:
		return posted, nil, errIDTaken // undo the reversal
	}
	if len(got) > 0 {
		posted = got[0]
	}
	return posted, err, nil
}

// reverseBet returns a stake to the player. If the ledger refuses that, it returns the refusal's code. If guarded is set, the round
// must allow the reversal.
func (s *Service) reverseBet(ctx context.Context, tx *db.Tx, r *request, key string, betID int64, guarded bool) (refusal string, err error) {
	bet, err := tx.Q.TransferByID(ctx, betID)
	if err != nil {
		return "", fmt.Errorf("read bet: %w", err)
	}
	row, err := tx.Q.VendorMoveByID(ctx, betID)
	if err != nil {
		return "", fmt.Errorf("read bet: %w", err)
	}
	t := ledger.Transfer{
		Key: reversalKey(key), Debit: bet.CreditID, Credit: bet.DebitID, Amount: money.Minor(bet.Amount), Kind: ledger.KindReversal,
		Origin: betID, RefType: bet.RefType, RefID: bet.RefID, Note: r.note, Guarded: guarded, Rows: []ledger.Row{s.reversalMove(r, row).toRow()},
	}
	if s.o.Limits != nil {
		back, err := s.o.Limits.TakenBack(ctx, tx, betID, row.MemberID, row.Currency, money.Minor(bet.Amount))
		if err != nil {
			return "", err
		}
		t.Rows = append(t.Rows, back...)
	}
	got, err := s.o.Ledger.PostIn(ctx, tx, t)
	if err == nil {
		return "", s.bonusReversed(ctx, tx, betID, got[0].ID, t.Amount)
	}
	var f *fault.Fault
	switch {
	case errors.Is(err, ledger.ErrSettled): // another rollback was first
		return "", nil
	case errors.Is(err, ledger.ErrConflict): // the key was used to reverse another bet
		return "", errIDTaken
	case errors.As(err, &f) && f.Kind == fault.Refused:
		return f.Code, nil
	}
	return "", err
}

func (s *Service) reversalMove(r *request, bet query.VendorMoveByIDRow) move {
	return move{
		vendorID: bet.VendorID, memberID: bet.MemberID, round: bet.Round, kind: moveRollback, tx: r.TxID, amount: money.Minor(bet.Amount),
		currency: bet.Currency, playID: bet.PlayID, gameID: bet.GameID, at: db.Millis(s.o.Now()),
	}
}

func (s *Service) replayRollback(ctx context.Context, v *vendor, p *cachedPlay, r *request, t ledger.Transfer, row query.TransferDetailsByKeyRow, currency string) (response, error) {
	otherPlayer := p != nil && // the response may only have the balance of the bet's player or the session's player
		row.DebitAfter.Valid && row.DebitID != p.playerAccount && row.DebitID != t.Debit
	if row.Kind != t.Kind || row.RefID != t.RefID || row.Note != t.Note || otherPlayer {
		resp, err := s.responseWithBalance(ctx, duplicateConflict, p, r)
		return resp.withMovement(0, false), err
	}
	result, known := codes[row.Refusal.String]
	if !known {
		return response{}, fmt.Errorf("no result code for refusal %q", row.Refusal.String)
	}
	return s.withRollbackStatus(ctx, v, r, t.Key, newResponse(result, currency, money.Minor(row.DebitAfter.Int64)).withMovement(row.ID, true))
}

// withRollbackStatus adds the outcome for the bet, which is the same on every replay.
func (s *Service) withRollbackStatus(ctx context.Context, v *vendor, r *request, key string, resp response) (response, error) {
	if resp.Code != ok {
		return resp, nil
	}
	reversal, known, err := s.callByKey(ctx, reversalKey(key))
	if err != nil {
		return resp, err
	}
	if known && !reversal.Refusal.Valid {
		resp.Status = statusReversed
		return resp, nil
	}
	bet, known, err := s.callByKey(ctx, keyOf(v, r.RefTxID))
	if err != nil {
		return resp, err
	}
	if resp.Status = statusUnchanged; known && bet.Refusal.String == ledger.ErrTombstone.Code {
		resp.Status = statusTombstone
	}
	return resp, nil
}
