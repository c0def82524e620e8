package merchant

import (
	"context"
	"errors"
	"regexp"

	"fairground/internal/platform/rest"
)

// WithdrawSettings are the terms of withdrawals. Amounts are in the currency's unit.
type WithdrawSettings struct {
	Min, Max, Fee   rest.Amount // Max 0: no limit
	TwoPersonAbove  rest.Amount
	PerDay          int
	TurnoverPercent int
}

// Withdraw returns the terms of withdrawals.
func (s *Service) Withdraw(ctx context.Context, merchantID int64) (WithdrawSettings, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return WithdrawSettings{}, err
	}
	return m.settings.Withdraw, nil
}

var amountFormat = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})(\.[0-9]{1,8})?$`)

func checkAmount(a rest.Amount) error {
	if !amountFormat.MatchString(string(a)) {
		return errors.New("must be an amount that is not negative, such as 50000 or 1.5")
	}
	return nil
}
