// Package content keeps what the operator tells visitors and members: notices, banners, popups and promotions,
// each in every language and for a period; pages such as the user agreement; who presents live tables; what home
// displays of jackpots and claims. It makes HTML safe before it is stored. It never sends a message to a single
// member, and never passes off a made-up figure as a real one.
package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/microcosm-cc/bluemonday"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// Faults of this package.
var (
	ErrMalformed = fault.ForOperators(fault.Invalid, "content.malformed")
	ErrUnknown   = fault.New(fault.NotFound, "content.unknown")
)

// languages in which everything is written.
var languages = rest.Languages()

const (
	changed = "content.changed"
	// freshFor bounds how long a change made by another process, or whose word was lost, goes unseen; and how old the
	// figures are that nobody tells of, such as how many have read something.
	freshFor = time.Minute
)

// Options of the service.
type Options struct {
	Store  *db.Store
	Bus    *events.Bus
	IDs    db.IDs
	Now    func() time.Time
	Pool   Pool   // nil: no jackpot is played for, and the one on show says so
	Claims Claims // nil: nothing can be claimed, likewise
	// Pictures is nil where none but the site's own are shown.
	Pictures Pictures
}

// Pictures tells whether a merchant's pages show pictures from an address.
type Pictures interface {
	Shows(ctx context.Context, merchantID int64, address string) (bool, error)
}

// Service stores and lists content. Home asks for it at each load, so it is kept in memory.
type Service struct {
	o       Options
	safe    *bluemonday.Policy
	notices *events.Cache[edition, []query.AnnouncementsRow]
	readers *events.Cache[int64, map[int64]int64]
	pages   *events.Cache[edition, []query.PagesRow]
	models  *events.Cache[int64, []query.LiveModel]
}

// edition is the content of one merchant in one language.
type edition struct {
	merchant int64
	language string
}

// New makes the service and listens for changes made elsewhere.
func New(o Options) (_ *Service, err error) {
	s := &Service{o: o, safe: bluemonday.UGCPolicy()}
	defer func() {
		if err != nil {
			s.Close()
			err = fmt.Errorf("content: %w", err)
		}
	}()
	heard := events.CacheOptions{Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now}
	if s.notices, err = events.NewCache[edition, []query.AnnouncementsRow](heard); err != nil {
		return nil, err
	}
	if s.readers, err = events.NewCache[int64, map[int64]int64](heard); err != nil {
		return nil, err
	}
	if s.pages, err = events.NewCache[edition, []query.PagesRow](heard); err != nil {
		return nil, err
	}
	if s.models, err = events.NewCache[int64, []query.LiveModel](heard); err != nil {
		return nil, err
	}
	return s, nil
}

// Close stops listening.
func (s *Service) Close() {
	if s.notices != nil {
		s.notices.Close()
	}
	if s.readers != nil {
		s.readers.Close()
	}
	if s.pages != nil {
		s.pages.Close()
	}
	if s.models != nil {
		s.models.Close()
	}
}

// Put stores content, new or changed by its codes and names, all or none.
func (s *Service) Put(ctx context.Context, merchantID int64, b Bundle) error {
	if err := b.check(); err != nil {
		return err
	}
	for _, a := range b.Announcements {
		if err := s.shown(ctx, merchantID, a); err != nil {
			return err
		}
	}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		for _, a := range b.Announcements {
			if err := s.putAnnouncement(ctx, tx, merchantID, a); err != nil {
				return fmt.Errorf("announcement %s: %w", a.Code, err)
			}
		}
		for _, p := range b.Pages {
			if err := s.putPage(ctx, tx, merchantID, p); err != nil {
				return fmt.Errorf("page %s: %w", p.Name, err)
			}
		}
		for _, m := range b.Models {
			if err := putModel(ctx, tx, merchantID, m); err != nil {
				return fmt.Errorf("model %s: %w", m.Code, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store content: %w", err)
	}
	s.notices.Changed()
	s.readers.Changed()
	s.pages.Changed()
	s.models.Changed()
	return nil
}

// in refuses a language that nothing is written in: it would be loaded, and kept, for nobody.
func in(language string) error {
	if !slices.Contains(languages, language) {
		return errors.New("content is asked for in an unknown language")
	}
	return nil
}
