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

// winsSince is how far back the winner board looks.
const winsSince = 30 * 24 * time.Hour

// Win is one that a real member had.
type Win struct {
	Username string
	Game     string // its code
	Amount   money.Minor
	Currency string
	at       int64
}

// The winner board has at most winsMost rows, and is made of at most winsWalked wins of the merchant's members in all games: where a
// category has few, nobody waits for a month of the others' to be read.
const (
	winsMost   = 100
	winsWalked = 20_000
	winsWithin = 10 * time.Second
)

// latestWins are rounds that are over and brought more than was staked, by when they ended (CROSS JOIN keeps SQLite to that order). One that
// was ended again is over since the first time. What others win, and trials, is not counted in the walked ones.
func latestWins(walked int) string {
	return `SELECT m.account, g.code, r.won, b.currency, CASE WHEN r.ends = 1 THEN r.settled ELSE (
  SELECT MIN(x.at) FROM vendor_move x WHERE x.member_id = r.member_id AND x.at >= r.started AND x.at <= r.settled AND x.vendor_id = r.vendor_id AND x.round = r.round AND x.ends
) END
FROM (
  SELECT * FROM vendor_round WHERE board = $2 AND settled > $1 AND ends > 0 AND (won > staked - refunded OR won = 4611686018427387904)
  ORDER BY settled DESC, first_id DESC LIMIT ` + strconv.Itoa(walked) + `
) r CROSS JOIN game g CROSS JOIN vendor v CROSS JOIN member m CROSS JOIN vendor_move b
WHERE g.id = r.game_id AND v.id = g.vendor_id AND m.id = r.member_id AND b.transfer_id = r.first_id
  AND m.type <= 2 AND (CAST($3 AS TEXT) = '' OR g.category = $3 OR $3 = '` + spec.JadeLantern + `' AND v.code = '` + spec.VendorJL + `')
ORDER BY r.settled DESC, r.first_id DESC LIMIT ` + strconv.Itoa(winsMost)
}

// latestPools are the jackpots that members have won, by when.
var latestPools = `SELECT m.account, g.code, w.amount, w.currency, w.won_at
FROM jackpot_win w JOIN vendor_move b ON b.transfer_id = w.ticket_id JOIN game g ON g.id = b.game_id JOIN vendor v ON v.id = g.vendor_id JOIN member m ON m.id = w.member_id
WHERE w.won_at > $1 AND w.merchant_id = $2 AND m.type <= 2
  AND (CAST($3 AS TEXT) = '' OR g.category = $3 OR $3 = '` + spec.JadeLantern + `' AND v.code = '` + spec.VendorJL + `')
ORDER BY w.won_at DESC LIMIT ` + strconv.Itoa(winsMost)

type winsKey struct {
	merchantID int64
	category   string
}

// Winners reads the winner board from the rounds.
type Winners struct {
	store  *db.Store
	now    func() time.Time
	cache  *otter.Cache[winsKey, []Win]
	walked int
}

// NewWinners makes the board.
func NewWinners(store *db.Store, now func() time.Time) *Winners {
	return &Winners{store, now, timed[winsKey, []Win](now, 256, winsFor), winsWalked}
}

// Wins are the latest of a category, or of all when it is empty, at most so many. Everybody asks for the same few: they are kept
// for a moment, and read once however many ask at a time.
func (w *Winners) Wins(ctx context.Context, merchantID int64, category string, most int) ([]Win, error) {
	board, err := w.cache.Get(ctx, winsKey{merchantID, category}, otter.LoaderFunc[winsKey, []Win](w.readWins))
	if err != nil {
		return nil, err
	}
	return slices.Clone(board[:min(most, len(board))]), nil
}

func (w *Winners) readWins(ctx context.Context, k winsKey) ([]Win, error) {
	// Others wait for it too: it does not end with whoever asked first.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), winsWithin)
	defer cancel()
	out := []Win{}
	for _, statement := range []string{latestWins(w.walked), latestPools} {
		some, err := w.winsBy(ctx, statement, k)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	slices.SortStableFunc(out, func(a, b Win) int { return cmp.Compare(b.at, a.at) })
	return out[:min(winsMost, len(out))], nil
}

func (w *Winners) winsBy(ctx context.Context, statement string, k winsKey) (out []Win, err error) {
	rows, err := db.Bind(w.store.Engine, w.store.Reader).QueryContext(ctx, statement, db.Millis(w.now().Add(-winsSince)), k.merchantID, k.category)
	if err != nil {
		return nil, fmt.Errorf("read wins: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one Win
		if err := rows.Scan(&one.Username, &one.Game, &one.Amount, &one.Currency, &one.at); err != nil {
			return nil, fmt.Errorf("read win: %w", err)
		}
		out = append(out, one)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read wins: %w", err)
	}
	return out, nil
}
