package jackpot

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
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

	index int // position in the list
}

type opsListInput struct{ oplist.Params }

type opsWin struct {
	Series   int64       `json:"series"`
	Username string      `json:"account"`
	Amount   rest.Amount `json:"amount"`
	Stake    rest.Amount `json:"stake"`
	WonAt    int64       `json:"wonAt"`
}

// OpsRoutes adds the operators' calls about jackpots.
func OpsRoutes(a *rest.API, s *Service) {
	op := func(path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: http.MethodGet, Path: path, ID: id, Tag: "jackpot", Access: rest.Operators, Permission: permission.HouseRepair, Summary: summary, Faults: faults}
	}
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[opsListInput, opsPool]{ // rest checks the permission
		Op: op("/ops/v1/jackpots", "opsJackpots", "Jackpots of the merchant"), Permission: string(permission.HouseRepair), Sorts: []string{"currency"},
		States: []string{"open", "paused"}, File: "jackpots.csv",
		Columns: []oplist.Column[opsPool]{
			{Name: "currency", Text: func(p opsPool) string { return p.Currency }},
			{Name: "amount", Text: func(p opsPool) string { return string(p.Amount) }},
			{Name: "series", Text: func(p opsPool) string { return strconv.FormatInt(p.Series, 10) }},
			{Name: "draws", Text: func(p opsPool) string { return strconv.FormatInt(p.Draws, 10) }},
			{Name: "status", Text: func(p opsPool) string { return p.Status }},
		},
		Select: func(ctx context.Context, in *opsListInput, after page.Key, limit int) ([]opsPool, error) {
			all, err := s.pools(ctx, rest.MerchantOf(ctx).ID)
			all = slices.DeleteFunc(all, func(p opsPool) bool {
				return in.State != "" && p.Status != in.State || !strings.Contains(p.Currency, strings.ToUpper(strings.TrimSpace(in.Q)))
			})
			for i := range all {
				all[i].index = i
			}
			return oplist.Slice(all, after, limit), err
		},
		Key: func(p opsPool, _ string) page.Key { return oplist.IndexKey(p.index) },
	})
	type oneInput struct {
		ID string `path:"id" maxLength:"8"`
	}
	rest.Typed(a, op("/ops/v1/jackpots/{id}", "opsJackpot", "One jackpot with its latest wins", ErrNone), func(ctx context.Context, in *oneInput) (opsPool, error) {
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
