package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

const currency = "VND"

// A fixture is a database with one member who played few rounds and one who played many.
type fixture struct {
	store       *db.Store
	ledger      *ledger.Ledger
	bus         *events.Bus
	limits      *limits.Service
	vendors     *vendor.Service
	house       int64
	short, long *player
	keys        atomic.Int64
}

type player struct {
	id, cash int64
	next     string // cursor of the second page of the record
}

func open(ctx context.Context, o db.Options, rounds int) (*fixture, error) {
	store, err := db.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	bus, err := events.OpenBus(events.BusOptions{})
	if err != nil {
		return nil, err
	}
	s := &fixture{store: store, bus: bus, limits: limits.New(limits.Options{Store: store, Now: time.Now})}
	s.ledger = ledger.New(store, ledger.Options{Limits: s.limits})
	s.vendors = vendor.New(vendor.Options{Store: store, Ledger: s.ledger, Now: time.Now, PlayedSince: s.playedSince})
	if err := s.fill(ctx, rounds); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *fixture) close() {
	s.bus.Close()
	s.ledger.Close()
	_ = s.store.Close()
}

func (s *fixture) fill(ctx context.Context, rounds int) error {
	if err := s.store.Migrate(ctx); err != nil {
		return err
	}
	if err := s.exec(ctx, "INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'bench', 'Bench', $1, 0)", currency); err != nil {
		return err
	}
	for _, statement := range []string{
		"INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled) VALUES (2, 1, 'PG', 'PG', 'RNG', 1, TRUE)",
		`INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, icon, min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled)
VALUES (3, 1, 2, 'g', 'RNG', 'g', '/x', 0, 0, TRUE, FALSE, 1, 0, TRUE)`,
		"INSERT INTO game_name (game_id, language, name) VALUES (3, 'en', 'One')",
	} {
		if err := s.exec(ctx, statement); err != nil {
			return err
		}
	}
	source, err := s.ledger.House(ctx, 1, ledger.Deposits, currency)
	if err != nil {
		return err
	}
	house, err := s.ledger.House(ctx, 1, ledger.Vendor("HOUSE"), currency)
	if err != nil {
		return err
	}
	s.house = house.ID
	if s.short, err = s.addMember(ctx, 1, source.ID, 10); err != nil {
		return err
	}
	s.long, err = s.addMember(ctx, 2, source.ID, rounds)
	return err
}

// addMember adds a member with a high balance, nine limits that are never reached, and rounds over the last thirty
// days.
func (s *fixture) addMember(ctx context.Context, id, source int64, rounds int) (*player, error) {
	if err := s.exec(ctx, "INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) VALUES ($1, 1, $2, 0, $3, '', 0)",
		id, fmt.Sprintf("member%d", id), currency); err != nil {
		return nil, err
	}
	a, err := s.ledger.EnsureMember(ctx, 1, id, currency)
	if err != nil {
		return nil, err
	}
	_, err = s.ledger.Post(ctx, ledger.Transfer{Key: fmt.Sprintf("fund:%d", id), Debit: source, Credit: a.ID, Amount: 1_000_000_000_000, Kind: "deposit"})
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"deposit", "loss", "stake"} {
		for _, period := range []string{"day", "week", "month"} {
			if err := s.exec(ctx, "INSERT INTO play_limit (member_id, kind, period, currency, amount, since) VALUES ($1, $2, $3, $4, $5, 0)",
				id, kind, period, currency, int64(ledger.MaxAmount)); err != nil {
				return nil, err
			}
		}
	}
	month, first := 30*24*time.Hour.Milliseconds(), 1_000_000_000_000*id
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) "
	err = s.exec(ctx, `INSERT INTO limit_use (transfer_id, member_id, currency, what, amount, at) `+numbers+`
SELECT CAST($2 AS BIGINT) + i, CAST($3 AS BIGINT), CAST($4 AS TEXT), CASE i % 2 WHEN 0 THEN 'stake' ELSE 'return' END, 1000, CAST($5 AS BIGINT) - i / 2 * CAST($6 AS BIGINT) FROM n WHERE i <= $1`,
		2*rounds, first, id, currency, db.Millis(time.Now()), month/int64(rounds))
	if err != nil {
		return nil, err
	}
	err = s.exec(ctx, `INSERT INTO vendor_move (transfer_id, vendor_id, member_id, round, call, tx, amount, currency, play_id, game_id, ends, at) `+numbers+`
SELECT CAST($2 AS BIGINT) + i, 2, CAST($3 AS BIGINT), 'r' || CAST(i / 2 AS TEXT), CASE i % 2 WHEN 0 THEN 'bet' ELSE 'win' END, 't' || CAST(i AS TEXT), CASE i % 2 WHEN 0 THEN 1000 ELSE i % 5 * 500 END, CAST($4 AS TEXT), 1, 3,
  i % 2 = 1, CAST($5 AS BIGINT) - i / 2 * CAST($6 AS BIGINT) FROM n WHERE i > 1 AND i <= $1 ORDER BY i`,
		2*rounds+1, first, id, currency, db.Millis(time.Now()), month/int64(rounds))
	if err != nil {
		return nil, err
	}
	hash := []byte{byte(id)}
	if err := s.exec(ctx, `INSERT INTO play (id, merchant_id, vendor_id, game_id, member_id, session_id, currency, language, trial, ticket_hash, ticket_expires, created_at)
VALUES ($1, 1, 2, 3, $1, 1, $2, 'en', FALSE, $3, 0, $4)`, id, currency, hash, db.Millis(time.Now().Add(-time.Hour))); err != nil {
		return nil, err
	}
	p := &player{id: id, cash: a.ID}
	page, next, err := s.vendors.Record(ctx, rest.Caller{MemberID: id, Currency: currency}, "en", p.period(""))
	if err == nil && len(page) == 0 {
		err = errors.New("the record is empty")
	}
	p.next = next
	return p, err
}

func (s *fixture) exec(ctx context.Context, statement string, args ...any) error {
	_, err := db.Bind(s.store.Engine, s.store.Writer).ExecContext(ctx, statement, args...)
	return err
}

func (s *fixture) bet(ctx context.Context, m *player) error {
	_, err := s.ledger.Post(ctx, ledger.Transfer{
		Key: fmt.Sprintf("bet:%d", s.keys.Add(1)), Debit: m.cash, Credit: s.house, Amount: 1, Kind: "bet", Guarded: true,
		Rows: []ledger.Row{s.limits.Stake(m.id, currency, 1)},
	})
	return err
}

func (s *fixture) showLimits(ctx context.Context, m *player) error {
	_, err := s.limits.Show(ctx, m.id, currency)
	return err
}

// period selects a month of the record, as the app does.
func (m *player) period(cursor string) vendor.Filter {
	return vendor.Filter{From: time.Now().AddDate(0, 0, -30).Truncate(24 * time.Hour), Cursor: cursor, Size: 5}
}

func (s *fixture) firstPage(ctx context.Context, m *player) error {
	who := rest.Caller{MemberID: m.id, Currency: currency}
	if _, _, err := s.vendors.RecordTotals(ctx, who, m.period("")); err != nil {
		return err
	}
	_, _, err := s.vendors.Record(ctx, who, "en", m.period(""))
	return err
}

func (s *fixture) secondPage(ctx context.Context, m *player) error {
	_, _, err := s.vendors.Record(ctx, rest.Caller{MemberID: m.id, Currency: currency}, "en", m.period(m.next))
	return err
}

func (s *fixture) playedSince(ctx context.Context, memberID int64, currency string, since int64) (vendor.Sums, error) {
	sums, err := s.limits.SumsSince(ctx, memberID, currency, since)
	return vendor.Sums(sums), err
}

func (s *fixture) sitting(ctx context.Context, m *player) error {
	_, err := s.vendors.Sitting(ctx, rest.Caller{MemberID: m.id, Currency: currency}, "en", m.id)
	return err
}
