package vendor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Transfer kinds.
const (
	kindBet      = "vendor.bet"
	kindWin      = "vendor.win"
	kindPromo    = "vendor.promo"
	kindEnd      = "vendor.end"
	kindRollback = "vendor.rollback"
)

var (
	transferKinds = map[call]string{callBet: kindBet, callWin: kindWin, callPromo: kindPromo, callEndRound: kindEnd}
	moveKinds     = map[call]string{callBet: moveBet, callWin: moveWin, callPromo: movePromo, callEndRound: moveEnd}
)

// keyOf returns the idempotency key of a call. Transaction IDs are unique per vendor.
func keyOf(v *vendor, txID string) string { return "vendor/" + formatID(v.id) + "/" + txID }

// handleMove handles bet, win, endRound and promo.
func (s *Service) handleMove(ctx context.Context, v *vendor, c call, r *request) (response, error) {
	p, err := s.playBySession(ctx, v, r.SessionID)
	if err != nil {
		return response{}, err
	}
	if p == nil {
		return s.moveWithoutSession(ctx, v, c, r)
	}
	return s.moveInPlay(ctx, v, p, c, r)
}

// moveInPlay posts the call's transfer. It accepts win and endRound even after the play has ended.
func (s *Service) moveInPlay(ctx context.Context, v *vendor, p *cachedPlay, c call, r *request) (response, error) {
	t := s.transfer(v, p, c, r)
	if (c == callBet || c == callPromo) && p.ended != "" {
		known, err := s.hasCall(ctx, t.Key)
		if err != nil {
			return response{}, err
		}
		switch {
		case known: // replayed by its key below
		case p.ended == excluded: // stored, like other refusals during a break
			t.Refuse = refusedExcluded
		default:
			resp, err := s.responseWithBalance(ctx, p.ended, p, r)
			return resp.withMovement(0, false), err
		}
		return s.post(ctx, v, p, c, r, t)
	}
	if c == callBet {
		available, err := s.gameAvailable(ctx, p, r.GameCode)
		if err != nil {
			return response{}, err
		}
		if !available {
			return s.respondUnavailable(ctx, p, r, t)
		}
		if t, err = s.addJackpotRow(ctx, v, p, r, t); err != nil {
			return response{}, err
		}
	}
	return s.post(ctx, v, p, c, r, t)
}

func (s *Service) addJackpotRow(ctx context.Context, v *vendor, p *cachedPlay, r *request, t ledger.Transfer) (ledger.Transfer, error) {
	if s.o.Jackpot == nil || r.Currency != p.currency || r.overMax || t.Refuse != "" {
		return t, nil
	}
	g, err := s.o.Games.Find(ctx, p.MerchantID, GameQuery{Node: p.GameID})
	if err != nil {
		return t, fmt.Errorf("find game: %w", err)
	}
	row, takesPart, err := s.o.Jackpot.Row(ctx, Stake{
		MerchantID: p.MerchantID, MemberID: p.MemberID, VendorID: v.id, Account: p.vendorAccount, House: v.launchURL == "", Vendor: v.code,
		Category: g.Category, Round: r.RoundID, Currency: p.currency, Amount: r.minor,
	})
	if takesPart {
		t.Rows = append(t.Rows, row)
	}
	return t, err
}

func (s *Service) transfer(v *vendor, p *cachedPlay, c call, r *request) ledger.Transfer {
	t := ledger.Transfer{
		Key: keyOf(v, r.TxID), Debit: p.playerAccount, Credit: p.vendorAccount, Amount: r.minor, Kind: transferKinds[c], RefType: "round", RefID: r.RoundID,
		Note: r.content(), Empty: r.minor == 0, Guarded: true,
	}
	amount, currency := r.minor, r.Currency
	switch c {
	case callWin, callPromo:
		t.Debit, t.Credit = t.Credit, t.Debit
	case callEndRound:
		t.Amount, t.Empty, amount, currency = 0, true, 0, p.currency
	}
	if r.overMax {
		amount = money.Minor(overMaxAmount)
	}
	row := move{
		vendorID: v.id, memberID: p.MemberID, round: r.RoundID, kind: moveKinds[c], tx: r.TxID, amount: amount, currency: currency,
		playID: p.ID, gameID: p.GameID, ends: c == callEndRound || c == callWin && r.EndRound, at: db.Millis(s.o.Now()),
	}
	if c == callPromo {
		row.round, t.RefType, t.RefID = "", "promo", r.TxID
	}
	t.Rows = append(t.Rows, row.toRow())
	t.Attempt = c == callBet && s.o.Bonuses != nil && !p.ownWallet
	if s.o.Limits == nil {
		return t
	}
	amount = min(amount, ledger.MaxAmount)
	if currency != p.currency {
		amount = 0 // the bet will be rejected, and only the exclusion check matters
	}
	switch c {
	case callBet:
		t.Rows = append(t.Rows, s.o.Limits.Stake(p.MemberID, p.currency, amount))
	case callWin:
		if amount > 0 {
			t.Rows = append(t.Rows, s.o.Limits.Return(p.MemberID, p.currency, amount))
		}
	case callPromo:
		t.Rows = append(t.Rows, s.o.Limits.Promotion(p.MemberID, p.currency, amount))
	}
	return t
}

// post posts the transfer and returns the response. If the call was first made with an unknown session, it gets the same response
// again.
func (s *Service) post(ctx context.Context, v *vendor, p *cachedPlay, c call, r *request, t ledger.Transfer) (response, error) {
	posted, err := s.o.Ledger.Post(ctx, t)
	switch {
	case errors.Is(err, ledger.ErrShort):
		posted, err = s.betFromBonus(ctx, v, p, r, t)
	case errors.Is(err, errBonusRound):
		posted, err = s.winToBonus(ctx, v, p, r, t)
	case errors.Is(err, ledger.ErrConflict) && (c == callBet || c == callWin):
		posted, err = s.replayWithBonus(ctx, p, c, t)
	}
	if errors.Is(err, ledger.ErrConflict) && (c == callWin || c == callEndRound) {
		row, known, err := s.callByKey(ctx, t.Key)
		if err != nil {
			return response{}, err
		}
		unattributed, err := s.withHouseAccounts(ctx, v, t)
		if err != nil {
			return response{}, err
		}
		if known && row.DebitID == unattributed.Debit && row.CreditID == unattributed.Credit {
			return s.replay(c, r, row)
		}
	}
	return s.postedResponse(ctx, p, c, r, posted, err)
}

func (s *Service) postedResponse(ctx context.Context, p *cachedPlay, c call, r *request, posted ledger.Posted, err error) (response, error) {
	result, err := codeOf(err)
	if err != nil {
		return response{}, fmt.Errorf("post %s: %w", c, err)
	}
	if posted.ID == 0 { // the response to a conflict has only the current balance
		resp, err := s.responseWithBalance(ctx, result, p, r)
		return resp.withMovement(0, false), err
	}
	after := posted.DebitAfter
	if c == callWin || c == callPromo {
		after = posted.CreditAfter
	}
	return newResponse(result, p.currency, after).withMovement(posted.ID, posted.Replayed), nil
}

var errGameOff = errors.New("the game is off")

// respondUnavailable returns the response to a bet in a game that is off. This refusal is not stored, but the refusals of checks
// that come earlier in the protocol's order are. So it posts the bet, and rolls the transaction back if no earlier check failed.
func (s *Service) respondUnavailable(ctx context.Context, p *cachedPlay, r *request, t ledger.Transfer) (response, error) {
	var posted ledger.Posted
	var refused error
	t.Attempt = false
	err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		posted, refused = ledger.Posted{}, nil
		got, err := s.o.Ledger.PostIn(ctx, tx, t)
		result, unknownErr := codeOf(err)
		if unknownErr != nil {
			return unknownErr
		}
		refused = err
		if len(got) > 0 {
			posted = got[0]
		}
		switch {
		case posted.Replayed, result == duplicateConflict, result == txRolledBack, result == sessionExpired, result == accountDisabled, result == excluded,
			result == limitReached, result == wrongCurrency:
			return nil
		default:
			return errGameOff
		}
	})
	if errors.Is(err, errGameOff) {
		resp, err := s.responseWithBalance(ctx, gameUnavailable, p, r)
		return resp.withMovement(0, false), err
	}
	if err != nil {
		return response{}, fmt.Errorf("try bet: %w", err)
	}
	return s.postedResponse(ctx, p, callBet, r, posted, refused)
}

func (s *Service) hasCall(ctx context.Context, key string) (bool, error) {
	_, known, err := s.callByKey(ctx, key)
	return known, err
}

// callByKey returns the recorded call under a key.
func (s *Service) callByKey(ctx context.Context, key string) (query.TransferDetailsByKeyRow, bool, error) {
	row, err := s.o.Store.Q().TransferDetailsByKey(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("look up call: %w", err)
	}
	return row, true, nil
}

// tombstone is the kind of a key whose transaction was rolled back before it arrived.
const tombstone = "tombstone"

// moveWithoutSession handles a call with an unknown session. It replays a known txId. Otherwise the round identifies the player.
func (s *Service) moveWithoutSession(ctx context.Context, v *vendor, c call, r *request) (response, error) {
	row, known, err := s.callByKey(ctx, keyOf(v, r.TxID))
	if err != nil {
		return response{}, err
	}
	if known && row.Kind == tombstone {
		return newResponse(txRolledBack, r.Currency, 0).withMovement(row.ID, false), nil
	}
	if known {
		return s.replay(c, r, row)
	}
	if c == callBet || c == callPromo {
		return newResponse(sessionExpired, r.Currency, 0).withMovement(0, false), nil
	}
	players, err := s.o.Store.Q().RoundMembers(ctx, v.id, r.RoundID)
	if err != nil {
		return response{}, fmt.Errorf("find round: %w", err)
	}
	if len(players) == 1 {
		p, err := s.loadPlay(ctx, players[0].PlayID)
		if err != nil {
			return response{}, err
		}
		return s.moveInPlay(ctx, v, p, c, r)
	}
	if len(players) > 1 { // ambiguous; the vendor can still make the call with the player's own session
		return newResponse(sessionExpired, r.Currency, 0).withMovement(0, false), nil
	}
	t, err := s.withHouseAccounts(ctx, v, ledger.Transfer{
		Key: keyOf(v, r.TxID), Kind: transferKinds[c], RefType: "round", RefID: r.RoundID, Note: r.content(), Amount: r.minor, Empty: r.minor == 0,
		Refuse: refusedNoRound,
	})
	if err != nil {
		return response{}, err
	}
	if c == callEndRound {
		t.Amount, t.Empty, t.Refuse = 0, true, "" // as for endRound in a known session
	}
	posted, err := s.o.Ledger.Post(ctx, t)
	result, err := codeOf(err)
	if err != nil {
		return response{}, fmt.Errorf("remember %s: %w", c, err)
	}
	return newResponse(result, r.Currency, 0).withMovement(posted.ID, posted.Replayed), nil
}

// withHouseAccounts sets two house accounts on a transfer of 0, for calls whose player is unknown.
func (s *Service) withHouseAccounts(ctx context.Context, v *vendor, t ledger.Transfer) (ledger.Transfer, error) {
	currency, err := s.o.Currency(ctx, v.merchantID)
	if err != nil {
		return t, err
	}
	debit, err := s.o.Ledger.House(ctx, v.merchantID, ledger.Vendor(v.code), currency.Code)
	if err != nil {
		return t, fmt.Errorf("find vendor's account: %w", err)
	}
	credit, err := s.o.Ledger.House(ctx, v.merchantID, ledger.Adjustments, currency.Code)
	t.Debit, t.Credit = debit.ID, credit.ID
	return t, err
}

// replay returns the first response again. It needs only the recorded call.
func (s *Service) replay(c call, r *request, row query.TransferDetailsByKeyRow) (response, error) {
	amount, refID := r.minor, r.RoundID
	if c == callEndRound {
		amount = 0
	}
	if c == callPromo {
		refID = r.TxID
	}
	if row.Kind != transferKinds[c] || row.RefID != refID || row.Note != r.content() || row.Amount != int64(amount) {
		return newResponse(duplicateConflict, r.Currency, 0).withMovement(0, false), nil
	}
	result, known := codes[row.Refusal.String]
	if !known {
		return response{}, fmt.Errorf("no result code for refusal %q", row.Refusal.String)
	}
	after := row.DebitAfter
	if c == callWin || c == callPromo {
		after = row.CreditAfter
	}
	return newResponse(result, r.Currency, money.Minor(after.Int64)).withMovement(row.ID, true), nil
}

func (s *Service) balance(ctx context.Context, v *vendor, r *request) (response, error) {
	p, err := s.playBySession(ctx, v, r.SessionID)
	if err != nil {
		return response{}, err
	}
	result := ok
	switch {
	case p == nil:
		result = sessionExpired
	case p.ended != "":
		result = p.ended
	case r.Currency != "" && r.Currency != p.currency:
		result = wrongCurrency
	}
	return s.responseWithPlayable(ctx, result, p, r)
}
