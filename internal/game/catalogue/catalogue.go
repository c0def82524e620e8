// Package catalogue knows what can be played: vendors, their games, the games' names in each language, which of
// them are hot, and which a member likes or has played last. It never launches a game and knows nothing of bets.
package catalogue

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// Faults of this package.
var (
	ErrUnknownVendor     = fault.ForOperators(fault.NotFound, "catalogue.unknown_vendor")
	ErrUnknownGame       = fault.New(fault.NotFound, "catalogue.unknown_game")
	ErrGameExists        = fault.ForOperators(fault.Conflict, "catalogue.game_exists")
	ErrUnknownCategory   = fault.ForOperators(fault.Invalid, "catalogue.unknown_category")
	ErrNameMissing       = fault.ForOperators(fault.Invalid, "catalogue.name_missing")
	ErrMalformed         = fault.ForOperators(fault.Invalid, "catalogue.malformed")
	ErrTooManyFavourites = fault.New(fault.Refused, "catalogue.too_many_favourites")
)

const (
	changed = "catalogue.changed"
	// freshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	freshFor = time.Minute
	// pagesWeight bounds the memory for pages as they are sent: about two thousand of 21 games.
	pagesWeight = 32 << 20
)

// Options of the service.
type Options struct {
	Store *db.Store
	Bus   *events.Bus
	IDs   db.IDs
	Now   func() time.Time
	Wins  Wins // nil: there is nobody to show
	// Pictures is nil where none but the site's own are shown.
	Pictures Pictures
	// Served tells of which categories games can be played that have no vendor of their own to open them; nil: of all.
	Served func(category string) bool
}

// Pictures tells whether a merchant's pages show pictures from an address.
type Pictures interface {
	Shows(ctx context.Context, merchantID int64, address string) (bool, error)
}

// Service keeps the catalogue. All of it that can be seen stands in memory, read anew when something has changed; pages
// are cut from there and kept as they are sent, as many as fit.
type Service struct {
	o       Options
	current *events.Cache[int64, *directory] // by merchant
	pages   *otter.Cache[pageKey, *rest.Encoded]

	mu       sync.Mutex
	known    map[int64]*directory // what was read last, which is still good while its version is
	searches map[int]*sql.Stmt    // by the number of words
}

// New makes the service and listens for changes made elsewhere.
func New(o Options) (*Service, error) {
	s := &Service{o: o, known: map[int64]*directory{}, searches: map[int]*sql.Stmt{}}
	s.pages = otter.Must(&otter.Options[pageKey, *rest.Encoded]{
		MaximumWeight: pagesWeight,
		Weigher: func(k pageKey, page *rest.Encoded) uint32 {
			return uint32(page.Size() + len(k.query) + pageOverhead)
		},
	})
	var err error
	s.current, err = events.NewCache[int64, *directory](events.CacheOptions{
		Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("catalogue: %w", err)
	}
	return s, nil
}

// Close stops listening.
func (s *Service) Close() {
	s.current.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, search := range s.searches {
		_ = search.Close() // read from only
	}
	clear(s.searches)
}

// pageKey names one page of one version of a merchant's games: the question as it was asked.
type pageKey struct {
	merchant, version int64
	language, query   string
}

// pageOverhead is about what a page costs beside its bytes.
const pageOverhead = 512
