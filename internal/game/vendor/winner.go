package vendor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/spec"
)

// maxSum is the value at which the sums of a round are capped.
const maxSum = "4611686018427387904" // 1<<62

const winsPeriod = 30 * 24 * time.Hour

// A Win is a winning round, or a jackpot win, of a member who plays for real money.
type Win struct {
	Username string
	Game     string // game code
	Launch   string // code with which the game is launched
	Amount   money.Minor
	Currency string
	at       int64
}

// A query scans at most maxScannedWins wins of a merchant, so that the wins of a rare category do not cost a scan of a month
// of wins in other categories.
const (
	maxWins        = 100
	maxScannedWins = 20_000
	winsTimeout    = 10 * time.Second
)

// latestWins selects finished rounds that paid more than their stake, newest first. CROSS JOIN stops SQLite from
// reordering the joins. A round that ended twice is listed at the time of its first end. Wins of other merchants and of trial
// members do not count towards scanLimit: the column board holds the merchant's id for rounds that may be listed.
// won = maxSum selects rounds whose sum was capped.
func latestWins(scanLimit int) string {
	return `SELECT m.account, g.code, g.launch_code, r.won, b.currency, CASE WHEN r.ends = 1 THEN r.settled ELSE (
  SELECT MIN(x.at) FROM vendor_move x WHERE x.member_id = r.member_id AND x.at >= r.started AND x.at <= r.settled AND x.vendor_id = r.vendor_id AND x.round = r.round AND x.ends
) END
FROM (
  SELECT * FROM vendor_round WHERE board = $2 AND settled > $1 AND ends > 0 AND (won > staked - refunded OR won = ` + maxSum + `)
  ORDER BY settled DESC, first_id DESC LIMIT ` + strconv.Itoa(scanLimit) + `
) r CROSS JOIN game g CROSS JOIN vendor v CROSS JOIN member m CROSS JOIN vendor_move b
WHERE g.id = r.game_id AND v.id = g.vendor_id AND m.id = r.member_id AND b.transfer_id = r.first_id
  AND m.type <= 2 AND (CAST($3 AS TEXT) = '' OR g.category = $3 OR $3 = '` + spec.JadeLantern + `' AND v.code = '` + spec.VendorJL + `')
ORDER BY r.settled DESC, r.first_id DESC LIMIT ` + strconv.Itoa(maxWins)
}

var latestJackpots = `SELECT m.account, g.code, g.launch_code, w.amount, w.currency, w.won_at
FROM jackpot_win w JOIN vendor_move b ON b.transfer_id = w.ticket_id JOIN game g ON g.id = b.game_id JOIN vendor v ON v.id = g.vendor_id JOIN member m ON m.id = w.member_id
WHERE w.won_at > $1 AND w.merchant_id = $2 AND m.type <= 2
  AND (CAST($3 AS TEXT) = '' OR g.category = $3 OR $3 = '` + spec.JadeLantern + `' AND v.code = '` + spec.VendorJL + `')
ORDER BY w.won_at DESC LIMIT ` + strconv.Itoa(maxWins)

type winsKey struct {
	merchantID int64
	category   string
}

// Winners returns the wins that the site lists.
type Winners struct {
	store     *db.Store
	now       func() time.Time
	cache     *otter.Cache[winsKey, []Win]
	scanLimit int
}

// NewWinners returns Winners.
func NewWinners(store *db.Store, now func() time.Time) *Winners {
	return &Winners{store, now, newCache[winsKey, []Win](now, 256, winsCacheTTL), maxScannedWins}
}

// Wins returns the latest wins of a category, or of all categories if it is empty. Results are cached briefly, and
// concurrent calls share one read.
func (w *Winners) Wins(ctx context.Context, merchantID int64, category string, limit int) ([]Win, error) {
	wins, err := w.cache.Get(ctx, winsKey{merchantID, category}, otter.LoaderFunc[winsKey, []Win](w.readWins))
	if err != nil {
		return nil, err
	}
	return slices.Clone(wins[:min(limit, len(wins))]), nil
}

func (w *Winners) readWins(ctx context.Context, k winsKey) ([]Win, error) {
	// Other callers wait for this read, so it must continue if the first caller is cancelled.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), winsTimeout)
	defer cancel()
	out := []Win{}
	for _, statement := range []string{latestWins(w.scanLimit), latestJackpots} {
		some, err := w.winsBy(ctx, statement, k)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	slices.SortStableFunc(out, func(a, b Win) int { return cmp.Compare(b.at, a.at) })
	return out[:min(maxWins, len(out))], nil
}

func (w *Winners) winsBy(ctx context.Context, statement string, k winsKey) (out []Win, err error) {
	rows, err := db.Bind(w.store.Engine, w.store.Reader).QueryContext(ctx, statement, db.Millis(w.now().Add(-winsPeriod)), k.merchantID, k.category)
	if err != nil {
		return nil, fmt.Errorf("read wins: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var win Win
		if err := rows.Scan(&win.Username, &win.Game, &win.Launch, &win.Amount, &win.Currency, &win.at); err != nil {
			return nil, fmt.Errorf("read win: %w", err)
		}
		out = append(out, win)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read wins: %w", err)
	}
	return out, nil
}
