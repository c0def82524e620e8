package withdraw

import (
	"context"
	"database/sql"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// Thresholds of the signals.
const (
	manyWithdrawals = 3  // within a day
	highBonusShare  = 50 // percent
	dayMillis       = 24 * 60 * 60 * 1000
	resetMillis     = 72 * 60 * 60 * 1000 // time before a withdrawal in which a reset password is a risk
)

// signals returns the risk signals of a withdrawal.
func (s *Service) signals(ctx context.Context, w query.Withdrawal, card query.BankCard, holder string, member query.Member) ([]Signal, error) {
	c, err := money.Find(w.Currency)
	if err != nil {
		return nil, err
	}
	q := s.o.Store.Q()
	paid, err := q.CountPaidWithdrawals(ctx, w.MemberID, w.ID)
	if err != nil {
		return nil, err
	}
	recent, err := q.CountWithdrawals(ctx, w.MemberID, w.CreatedAt-dayMillis)
	if err != nil {
		return nil, err
	}
	deposits, err := q.DepositsSince(ctx, w.MemberID, sql.NullInt64{Int64: 0, Valid: true})
	if err != nil {
		return nil, err
	}
	var otherNames []string
	for _, name := range append([]string{member.PayeeName}, payers(deposits)...) {
		if name != "" && foldName(name) != foldName(holder) {
			otherNames = append(otherNames, name)
		}
	}
	credits, err := q.CreditsOfAccount(ctx, w.CashID)
	if err != nil {
		return nil, err
	}
	share := int64(0)
	if total := credits.Promotions + credits.Deposits; total > 0 {
		share = int64(float64(credits.Promotions) / float64(total) * 100)
	}
	devices, err := s.o.Members.SharedDevices(ctx, w.MerchantID, w.MemberID)
	if err != nil {
		return nil, err
	}
	cards, err := q.CountSameBankCard(ctx, w.MerchantID, card.Digest, w.MemberID)
	if err != nil {
		return nil, err
	}
	resets, err := q.CountPasswordResets(ctx, "member/"+formatID(w.MemberID), w.CreatedAt-resetMillis)
	if err != nil {
		return nil, err
	}
	state, _, err := s.o.Identity.State(ctx, w.MemberID)
	return []Signal{
		{"identity", state != Verified, state},
		{"first_payout", paid == 0, formatID(paid)},
		{"name_differs", len(otherNames) > 0, strings.Join(otherNames, ", ")},
		{"velocity", recent >= manyWithdrawals, formatID(recent)},
		{"bonus_share", share >= highBonusShare, formatID(share)},
		{"shared_device", len(devices) > 0, strings.Join(devices, ", ")},
		{"shared_card", cards > 0, formatID(cards)},
		{"password_reset", resets > 0, formatID(resets)},
		turnoverSignal(w, c),
	}, err
}

// turnoverSignal reports stakes that were missing when the withdrawal was requested. A member on a break can withdraw without them.
func turnoverSignal(w query.Withdrawal, c money.Currency) Signal {
	if w.TurnoverDone >= w.TurnoverRequired {
		return Signal{Code: "turnover"}
	}
	return Signal{"turnover", true, c.Format(money.Minor(w.TurnoverDone)) + " / " + c.Format(money.Minor(w.TurnoverRequired))}
}

func payers(deposits []query.DepositsSinceRow) []string {
	seen := map[string]bool{}
	var out []string
	for _, d := range deposits {
		if !seen[d.PayerName] {
			seen[d.PayerName] = true
			out = append(out, d.PayerName)
		}
	}
	return out
}

// foldName returns the letters and digits of a name in lower case without accents.
func foldName(name string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r == 'đ':
			out.WriteRune('d')
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			out.WriteRune(r)
		}
	}
	return out.String()
}
