package vendor

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// moves is the table of rows posted with the transfers of vendors' calls.
var moves = ledger.NewTable("vendor_move",
	ledger.Column{Name: "vendor_id", Type: ledger.Int}, ledger.Column{Name: "member_id", Type: ledger.Int},
	ledger.Column{Name: "round", Type: ledger.Text}, ledger.Column{Name: "call", Type: ledger.Text},
	ledger.Column{Name: "tx", Type: ledger.Text}, ledger.Column{Name: "amount", Type: ledger.Int},
	ledger.Column{Name: "currency", Type: ledger.Text}, ledger.Column{Name: "play_id", Type: ledger.Int},
	ledger.Column{Name: "game_id", Type: ledger.Int}, ledger.Column{Name: "ends", Type: ledger.Bool},
	ledger.Column{Name: "at", Type: ledger.Int},
)

// Values of vendor_move.call.
const (
	moveBet      = "bet"
	moveWin      = "win"
	moveRollback = "rollback" // of a bet: returns its stake
	moveEnd      = "end"
	movePromo    = "promo"
)

// overMaxAmount marks a stake that is too large for one transfer. The gate rejects it, so the row is never written.
const overMaxAmount = int64(ledger.MaxAmount) + 1

type move struct {
	vendorID, memberID int64
	round, kind, tx    string
	amount             money.Minor
	currency           string
	playID, gameID     int64
	ends               bool
	at                 int64
}

func (m move) toRow() ledger.Row {
	return ledger.Row{Table: moves, Values: []any{
		m.vendorID, m.memberID, m.round, m.kind, m.tx, int64(m.amount), m.currency, m.playID, m.gameID, m.ends, m.at,
	}}
}

// A Move is a row of the betting record, for games that post to the ledger themselves.
type Move struct {
	VendorID, MemberID int64
	Round, Call, Tx    string
	Amount             money.Minor
	Currency           string
	PlayID, GameID     int64
	Ends               bool
	At                 int64
}

// Row returns the row to post with the move's transfer.
func (m Move) Row() ledger.Row {
	return move{m.VendorID, m.MemberID, m.Round, m.Call, m.Tx, m.Amount, m.Currency, m.PlayID, m.GameID, m.Ends, m.At}.toRow()
}

// Ended reports whether a bet was refused because the session has ended or the member is disabled.
func Ended(err error) bool { return errors.Is(err, errSessionEnded) || errors.Is(err, errDisabled) }

// Rounds is the ledger gate that enforces the protocol's rules about rounds and plays. It reads their state in the
// ledger's transaction, which locks the member, so concurrent calls never see the same state. A bet is rejected as
// soon as its play or session has ended or its member is disabled, regardless of what a replica has cached.
type Rounds struct{}

// A roundKey identifies a round. Different players may use the same round ID.
type roundKey struct {
	vendorID, memberID int64
	id                 string
}

type round struct{ bets, wins, ends, bonus int64 }

// paidByBonus reports whether the wins of the round go to a bonus. A bonus pays only in rounds that it opened, so one stake of a bonus
// is enough, even if the round's first stake was rolled back.
func (r *round) paidByBonus() bool { return r.bonus > 0 }

// A step is the effect of one post on its round.
type step struct {
	key      roundKey
	kind     string
	ends     bool
	currency string
	playID   int64
	overMax  bool // larger than one transfer allows
}

// needsPlay reports whether the movement is accepted only while its play is running.
func (s *step) needsPlay() bool { return s.kind == moveBet || s.kind == movePromo }

// Prepare implements ledger.Limits.
func (Rounds) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	g := &roundGate{rounds: map[roundKey]*round{}, ended: map[int64]code{}}
	var keys []roundKey
	var plays []int64
	for _, t := range posts {
		s := stepOf(t)
		if s == nil {
			continue
		}
		if s.kind != movePromo && g.rounds[s.key] == nil {
			g.rounds[s.key] = &round{}
			keys = append(keys, s.key)
		}
		if s.needsPlay() && !slices.Contains(plays, s.playID) {
			plays = append(plays, s.playID)
		}
	}
	return ledger.LimitCheck{Reads: append(g.reads(engine, keys), g.playReads(engine, plays)...), Open: g.open}
}

func (g *roundGate) open(_ context.Context, _ ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
	g.posts, g.steps = posts, make([]*step, len(posts))
	for i := range posts {
		g.steps[i] = stepOf(&posts[i].Transfer)
	}
	return g, nil
}

// stepOf returns the step in the transfer's vendor_move row, or nil if it has none.
func stepOf(t *ledger.Transfer) *step {
	for _, row := range t.Rows {
		if row.Table == moves {
			v := row.Values
			return &step{
				key:  roundKey{v[0].(int64), v[1].(int64), v[2].(string)},
				kind: v[3].(string), currency: v[6].(string), playID: v[7].(int64), ends: v[9].(bool), overMax: v[5].(int64) == overMaxAmount,
			}
		}
	}
	return nil
}

const (
	// bonusStakes counts the stakes of a round that a bonus paid and that were not rolled back.
	bonusStakes = `(SELECT COUNT(*) FROM bonus_stake b WHERE b.vendor_id = r.vendor_id AND b.round = r.round AND b.member_id = r.member_id AND NOT b.reversed)`
	readRound   = `SELECT r.standing, r.wins, r.ends, ` + bonusStakes + ` FROM vendor_round r WHERE r.vendor_id = $1 AND r.member_id = $2 AND r.round = $3`
	readRounds  = `SELECT x.i, r.standing, r.wins, r.ends, ` + bonusStakes + ` FROM unnest($1::bigint[], $2::bigint[], $3::text[]) WITH ORDINALITY x (vendor_id, member_id, round, i)
JOIN vendor_round r ON r.vendor_id = x.vendor_id AND r.round = x.round AND r.member_id = x.member_id`
)

// reads returns the statements that load the rounds' states. PostgreSQL loads them all in one statement.
func (g *roundGate) reads(engine db.Engine, keys []roundKey) (all []ledger.Read) {
	if engine == db.SQLite || len(keys) == 1 {
		for _, k := range keys {
			r := g.rounds[k]
			all = append(all, ledger.Read{Statement: readRound, Args: []any{k.vendorID, k.memberID, k.id}, Take: func(row ledger.Scanner) error {
				return row.Scan(&r.bets, &r.wins, &r.ends, &r.bonus)
			}})
		}
		return all
	}
	if len(keys) == 0 {
		return nil
	}
	vendors, members, ids := make([]int64, len(keys)), make([]int64, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		vendors[i], members[i], ids[i] = k.vendorID, k.memberID, k.id
	}
	return []ledger.Read{{Statement: readRounds, Args: []any{vendors, members, ids}, Take: func(row ledger.Scanner) error {
		var i int
		var r round
		if err := row.Scan(&i, &r.bets, &r.wins, &r.ends, &r.bonus); err != nil {
			return err
		}
		*g.rounds[keys[i-1]] = r
		return nil
	}}}
}

// readEnded selects the plays that have ended. For a play without a stored session, only the member's status counts.
const readEnded = `SELECT p.id, p.closed_at IS NOT NULL, p.closed_why, m.status, COALESCE(s.ended_why, '') FROM play p
JOIN member m ON m.id = p.member_id LEFT JOIN session s ON s.id = p.session_id
WHERE p.id %s AND (p.closed_at IS NOT NULL OR m.status <> 'active' OR s.ended_at IS NOT NULL)`

var readEndedPostgres, readEndedSQLite = fmt.Sprintf(readEnded, "= ANY($1)"), fmt.Sprintf(readEnded, "= $1")

// playReads returns the statements that find the plays that have ended.
func (g *roundGate) playReads(engine db.Engine, plays []int64) (all []ledger.Read) {
	if len(plays) == 0 {
		return nil
	}
	if engine == db.Postgres {
		return []ledger.Read{{Statement: readEndedPostgres, Args: []any{plays}, Take: g.takeEnded}}
	}
	for _, id := range plays {
		all = append(all, ledger.Read{Statement: readEndedSQLite, Args: []any{id}, Take: g.takeEnded})
	}
	return all
}

func (g *roundGate) takeEnded(row ledger.Scanner) error {
	var id int64
	var closed bool
	var closedWhy, status, endedWhy string
	if err := row.Scan(&id, &closed, &closedWhy, &status, &endedWhy); err != nil {
		return fmt.Errorf("read play: %w", err)
	}
	g.ended[id] = reasonOfEnd(closed, closedWhy, status, endedWhy)
	return nil
}

type roundGate struct {
	posts  []ledger.Guarded
	steps  []*step
	rounds map[roundKey]*round
	ended  map[int64]code // plays that have ended
}

// Stop implements ledger.Stopper. The protocol does not remember these rejections.
func (g *roundGate) Stop(i int) error {
	s := g.steps[i]
	if s != nil && s.kind == moveWin && g.posts[i].CreditAccount.Kind == ledger.Cash && g.rounds[s.key].paidByBonus() {
		return errBonusRound
	}
	if s == nil || !s.needsPlay() {
		return nil
	}
	switch g.ended[s.playID] {
	case sessionExpired:
		return errSessionEnded
	case accountDisabled:
		return errDisabled
	default:
		return nil
	}
}

// Admit implements ledger.Gate. It checks in the protocol's order: currency, then round, then funds.
func (g *roundGate) Admit(i int) string {
	s := g.steps[i]
	if s == nil {
		return ""
	}
	if s.needsPlay() && g.ended[s.playID] == excluded {
		return refusedExcluded
	}
	if s.kind != moveRollback && s.currency != g.posts[i].DebitAccount.Currency {
		return refusedCurrency
	}
	if s.kind == movePromo {
		return ""
	}
	switch r := g.rounds[s.key]; {
	case s.kind != moveEnd && r.ends > 0, s.kind == moveRollback && r.wins > 0:
		return refusedClosed
	case s.kind == moveWin && r.bets == 0:
		return refusedNoRound
	}
	if s.overMax {
		return ledger.ErrInsufficient.Code
	}
	return ""
}

// Count implements ledger.Gate.
func (g *roundGate) Count(i int) {
	s := g.steps[i]
	if s == nil || s.kind == movePromo {
		return
	}
	r := g.rounds[s.key]
	switch s.kind {
	case moveBet:
		r.bets++
	case moveRollback:
		r.bets--
	case moveWin:
		r.wins++
	}
	if s.ends {
		r.ends++
	}
}
