// Package catalogue stores and lists vendors and their games, and each member's favourite and recent games.
// It never launches a game and never handles bets.
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
	// subjectVendors makes the directory of vendors reload.
	subjectVendors = "vendor.changed"
	// freshFor limits how long a change goes unnoticed if its notification is lost.
	freshFor = time.Minute
	// maxPagesWeight limits the memory of cached pages to about two thousand pages of 21 games.
	maxPagesWeight = 32 << 20
	// pageOverhead estimates the memory of a cached page besides its bytes.
	pageOverhead = 512
)

// Options configures a Service.
type Options struct {
	Store *db.Store
	Bus   *events.Bus
	IDs   db.IDs
	Now   func() time.Time
	Wins  Wins // of the winner board; may be nil
	// ExampleWins are shown if there are no wins. The board never mixes the two, because the caption of the list applies to all of
	// them. It may be nil.
	ExampleWins Wins
	// Images allows images from other sites. If nil, only paths of this site are allowed.
	Images Images
	// ServesCategory reports whether the House can run the games of a category. It applies to House vendors. Vendors with a launch
	// URL run their own games. If nil, all games are open.
	ServesCategory func(category string) bool
	// Outbox notifies members' open apps of operators' changes. If nil, apps notice the changes later.
	Outbox Outbox
}

// Outbox sends events to open apps. *events.Outbox implements it.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Images decides from which URLs a merchant's pages may load images.
type Images interface {
	AllowsImage(ctx context.Context, merchantID int64, address string) (bool, error)
}

// A Service stores the catalogue. It holds all visible games in memory and reloads them after a change. It caches
// encoded pages.
type Service struct {
	o       Options
	current *events.Cache[int64, *directory] // by merchant
	pages   *otter.Cache[pageKey, *rest.Encoded]

	mu       sync.Mutex
	loaded   map[int64]*directory // by merchant: the directory that was read last, valid while its version is current
	searches map[int]*sql.Stmt    // by the number of words
}

// New returns a Service that follows changes made by other replicas.
func New(o Options) (*Service, error) {
	s := &Service{o: o, loaded: map[int64]*directory{}, searches: map[int]*sql.Stmt{}}
	s.pages = otter.Must(&otter.Options[pageKey, *rest.Encoded]{
		MaximumWeight: maxPagesWeight,
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

// NotifyChanged makes every replica read the catalogue's version again, after a change by another package.
func (s *Service) NotifyChanged() { s.current.Committed() }

// Close stops following changes and releases prepared statements.
func (s *Service) Close() {
	s.current.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, search := range s.searches {
		_ = search.Close() // an error here has no consequence
	}
	clear(s.searches)
}

// A pageKey identifies a page of one version of a merchant's games by its raw query.
type pageKey struct {
	merchant, version int64
	language, query   string
}
