package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/platform/db/query"
)

// sqliteTickets needs no locks: SQLite has one writer.
type sqliteTickets struct{ q *query.Queries }

func isNotFound(err error) bool { return errors.Is(err, sql.ErrNoRows) }

func (s sqliteTickets) lock(ctx context.Context, requests []*ticketRequest) (map[string]bool, error) {
	seeded := map[string]bool{}
	for _, r := range requests {
		_, err := s.q.HouseSeed(ctx, r.frame.Player)
		if err != nil && !isNotFound(err) {
			return nil, err
		}
		seeded[r.frame.Player] = err == nil
	}
	return seeded, nil
}

func (s sqliteTickets) read(ctx context.Context, requests []*ticketRequest) (out batchState, err error) {
	out = batchState{existing: map[string]query.HouseRound{}, rounds: map[int64]query.HouseTableRound{}}
	for _, r := range requests {
		row, err := s.q.HouseRoundBySpin(ctx, r.frame.Player, r.betID)
		if err != nil && !isNotFound(err) {
			return out, err
		}
		if err == nil {
			out.existing[betKey(r.frame.Player, r.betID)] = row
		}
		if _, read := out.rounds[r.round]; read {
			continue
		}
		round, err := s.q.TableRound(ctx, r.round)
		if err != nil && !isNotFound(err) {
			return out, err
		}
		out.rounds[r.round] = round // a missing round takes no bets
	}
	out.exposures, err = s.exposures(ctx, requests)
	return out, err
}

func (s sqliteTickets) exposures(ctx context.Context, requests []*ticketRequest) (map[exposureKey]*exposure, error) {
	all := map[exposureKey]*exposure{}
	for _, r := range requests {
		if all[exposureKey{r.round, r.frame.Player}] != nil {
			continue
		}
		rows, err := s.q.PlayerTickets(ctx, sql.NullInt64{Int64: r.round, Valid: true}, r.frame.Player)
		if err != nil {
			return nil, err
		}
		exposed := exposureOf(all, r.round, r.frame.Player)
		for _, row := range rows {
			if err := exposed.addStored(row.Status, row.Spots); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

func (s sqliteTickets) add(ctx context.Context, rows []query.HouseRound) error {
	for _, r := range rows {
		n, err := s.q.AddTicket(ctx, query.AddTicketParams{
			ID: r.ID, Player: r.Player, BetID: r.SpinID, Vendor: r.Vendor, Game: r.Game, WalletSession: r.WalletSession, Currency: r.Currency, Engine: r.Engine, Version: r.Version,
			Stake: r.Stake, ClientSeed: r.ClientSeed, Nonce: r.Nonce, Commitment: r.Commitment, PublishedAt: r.PublishedAt, CreatedAt: r.CreatedAt, TableRound: r.TableRound, Spots: r.Spots,
		})
		if err == nil && n == 0 {
			err = fmt.Errorf("the ID of ticket %d is taken", r.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s sqliteTickets) place(ctx context.Context, items []*placement, now int64) (map[int64]bool, error) {
	placed := map[int64]bool{}
	for _, p := range items {
		n, err := s.q.PlaceTicket(ctx, sql.NullInt64{Int64: p.balance, Valid: true}, p.id, now)
		if err != nil {
			return nil, err
		}
		placed[p.id] = n > 0
	}
	return placed, nil
}

func (s sqliteTickets) draw(ctx context.Context, tickets []drawnTicket, seed []byte) (map[int64]bool, error) {
	drawn := map[int64]bool{}
	for _, d := range tickets {
		n, err := s.q.DrawTicket(ctx, query.DrawTicketParams{ID: d.id, Seed: seed, Outcome: d.outcome, Win: d.win})
		if err != nil {
			return nil, err
		}
		drawn[d.id] = n > 0
	}
	return drawn, nil
}
