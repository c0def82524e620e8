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

// Kinds of the transfers that calls make.
const (
	kindBet      = "vendor.bet"
	kindWin      = "vendor.win"
	kindPromo    = "vendor.promo"
	kindEnd      = "vendor.end"
	kindRollback = "vendor.rollback"
)

// kinds and whats are how the ledger, and the row beside it, call what a call does.
var (
	kinds = map[call]string{callBet: kindBet, callWin: kindWin, callPromo: kindPromo, callEndRound: kindEnd}
	whats = map[call]string{callBet: movedBet, callWin: movedWin, callPromo: movedPromo, callEndRound: movedEnd}
)

// keyOf is the ledger's key of a call: ids are unique per vendor.
func keyOf(m *maker, txID string) string { return "vendor/" + text(m.id) + "/" + txID }

// move answers bet, win, endRound and promo.
func (s *Service) move(ctx context.Context, m *maker, c call, r *request) (answer, error) {
	p, err := s.find(ctx, m, r.SessionID)
	if err != nil {
		return answer{}, err
	}
	if p == nil {
		return s.withoutPlay(ctx, m, c, r)
	}
	return s.moveIn(ctx, m, p, c, r)
}

// moveIn makes the call's transfer. What is settled (win, endRound) is taken from a play that is over, too.
func (s *Service) moveIn(ctx context.Context, m *maker, p *live, c call, r *request) (answer, error) {
	t := s.transfer(m, p, c, r)
	opens := c == callBet || c == callPromo
	if opens && p.state != "" {
		known, err := s.known(ctx, t.Key)
		if err != nil {
			return answer{}, err
		}
		switch {
		case known: // answered from its key alone
		case p.state == excluded: // remembered, as any refusal of a break is
			t.Refuse = refusedExcluded
		default:
			a, err := s.sayNow(ctx, p.state, p, r)
			return a.movement(0, false), err
		}
		return s.post(ctx, m, p, c, r, t)
	}
	if c == callBet {
		on, err := s.gameOn(ctx, p, r.GameCode)
		if err != nil {
			return answer{}, err
		}
		if !on {
			return s.unavailable(ctx, p, r, t)
		}
		if t, err = s.withJackpot(ctx, m, p, r, t); err != nil {
			return answer{}, err
		}
	}
	return s.post(ctx, m, p, c, r, t)
}

// withJackpot lets a stake have its part in the jackpot.
func (s *Service) withJackpot(ctx context.Context, m *maker, p *live, r *request, t ledger.Transfer) (ledger.Transfer, error) {
	if s.o.Jackpot == nil || r.Currency != p.currency || r.beyond || t.Refuse != "" {
		return t, nil
	}
	g, err := s.o.Games.Find(ctx, p.MerchantID, Choice{Node: p.GameID})
	if err != nil {
		return t, fmt.Errorf("find game: %w", err)
	}
	row, has, err := s.o.Jackpot.Row(ctx, Stake{
		MerchantID: p.MerchantID, MemberID: p.MemberID, VendorID: m.id, Account: p.house, House: m.launchURL == "", Vendor: m.code,
		Category: g.Category, Round: r.RoundID, Currency: p.currency, Amount: r.minor,
	})
	if has {
		t.Rows = append(t.Rows, row)
	}
	return t, err
}

// transfer is what a call asks of the ledger.
func (s *Service) transfer(m *maker, p *live, c call, r *request) ledger.Transfer {
	t := ledger.Transfer{
		Key: keyOf(m, r.TxID), Debit: p.cash, Credit: p.house, Amount: r.minor, Kind: kinds[c], RefType: "round", RefID: r.RoundID,
		Note: r.content(), Empty: r.minor == 0, Guarded: true,
	}
	amount, currency := r.minor, r.Currency
	switch c {
	case callWin, callPromo:
		t.Debit, t.Credit = t.Credit, t.Debit
	case callEndRound:
		t.Amount, t.Empty, amount, currency = 0, true, 0, p.currency
	}
	if r.beyond {
		amount = money.Minor(tooMuch)
	}
	row := move{
		vendorID: m.id, memberID: p.MemberID, round: r.RoundID, what: whats[c], tx: r.TxID, amount: amount, currency: currency,
		playID: p.ID, gameID: p.GameID, ends: c == callEndRound || c == callWin && r.EndRound, at: db.Millis(s.o.Now()),
	}
	if c == callPromo {
		row.round, t.RefType, t.RefID = "", "promo", r.TxID
	}
	t.Rows = append(t.Rows, row.row())
	if s.o.Limits == nil {
		return t
	}
	amount = min(amount, ledger.MaxAmount)
	if currency != p.currency {
		amount = 0 // it will not be posted: only who is excluded matters
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

// post posts, and says how it went. A call that was first answered under an unknown session gets that answer again.
func (s *Service) post(ctx context.Context, m *maker, p *live, c call, r *request, t ledger.Transfer) (answer, error) {
	posted, err := s.o.Ledger.Post(ctx, t)
	if errors.Is(err, ledger.ErrConflict) && (c == callWin || c == callEndRound) {
		row, known, err := s.standing(ctx, t.Key)
		if err != nil {
			return answer{}, err
		}
		nobodys, err := s.nobodys(ctx, m, t)
		if err != nil {
			return answer{}, err
		}
		if known && row.DebitID == nobodys.Debit && row.CreditID == nobodys.Credit {
			return s.replay(c, r, row)
		}
	}
	return s.tell(ctx, p, c, r, posted, err)
}

// tell puts the ledger's answer into the protocol's words.
func (s *Service) tell(ctx context.Context, p *live, c call, r *request, posted ledger.Posted, err error) (answer, error) {
	word, err := codeOf(err)
	if err != nil {
		return answer{}, fmt.Errorf("post %s: %w", c, err)
	}
	if posted.ID == 0 { // of a conflict nothing is told but that
		a, err := s.sayNow(ctx, word, p, r)
		return a.movement(0, false), err
	}
	after := posted.DebitAfter
	if c == callWin || c == callPromo {
		after = posted.CreditAfter
	}
	return say(word, p.currency, after).movement(posted.ID, posted.Replayed), nil
}

var errOff = errors.New("the game is off")

// unavailable answers a bet in a game that is off. That is not remembered, unless what comes before it in the protocol's order
// is: the bet is tried, and undone where nothing else stood against it.
func (s *Service) unavailable(ctx context.Context, p *live, r *request, t ledger.Transfer) (answer, error) {
	var posted ledger.Posted
	var refused error
	err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		posted, refused = ledger.Posted{}, nil
		got, err := s.o.Ledger.PostIn(ctx, tx, t)
		word, unclear := codeOf(err)
		if unclear != nil {
			return unclear
		}
		refused = err
		if len(got) > 0 {
			posted = got[0]
		}
		switch {
		case posted.Replayed, word == duplicateConflict, word == txRolledBack, word == excluded, word == limitReached, word == wrongCurrency:
			return nil
		default:
			return errOff
		}
	})
	if errors.Is(err, errOff) {
		a, err := s.sayNow(ctx, gameUnavailable, p, r)
		return a.movement(0, false), err
	}
	if err != nil {
		return answer{}, fmt.Errorf("try bet: %w", err)
	}
	return s.tell(ctx, p, callBet, r, posted, refused)
}

func (s *Service) known(ctx context.Context, key string) (bool, error) {
	_, known, err := s.standing(ctx, key)
	return known, err
}

// standing gives what stands under a key.
func (s *Service) standing(ctx context.Context, key string) (query.CallByKeyRow, bool, error) {
	row, err := s.o.Store.Q().CallByKey(ctx, key)
	if errors.Is(err, sql.ErrNoRows) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("look up call: %w", err)
	}
	return row, true, nil
}

// tombstone is the kind of what stands under a key that was taken back before it came.
const tombstone = "tombstone"

// withoutPlay answers a call whose session nobody knows. The txId comes first; a round that is known tells the player.
func (s *Service) withoutPlay(ctx context.Context, m *maker, c call, r *request) (answer, error) {
	row, known, err := s.standing(ctx, keyOf(m, r.TxID))
	if err != nil {
		return answer{}, err
	}
	if known && row.Kind == tombstone {
		return say(txRolledBack, r.Currency, 0).movement(row.ID, false), nil
	}
	if known {
		return s.replay(c, r, row)
	}
	if c == callBet || c == callPromo {
		return say(sessionExpired, r.Currency, 0).movement(0, false), nil
	}
	players, err := s.o.Store.Q().RoundMembers(ctx, m.id, r.RoundID)
	if err != nil {
		return answer{}, fmt.Errorf("find round: %w", err)
	}
	if len(players) == 1 {
		p, err := s.load(ctx, players[0].PlayID)
		if err != nil {
			return answer{}, err
		}
		return s.moveIn(ctx, m, p, c, r)
	}
	if len(players) > 1 { // nobody can tell whose it is; under the player's own session the same call is still good
		return say(sessionExpired, r.Currency, 0).movement(0, false), nil
	}
	t, err := s.nobodys(ctx, m, ledger.Transfer{
		Key: keyOf(m, r.TxID), Kind: kinds[c], RefType: "round", RefID: r.RoundID, Note: r.content(), Amount: r.minor, Empty: r.minor == 0,
		Refuse: refusedNoRound,
	})
	if err != nil {
		return answer{}, err
	}
	if c == callEndRound {
		t.Amount, t.Empty, t.Refuse = 0, true, "" // a round that nobody has bet in ends as one does in a session that is known
	}
	posted, err := s.o.Ledger.Post(ctx, t)
	word, err := codeOf(err)
	if err != nil {
		return answer{}, fmt.Errorf("remember %s: %w", c, err)
	}
	return say(word, r.Currency, 0).movement(posted.ID, posted.Replayed), nil
}

// nobodys gives a transfer that moves nothing two accounts of the house, where no player can be told.
func (s *Service) nobodys(ctx context.Context, m *maker, t ledger.Transfer) (ledger.Transfer, error) {
	currency, err := s.o.Currency(ctx, m.merchantID)
	if err != nil {
		return t, err
	}
	debit, err := s.o.Ledger.House(ctx, m.merchantID, ledger.Vendor(m.code), currency.Code)
	if err != nil {
		return t, fmt.Errorf("find vendor's account: %w", err)
	}
	credit, err := s.o.Ledger.House(ctx, m.merchantID, ledger.Adjustments, currency.Code)
	t.Debit, t.Credit = debit.ID, credit.ID
	return t, err
}

// replay gives the first answer again, from what stands under the key alone.
func (s *Service) replay(c call, r *request, row query.CallByKeyRow) (answer, error) {
	amount, refs := r.minor, r.RoundID
	if c == callEndRound {
		amount = 0
	}
	if c == callPromo {
		refs = r.TxID
	}
	if row.Kind != kinds[c] || row.RefID != refs || row.Note != r.content() || row.Amount != int64(amount) {
		return say(duplicateConflict, r.Currency, 0).movement(0, false), nil
	}
	word, known := codes[row.Refusal.String]
	if !known {
		return answer{}, fmt.Errorf("a refusal that the protocol has no word for: %s", row.Refusal.String)
	}
	after := row.DebitAfter
	if c == callWin || c == callPromo {
		after = row.CreditAfter
	}
	return say(word, r.Currency, money.Minor(after.Int64)).movement(row.ID, true), nil
}

// balance answers the call of that name.
func (s *Service) balance(ctx context.Context, m *maker, r *request) (answer, error) {
	p, err := s.find(ctx, m, r.SessionID)
	if err != nil {
		return answer{}, err
	}
	word := ok
	switch {
	case p == nil:
		word = sessionExpired
	case p.state != "":
		word = p.state
	case r.Currency != "" && r.Currency != p.currency:
		word = wrongCurrency
	}
	return s.sayNow(ctx, word, p, r)
}
