package lottery

import (
	"context"

	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// stakeParts is the number of parts in which the stakes of a numero are counted.
const stakeParts = 16

// A stakeKey identifies a part of a numero's stakes.
type stakeKey struct {
	numero   int64
	currency string
	part     int64
}

// A stakeChange adds rounds and stakes to a part.
type stakeChange struct {
	stakeKey

	rounds int64
	amount money.Minor
}

// countStakes adds changes to the sums of numeros. The fixed order prevents deadlocks between orders.
func countStakes(ctx context.Context, tx *db.Tx, changes []stakeChange) error {
	type row struct {
		NumeroID int64  `json:"numero_id"`
		Currency string `json:"currency"`
		Part     int64  `json:"part"`
		Rounds   int64  `json:"rounds"`
		Staked   int64  `json:"staked"`
	}
	var rows []row
	index := map[stakeKey]int{}
	for _, c := range changes {
		i, known := index[c.stakeKey]
		if !known {
			i = len(rows)
			index[c.stakeKey], rows = i, append(rows, row{NumeroID: c.numero, Currency: c.currency, Part: c.part})
		}
		rows[i].Rounds += c.rounds
		rows[i].Staked += int64(c.amount)
	}
	if len(rows) == 0 {
		return nil
	}
	err := execRows(ctx, tx, `INSERT INTO lottery_stake (numero_id, currency, part, rounds, staked) SELECT x.numero_id, x.currency, x.part, x.rounds, x.staked FROM `+
		db.FromJSON(tx.Engine, "numero_id bigint", "currency text", "part bigint", "rounds bigint", "staked bigint")+` WHERE TRUE ORDER BY x.numero_id, x.currency, x.part
ON CONFLICT (numero_id, currency, part) DO UPDATE SET rounds = lottery_stake.rounds + excluded.rounds, staked = lottery_stake.staked + excluded.staked`, rows)
	return wrap("count stakes", err)
}
