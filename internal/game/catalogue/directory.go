package catalogue

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A directory is an immutable snapshot of a merchant's visible vendors and games.
type directory struct {
	version   int64
	vendors   []*vendorEntry
	games     []*gameEntry  // in list order
	hot       []*gameEntry  // by rank
	positions map[int64]int // in games, by node id
	byCode    map[string]*gameEntry
	orders    orders

	// Responses that are the same for all visitors, encoded on first use.
	hotLists   []func() (*rest.Encoded, error) // by language index
	vendorList func() (*rest.Encoded, error)
	typeList   func() (*rest.Encoded, error)
}

// A vendorEntry is an enabled vendor.
type vendorEntry struct {
	id                      int64
	code, name, accountType string
	icon                    string
	categories              []string
	sorting                 int64
	maintenance             bool
	hasLaunchURL            bool // it runs its games itself
	house                   bool // the House runs its games
}

// A gameEntry is an enabled game of an enabled vendor.
type gameEntry struct {
	id                         int64
	vendor                     *vendorEntry
	code, category, launchCode string
	groupID, lottoMode, icon   string
	names                      []string // by language index
	classes                    []string
	minBet, minLines, hotRank  int64
	supportPlay, freePlay      bool
	maintenance, jackpot       bool
	notOpen                    bool // neither the vendor nor the House runs the game yet
}

// directory returns the merchant's current directory. When the cache entry expires, it reads only the version and
// reloads the games if the version has changed.
func (s *Service) directory(ctx context.Context, merchantID int64) (*directory, error) {
	return s.current.Get(ctx, merchantID, func(ctx context.Context) (*directory, error) {
		s.mu.Lock()
		last := s.loaded[merchantID]
		s.mu.Unlock()
		d, err := s.read(ctx, merchantID, last)
		if err != nil {
			return nil, fmt.Errorf("read catalogue: %w", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.loaded[merchantID] = d
		return d, nil
	})
}

// read reads a consistent snapshot, or returns last if its version is current.
func (s *Service) read(ctx context.Context, merchantID int64, last *directory) (*directory, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.o.Store.Engine == db.Postgres {
		options.Isolation = sql.LevelRepeatableRead // one snapshot for all statements, as on SQLite
	}
	tx, err := s.o.Store.Reader.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // read-only
	q := query.New(db.Bind(s.o.Store.Engine, tx))
	version, err := q.CatalogueVersion(ctx, merchantID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // no rows: the merchant has no catalogue yet
		return nil, err
	}
	if last != nil && last.version == version {
		return last, nil
	}
	d := &directory{version: version, positions: map[int64]int{}, byCode: map[string]*gameEntry{}}
	if err := d.readVendors(ctx, q, merchantID); err != nil {
		return nil, err
	}
	if err := d.readGames(ctx, q, merchantID, s.o.ServesCategory); err != nil {
		return nil, err
	}
	d.prepareLists()
	return d, nil
}

func (d *directory) readVendors(ctx context.Context, q *query.Queries, merchantID int64) error {
	rows, err := q.CatalogueVendors(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("vendors: %w", err)
	}
	categoryRows, err := q.CatalogueVendorCategories(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("vendor categories: %w", err)
	}
	byVendor := map[int64][]string{}
	for _, c := range categoryRows {
		byVendor[c.VendorID] = append(byVendor[c.VendorID], c.Category)
	}
	for _, v := range rows {
		d.vendors = append(d.vendors, &vendorEntry{
			id: v.ID, code: v.Code, name: v.DisplayName, accountType: v.AccountType, icon: v.Icon, sorting: v.Sorting,
			maintenance: v.Maintenance, categories: byVendor[v.ID], hasLaunchURL: v.LaunchUrl != "", house: v.House,
		})
	}
	return nil
}

func (d *directory) readGames(ctx context.Context, q *query.Queries, merchantID int64, serves func(category string) bool) error {
	rows, err := q.CatalogueGames(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("games: %w", err)
	}
	vendors := map[int64]*vendorEntry{}
	for _, v := range d.vendors {
		vendors[v.id] = v
	}
	texts := internedTexts{}
	entries := make([]gameEntry, len(rows))
	names := make([]string, len(rows)*len(languages))
	d.games = make([]*gameEntry, len(rows))
	for i, row := range rows {
		g := &entries[i]
		*g = gameEntry{
			id: row.ID, vendor: vendors[row.VendorID], code: row.Code, category: texts.intern(row.Category), launchCode: row.LaunchCode,
			groupID: texts.intern(row.GroupID), lottoMode: texts.intern(row.LottoMode), icon: row.Icon,
			names: names[i*len(languages) : (i+1)*len(languages)], minBet: row.MinBet, minLines: row.MinLines,
			hotRank: row.HotRank, supportPlay: row.SupportPlay, freePlay: row.FreePlay,
			maintenance: row.Maintenance || vendors[row.VendorID].maintenance, jackpot: row.Jackpot,
		}
		if !g.vendor.hasLaunchURL && serves != nil && (!g.vendor.house || !serves(g.category)) {
			g.notOpen, g.hotRank = true, 0 // such a game is never hot (ruling 34)
		}
		if g.launchCode == g.code {
			g.launchCode = g.code // shares the memory
		}
		d.games[i], d.byCode[g.code] = g, g
		if g.hotRank > 0 {
			d.hot = append(d.hot, g)
		}
	}
	slices.SortStableFunc(d.games, compareOpen)
	for i, g := range d.games {
		d.positions[g.id] = i
	}
	slices.SortFunc(d.hot, compareRank)
	nameRows, err := q.CatalogueNames(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("game names: %w", err)
	}
	for _, n := range nameRows {
		if g := d.game(n.GameID); g != nil {
			g.names[languageIndex(n.Language)] = n.Name
		}
	}
	classRows, err := q.CatalogueClasses(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("game classes: %w", err)
	}
	for _, c := range classRows {
		if g := d.game(c.GameID); g != nil {
			g.classes = append(g.classes, texts.intern(c.Class))
		}
	}
	return nil
}

func compareRank(a, b *gameEntry) int {
	if a.hotRank != b.hotRank {
		return cmp.Compare(a.hotRank, b.hotRank)
	}
	return cmp.Compare(a.id, b.id)
}

func (d *directory) prepareLists() {
	d.orders = newOrders(d.games)
	for i := range languages {
		d.hotLists = append(d.hotLists, sync.OnceValues(func() (*rest.Encoded, error) {
			return rest.Encode(hotList{List: wireGames(d.hot, i)})
		}))
	}
	d.vendorList = sync.OnceValues(func() (*rest.Encoded, error) { return rest.Encode(d.wireVendors()) })
	d.typeList = sync.OnceValues(func() (*rest.Encoded, error) { return rest.Encode(d.wireTypes()) })
}

// game returns the game with a node id, or nil if there is none or it is hidden.
func (d *directory) game(id int64) *gameEntry {
	if position, ok := d.positions[id]; ok {
		return d.games[position]
	}
	return nil
}

// pick returns the visible games with the ids, in the order of the ids.
func (d *directory) pick(ids []int64) []*gameEntry {
	out := make([]*gameEntry, 0, len(ids))
	for _, id := range ids {
		if g := d.game(id); g != nil {
			out = append(out, g)
		}
	}
	return out
}

// internedTexts keeps one copy of each string that many games share.
type internedTexts map[string]string

func (t internedTexts) intern(text string) string {
	if shared, ok := t[text]; ok {
		return shared
	}
	t[text] = text
	return text
}
