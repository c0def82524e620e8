package vendor

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// How a round stands.
const (
	statusOpen     = "open"
	statusWon      = "won"      // what came back, by the game or as a jackpot, is at least what was staked
	statusLost     = "lost"     // it is less
	statusRefunded = "refunded" // every stake was given back

	statusPromo = "promo" // no round: what a vendor gave
)

const (
	recordFor  = 7 * 24 * time.Hour // shown unless said otherwise
	recordMost = 92 * 24 * time.Hour
)

// Filter says which rounds are meant. What is empty is not compared.
type Filter struct {
	Category, Vendor, Status string
	From, To                 time.Time // when they began; To is not among them
	Cursor                   string
	Size                     int
}

// Round is one of a member's, or a vendor's promotion, which is won without a stake and whose id is the call's.
type Round struct {
	ID, Vendor, VendorName   string
	Game, GameName, Category string
	GameID                   int64
	Stake, Win               money.Minor // what the game took and paid
	Jackpot                  money.Minor // what its stakes won beside that
	Jackpots                 []JackpotWin
	Status                   string
	StartedAt                int64
	SettledAt                int64 // 0: not yet
	Provable                 bool  // the House's, which shows how it was drawn

	firstID int64
}

// Net is what the member has more by it, or less.
func (r Round) Net() money.Minor {
	if r.Status == statusRefunded {
		return r.Win + r.Jackpot
	}
	return r.Win + r.Jackpot - r.Stake
}

// JackpotWin is a pool that a stake of the round has won, with what its draw is found by.
type JackpotWin struct {
	Series, Nonce int64
	Amount        money.Minor
}

// Totals are over all rounds that the filter lets through. What was refunded was not staked.
type Totals struct {
	Rounds                   int64
	Stake, Win, Jackpot, Net money.Minor // net of itself: the others may stand at their bound. It is that of rounds that are over
	Open                     money.Minor // what lies in rounds that still run: neither won nor lost
	Promo                    money.Minor // what vendors gave beside rounds
}

// Hour is what an hour of rounds came to: what those that brought something brought, and what the others cost.
type Hour struct {
	At        int64 // when it began; hours are counted from the filter's From
	Won, Lost money.Minor
}

// recordFilter keeps to what is asked for. r is a round or the sum of some, g its game, v its vendor.
const recordFilter = `($4 = '' OR g.category = $4) AND ($5 = '' OR v.code = $5) AND ($6 = '' OR r.status = $6)`

// gameName is that of the game g in a language, or its code where it has none: what was played is shown all the same.
func gameName(language string) string {
	return `COALESCE((SELECT n.name FROM game_name n WHERE n.game_id = g.id AND n.language = ` + language + `), g.code)`
}

// listRounds walks down a member's rounds from a place and stops when the page is full (CROSS JOIN keeps SQLite to that order). A round belongs to the time of its first move, with
// all that came later: also the jackpot that one of its stakes won.
var listRounds = `SELECT r.round, v.code, v.display_name, v.launch_url, g.code, ` + gameName("$7") + `, g.category, r.game_id, r.staked, r.refunded, r.won, r.jackpot, r.status,
  r.started, r.settled, r.first_id
FROM vendor_round r CROSS JOIN game g CROSS JOIN vendor v
WHERE g.id = r.game_id AND v.id = r.vendor_id
  AND r.member_id = $1 AND r.started >= $2 AND r.started < $3 AND r.status <> '' AND ` + recordFilter + `
  AND r.started <= $8 AND (r.started < $8 OR r.first_id < $9)
ORDER BY r.started DESC, r.first_id DESC LIMIT $10`

// The promotions of a member, in the same manner. They are few, and have an index of their own.
const promosMeant = ` FROM vendor_move m CROSS JOIN game g CROSS JOIN vendor v
WHERE m.call = 'promo' AND g.id = m.game_id AND v.id = m.vendor_id AND m.member_id = $1 AND m.at >= $2 AND m.at < $3
  AND ($4 = '' OR g.category = $4) AND ($5 = '' OR v.code = $5)`

var listPromos = `SELECT m.tx, v.code, v.display_name, g.code, ` + gameName("$6") + `, g.category, m.game_id, m.amount, m.at, m.transfer_id` +
	promosMeant + ` AND m.at <= $7 AND (m.at < $7 OR m.transfer_id < $8) ORDER BY m.at DESC, m.transfer_id DESC LIMIT $9`

var sumPromos = `SELECT ` + db.Total("m.amount") + promosMeant

// quarter is the time over which rounds that are over are kept summed up.
const quarter = 15 * time.Minute

// sumHours adds up by the hour, counted from the time that is asked for. Up to a time ($7) that is made of kept sums, and of the rounds that
// are still open; from there on, less than a quarter of an hour unless hours begin amid them, of the rounds themselves.
var sumHours = strings.NewReplacer(
	"{join}", "JOIN game g ON g.id = r.game_id JOIN vendor v ON v.id = g.vendor_id",
	"{kept}", everyHalf(func(name, half string) string { return "r." + name + "_" + half }),
	"{own}", everyHalf(func(name, half string) string {
		amount := map[string]string{
			"stake": "r.staked - r.refunded", "win": "r.won", "jackpot": "r.jackpot", "won": "CASE WHEN r.net > 0 AND r.status <> 'open' THEN r.net ELSE 0 END", "lost": "CASE WHEN r.net < 0 AND r.status <> 'open' THEN -r.net ELSE 0 END",
		}[name]
		if half == "high" {
			return "(" + amount + ") >> 32"
		}
		return "(" + amount + ") & 4294967295"
	}),
	"{sums}", everyHalf(func(name, half string) string { return "CAST(SUM(x." + name + "_" + half + ") AS BIGINT)" }),
	"{filter}", recordFilter,
).Replace(`SELECT x.hour, CAST(SUM(x.rounds) AS BIGINT), {sums} FROM (
  SELECT (r.since - $2) / 3600000 AS hour, r.rounds, {kept} FROM round_sum r {join}
  WHERE r.member_id = $1 AND r.since >= $2 AND r.since < $7 AND {filter}
  UNION ALL
  SELECT (r.started - $2) / 3600000, 1, {own} FROM vendor_round r {join}
  WHERE r.member_id = $1 AND r.status = 'open' AND r.started >= $2 AND r.started < $7 AND {filter}
  UNION ALL
  SELECT (r.started - $2) / 3600000, 1, {own} FROM vendor_round r {join}
  WHERE r.member_id = $1 AND r.status <> '' AND r.started >= $7 AND r.started < $3 AND {filter}
) x GROUP BY x.hour HAVING SUM(x.rounds) > 0 ORDER BY x.hour`)

// everyHalf gives the columns of sums, by their names.
func everyHalf(column func(name, half string) string) string {
	var out []string
	for _, name := range []string{"stake", "win", "jackpot", "won", "lost"} {
		for _, half := range []string{"high", "low"} {
			out = append(out, column(name, half)+" AS "+name+"_"+half)
		}
	}
	return strings.Join(out, ", ")
}

// Record gives a page of a member's rounds and promotions, the newest first.
func (s *Service) Record(ctx context.Context, who rest.Caller, language string, f Filter) (rounds []Round, next string, err error) {
	if f, err = s.period(f); err != nil {
		return nil, "", err
	}
	before, beforeID, err := readCursor(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	if f.Status != statusPromo {
		if rounds, err = s.rounds(ctx, who.MemberID, language, f, before, beforeID); err != nil {
			return nil, "", err
		}
	}
	if f.Status == "" || f.Status == statusPromo {
		promos, err := s.promos(ctx, who.MemberID, language, f, before, beforeID)
		if err != nil {
			return nil, "", err
		}
		rounds = append(rounds, promos...)
		slices.SortFunc(rounds, func(a, b Round) int {
			return cmp.Or(cmp.Compare(b.StartedAt, a.StartedAt), cmp.Compare(b.firstID, a.firstID))
		})
	}
	if len(rounds) > f.Size {
		rounds = rounds[:f.Size]
		next = writeCursor(rounds[f.Size-1])
	}
	return rounds, next, s.addJackpots(ctx, who.MemberID, rounds)
}

// rounds gives those before a place, one more than the page has.
func (s *Service) rounds(ctx context.Context, memberID int64, language string, f Filter, before, beforeID int64) (rounds []Round, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, listRounds,
		memberID, db.Millis(f.From), db.Millis(f.To), f.Category, f.Vendor, f.Status, language, before, beforeID, f.Size+1)
	if err != nil {
		return nil, fmt.Errorf("read rounds: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Round
		var launchURL string
		var refunded money.Minor
		if err := rows.Scan(&r.ID, &r.Vendor, &r.VendorName, &launchURL, &r.Game, &r.GameName, &r.Category, &r.GameID, &r.Stake, &refunded,
			&r.Win, &r.Jackpot, &r.Status, &r.StartedAt, &r.SettledAt, &r.firstID); err != nil {
			return nil, fmt.Errorf("read round: %w", err)
		}
		if r.Provable = launchURL == ""; r.Status != statusRefunded {
			r.Stake -= refunded
		}
		rounds = append(rounds, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read rounds: %w", err)
	}
	return rounds, nil
}

// promos gives those before a place, one more than the page has.
func (s *Service) promos(ctx context.Context, memberID int64, language string, f Filter, before, beforeID int64) (promos []Round, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, listPromos,
		memberID, db.Millis(f.From), db.Millis(f.To), f.Category, f.Vendor, language, before, beforeID, f.Size+1)
	if err != nil {
		return nil, fmt.Errorf("read promotions: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		p := Round{Status: statusPromo}
		if err := rows.Scan(&p.ID, &p.Vendor, &p.VendorName, &p.Game, &p.GameName, &p.Category, &p.GameID, &p.Win, &p.StartedAt, &p.firstID); err != nil {
			return nil, fmt.Errorf("read promotion: %w", err)
		}
		p.SettledAt = p.StartedAt
		promos = append(promos, p)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read promotions: %w", err)
	}
	return promos, nil
}

// addJackpots names the draws by which rounds have won a pool.
func (s *Service) addJackpots(ctx context.Context, memberID int64, rounds []Round) error {
	if !slices.ContainsFunc(rounds, func(r Round) bool { return r.Jackpot > 0 }) {
		return nil
	}
	wins, err := s.o.Store.Q().JackpotWinsOf(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read jackpots: %w", err)
	}
	for _, w := range wins {
		for i := range rounds {
			if r := &rounds[i]; r.ID == w.Round && r.Vendor == w.Vendor && r.Status != statusPromo {
				r.Jackpots = append(r.Jackpots, JackpotWin{w.Series, w.Nonce, money.Minor(w.Amount)})
			}
		}
	}
	return nil
}

// Sums gives what all of a member's rounds that are meant come to, and by the hours in which there were any.
func (s *Service) Sums(ctx context.Context, who rest.Caller, f Filter) (t Totals, hours []Hour, err error) {
	if f, err = s.period(f); err != nil {
		return t, nil, err
	}
	from, to, kept := db.Millis(f.From), db.Millis(f.To), db.Millis(f.From)
	reader := db.Bind(s.o.Store.Engine, s.o.Store.Reader)
	if f.Status == "" || f.Status == statusPromo {
		if err := reader.QueryRowContext(ctx, sumPromos, who.MemberID, from, to, f.Category, f.Vendor).Scan(&t.Promo); err != nil {
			return t, nil, fmt.Errorf("add up promotions: %w", err)
		}
	}
	if from%quarter.Milliseconds() == 0 {
		kept = max(from, to-to%quarter.Milliseconds())
	}
	rows, err := reader.QueryContext(ctx, sumHours, who.MemberID, from, to, f.Category, f.Vendor, f.Status, kept)
	if err != nil {
		return t, nil, fmt.Errorf("add up rounds: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var stake, win, jackpot, net money.SplitSum
	for rows.Next() {
		var at, n int64
		var of [5]money.SplitSum
		if err := rows.Scan(&at, &n, &of[0].High, &of[0].Low, &of[1].High, &of[1].Low, &of[2].High, &of[2].Low, &of[3].High, &of[3].Low, &of[4].High, &of[4].Low); err != nil {
			return t, nil, fmt.Errorf("read sums: %w", err)
		}
		t.Rounds += n
		stake, win, jackpot, net = stake.Add(of[0]), win.Add(of[1]), jackpot.Add(of[2]), net.Add(of[3]).Sub(of[4])
		hours = append(hours, Hour{from + at*time.Hour.Milliseconds(), of[3].Minor(), of[4].Minor()})
	}
	t.Stake, t.Win, t.Jackpot, t.Net = stake.Minor(), win.Minor(), jackpot.Minor(), net.Minor()
	t.Open = max(0, net.Add(stake).Sub(win).Sub(jackpot).Minor())
	return t, hours, rows.Err()
}

// period completes the time that is asked for, and keeps it to what is kept at hand. What is not yet has no rounds: an end ahead is now.
func (s *Service) period(f Filter) (Filter, error) {
	end := s.o.Now().Add(time.Minute) // what happens while it is read
	if f.To.IsZero() || f.To.After(end) && f.From.Before(end) {
		f.To = end
	}
	if f.From.IsZero() {
		f.From = f.To.Add(-recordFor).Truncate(quarter) // from there on sums are kept
	}
	if !f.From.Before(f.To) {
		return f, ErrPeriod.On("from")
	}
	if f.To.Sub(f.From) > recordMost+2*time.Minute {
		return f, ErrPeriod.On("to").With("days", int(recordMost.Hours()/24))
	}
	return f, nil
}

const farAhead = int64(1) << 62

func writeCursor(r Round) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%d", r.StartedAt, r.firstID))
}

func readCursor(cursor string) (at, id int64, err error) {
	if cursor == "" {
		return farAhead, farAhead, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Fscanf(strings.NewReader(string(raw)), "%d.%d", &at, &id)
	}
	if err != nil || at < 0 || id < 0 || writeCursor(Round{StartedAt: at, firstID: id}) != cursor {
		return 0, 0, rest.ErrParam.On("cursor")
	}
	return at, id, nil
}
