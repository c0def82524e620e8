package lottery

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/play"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A lineKey identifies a line of a numero.
type lineKey struct {
	numero     int64
	play, line string
}

// A liability is the maximum payout of a line.
type liability struct {
	lineKey

	amount money.Minor
	bet    int             // index of the last bet that added to it
	odds   decimal.Decimal // of the line, times the prizes that can win
}

// Statements that add amounts to the exposure of lines and return the new totals. The fixed order of the lines prevents
// deadlocks between orders.
const (
	addExposurePostgres = `INSERT INTO lottery_exposure (numero_id, currency, play_code, line, amount)
SELECT x.n, $5, x.p, x.l, x.a FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) AS x (n, p, l, a) ORDER BY x.n, x.p, x.l
ON CONFLICT (numero_id, currency, play_code, line) DO UPDATE SET amount = lottery_exposure.amount + excluded.amount
RETURNING numero_id, play_code, line, amount`
	addExposureSQLite = `INSERT INTO lottery_exposure (numero_id, currency, play_code, line, amount)
SELECT json_extract(x.value, '$[0]'), $2, json_extract(x.value, '$[1]'), json_extract(x.value, '$[2]'), json_extract(x.value, '$[3]') FROM json_each($1) AS x WHERE TRUE
ON CONFLICT (numero_id, currency, play_code, line) DO UPDATE SET amount = amount + excluded.amount
RETURNING numero_id, play_code, line, amount`
)

// addExposure adds an order's lines to the exposure. It refuses the order if a line could pay more than the limit.
func (s *Service) addExposure(ctx context.Context, tx *db.Tx, d *draft, rows []query.LotteryNumero) error {
	var all []liability
	index := map[lineKey]int{}
	for k, row := range rows {
		for i, b := range d.bets[k] {
			for _, l := range b.Lines {
				x := liability{lineKey{row.ID, b.Play.Code, l.Key}, b.Exposure(l), i, b.Odds[l.When].Mul(decimal.NewFromInt(int64(b.Play.Prizes)))}
				pos, known := index[x.lineKey]
				if !known {
					pos = len(all)
					index[x.lineKey], all = pos, append(all, liability{lineKey: x.lineKey})
				}
				sum, err := all[pos].amount.Add(x.amount)
				if err != nil || sum > d.limit {
					return refuseExposure(d, x, d.limit-all[pos].amount)
				}
				x.amount = sum
				all[pos] = x
			}
		}
	}
	sums, err := changeExposure(ctx, tx, d.session.Currency, all)
	if err != nil {
		return err
	}
	for _, x := range all {
		if sum := sums[x.lineKey]; sum > d.limit {
			return refuseExposure(d, x, d.limit-(sum-x.amount))
		}
	}
	return nil
}

// stakeParts is the number of parts in which the stakes of a numero are counted.
const stakeParts = 16

// A stakeChange adds rounds and stakes to a numero.
type stakeChange struct {
	numero, rounds int64
	amount         money.Minor
}

// countStakes adds the changes of an order to the sums of its numeros. The fixed order prevents deadlocks between orders.
func countStakes(ctx context.Context, tx *db.Tx, order int64, currency string, changes []stakeChange) error {
	slices.SortFunc(changes, func(a, b stakeChange) int { return cmp.Compare(a.numero, b.numero) })
	for _, c := range changes {
		err := tx.Q.AddLotteryStake(ctx, query.AddLotteryStakeParams{NumeroID: c.numero, Currency: currency, Part: order % stakeParts, Rounds: c.rounds, Staked: int64(c.amount)})
		if err != nil {
			return fmt.Errorf("count stakes: %w", err)
		}
	}
	return nil
}

// refuseExposure returns ErrExposure for a line, with the highest stake that is still allowed.
func refuseExposure(d *draft, x liability, left money.Minor) error {
	limits := play.StandardLimits(d.session.currency)
	stake := money.Minor(0)
	if left > 0 && x.odds.IsPositive() {
		stake = money.Minor(decimal.NewFromInt(int64(left)).Div(x.odds).IntPart())
		stake -= stake % limits.Unit
	}
	return ErrExposure.With("bet", x.bet).With("entry", x.line).With("possible", d.session.currency.Format(stake))
}

// changeExposure adds amounts, which may be negative, to lines and returns the new total of each line.
func changeExposure(ctx context.Context, tx *db.Tx, currency string, all []liability) (sums map[lineKey]money.Minor, err error) {
	slices.SortFunc(all, func(a, b liability) int {
		return cmp.Or(cmp.Compare(a.numero, b.numero), cmp.Compare(a.play, b.play), cmp.Compare(a.line, b.line))
	})
	statement, args := addExposureSQLite, []any{nil, currency}
	if tx.Engine == db.Postgres {
		statement = addExposurePostgres
		numeros, plays, lines, amounts := make([]int64, len(all)), make([]string, len(all)), make([]string, len(all)), make([]int64, len(all))
		for i, x := range all {
			numeros[i], plays[i], lines[i], amounts[i] = x.numero, x.play, x.line, int64(x.amount)
		}
		args = []any{numeros, plays, lines, amounts, currency}
	} else {
		values := make([][4]any, len(all))
		for i, x := range all {
			values[i] = [4]any{x.numero, x.play, x.line, int64(x.amount)}
		}
		text, err := json.Marshal(values)
		if err != nil {
			return nil, fmt.Errorf("encode exposure: %w", err)
		}
		args[0] = string(text)
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("add exposure: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sums = make(map[lineKey]money.Minor, len(all))
	for rows.Next() {
		var key lineKey
		var amount int64
		if err := rows.Scan(&key.numero, &key.play, &key.line, &amount); err != nil {
			return nil, fmt.Errorf("read exposure: %w", err)
		}
		sums[key] = money.Minor(amount)
	}
	return sums, wrap("read exposure", rows.Err())
}
