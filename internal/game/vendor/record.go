package vendor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/page"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// Round statuses.
const (
	statusOpen     = "open"
	statusWon      = "won"      // returns, including jackpots, are at least the stake
	statusLost     = "lost"     // returns are less than the stake
	statusRefunded = "refunded" // all stakes were returned

	statusPromo = "promo" // not a round: a vendor's promotion
)

const (
	defaultPeriod = 7 * 24 * time.Hour
	maxPeriod     = 92 * 24 * time.Hour
)

// A Filter selects rounds. Empty fields match all.
type Filter struct {
	Category, Vendor, Status string
	From, To                 time.Time // start of the round; To is exclusive
	Cursor                   string
	Size                     int
}

// A Round is a member's round, or a vendor's promotion. A promotion has no stake, and its ID is the call's txId.
type Round struct {
	ID, Vendor, VendorName   string
	Game, GameName, Category string
	GameID                   int64
	Stake, Win               money.Minor // taken and paid by the game
	Jackpot                  money.Minor // won by the round's stakes
	Jackpots                 []JackpotWin
	Status                   string
	StartedAt                int64
	SettledAt                int64 // Unix milliseconds; 0 means not settled
	Provable                 bool  // the House publishes a proof of the round

	firstID int64
}

// Net returns the member's gain or loss.
func (r Round) Net() money.Minor {
	if r.Status == statusRefunded {
		return r.Win + r.Jackpot
	}
	return r.Win + r.Jackpot - r.Stake
}

// A JackpotWin is a pool won by a stake of the round. Series and Nonce identify its draw.
type JackpotWin struct {
	Series, Nonce int64
	Amount        money.Minor
}

// Totals are over all selected rounds. Refunded stakes do not count.
type Totals struct {
	Rounds                   int64
	Stake, Win, Jackpot, Net money.Minor // Net includes finished rounds only. It is summed separately, because the other sums may be capped.
	Open                     money.Minor // stakes in running rounds
	Promo                    money.Minor // promotions
}

// An Hour has the totals of one hour: the gains of rounds with a positive net and the losses of the other rounds.
type Hour struct {
	At        int64 // start in Unix milliseconds, on a quarter hour; the first hour starts when the period does
	Won, Lost money.Minor
}

// recordFilter is the condition for a Filter. r is a round or a row of round_sum, g is its game and v its vendor.
const recordFilter = `($4 = '' OR g.category = $4) AND ($5 = '' OR v.code = $5) AND ($6 = '' OR r.status = $6)`

// gameName returns the expression for the name of game g in a language, or its code if it has no name.
func gameName(language string) string {
	return `COALESCE((SELECT n.name FROM game_name n WHERE n.game_id = g.id AND n.language = ` + language + `), g.code)`
}

// listRounds selects a page of rounds after a cursor, newest first. CROSS JOIN stops SQLite from reordering the joins. The time of a
// round is that of its first move. The round includes later moves and jackpots.
var listRounds = `SELECT r.round, v.code, v.display_name, v.launch_url, g.code, ` + gameName("$7") + `, g.category, r.game_id, r.staked, r.refunded, r.won, r.jackpot, r.status,
  r.started, r.settled, r.first_id
FROM vendor_round r CROSS JOIN game g CROSS JOIN vendor v
WHERE g.id = r.game_id AND v.id = r.vendor_id
  AND r.member_id = $1 AND r.started >= $2 AND r.started < $3 AND r.status <> '' AND ` + recordFilter + `
  AND r.started <= $8 AND (r.started < $8 OR r.first_id < $9)
ORDER BY r.started DESC, r.first_id DESC LIMIT $10`

// promosFrom selects promotions, which are few and have their own index.
const promosFrom = ` FROM vendor_move m CROSS JOIN game g CROSS JOIN vendor v
WHERE m.call = 'promo' AND g.id = m.game_id AND v.id = m.vendor_id AND m.member_id = $1 AND m.at >= $2 AND m.at < $3
  AND ($4 = '' OR g.category = $4) AND ($5 = '' OR v.code = $5)`

var listPromos = `SELECT m.tx, v.code, v.display_name, g.code, ` + gameName("$6") + `, g.category, m.game_id, m.amount, m.at, m.transfer_id` +
	promosFrom + ` AND m.at <= $7 AND (m.at < $7 OR m.transfer_id < $8) ORDER BY m.at DESC, m.transfer_id DESC LIMIT $9`

// sumPromos overflows only after 9,000 promotions of the largest amount.
const sumPromos = `SELECT COALESCE(CAST(SUM(m.amount) AS BIGINT), 0)` + promosFrom

// sumInterval is the interval of the sums in round_sum.
const sumInterval = 15 * time.Minute

// sumHours sums rounds per hour after $9. From $8 to $7 it uses round_sum and the open rounds. For the rest, less than a quarter hour
// at each end, it uses single rounds.
var sumHours = strings.NewReplacer(
	"{join}", "JOIN game g ON g.id = r.game_id JOIN vendor v ON v.id = g.vendor_id",
	"{stored}", sumColumns(func(name, half string) string { return "r." + name + "_" + half }),
	"{single}", sumColumns(func(name, half string) string {
		amount := map[string]string{
			"stake": "r.staked - r.refunded", "win": "r.won", "jackpot": "r.jackpot", "won": "CASE WHEN r.net > 0 AND r.status <> 'open' THEN r.net ELSE 0 END", "lost": "CASE WHEN r.net < 0 AND r.status <> 'open' THEN -r.net ELSE 0 END",
		}[name]
		if half == "high" {
			return "(" + amount + ") >> 32"
		}
		return "(" + amount + ") & 4294967295"
	}),
	"{sums}", sumColumns(func(name, half string) string { return "CAST(SUM(x." + name + "_" + half + ") AS BIGINT)" }),
	"{filter}", recordFilter,
).Replace(`SELECT x.hour, CAST(SUM(x.rounds) AS BIGINT), {sums} FROM (
  SELECT (r.since - $9) / 3600000 AS hour, r.rounds, {stored} FROM round_sum r {join}
  WHERE r.member_id = $1 AND r.since >= $8 AND r.since < $7 AND {filter}
  UNION ALL
  SELECT (r.started - $9) / 3600000, 1, {single} FROM vendor_round r {join}
  WHERE r.member_id = $1 AND r.status = 'open' AND r.started >= $8 AND r.started < $7 AND {filter}
  UNION ALL
  SELECT (r.started - $9) / 3600000, 1, {single} FROM vendor_round r {join}
  WHERE r.member_id = $1 AND r.status <> '' AND r.started >= $2 AND r.started < $8 AND {filter}
  UNION ALL
  SELECT (r.started - $9) / 3600000, 1, {single} FROM vendor_round r {join}
  WHERE r.member_id = $1 AND r.status <> '' AND r.started >= $7 AND r.started < $3 AND {filter}
) x GROUP BY x.hour HAVING SUM(x.rounds) > 0 ORDER BY x.hour`)

func sumColumns(column func(name, half string) string) string {
	var out []string
	for _, name := range []string{"stake", "win", "jackpot", "won", "lost"} {
		for _, half := range []string{"high", "low"} {
			out = append(out, column(name, half)+" AS "+name+"_"+half)
		}
	}
	return strings.Join(out, ", ")
}

// Record returns a page of a member's rounds and promotions, newest first, and the cursor of the next page.
func (s *Service) Record(ctx context.Context, who rest.Caller, language string, f Filter) (rounds []Round, next string, err error) {
	if f, err = s.period(f); err != nil {
		return nil, "", err
	}
	after, err := page.After(f.Cursor)
	if err != nil {
		return nil, "", err
	}
	if f.Status != statusPromo {
		if rounds, err = s.rounds(ctx, who.MemberID, language, f, after); err != nil {
			return nil, "", err
		}
	}
	if f.Status == "" || f.Status == statusPromo {
		promos, err := s.promos(ctx, who.MemberID, language, f, after)
		if err != nil {
			return nil, "", err
		}
		rounds = append(rounds, promos...)
		slices.SortFunc(rounds, func(a, b Round) int {
			return cmp.Or(cmp.Compare(b.StartedAt, a.StartedAt), cmp.Compare(b.firstID, a.firstID))
		})
	}
	rounds, next = page.Cut(rounds, f.Size, func(r Round) page.Key { return page.Key{At: r.StartedAt, ID: r.firstID} })
	return rounds, next, s.addJackpots(ctx, who.MemberID, rounds)
}

// rounds returns one row more than the page, to detect a next page.
func (s *Service) rounds(ctx context.Context, memberID int64, language string, f Filter, after page.Key) (rounds []Round, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, listRounds,
		memberID, db.Millis(f.From), db.Millis(f.To), f.Category, f.Vendor, f.Status, language, after.At, after.ID, f.Size+1)
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
		lottery := r.Category == spec.Lottery || r.Category == spec.FastLottery // the lottery's frame shows its proofs
		if r.Provable = launchURL == "" && !lottery; r.Status != statusRefunded {
			r.Stake -= refunded
		}
		rounds = append(rounds, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read rounds: %w", err)
	}
	return rounds, nil
}

// promos returns one row more than the page, to detect a next page.
func (s *Service) promos(ctx context.Context, memberID int64, language string, f Filter, after page.Key) (promos []Round, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, listPromos,
		memberID, db.Millis(f.From), db.Millis(f.To), f.Category, f.Vendor, language, after.At, after.ID, f.Size+1)
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

// maxJackpots limits the jackpots of one page. If there are more, the page lists the newest, but the sums include all.
const maxJackpots = 1000

func (s *Service) addJackpots(ctx context.Context, memberID int64, rounds []Round) error {
	if !slices.ContainsFunc(rounds, func(r Round) bool { return r.Jackpot > 0 }) {
		return nil
	}
	wins, err := s.o.Store.Q().JackpotWinsOf(ctx, query.JackpotWinsOfParams{
		MemberID: memberID, Oldest: rounds[len(rounds)-1].StartedAt, Newest: rounds[0].StartedAt, Most: maxJackpots,
	})
	if err != nil {
		return fmt.Errorf("read jackpots: %w", err)
	}
	for _, w := range slices.Backward(wins) {
		for i := range rounds {
			if r := &rounds[i]; r.ID == w.Round && r.Vendor == w.Vendor && r.Status != statusPromo {
				r.Jackpots = append(r.Jackpots, JackpotWin{w.Series, w.Nonce, money.Minor(w.Amount)})
			}
		}
	}
	return nil
}

// RecordTotals returns the totals of all selected rounds, and the totals of each hour that has rounds. It ignores the filter's page.
func (s *Service) RecordTotals(ctx context.Context, who rest.Caller, f Filter) (t Totals, hours []Hour, err error) {
	if f, err = s.period(f); err != nil {
		return t, nil, err
	}
	from, to, quarter := db.Millis(f.From), db.Millis(f.To), sumInterval.Milliseconds()
	reader := db.Bind(s.o.Store.Engine, s.o.Store.Reader)
	if f.Status == "" || f.Status == statusPromo {
		if err := reader.QueryRowContext(ctx, sumPromos, who.MemberID, from, to, f.Category, f.Vendor).Scan(&t.Promo); err != nil {
			return t, nil, fmt.Errorf("sum promotions: %w", err)
		}
	}
	alignedFrom := from - from%quarter
	sumsFrom, sumsUntil := from+(quarter-from%quarter)%quarter, to-to%quarter
	if sumsFrom >= sumsUntil { // no whole quarter hour
		sumsFrom, sumsUntil = to, to
	}
	rows, err := reader.QueryContext(ctx, sumHours, who.MemberID, from, to, f.Category, f.Vendor, f.Status, sumsUntil, sumsFrom, alignedFrom)
	if err != nil {
		return t, nil, fmt.Errorf("sum rounds: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var stake, win, jackpot, net money.SplitSum
	for rows.Next() {
		var at, n int64
		var sums [5]money.SplitSum
		if err := rows.Scan(&at, &n, &sums[0].High, &sums[0].Low, &sums[1].High, &sums[1].Low, &sums[2].High, &sums[2].Low, &sums[3].High, &sums[3].Low, &sums[4].High, &sums[4].Low); err != nil {
			return t, nil, fmt.Errorf("read sums: %w", err)
		}
		t.Rounds += n
		stake, win, jackpot, net = stake.Add(sums[0]), win.Add(sums[1]), jackpot.Add(sums[2]), net.Add(sums[3]).Sub(sums[4])
		hours = append(hours, Hour{max(from, alignedFrom+at*time.Hour.Milliseconds()), sums[3].Minor(), sums[4].Minor()})
	}
	t.Stake, t.Win, t.Jackpot, t.Net = stake.Minor(), win.Minor(), jackpot.Minor(), net.Minor()
	t.Open = max(0, net.Add(stake).Sub(win).Sub(jackpot).Minor())
	return t, hours, rows.Err()
}

// period sets the filter's defaults and checks its length. A future end becomes the present.
func (s *Service) period(f Filter) (Filter, error) {
	end := s.o.Now().Add(time.Minute) // include moves made during the read
	if f.To.IsZero() || f.To.After(end) && f.From.Before(end) {
		f.To = end
	}
	if f.From.IsZero() {
		f.From = f.To.Add(-defaultPeriod).Truncate(sumInterval) // aligned with the stored sums
	}
	if !f.From.Before(f.To) {
		return f, ErrPeriod.On("from")
	}
	if f.To.Sub(f.From) > maxPeriod+2*time.Minute {
		return f, ErrPeriod.On("to").With("days", int(maxPeriod.Hours()/24))
	}
	return f, nil
}
