package catalogue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A Vendor provides games.
type Vendor struct {
	Code        string
	DisplayName string
	AccountType string
	Categories  []string
	Icon        string // may be empty
	Sorting     int64
	Enabled     bool
	Maintenance bool // its games are listed but cannot be played
	House       bool // the House runs its games; storing an existing vendor leaves it unchanged
	Keep        Keep
}

// Keep lists the switches that storing an existing vendor leaves unchanged.
type Keep struct{ Enabled, Maintenance bool }

// A Game is a game of a vendor.
type Game struct {
	Code        string // unique within the merchant
	Vendor      string // code
	Category    string
	LaunchCode  string // the vendor's id of the game
	GroupID     string
	LottoMode   string
	Names       map[string]string // by language
	Classes     []string
	Icon        string
	MinBet      int64 // minor units of the merchant's currency
	MinLines    int64
	SupportPlay bool
	FreePlay    bool
	Sorting     int64
	HotRank     int64 // 0 if the game is not hot
	Enabled     bool
	KeepEnabled bool // storing an existing game leaves Enabled unchanged
}

// PutVendors creates or updates vendors in one transaction.
func (s *Service) PutVendors(ctx context.Context, merchantID int64, vendors []Vendor) error {
	if err := s.writeVendors(ctx, merchantID, vendors); err != nil {
		return err
	}
	s.current.Committed()
	return nil
}

func (s *Service) writeVendors(ctx context.Context, merchantID int64, vendors []Vendor) error {
	for _, v := range vendors {
		if err := v.check(); err != nil {
			return err
		}
		if err := s.checkIcon(ctx, merchantID, "vendor "+v.Code, v.Icon); err != nil {
			return err
		}
	}
	return s.write(ctx, merchantID, "vendors", func(tx *db.Tx) error {
		for _, v := range vendors {
			if err := s.putVendor(ctx, tx, merchantID, v); err != nil {
				return fmt.Errorf("%s: %w", v.Code, err)
			}
		}
		return s.o.Bus.AddIn(ctx, tx, subjectVendors, nil)
	})
}

func (s *Service) putVendor(ctx context.Context, tx *db.Tx, merchantID int64, v Vendor) error {
	id, err := tx.Q.PutVendor(ctx, query.PutVendorParams{
		ID: s.o.IDs(), MerchantID: merchantID, Code: v.Code, DisplayName: v.DisplayName,
		AccountType: v.AccountType, Icon: v.Icon, Sorting: v.Sorting, Enabled: v.Enabled, Maintenance: v.Maintenance,
		House: v.House, KeepEnabled: v.Keep.Enabled, KeepMaintenance: v.Keep.Maintenance,
	})
	if err != nil {
		return err
	}
	if err := tx.Q.DropVendorCategories(ctx, id); err != nil {
		return err
	}
	for _, c := range v.Categories {
		if err := tx.Q.AddVendorCategory(ctx, id, c); err != nil {
			return err
		}
	}
	return nil
}

// Switches are changes of a vendor's switches. A nil switch stays unchanged.
type Switches struct{ Enabled, Maintenance *bool }

// SwitchVendor changes a vendor's switches and returns the vendor's code, name and switches.
func (s *Service) SwitchVendor(ctx context.Context, merchantID int64, code string, to Switches) (Vendor, error) {
	var row query.SwitchVendorRow
	err := s.write(ctx, merchantID, "vendor", func(tx *db.Tx) (err error) {
		row, err = tx.Q.SwitchVendor(ctx, query.SwitchVendorParams{
			Enabled: nullable(to.Enabled), Maintenance: nullable(to.Maintenance), MerchantID: merchantID, Code: code,
		})
		if errors.Is(err, sql.ErrNoRows) {
			return ErrUnknownVendor.With("vendor", code)
		}
		return err
	})
	if err != nil {
		return Vendor{}, err
	}
	s.current.Committed()
	return Vendor{Code: code, DisplayName: row.DisplayName, Enabled: row.Enabled, Maintenance: row.Maintenance}, nil
}

// SwitchGame shows or hides a game.
func (s *Service) SwitchGame(ctx context.Context, merchantID int64, code string, enabled bool) error {
	err := s.write(ctx, merchantID, "game", func(tx *db.Tx) error {
		n, err := tx.Q.SwitchGame(ctx, enabled, merchantID, code)
		if err == nil && n == 0 {
			return ErrUnknownGame.With("game", code)
		}
		return err
	})
	if err == nil {
		s.current.Committed()
	}
	return err
}

func nullable(b *bool) sql.NullBool {
	if b == nil {
		return sql.NullBool{}
	}
	return sql.NullBool{Bool: *b, Valid: true}
}

// PutGames creates or updates games in one transaction. An updated game keeps its node id.
func (s *Service) PutGames(ctx context.Context, merchantID int64, games []Game) error {
	if err := s.writeGames(ctx, merchantID, games); err != nil {
		return err
	}
	s.current.Committed()
	return nil
}

func (s *Service) writeGames(ctx context.Context, merchantID int64, games []Game) error {
	for _, g := range games {
		if err := g.check(); err != nil {
			return err
		}
		if err := s.checkIcon(ctx, merchantID, "game "+g.Code, g.Icon); err != nil {
			return err
		}
	}
	return s.write(ctx, merchantID, "games", func(tx *db.Tx) error { return s.putGamesIn(ctx, tx, merchantID, games) })
}

func (s *Service) putGamesIn(ctx context.Context, tx *db.Tx, merchantID int64, games []Game) error {
	rows, err := tx.Q.VendorIDs(ctx, merchantID)
	if err != nil {
		return err
	}
	vendors := map[string]int64{}
	for _, v := range rows {
		vendors[v.Code] = v.ID
	}
	details, err := s.putGames(ctx, tx, merchantID, vendors, games)
	if err != nil {
		return err
	}
	return details.replace(ctx, tx)
}

const (
	gameColumns = "id, merchant_id, vendor_id, code, category, launch_code, group_id, lotto_mode, icon, " +
		"min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled"
	gameWidth    = 16
	gameConflict = " ON CONFLICT (merchant_id, code) DO UPDATE SET " +
		"vendor_id = excluded.vendor_id, category = excluded.category, launch_code = excluded.launch_code, " +
		"group_id = excluded.group_id, lotto_mode = excluded.lotto_mode, icon = excluded.icon, min_bet = excluded.min_bet, " +
		"min_lines = excluded.min_lines, support_play = excluded.support_play, free_play = excluded.free_play, " +
		"sorting = excluded.sorting, hot_rank = excluded.hot_rank"
	gameUpdateEnabled = ", enabled = excluded.enabled"
)

// putGames writes the rows of table game and returns the detail rows. Games with KeepEnabled need another statement.
func (s *Service) putGames(ctx context.Context, tx *db.Tx, merchantID int64, vendors map[string]int64, games []Game) (*gameDetails, error) {
	byCode := make(map[string]Game, len(games))
	values := map[bool][]any{}
	for _, g := range games {
		vendor, found := vendors[g.Vendor]
		if !found {
			return nil, ErrUnknownVendor.With("vendor", g.Vendor)
		}
		if _, twice := byCode[g.Code]; twice {
			return nil, ErrMalformed.Because(fmt.Errorf("game %s occurs twice", g.Code))
		}
		byCode[g.Code] = g
		values[g.KeepEnabled] = append(values[g.KeepEnabled], s.o.IDs(), merchantID, vendor, g.Code, g.Category, g.LaunchCode, g.GroupID, g.LottoMode, g.Icon,
			g.MinBet, g.MinLines, g.SupportPlay, g.FreePlay, g.Sorting, g.HotRank, g.Enabled)
	}
	details := &gameDetails{}
	for _, keep := range []bool{false, true} {
		conflict := gameConflict
		if !keep {
			conflict += gameUpdateEnabled
		}
		if err := insertGames(ctx, tx, values[keep], conflict, func(id int64, code string) { details.add(id, byCode[code]) }); err != nil {
			return nil, err
		}
	}
	return details, nil
}

func insertGames(ctx context.Context, tx *db.Tx, values []any, conflict string, stored func(id int64, code string)) error {
	return batches(values, gameWidth, func(part []any) (err error) {
		rows, err := db.Bind(tx.Engine, tx.Tx).QueryContext(ctx,
			"INSERT INTO game ("+gameColumns+") VALUES "+tuples(len(part)/gameWidth, gameWidth)+conflict+" RETURNING id, code", part...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var id int64
			var code string
			if err := rows.Scan(&id, &code); err != nil {
				return err
			}
			stored(id, code)
		}
		return rows.Err()
	})
}

// write runs fn in a transaction that also increments the catalogue's version.
func (s *Service) write(ctx context.Context, merchantID int64, what string, fn func(*db.Tx) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		// This comes first because it locks the version row. A concurrent writer waits here instead of deadlocking later.
		if err := tx.Q.BumpCatalogueVersion(ctx, merchantID); err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return err
		}
		return s.current.ChangeIn(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("store %s: %w", what, err)
	}
	return nil
}

// gameDetails collects the rows of the tables that refer to game, so that one statement writes many rows.
type gameDetails struct{ ids, names, words, classes []any }

func (d *gameDetails) add(id int64, g Game) {
	d.ids = append(d.ids, id)
	for _, l := range languages {
		d.names = append(d.names, id, l, g.Names[l])
		all := strings.Fields(Fold(g.Names[l]))
		slices.Sort(all)
		for _, word := range slices.Compact(all) {
			d.words = append(d.words, l, word, id)
		}
	}
	all := slices.Sorted(slices.Values(g.Classes))
	for _, class := range slices.Compact(all) {
		d.classes = append(d.classes, id, class)
	}
}

func (d *gameDetails) replace(ctx context.Context, tx *db.Tx) error {
	for _, table := range []string{"game_name", "game_word", "game_class"} {
		err := batches(d.ids, 1, func(ids []any) error {
			return exec(ctx, tx, "DELETE FROM "+table+" WHERE game_id IN ("+placeholders(len(ids))+")", ids)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	for _, t := range []struct {
		columns string
		width   int
		values  []any
	}{
		{"game_name (game_id, language, name)", 3, d.names},
		{"game_word (language, word, game_id)", 3, d.words},
		{"game_class (game_id, class)", 2, d.classes},
	} {
		err := batches(t.values, t.width, func(values []any) error {
			return exec(ctx, tx, "INSERT INTO "+t.columns+" VALUES "+tuples(len(values)/t.width, t.width), values)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", t.columns, err)
		}
	}
	return nil
}

// batches calls fn with 64, 8 or 1 rows, so that few different statements need to be prepared.
func batches(values []any, width int, fn func([]any) error) error {
	for _, rows := range []int{64, 8, 1} {
		for n := rows * width; len(values) >= n; values = values[n:] {
			if err := fn(values[:n]); err != nil {
				return err
			}
		}
	}
	return nil
}

func exec(ctx context.Context, tx *db.Tx, statement string, args []any) error {
	_, err := db.Bind(tx.Engine, tx.Tx).ExecContext(ctx, statement, args...)
	return err
}

func placeholders(n int) string { return strings.Trim(tuples(1, n), "()") }

// tuples returns rows of placeholders: "($1, $2), ($3, $4)".
func tuples(rows, width int) string {
	var b strings.Builder
	for i := range rows * width {
		switch {
		case i == 0:
			b.WriteString("(")
		case i%width == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("$" + strconv.Itoa(i+1))
	}
	return b.String() + ")"
}
