package house

import (
	"context"
	"database/sql"
	"fmt"

	"fairground/internal/platform/db/query"
)

// sqliteFiles is the transaction of the one writer that there is: nobody else has to be kept out.
type sqliteFiles struct{ q *query.Queries }

func (s sqliteFiles) lock(ctx context.Context, lot []*entry) (map[string]bool, error) {
	seeded := map[string]bool{}
	for _, e := range lot {
		_, err := s.q.HouseSeed(ctx, e.f.Player)
		if err != nil && !isNone(err) {
			return nil, err
		}
		seeded[e.f.Player] = err == nil
	}
	return seeded, nil
}

func (s sqliteFiles) read(ctx context.Context, lot []*entry) (out found, err error) {
	out = found{known: map[string]query.HouseRound{}, rounds: map[int64]query.HouseTableRound{}}
	for _, e := range lot {
		row, err := s.q.HouseRoundBySpin(ctx, e.f.Player, e.betID)
		if err != nil && !isNone(err) {
			return out, err
		}
		if err == nil {
			out.known[betKey(e.f.Player, e.betID)] = row
		}
		if _, read := out.rounds[e.round]; read {
			continue
		}
		round, err := s.q.TableRound(ctx, e.round)
		if err != nil && !isNone(err) {
			return out, err
		}
		out.rounds[e.round] = round // one that is not there takes no bets
	}
	out.lying, err = s.lying(ctx, lot)
	return out, err
}

func (s sqliteFiles) lying(ctx context.Context, lot []*entry) (map[heldKey]*held, error) {
	lying := map[heldKey]*held{}
	for _, e := range lot {
		key := heldKey{e.round, e.f.Player}
		if lying[key] != nil {
			continue
		}
		lying[key] = &held{on: staked{}}
		rows, err := s.q.PlayerTickets(ctx, sql.NullInt64{Int64: e.round, Valid: true}, e.f.Player)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			if err := lying[key].count(row.ID, row.Status, row.Spots); err != nil {
				return nil, err
			}
		}
	}
	return lying, nil
}

func (s sqliteFiles) add(ctx context.Context, rows []query.HouseRound) error {
	for _, r := range rows {
		n, err := s.q.AddTicket(ctx, query.AddTicketParams{
			ID: r.ID, Player: r.Player, BetID: r.SpinID, Vendor: r.Vendor, Game: r.Game, WalletSession: r.WalletSession, Currency: r.Currency, Engine: r.Engine, Version: r.Version,
			Stake: r.Stake, ClientSeed: r.ClientSeed, Nonce: r.Nonce, Commitment: r.Commitment, PublishedAt: r.PublishedAt, CreatedAt: r.CreatedAt, TableRound: r.TableRound, Spots: r.Spots,
		})
		if err == nil && n == 0 {
			err = fmt.Errorf("ticket %d is another's", r.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s sqliteFiles) place(ctx context.Context, lot []*placing, now int64) (map[int64]bool, error) {
	stand := map[int64]bool{}
	for _, p := range lot {
		n, err := s.q.PlaceTicket(ctx, sql.NullInt64{Int64: p.balance, Valid: true}, p.id, now)
		if err != nil {
			return nil, err
		}
		stand[p.id] = n > 0
	}
	return stand, nil
}

func (s sqliteFiles) draw(ctx context.Context, lot []drawing, seed []byte) (map[int64]bool, error) {
	done := map[int64]bool{}
	for _, d := range lot {
		n, err := s.q.DrawTicket(ctx, query.DrawTicketParams{ID: d.id, Seed: seed, Outcome: d.outcome, Win: d.win})
		if err != nil {
			return nil, err
		}
		done[d.id] = n > 0
	}
	return done, nil
}

func (s sqliteFiles) settle(ctx context.Context, lot []*settling) error {
	for _, r := range lot {
		if _, err := s.q.SettleHouseRound(ctx, sql.NullInt64{Int64: r.balance, Valid: true}, sql.NullInt64{Int64: r.at, Valid: true}, r.id); err != nil {
			return err
		}
	}
	return nil
}
