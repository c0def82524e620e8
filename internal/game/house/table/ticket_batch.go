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

// A ticketRequest is a ticket to store before the wallet is called.
type ticketRequest struct {
	f       tableFrame
	betID   string
	round   int64
	on      spotStakes
	spots   string // on, as stored
	total   money.Minor
	invalid error // the limit that it breaks; ignored for a ticket that is already stored

	// The result.
	row    query.HouseRound
	isNew  bool
	noSeed bool // the player has no seed row, which serves as the player's lock
	err    error
}

// beginTicket stores a ticket, or finds the stored one.
func (s *Service) beginTicket(ctx context.Context, f tableFrame, betID string, round int64, on spotStakes, spots string) (row query.HouseRound, isNew bool, err error) {
	r := &ticketRequest{f: f, betID: betID, round: round, on: on, spots: spots}
	r.total, r.invalid = f.checkStakes(on)
	err = s.begins.Do(ctx, batch.StringKey(f.Player), r)
	if err == nil && r.noSeed {
		if _, err = s.o.Seeds.Next(ctx, f.Player); err == nil {
			err = s.begins.Do(ctx, batch.StringKey(f.Player), r)
		}
	}
	if err == nil {
		err = r.err
	}
	return r.row, r.isNew, err
}

// beginTickets stores a batch of tickets. It locks the players, because limits apply to all tickets of a player.
func (s *Service) beginTickets(ctx context.Context, requests []*ticketRequest) error {
	for _, r := range requests {
		r.row, r.isNew, r.noSeed, r.err = query.HouseRound{}, false, false, nil
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		store := storeOf(tx)
		seeded, err := store.lock(ctx, requests)
		if err != nil {
			return wrap("lock players", err)
		}
		stored, err := store.read(ctx, requests) // after the locks, which may have waited
		if err != nil {
			return wrap("read tables", err)
		}
		if stored.at == 0 || s.o.Clock.Fixed != nil {
			now, err := s.o.Clock.Now(ctx, tx)
			if err != nil {
				return err
			}
			stored.at = db.Millis(now)
		}
		b := ticketBatch{batchState: stored, s: s}
		for _, r := range requests {
			if r.noSeed = !seeded[r.f.Player]; !r.noSeed {
				b.add(r)
			}
		}
		return wrap("add tickets", store.add(ctx, b.added))
	})
}

// batchState is the stored data that a batch of requests refers to.
type batchState struct {
	known     map[string]query.HouseRound // by player and bet ID
	exposures map[exposureKey]*exposure
	rounds    map[int64]query.HouseTableRound // only the fields that tickets need
	at        int64                           // the database's time, or 0
}

// A ticketBatch adds requests one by one. Later requests see the earlier ones.
type ticketBatch struct {
	batchState

	s     *Service
	added []query.HouseRound
}

func betKey(player, betID string) string { return player + "/" + betID }

func (b *ticketBatch) add(r *ticketRequest) {
	if row, known := b.known[betKey(r.f.Player, r.betID)]; known {
		r.row = row
		return
	}
	var open *query.HouseTableRound
	if row, known := b.rounds[r.round]; known && takesBets(row, b.at) {
		open = &row
	}
	exposed := exposureIn(b.exposures, r.round, r.f.Player)
	if r.err = b.check(r, open, exposed); r.err == nil {
		b.store(r, open)
		exposed.add(r.on)
	}
}

func (b *ticketBatch) check(r *ticketRequest, open *query.HouseTableRound, exposed *exposure) error {
	switch {
	case r.invalid != nil:
		return r.invalid
	case open == nil, open.TableID != r.f.table.ID:
		return refusal.ErrBettingClosed
	}
	if err := b.s.checkSpots(*open, r.on); err != nil {
		return err
	}
	return r.f.checkExposure(exposed, r.on)
}

func (b *ticketBatch) store(r *ticketRequest, open *query.HouseTableRound) {
	r.isNew, r.row = true, query.HouseRound{
		ID: b.s.o.IDs(), Player: r.f.Player, SpinID: r.betID, Vendor: r.f.Vendor, Game: r.f.Game, WalletSession: r.f.SealedSession, Currency: r.f.Currency.Code,
		Engine: open.Engine, Version: open.Version, Stake: int64(r.total), Status: bet.Betting, ClientSeed: open.ClientSeed, Nonce: open.Number,
		Commitment: seed.Published(open.Commitment, open.Seed), PublishedAt: open.OpensAt, CreatedAt: b.at,
		TableRound: sql.NullInt64{Int64: r.round, Valid: true}, Spots: r.spots,
	}
	b.known[betKey(r.f.Player, r.betID)] = r.row
	b.added = append(b.added, r.row)
}

// checkSpots rejects spots that the round's engine version lacks. It may be another version than this program's newest.
func (s *Service) checkSpots(round query.HouseTableRound, on spotStakes) error {
	d, found := s.dealers.find(round.Engine, round.Version)
	if !found {
		return refusal.ErrBettingClosed
	}
	for id := range on {
		if !slices.ContainsFunc(d.Data().Spots, func(s spot.Spot) bool { return s.ID == id }) {
			return spot.ErrUnknown.On("spots")
		}
	}
	return nil
}

// An exposure is the sum of a player's tickets in a round.
type exposure struct {
	tickets int
	on      spotStakes
}

type exposureKey struct {
	round  int64
	player string
}

func exposureIn(all map[exposureKey]*exposure, round int64, player string) *exposure {
	key := exposureKey{round, player}
	if all[key] == nil {
		all[key] = &exposure{on: spotStakes{}}
	}
	return all[key]
}

func (e *exposure) add(on spotStakes) {
	e.tickets++
	for id, stake := range on {
		e.on[id] += stake
	}
}

// addStored adds a stored ticket. A refused or refunded ticket has no stakes but counts as a ticket.
func (e *exposure) addStored(status, spots string) error {
	on := spotStakes{}
	if status != bet.Refused && status != bet.Refunding && status != bet.Refunded {
		var err error
		if on, err = parseSpots(spots); err != nil {
			return err
		}
	}
	e.add(on)
	return nil
}

func (f tableFrame) checkExposure(exposed *exposure, on spotStakes) error {
	if exposed.tickets >= maxTicketsPerRound {
		return refusal.ErrTooMany
	}
	for _, id := range slices.Sorted(maps.Keys(on)) {
		s, err := f.table.findSpot(id)
		if err != nil {
			return err
		}
		if limit := f.limits.maxOn(s); on[id] > limit || exposed.on[id] > limit-on[id] {
			return refusal.ErrSpotLimit.On("spots").With("spot", id)
		}
	}
	return nil
}
