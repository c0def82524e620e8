package jackpot

import (
	"context"
	"fmt"
	"net/http"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

type opsPool struct {
	ID       string      `json:"id" doc:"The currency."`
	Currency string      `json:"currency"`
	Amount   rest.Amount `json:"amount"`
	Series   int64       `json:"series"`
	Draws    int64       `json:"draws" doc:"In this series."`
	Status   string      `json:"status" enum:"open,paused"`
	Version  int64       `json:"version" doc:"Number of the series."`
	BeginsAt int64       `json:"beginsAt" doc:"End of a pause in Unix milliseconds; 0: not paused."`
	Wins     []opsWin    `json:"wins,omitempty" doc:"Only of one pool: latest first."`
}

type opsWin struct {
	Series   int64       `json:"series"`
	Username string      `json:"account"`
	Amount   rest.Amount `json:"amount"`
	Stake    rest.Amount `json:"stake"`
	WonAt    int64       `json:"wonAt"`
}

type opsPools struct {
	List []opsPool `json:"list"`
	Next string    `json:"next" doc:"Always empty: the list is complete."`
}

// OpsRoutes adds the operators' calls about jackpots.
func OpsRoutes(a *rest.API, s *Service) {
	op := func(path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: http.MethodGet, Path: path, ID: id, Tag: "jackpot", Access: rest.Operators, Permission: permission.HouseRepair, Summary: summary, Faults: faults}
	}
	// The list's parameters are those of all lists. It is short, so it ignores them.
	type listInput struct {
		Q        string `query:"q" maxLength:"100"`
		Sort     string `query:"sort" maxLength:"32"`
		Cursor   string `query:"cursor" maxLength:"64"`
		PageSize int    `query:"pageSize" minimum:"0" maximum:"100"`
	}
	rest.Wps(a, op("/ops/v1/jackpots", "opsJackpots", "Jackpots of the merchant"), func(ctx context.Context, _ *listInput) (opsPools, error) {
		list, err := s.pools(ctx, rest.MerchantOf(ctx).ID)
		return opsPools{List: list}, err
	})
	type oneInput struct {
		ID string `path:"id" maxLength:"8"`
	}
	rest.Wps(a, op("/ops/v1/jackpots/{id}", "opsJackpot", "One jackpot with its latest wins", ErrNone), func(ctx context.Context, in *oneInput) (opsPool, error) {
		list, err := s.pools(ctx, rest.MerchantOf(ctx).ID)
		for _, p := range list {
			if p.ID == in.ID {
				p.Wins, err = s.lastWins(ctx, rest.MerchantOf(ctx).ID, p.Currency)
				return p, err
			}
		}
		if err == nil {
			err = ErrNone
		}
		return opsPool{}, err
	})
}

func (s *Service) pools(ctx context.Context, merchantID int64) ([]opsPool, error) {
	rows, err := s.o.Store.Q().MerchantJackpotPools(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read jackpots: %w", err)
	}
	out := []opsPool{}
	for _, row := range rows {
		c, err := money.Find(row.Currency)
		if err != nil {
			return nil, err
		}
		p, _, err := s.Find(ctx, merchantID, row.Currency)
		if err != nil {
			return nil, err
		}
		pool := opsPool{
			ID: c.Code, Currency: c.Code, Amount: rest.AmountOf(c, money.Minor(row.Amount)), Series: row.Series, Draws: row.Nonce, Status: "open", Version: row.Series,
		}
		if p.BeginsAt != 0 {
			pool.Status, pool.BeginsAt = "paused", p.BeginsAt
		}
		out = append(out, pool)
	}
	return out, nil
}

// maxOpsWins is the number of wins that an operator sees.
const maxOpsWins = 50

func (s *Service) lastWins(ctx context.Context, merchantID int64, currency string) ([]opsWin, error) {
	c, err := money.Find(currency)
	if err != nil {
		return nil, err
	}
	rows, err := s.o.Store.Q().JackpotWins(ctx, merchantID, currency, maxOpsWins)
	if err != nil {
		return nil, fmt.Errorf("read wins: %w", err)
	}
	out := []opsWin{}
	for _, w := range rows {
		out = append(out, opsWin{w.Series, w.Account, rest.AmountOf(c, money.Minor(w.Amount)), rest.AmountOf(c, money.Minor(w.Stake)), w.WonAt})
	}
	return out, nil
}
