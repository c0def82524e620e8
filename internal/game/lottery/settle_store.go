package lottery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Statements that store the outcomes of rounds and bets. The statements for rounds skip cancelled rounds and rounds that this
// or a later run has stored, and return the ids of the others. The statements for bets skip none.
const (
	storeRoundsPostgres = `UPDATE lottery_round r SET status = $3, paid = x.paid, run = $4 FROM unnest($1::bigint[], $2::bigint[]) AS x (id, paid)
WHERE r.id = x.id AND r.run < $4 AND r.status <> 'cancelled' RETURNING r.id`
	storeBetsPostgres = `UPDATE lottery_bet b SET state = x.state, payout = x.payout, rebate = x.rebate
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS x (id, state, payout, rebate) WHERE b.id = x.id`
	storeRoundsSQLite = `UPDATE lottery_round SET status = $2, paid = x.paid, run = $3
FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS paid FROM json_each($1)) AS x
WHERE lottery_round.id = x.id AND run < $3 AND status <> 'cancelled' RETURNING lottery_round.id`
	storeBetsSQLite = `UPDATE lottery_bet SET state = x.state, payout = x.payout, rebate = x.rebate
FROM (SELECT json_extract(value, '$[0]') AS id, json_extract(value, '$[1]') AS state, json_extract(value, '$[2]') AS payout, json_extract(value, '$[3]') AS rebate FROM json_each($1)) AS x
WHERE lottery_bet.id = x.id`
)

// storeChunk stores the outcomes of a chunk and the progress of the settlement. lastRoundID is the last round that was read
// for the chunk.
func (s *Service) storeChunk(ctx context.Context, n query.LotteryNumero, chunk []*settlement, lastRoundID int64) error {
	status := roundSettled
	if n.Status == statusVoid {
		status = stateVoid
	}
	// Ledger.Write repeats the transaction after a deadlock with another process that stores the same rounds.
	return s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		stored, err := storeRoundOutcomes(ctx, tx, chunk, status, n.Run)
		if err != nil {
			return err
		}
		var bets []settledBet
		for _, r := range chunk {
			if stored[r.id] {
				bets = append(bets, r.bets...)
			}
		}
		if err := storeBetOutcomes(ctx, tx, bets); err != nil {
			return err
		}
		_, err = tx.Q.AdvanceLotteryNumero(ctx, lastRoundID, n.ID, n.Run)
		return wrap("advance settlement", err)
	})
}

// storeRoundOutcomes returns the rounds whose outcomes it stored.
func storeRoundOutcomes(ctx context.Context, tx *db.Tx, chunk []*settlement, status string, run int64) (stored map[int64]bool, err error) {
	ids, paid, values := make([]int64, len(chunk)), make([]int64, len(chunk)), make([][2]int64, len(chunk))
	for i, r := range chunk {
		ids[i], paid[i] = r.id, int64(r.payout+r.rebate+r.notRecovered) // the member has kept what was not recovered
		values[i] = [2]int64{ids[i], paid[i]}
	}
	statement, args := storeRoundsPostgres, []any{ids, paid, status, run}
	if tx.Engine == db.SQLite {
		text, err := json.Marshal(values)
		if err != nil {
			return nil, fmt.Errorf("encode rounds: %w", err)
		}
		statement, args = storeRoundsSQLite, []any{string(text), status, run}
	}
	rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("store rounds: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	stored = make(map[int64]bool, len(chunk))
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("store rounds: %w", err)
		}
		stored[id] = true
	}
	return stored, wrap("store rounds", rows.Err())
}

// storeBetOutcomes must only get bets of rounds that storeRoundOutcomes returned.
func storeBetOutcomes(ctx context.Context, tx *db.Tx, bets []settledBet) error {
	ids, states, payouts, rebates := make([]int64, len(bets)), make([]string, len(bets)), make([]int64, len(bets)), make([]int64, len(bets))
	values := make([][4]any, len(bets))
	for i, b := range bets {
		ids[i], states[i], payouts[i], rebates[i] = b.id, b.state, int64(b.payout), int64(b.rebate)
		values[i] = [4]any{b.id, b.state, int64(b.payout), int64(b.rebate)}
	}
	statement, args := storeBetsPostgres, []any{ids, states, payouts, rebates}
	if tx.Engine == db.SQLite {
		text, err := json.Marshal(values)
		if err != nil {
			return fmt.Errorf("encode bets: %w", err)
		}
		statement, args = storeBetsSQLite, []any{string(text)}
	}
	_, err := db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, statement, args...)
	return wrap("store bets", err)
}
