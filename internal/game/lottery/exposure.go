package lottery

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/play"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// A lineKey identifies a line of a numero.
type lineKey struct {
	numero               int64
	currency, play, line string
}

// A liability is the maximum payout of a line.
type liability struct {
	lineKey

	amount money.Minor
	bet    int             // index of the last bet that added to it
	odds   decimal.Decimal // of the line, times the prizes that can win
}

// addExposure adds the orders' lines to the exposure, in their order. It refuses an order if a line could pay more than the limit.
func addExposure(ctx context.Context, tx *db.Tx, orders []*newOrder) error {
	lines := make([][]liability, len(orders))
	var all []liability
	index := map[lineKey]int{}
	for i, o := range orders {
		var err error
		if lines[i], err = linesOf(o); err != nil {
			return err
		}
		for _, x := range lines[i] {
			pos, known := index[x.lineKey]
			if !known {
				pos = len(all)
				index[x.lineKey], all = pos, append(all, liability{lineKey: x.lineKey})
			}
			all[pos].amount += x.amount // each is at most the limit of a line
		}
	}
	sums, err := changeExposure(ctx, tx, all)
	if err != nil {
		return err
	}
	for _, x := range all {
		sums[x.lineKey] -= x.amount // before the orders
	}
	for i, o := range orders {
		for _, x := range lines[i] {
			before := sums[x.lineKey]
			if before+x.amount > o.limit {
				return &refusedOrder{o, refuseExposure(o.draft, x, o.limit-before)}
			}
			sums[x.lineKey] = before + x.amount
		}
	}
	return nil
}

// linesOf returns the lines of an order, each once.
func linesOf(o *newOrder) (all []liability, err error) {
	index := map[lineKey]int{}
	for k, row := range o.rows {
		for i, b := range o.bets[k] {
			for _, l := range b.Lines {
				key := lineKey{row.ID, o.session.Currency, b.Play.Code, l.Key}
				x := liability{key, b.Exposure(l), i, b.Odds[l.When].Mul(decimal.NewFromInt(int64(b.Play.Prizes)))}
				pos, known := index[key]
				if !known {
					pos = len(all)
					index[key], all = pos, append(all, liability{lineKey: key})
				}
				sum, err := all[pos].amount.Add(x.amount)
				if err != nil || sum > o.limit {
					return nil, &refusedOrder{o, refuseExposure(o.draft, x, o.limit-all[pos].amount)}
				}
				x.amount = sum
				all[pos] = x
			}
		}
	}
	return all, nil
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

// changeExposure adds amounts, which may be negative, to lines and returns the new total of each line. The fixed order of the lines
// prevents deadlocks between orders.
func changeExposure(ctx context.Context, tx *db.Tx, all []liability) (sums map[lineKey]money.Minor, err error) {
	type row struct {
		NumeroID int64  `json:"numero_id"`
		Currency string `json:"currency"`
		PlayCode string `json:"play_code"`
		Line     string `json:"line"`
		Amount   int64  `json:"amount"`
	}
	added := make([]row, len(all))
	for i, x := range all {
		added[i] = row{x.numero, x.currency, x.play, x.line, int64(x.amount)}
	}
	list, err := db.JSONOf(added)
	if err != nil {
		return nil, err
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, `INSERT INTO lottery_exposure (numero_id, currency, play_code, line, amount)
SELECT x.numero_id, x.currency, x.play_code, x.line, x.amount FROM `+db.FromJSON(tx.Engine, "numero_id bigint", "currency text", "play_code text", "line text", "amount bigint")+`
WHERE TRUE ORDER BY x.numero_id, x.currency, x.play_code, x.line
ON CONFLICT (numero_id, currency, play_code, line) DO UPDATE SET amount = lottery_exposure.amount + excluded.amount
RETURNING numero_id, currency, play_code, line, amount`, list)
	if err != nil {
		return nil, fmt.Errorf("add exposure: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	sums = make(map[lineKey]money.Minor, len(all))
	for rows.Next() {
		var key lineKey
		var amount int64
		if err := rows.Scan(&key.numero, &key.currency, &key.play, &key.line, &amount); err != nil {
			return nil, fmt.Errorf("read exposure: %w", err)
		}
		sums[key] = money.Minor(amount)
	}
	return sums, rows.Err()
}
