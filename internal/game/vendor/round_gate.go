package vendor

import (
	"context"

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

// Rounds is the ledger gate that enforces the protocol's rules about rounds. It reads the round's state in the
// ledger's transaction, which locks the member, so concurrent calls never see the same state.
type Rounds struct{}

// A roundKey identifies a round. Different players may use the same round ID.
type roundKey struct {
	vendorID, memberID int64
	id                 string
}

type round struct{ bets, wins, ends int64 }

// A step is the effect of one post on its round.
type step struct {
	key      roundKey
	kind     string
	ends     bool
	currency string
	overMax  bool // larger than one transfer allows
}

// Prepare implements ledger.Limits.
func (Rounds) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	g := &roundGate{rounds: map[roundKey]*round{}}
	var keys []roundKey
	for _, t := range posts {
		if s := stepOf(t); s != nil && s.kind != movePromo && g.rounds[s.key] == nil {
			g.rounds[s.key] = &round{}
			keys = append(keys, s.key)
		}
	}
	return ledger.LimitCheck{Reads: g.reads(engine, keys), Open: g.open}
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
				kind: v[3].(string), currency: v[6].(string), ends: v[9].(bool), overMax: v[5].(int64) == overMaxAmount,
			}
		}
	}
	return nil
}

const (
	readRound  = `SELECT r.standing, r.wins, r.ends FROM vendor_round r WHERE r.vendor_id = $1 AND r.member_id = $2 AND r.round = $3`
	readRounds = `SELECT x.i, r.standing, r.wins, r.ends FROM unnest($1::bigint[], $2::bigint[], $3::text[]) WITH ORDINALITY x (vendor_id, member_id, round, i)
JOIN vendor_round r ON r.vendor_id = x.vendor_id AND r.round = x.round AND r.member_id = x.member_id`
)

// reads returns the statements that load the rounds' states. PostgreSQL loads them all in one statement.
func (g *roundGate) reads(engine db.Engine, keys []roundKey) (all []ledger.Read) {
	if engine == db.SQLite || len(keys) == 1 {
		for _, k := range keys {
			r := g.rounds[k]
			all = append(all, ledger.Read{Statement: readRound, Args: []any{k.vendorID, k.memberID, k.id}, Take: func(row ledger.Scanner) error {
				return row.Scan(&r.bets, &r.wins, &r.ends)
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
		if err := row.Scan(&i, &r.bets, &r.wins, &r.ends); err != nil {
			return err
		}
		*g.rounds[keys[i-1]] = r
		return nil
	}}}
}

type roundGate struct {
	posts  []ledger.Guarded
	steps  []*step
	rounds map[roundKey]*round
}

// Admit implements ledger.Gate. It checks in the protocol's order: currency, then round, then funds.
func (g *roundGate) Admit(i int) string {
	s := g.steps[i]
	if s == nil {
		return ""
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
