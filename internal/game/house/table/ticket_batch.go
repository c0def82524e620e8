package table

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A ticketRequest is a ticket that must be stored before the wallet is called.
type ticketRequest struct {
	frame   tableFrame
	betID   string
	round   int64
	stakes  spotStakes
	spots   string // stakes, as stored
	total   money.Minor
	invalid error // why the stakes are refused; ignored for a ticket that is already stored

	// Results.
	row    query.HouseRound
	isNew  bool
	noSeed bool // the player has no seed row to lock
	err    error
}

// beginTicket stores a ticket, or returns the stored ticket of a repeated request.
func (s *Service) beginTicket(ctx context.Context, f tableFrame, betID string, round int64, stakes spotStakes, spots string) (row query.HouseRound, isNew bool, err error) {
	r := &ticketRequest{frame: f, betID: betID, round: round, stakes: stakes, spots: spots}
	r.total, r.invalid = f.checkStakes(stakes)
	err = s.ticketBatcher.Do(ctx, batch.StringKey(f.Player), r)
	if err == nil && r.noSeed {
		if _, err = s.o.Seeds.Next(ctx, f.Player); err == nil {
			err = s.ticketBatcher.Do(ctx, batch.StringKey(f.Player), r)
		}
	}
	if err == nil {
		err = r.err
	}
	return r.row, r.isNew, err
}

// beginTickets stores a batch of tickets. It locks the players, because limits apply to the sum of a player's tickets.
func (s *Service) beginTickets(ctx context.Context, requests []*ticketRequest) error {
	for _, r := range requests {
		r.row, r.isNew, r.noSeed, r.err = query.HouseRound{}, false, false, nil
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		store := newTicketStore(tx)
		seeded, err := store.lock(ctx, requests)
		if err != nil {
			return wrap("lock players", err)
		}
		stored, err := store.read(ctx, requests) // read after locking, because the locks may have waited for other writes
		if err != nil {
			return wrap("read tables", err)
		}
		if stored.nowMs == 0 || s.o.Clock.Fixed != nil {
			now, err := s.o.Clock.Now(ctx, tx)
			if err != nil {
				return err
			}
			stored.nowMs = db.Millis(now)
		}
		b := ticketBatch{batchState: stored, s: s}
		for _, r := range requests {
			if r.noSeed = !seeded[r.frame.Player]; !r.noSeed {
				b.add(r)
			}
		}
		return wrap("add tickets", store.add(ctx, b.added))
	})
}

// batchState is the stored data that a batch of requests needs.
type batchState struct {
	existing  map[string]query.HouseRound // by player and bet ID
	exposures map[exposureKey]*exposure
	rounds    map[int64]query.HouseTableRound // with only the fields that tickets need
	nowMs     int64                           // the database's time, or 0
}

// A ticketBatch adds tickets one by one. The checks of a ticket include the tickets before it.
type ticketBatch struct {
	batchState

	s     *Service
	added []query.HouseRound
}

func betKey(player, betID string) string { return player + "/" + betID }

func (b *ticketBatch) add(r *ticketRequest) {
	if row, known := b.existing[betKey(r.frame.Player, r.betID)]; known {
		r.row = row
		return
	}
	var open *query.HouseTableRound
	if row, known := b.rounds[r.round]; known && takesBets(row, b.nowMs) {
		open = &row
	}
	exposed := exposureOf(b.exposures, r.round, r.frame.Player)
	if r.err = b.check(r, open, exposed); r.err == nil {
		b.store(r, open)
		exposed.add(r.stakes)
	}
}

func (b *ticketBatch) check(r *ticketRequest, open *query.HouseTableRound, exposed *exposure) error {
	switch {
	case r.invalid != nil:
		return r.invalid
	case open == nil, open.TableID != r.frame.table.ID:
		return refusal.ErrBettingClosed
	}
	if err := b.s.checkSpots(*open, r.stakes); err != nil {
		return err
	}
	return r.frame.checkExposure(exposed, r.stakes)
}

func (b *ticketBatch) store(r *ticketRequest, open *query.HouseTableRound) {
	r.isNew, r.row = true, query.HouseRound{
		ID: b.s.o.IDs(), Player: r.frame.Player, SpinID: r.betID, Vendor: r.frame.Vendor, Game: r.frame.Game, WalletSession: r.frame.SealedSession, Currency: r.frame.Currency.Code,
		Engine: open.Engine, Version: open.Version, Stake: int64(r.total), Status: bet.Betting, ClientSeed: open.ClientSeed, Nonce: open.Number,
		Commitment: seed.Published(open.Commitment, open.Seed), PublishedAt: open.OpensAt, CreatedAt: b.nowMs,
		TableRound: sql.NullInt64{Int64: r.round, Valid: true}, Spots: r.spots,
	}
	b.existing[betKey(r.frame.Player, r.betID)] = r.row
	b.added = append(b.added, r.row)
}

// checkSpots rejects spots that the round's engine version lacks. The round may have an older version than new rounds.
func (s *Service) checkSpots(round query.HouseTableRound, stakes spotStakes) error {
	d, found := s.dealers.find(round.Engine, round.Version)
	if !found {
		return refusal.ErrBettingClosed
	}
	for id := range stakes {
		if !slices.ContainsFunc(d.Data().Spots, func(s spot.Spot) bool { return s.ID == id }) {
			return spot.ErrUnknown.On("spots")
		}
	}
	return nil
}

// An exposure is the number of a player's tickets in a round and their total stake per spot.
type exposure struct {
	tickets int
	stakes  spotStakes
}

type exposureKey struct {
	round  int64
	player string
}

func exposureOf(all map[exposureKey]*exposure, round int64, player string) *exposure {
	key := exposureKey{round, player}
	if all[key] == nil {
		all[key] = &exposure{stakes: spotStakes{}}
	}
	return all[key]
}

func (e *exposure) add(stakes spotStakes) {
	e.tickets++
	for id, stake := range stakes {
		e.stakes[id] += stake
	}
}

// addStored adds a stored ticket. A refused or refunded ticket counts as a ticket, but its stakes do not.
func (e *exposure) addStored(status, spots string) error {
	stakes := spotStakes{}
	if status != bet.Refused && status != bet.Refunding && status != bet.Refunded {
		var err error
		if stakes, err = parseSpots(spots); err != nil {
			return err
		}
	}
	e.add(stakes)
	return nil
}

func (f tableFrame) checkExposure(exposed *exposure, stakes spotStakes) error {
	if exposed.tickets >= maxTicketsPerRound {
		return refusal.ErrTooMany
	}
	for _, id := range slices.Sorted(maps.Keys(stakes)) {
		s, err := f.table.findSpot(id)
		if err != nil {
			return err
		}
		if limit := f.limits.maxStake(s); stakes[id] > limit || exposed.stakes[id] > limit-stakes[id] {
			return refusal.ErrSpotLimit.On("spots").With("spot", id)
		}
	}
	return nil
}
