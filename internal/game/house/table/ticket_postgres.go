package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Batch versions of the queries in internal/platform/db/queries/table.sql.
const (
	lockMany = `SELECT player FROM house_seed WHERE player = ANY($1::text[]) ORDER BY player FOR UPDATE`
	// readMany reads four kinds of rows in one round trip: the time, tickets that already have a requested bet ID, the players' tickets
	// in the rounds, and the rounds. The columns of a kind that has no use for them are empty or hold another value.
	readMany = `SELECT 'time' AS kind, ` + clockMillis + ` AS id, 0::bigint AS round, '' AS player, '' AS status, '' AS spots,
  '' AS engine, 0::bigint AS version, '' AS commitment, ''::bytea AS seed, 0::bigint AS opens_at, 0::bigint AS closes_at
UNION ALL SELECT 'known', r.id, 0, '', '', '', '', 0, '', '', 0, 0
FROM unnest($1::text[], $2::text[]) x (player, spin) JOIN house_round r ON r.player = x.player AND r.spin_id = x.spin
UNION ALL SELECT 'ticket', r.id, r.table_round, r.player, r.status, r.spots, '', 0, '', '', 0, 0
FROM house_round r WHERE r.table_round = ANY($3::bigint[]) AND r.player = ANY($1::text[])
UNION ALL SELECT 'round', t.id, t.number, t.table_id, t.status, t.client_seed, t.engine, t.version, t.commitment, t.seed, t.opens_at, t.closes_at
FROM house_table_round t WHERE t.id = ANY($3::bigint[])`
	clockMillis = "CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)"
	addMany     = `INSERT INTO house_round (id, player, spin_id, vendor, game, wallet_session, currency, engine, version, stake, status,
  client_seed, nonce, commitment, published_at, created_at, table_round, spots)
SELECT x.id, x.player, x.spin, x.vendor, x.game, x.session, x.currency, x.engine, x.version, x.stake, 'betting', x.client_seed, x.nonce, x.commitment, x.published, x.created, x.round, x.spots
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::text[],
  $14::bigint[], $15::bigint[], $16::bigint[], $17::text[])
  x (id, player, spin, vendor, game, session, currency, engine, version, stake, client_seed, nonce, commitment, published, created, round, spots)`
	placeMany = `UPDATE house_round r SET status = 'placed', balance = x.balance FROM unnest($1::bigint[], $2::bigint[]) x (id, balance)
WHERE r.id = x.id AND r.status = 'betting' AND EXISTS (
  SELECT 1 FROM house_table_round t WHERE t.id = r.table_round AND t.status = 'betting' AND t.closes_at > CASE WHEN $3::bigint = 0 THEN ` + clockMillis + ` ELSE $3 END)
RETURNING r.id`
	drawMany = `UPDATE house_round r SET status = 'bet', seed = $4, outcome = x.outcome, win = x.win
FROM unnest($1::bigint[], $2::text[], $3::bigint[]) x (id, outcome, win) WHERE r.id = x.id AND r.status = 'placed' RETURNING r.id`
)

type postgresTickets struct{ tx *db.Tx }

// columns returns one array per value function, as arguments for unnest.
func columns[T any](items []T, values ...func(T) any) []any {
	all := make([]any, len(values))
	for i, value := range values {
		switch value(items[0]).(type) {
		case int64:
			all[i] = column[int64](items, value)
		default:
			all[i] = column[string](items, value)
		}
	}
	return all
}

func column[V, T any](items []T, value func(T) any) []V {
	list := make([]V, len(items))
	for i, item := range items {
		list[i] = value(item).(V)
	}
	return list
}

func (p postgresTickets) lock(ctx context.Context, requests []*ticketRequest) (map[string]bool, error) {
	seeded := map[string]bool{}
	return seeded, p.each(ctx, func(rows *sql.Rows) error {
		var player string
		err := rows.Scan(&player)
		seeded[player] = true
		return err
	}, lockMany, columns(requests, func(r *ticketRequest) any { return r.frame.Player })...)
}

func (p postgresTickets) read(ctx context.Context, requests []*ticketRequest) (batchState, error) {
	out := batchState{existing: map[string]query.HouseRound{}, exposures: map[exposureKey]*exposure{}, rounds: map[int64]query.HouseTableRound{}}
	var known []int64
	err := p.each(ctx, func(rows *sql.Rows) error {
		var kind, player, spots string
		var r query.HouseTableRound
		err := rows.Scan(&kind, &r.ID, &r.Number, &player, &r.Status, &spots, &r.Engine, &r.Version, &r.Commitment, &r.Seed, &r.OpensAt, &r.ClosesAt)
		switch kind {
		case "time":
			out.nowMs = r.ID
		case "known":
			known = append(known, r.ID)
		case "ticket":
			return errors.Join(err, exposureOf(out.exposures, r.Number, player).addStored(r.Status, spots))
		case "round":
			r.TableID, r.ClientSeed = player, spots
			out.rounds[r.ID] = r
		}
		return err
	}, readMany, columns(requests, func(r *ticketRequest) any { return r.frame.Player }, func(r *ticketRequest) any { return r.betID }, func(r *ticketRequest) any { return r.round })...)
	for _, id := range known { // only repeated requests, so there are few
		if err != nil {
			break
		}
		var row query.HouseRound
		if row, err = p.tx.Q.HouseRound(ctx, id); err == nil {
			out.existing[betKey(row.Player, row.SpinID)] = row
		}
	}
	return out, err
}

func (p postgresTickets) add(ctx context.Context, added []query.HouseRound) error {
	if len(added) == 0 {
		return nil
	}
	type row = query.HouseRound
	args := columns(added, func(r row) any { return r.ID }, func(r row) any { return r.Player }, func(r row) any { return r.SpinID }, func(r row) any { return r.Vendor },
		func(r row) any { return r.Game }, func(r row) any { return r.WalletSession }, func(r row) any { return r.Currency }, func(r row) any { return r.Engine },
		func(r row) any { return r.Version }, func(r row) any { return r.Stake }, func(r row) any { return r.ClientSeed }, func(r row) any { return r.Nonce },
		func(r row) any { return r.Commitment }, func(r row) any { return r.PublishedAt }, func(r row) any { return r.CreatedAt },
		func(r row) any { return r.TableRound.Int64 }, func(r row) any { return r.Spots })
	_, err := p.tx.ExecContext(ctx, addMany, args...)
	return err
}

func (p postgresTickets) place(ctx context.Context, items []*placement, now int64) (map[int64]bool, error) {
	return p.changed(ctx, placeMany, append(columns(items, func(p *placement) any { return p.id }, func(p *placement) any { return p.balance }), now)...)
}

func (p postgresTickets) draw(ctx context.Context, tickets []drawnTicket, seed []byte) (map[int64]bool, error) {
	return p.changed(ctx, drawMany,
		append(columns(tickets, func(d drawnTicket) any { return d.id }, func(d drawnTicket) any { return d.outcome }, func(d drawnTicket) any { return d.win }), seed)...)
}

func (p postgresTickets) changed(ctx context.Context, statement string, args ...any) (map[int64]bool, error) {
	ids := map[int64]bool{}
	return ids, p.each(ctx, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ids[id] = true
		return err
	}, statement, args...)
}

func (p postgresTickets) each(ctx context.Context, scan func(*sql.Rows) error, statement string, args ...any) error {
	rows, err := p.tx.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("read row: %w", err)
		}
	}
	return rows.Err()
}
