package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

type reportGroup struct {
	Turnover reportTurnoverCommand `cmd:"" help:"Stakes, wins and their difference of real members, by vendor and game."`
}

type reportTurnoverCommand struct {
	merchantFlags

	From  time.Time `format:"2006-01-02" required:"" help:"First day, in UTC." placeholder:"YYYY-MM-DD"`
	To    time.Time `format:"2006-01-02" required:"" help:"Last day, in UTC." placeholder:"YYYY-MM-DD"`
	Games bool      `help:"One line per game instead of one per vendor."`
	JSON  bool      `name:"json" help:"Print one JSON object per line."`
}

// Validate checks the flags. The command-line parser calls it.
func (r *reportTurnoverCommand) Validate() error {
	if r.To.Before(r.From) {
		return errors.New("--to is before --from")
	}
	return r.Storage.Validate()
}

type turnover struct {
	Vendor   string `json:"vendor"`
	Game     string `json:"game,omitempty"`
	Currency string `json:"currency"`
	Rounds   int64  `json:"rounds"`
	Stakes   string `json:"stakes"`
	Wins     string `json:"wins"`     // excluding jackpots
	Jackpots string `json:"jackpots"` // paid from the pool
	Result   string `json:"result"`   // stakes minus wins
}

// Run prints the finished rounds that started on these days. Refunded stakes do not count.
func (r *reportTurnoverCommand) Run(c *console) error {
	var rows []query.TurnoverRow
	err := readMerchant(c, r.merchantFlags, func(store *db.Store) (err error) {
		rows, err = store.Q().Turnover(c.ctx, r.Merchant, db.Millis(r.From), db.Millis(r.To.AddDate(0, 0, 1)))
		return err
	})
	if err != nil {
		return err
	}
	all, err := r.lines(rows)
	if err != nil {
		return err
	}
	return printRows(c, r.JSON, all, func(t turnover) []string {
		name := t.Vendor
		if t.Game != "" {
			name += " " + t.Game
		}
		return []string{name, strconv.FormatInt(t.Rounds, 10) + " rounds", "stakes " + t.Stakes, "wins " + t.Wins, "jackpots " + t.Jackpots, "result " + t.Result, t.Currency}
	})
}

// lines adds up the games of a vendor, unless --games is set. The rows are sorted by vendor and game.
func (r *reportTurnoverCommand) lines(rows []query.TurnoverRow) ([]turnover, error) {
	type key struct{ vendor, game, currency string }
	type sums struct {
		rounds                int64
		stakes, wins, jackpot money.SplitSum
	}
	byKey, order := map[key]*sums{}, []key{}
	for _, row := range rows {
		k := key{row.Vendor, row.Game, row.Currency}
		if !r.Games {
			k.game = ""
		}
		if byKey[k] == nil {
			byKey[k], order = &sums{}, append(order, k)
		}
		s := byKey[k]
		s.rounds += row.Rounds
		s.stakes = s.stakes.Add(money.SplitSum{High: row.StakeHigh, Low: row.StakeLow})
		s.wins = s.wins.Add(money.SplitSum{High: row.WinHigh, Low: row.WinLow})
		s.jackpot = s.jackpot.Add(money.SplitSum{High: row.JackpotHigh, Low: row.JackpotLow})
	}
	var all []turnover
	for _, k := range order {
		currency, err := money.Find(k.currency)
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		s := byKey[k]
		all = append(all, turnover{
			Vendor: k.vendor, Game: k.game, Currency: k.currency, Rounds: s.rounds, Stakes: currency.Format(s.stakes.Minor()),
			Wins: currency.Format(s.wins.Minor()), Jackpots: currency.Format(s.jackpot.Minor()), Result: currency.Format(s.stakes.Sub(s.wins).Minor()),
		})
	}
	return all, nil
}
