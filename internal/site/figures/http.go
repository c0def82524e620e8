package figures

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// Overview provides the parts of the overview that are not sums.
type Overview interface {
	// OpenTasks counts the open tasks that the operator may see, by kind.
	OpenTasks(ctx context.Context, by rest.Operator) (map[string]int64, error)
	// Alerts returns failed health checks and permissions that too few operators hold.
	Alerts(ctx context.Context, by rest.Operator) ([]Alert, error)
	// Currency returns the currency of a merchant.
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
}

// An Alert is something that needs attention.
type Alert struct {
	Code string `json:"code" doc:"Such as database, bus, jobs, backup or single."`
	Text string `json:"text,omitempty" doc:"More about it, such as a permission."`
}

type figure struct {
	Name      string      `json:"name" doc:"deposits, withdrawals, stakes, result or another figure."`
	Today     rest.Amount `json:"today"`
	Yesterday rest.Amount `json:"yesterday"`
	Number    int64       `json:"number" doc:"Transfers or rounds today."`
	Before    int64       `json:"numberYesterday"`
}

type point struct {
	Day         string      `json:"day" doc:"Such as 2026-11-18, in UTC."`
	Deposits    rest.Amount `json:"deposits"`
	Withdrawals rest.Amount `json:"withdrawals"`
	Result      rest.Amount `json:"result" doc:"Stakes less wins of finished rounds that began on this day."`
	Players     int64       `json:"players"`
}

type share struct {
	Vendor string      `json:"vendor"`
	Game   string      `json:"game,omitempty"`
	Rounds int64       `json:"rounds"`
	Stakes rest.Amount `json:"stakes"`
	Result rest.Amount `json:"result"`
}

type taskCount struct {
	Kind   string `json:"kind"`
	Number int64  `json:"number"`
}

type reply struct {
	Currency         string      `json:"currency"`
	SummedAt         int64       `json:"summedAt" doc:"When today was summed, Unix ms. 0: not yet."`
	Figures          []figure    `json:"figures"`
	Players          int64       `json:"players" doc:"Members who played today."`
	PlayersYesterday int64       `json:"playersYesterday"`
	Series           []point     `json:"series" doc:"30 days, oldest first, today last."`
	Vendors          []share     `json:"vendors" doc:"Of the 30 days, largest result first."`
	Games            []share     `json:"games" doc:"The 20 games with the largest result of the 30 days."`
	Tasks            []taskCount `json:"tasks"`
	Alerts           []Alert     `json:"alerts"`
}

const maxGames = 20

// Routes declares the overview's endpoint.
func Routes(a *rest.API, s *Service, overview Overview) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/figures", ID: "opsFigures", Tag: "operators", Access: rest.Operators, Permission: permission.ReportRead,
		Summary: "Figures of the overview: today, yesterday and 30 days", Description: "Days are in UTC. Only amounts in the merchant's currency count.",
	}, func(ctx context.Context, _ *struct{}) (reply, error) {
		by, _ := rest.OperatorOf(ctx)
		merchantID := rest.MerchantOf(ctx).ID
		currency, err := overview.Currency(ctx, merchantID)
		if err != nil {
			return reply{}, err
		}
		out, err := s.read(ctx, merchantID, currency)
		if err != nil {
			return reply{}, err
		}
		counts, err := overview.OpenTasks(ctx, by)
		if err != nil {
			return reply{}, err
		}
		for kind, n := range counts {
			out.Tasks = append(out.Tasks, taskCount{kind, n})
		}
		slices.SortFunc(out.Tasks, func(a, b taskCount) int { return strings.Compare(a.Kind, b.Kind) })
		out.Alerts, err = overview.Alerts(ctx, by)
		return out, err
	})
}

// A total is an amount, with the number of transfers or rounds that it sums.
type total struct {
	sum    money.SplitSum
	number int64
}

func (t *total) add(number, high, low int64) {
	t.number += number
	t.sum = t.sum.Add(money.SplitSum{High: high, Low: low})
}

type dayName struct {
	day  int64
	name string
}

func (s *Service) read(ctx context.Context, merchantID int64, currency money.Currency) (reply, error) {
	today := dayOf(s.now())
	first := today.AddDate(0, 0, 1-days)
	rows, err := s.store.Q().Figures(ctx, merchantID, db.Millis(first), db.Millis(today))
	if err != nil {
		return reply{}, fmt.Errorf("read figures: %w", err)
	}
	byDay, byPart := map[dayName]*total{}, map[string]map[string]*total{Stakes: {}, Result: {}}
	names := []string{Deposits, Withdrawals, Stakes, Result}
	for _, r := range rows {
		if r.Currency != "" && r.Currency != currency.Code {
			continue
		}
		getOrAdd(byDay, dayName{r.Day, r.Name}).add(r.Number, r.High, r.Low)
		if totals, ok := byPart[r.Name]; ok {
			vendor, _, _ := strings.Cut(r.Part, "/")
			getOrAdd(totals, r.Part).add(r.Number, r.High, r.Low)
			getOrAdd(totals, vendor).add(r.Number, r.High, r.Low)
		} else if r.Currency != "" && !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	totalOn := func(day time.Time, name string) total { return *getOrAdd(byDay, dayName{db.Millis(day), name}) }
	amount := func(t total) rest.Amount { return rest.AmountOf(currency, t.sum.Minor()) }
	yesterday := today.AddDate(0, 0, -1)
	out := reply{
		Currency: currency.Code, Series: make([]point, 0, days), Tasks: []taskCount{}, Alerts: []Alert{},
		Players: totalOn(today, Players).number, PlayersYesterday: totalOn(yesterday, Players).number,
	}
	for _, name := range names {
		current, previous := totalOn(today, name), totalOn(yesterday, name)
		out.Figures = append(out.Figures, figure{name, amount(current), amount(previous), current.number, previous.number})
	}
	for day := first; !day.After(today); day = day.AddDate(0, 0, 1) {
		out.Series = append(out.Series, point{
			day.Format(time.DateOnly), amount(totalOn(day, Deposits)), amount(totalOn(day, Withdrawals)), amount(totalOn(day, Result)), totalOn(day, Players).number,
		})
	}
	out.Vendors, out.Games = shares(byPart, amount)
	marks, err := s.store.Q().FigureMarks(ctx, db.Millis(today))
	if err != nil {
		return reply{}, fmt.Errorf("read figures: %w", err)
	}
	for _, m := range marks {
		out.SummedAt = max(out.SummedAt, m.SummedAt)
	}
	return out, nil
}

// shares returns the totals by vendor and by game, largest result first.
func shares(byPart map[string]map[string]*total, amount func(total) rest.Amount) (vendors, games []share) {
	keys := make([]string, 0, len(byPart[Result]))
	for key := range byPart[Result] {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(byPart[Result][b].sum.Minor(), byPart[Result][a].sum.Minor()), strings.Compare(a, b))
	})
	vendors, games = []share{}, []share{}
	for _, key := range keys {
		vendor, game, isGame := strings.Cut(key, "/")
		result, stakes := byPart[Result][key], getOrAdd(byPart[Stakes], key)
		row := share{vendor, game, result.number, amount(*stakes), amount(*result)}
		switch {
		case !isGame:
			vendors = append(vendors, row)
		case len(games) < maxGames:
			games = append(games, row)
		}
	}
	return vendors, games
}

// getOrAdd returns the value of a key. It adds a zero value if there is none.
func getOrAdd[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}
