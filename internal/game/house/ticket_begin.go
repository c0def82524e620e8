package house

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"fairground/internal/game/house/spot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// entry is a ticket that is to be written down, before anything is asked of the wallet.
type entry struct {
	f     frame
	betID string
	round int64
	on    staked
	spots string // as they are stored
	total money.Minor
	wrong error // why the table does not take it; one that is known already was taken

	// What became of it.
	row      query.HouseRound
	fresh    bool // it was not known
	unseeded bool // the player has no seed yet, by which all of their tabs wait for one another
	err      error
}

// beginTicket writes a ticket down, or finds it. Many are written in one transaction.
func (s *Service) beginTicket(ctx context.Context, f frame, betID string, round int64, on staked, spots string) (row query.HouseRound, fresh bool, err error) {
	e := &entry{f: f, betID: betID, round: round, on: on, spots: spots}
	e.total, e.wrong = f.check(on)
	err = s.begins.ask(ctx, f.Player, e)
	if err == nil && e.unseeded {
		if _, err = s.seedOf(ctx, f.Player); err == nil {
			err = s.begins.ask(ctx, f.Player, e)
		}
	}
	if err == nil {
		err = e.err
	}
	return e.row, e.fresh, err
}

// held is what a player has on a table in a round.
type held struct {
	tickets int
	on      staked
}

type heldKey struct {
	round  int64
	player string
}

// beginTickets writes tickets down. Of a player no more than one process does so at a time: what they have on the table together
// is bounded.
func (s *Service) beginTickets(ctx context.Context, lot []*entry) error {
	for _, e := range lot {
		e.row, e.fresh, e.unseeded, e.err = query.HouseRound{}, false, false, nil
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		files := filesOf(tx)
		seeded, err := files.lock(ctx, lot)
		if err != nil {
			return wrap("lock players", err)
		}
		there, err := files.read(ctx, lot) // behind the locks: what they waited for has taken its time
		if err != nil {
			return wrap("read tables", err)
		}
		if there.at == 0 || s.o.Time != nil {
			now, err := s.now(ctx, tx)
			if err != nil {
				return err
			}
			there.at = db.Millis(now)
		}
		b := beginning{found: there, s: s}
		for _, e := range lot {
			if e.unseeded = !seeded[e.f.Player]; !e.unseeded {
				b.take(e)
			}
		}
		return wrap("add tickets", files.add(ctx, b.fresh))
	})
}

// found is what a lot comes to.
type found struct {
	known  map[string]query.HouseRound // by player and bet
	lying  map[heldKey]*held
	rounds map[int64]query.HouseTableRound // at least what tickets need of them
	at     int64                           // the database's time, where it was told with the rest
}

// beginning is what is known while a lot is written down.
type beginning struct {
	found

	s     *Service
	fresh []query.HouseRound
}

func betKey(player, betID string) string { return player + "/" + betID }

// take writes one ticket down, unless it is known already or refused.
func (b *beginning) take(e *entry) {
	if row, known := b.known[betKey(e.f.Player, e.betID)]; known { // the same tap, a moment ago
		e.row = row
		return
	}
	var open *query.HouseTableRound
	if row, known := b.rounds[e.round]; known && takesBets(row, b.at) {
		open = &row
	}
	key := heldKey{e.round, e.f.Player}
	if b.lying[key] == nil {
		b.lying[key] = &held{on: staked{}}
	}
	if e.err = b.refusal(e, open, b.lying[key]); e.err == nil {
		b.write(e, open)
		b.lying[key].put(e.on)
	}
}

// refusal is why a ticket is not taken.
func (b *beginning) refusal(e *entry, open *query.HouseTableRound, lying *held) error {
	switch {
	case e.wrong != nil:
		return e.wrong
	case open == nil, open.TableID != e.f.table.ID:
		return ErrBettingClosed
	}
	if err := b.s.covers(*open, e.on); err != nil {
		return err
	}
	return e.f.room(lying, e.on)
}

func (b *beginning) write(e *entry, open *query.HouseTableRound) {
	e.fresh, e.row = true, query.HouseRound{
		ID: b.s.o.IDs(), Player: e.f.Player, SpinID: e.betID, Vendor: e.f.Vendor, Game: e.f.Game, WalletSession: e.f.WalletSession, Currency: e.f.Currency,
		Engine: open.Engine, Version: open.Version, Stake: int64(e.total), Status: betting, ClientSeed: open.TableID, Nonce: open.Number,
		Commitment: promised(open.Commitment, open.Seed), PublishedAt: open.OpensAt, CreatedAt: b.at,
		TableRound: sql.NullInt64{Int64: e.round, Valid: true}, Spots: e.spots,
	}
	b.known[betKey(e.f.Player, e.betID)] = e.row
	b.fresh = append(b.fresh, e.row)
}

// covers refuses spots that the version does not have by which the round will be dealt: it may be another than this program's.
func (s *Service) covers(round query.HouseTableRound, on staked) error {
	d, known := s.dealers.version(round.Engine, round.Version)
	if !known {
		return ErrBettingClosed
	}
	for id := range on {
		if !slices.ContainsFunc(d.Data().Spots, func(s spot.Spot) bool { return s.ID == id }) {
			return ErrUnknownSpot.On("spots")
		}
	}
	return nil
}

func (h *held) put(on staked) {
	h.tickets++
	for id, stake := range on {
		h.on[id] += stake
	}
}

// count adds a ticket as it is stored. One that does not stand lies on no spot, but is one of the player's tickets.
func (h *held) count(id int64, status, spots string) error {
	on := staked{}
	if status != refused && status != refunding && status != refunded {
		if err := json.Unmarshal([]byte(spots), &on); err != nil {
			return fmt.Errorf("read ticket %d: %w", id, err)
		}
	}
	h.put(on)
	return nil
}

// room refuses what would be too much together with what the player has on the table already.
func (f frame) room(lying *held, on staked) error {
	if lying.tickets >= ticketsPerRound {
		return ErrTooMany
	}
	for _, id := range slices.Sorted(maps.Keys(on)) {
		place, err := f.table.find(id)
		if err != nil {
			return err
		}
		if most := f.limits.most(place); on[id] > most || lying.on[id] > most-on[id] {
			return ErrSpotLimit.On("spots").With("spot", id)
		}
	}
	return nil
}

// isNone tells that there is no such row.
func isNone(err error) bool { return errors.Is(err, sql.ErrNoRows) }
