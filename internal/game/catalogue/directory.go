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

// directory is all of a merchant's catalogue that can be seen, as it stood at one moment. It never changes.
type directory struct {
	version int64
	vendors []*maker
	games   []*title // in the order in which lists show them
	hot     []*title // in the order of their rank
	places  map[int64]int
	codes   map[string]*title
	orders  orders

	// What everybody asks for, worked out when it is first asked for.
	hotLists   []func() (*rest.Encoded, error) // by tongue
	vendorList func() (*rest.Encoded, error)
	typeList   func() (*rest.Encoded, error)
}

// maker is a vendor that is switched on.
type maker struct {
	id                      int64
	code, name, accountType string
	icon                    string
	categories              []string
	sorting                 int64
	maintenance             bool
	away                    bool // its games open at an address of its own
}

// title is a game that is switched on, of a vendor that is.
type title struct {
	id                         int64
	maker                      *maker
	code, category, launchCode string
	groupID, lottoMode, icon   string
	names                      []string // by tongue
	classes                    []string
	minBet, minLines, hotRank  int64
	supportPlay, freePlay      bool
	notOpen                    bool // nobody serves it yet
}

// directory gives the merchant's as it stands. When nothing has been heard for a while, one row tells whether the one that
// is held is still good: reading ten thousand games again every minute would be felt.
func (s *Service) directory(ctx context.Context, merchantID int64) (*directory, error) {
	return s.current.Get(ctx, merchantID, func(ctx context.Context) (*directory, error) {
		s.mu.Lock()
		held := s.known[merchantID]
		s.mu.Unlock()
		d, err := s.read(ctx, merchantID, held)
		if err != nil {
			return nil, fmt.Errorf("read catalogue: %w", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.known[merchantID] = d
		return d, nil
	})
}

// read reads all of it as it stands at one moment, or gives what is held when that is the same.
func (s *Service) read(ctx context.Context, merchantID int64, held *directory) (*directory, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.o.Store.Engine == db.Postgres {
		options.Isolation = sql.LevelRepeatableRead // one moment for all statements; SQLite always does so
	}
	tx, err := s.o.Store.Reader.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	q := query.New(db.Bind(s.o.Store.Engine, tx))
	version, err := q.CatalogueVersion(ctx, merchantID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // a merchant that never had one
		return nil, err
	}
	if held != nil && held.version == version {
		return held, nil
	}
	d := &directory{version: version, places: map[int64]int{}, codes: map[string]*title{}}
	if err := d.readVendors(ctx, q, merchantID); err != nil {
		return nil, err
	}
	if err := d.readGames(ctx, q, merchantID, s.o.Served); err != nil {
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
		return fmt.Errorf("vendors' categories: %w", err)
	}
	served := map[int64][]string{}
	for _, c := range categoryRows {
		served[c.VendorID] = append(served[c.VendorID], c.Category)
	}
	for _, v := range rows {
		d.vendors = append(d.vendors, &maker{
			id: v.ID, code: v.Code, name: v.DisplayName, accountType: v.AccountType, icon: v.Icon, sorting: v.Sorting,
			maintenance: v.Maintenance, categories: served[v.ID], away: v.LaunchUrl != "",
		})
	}
	return nil
}

func (d *directory) readGames(ctx context.Context, q *query.Queries, merchantID int64, serves func(category string) bool) error {
	rows, err := q.CatalogueGames(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("games: %w", err)
	}
	makers := map[int64]*maker{}
	for _, m := range d.vendors {
		makers[m.id] = m
	}
	words := interned{}
	titles := make([]title, len(rows))
	names := make([]string, len(rows)*len(languages))
	d.games = make([]*title, len(rows))
	for i, g := range rows {
		t := &titles[i]
		*t = title{
			id: g.ID, maker: makers[g.VendorID], code: g.Code, category: words.one(g.Category), launchCode: g.LaunchCode,
			groupID: words.one(g.GroupID), lottoMode: words.one(g.LottoMode), icon: g.Icon,
			names: names[i*len(languages) : (i+1)*len(languages)], minBet: g.MinBet, minLines: g.MinLines,
			hotRank: g.HotRank, supportPlay: g.SupportPlay, freePlay: g.FreePlay,
		}
		t.notOpen = !t.maker.away && serves != nil && !serves(t.category)
		if t.launchCode == t.code {
			t.launchCode = t.code // one text of the two
		}
		d.games[i], d.places[t.id], d.codes[t.code] = t, i, t
		if t.hotRank > 0 {
			d.hot = append(d.hot, t)
		}
	}
	slices.SortFunc(d.hot, byRank)
	nameRows, err := q.CatalogueNames(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("games' names: %w", err)
	}
	for _, n := range nameRows {
		if t := d.game(n.GameID); t != nil {
			t.names[tongue(n.Language)] = n.Name
		}
	}
	classRows, err := q.CatalogueClasses(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("games' classes: %w", err)
	}
	for _, c := range classRows {
		if t := d.game(c.GameID); t != nil {
			t.classes = append(t.classes, words.one(c.Class))
		}
	}
	return nil
}

// byRank is the order of hot games.
func byRank(a, b *title) int {
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

// game finds one by its node id; nil when there is none to be seen.
func (d *directory) game(id int64) *title {
	if place, ok := d.places[id]; ok {
		return d.games[place]
	}
	return nil
}

// pick gives the games of the ids, in their order, without those that are not to be seen.
func (d *directory) pick(ids []int64) []*title {
	out := make([]*title, 0, len(ids))
	for _, id := range ids {
		if t := d.game(id); t != nil {
			out = append(out, t)
		}
	}
	return out
}

// interned keeps one copy of texts that many games share.
type interned map[string]string

func (w interned) one(text string) string {
	if kept, ok := w[text]; ok {
		return kept
	}
	w[text] = text
	return text
}
