// Package content stores the operator's announcements, pages, help topics and live models, and provides the jackpot and claims
// that the home page shows. It sanitizes HTML before storing it. It never sends messages to single members, and never
// presents simulated figures as real.
package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/microcosm-cc/bluemonday"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

// Faults of this package.
var (
	ErrMalformed = fault.ForOperators(fault.Invalid, "content.malformed")
	ErrUnknown   = fault.New(fault.NotFound, "content.unknown")
)

// languages are the languages of content. Imported texts exist in each of them.
var languages = rest.Languages()

const (
	// contentChanged is the bus subject and the name of the event for open apps.
	contentChanged = "content.changed"
	// freshFor limits the delay of a change whose notification is lost. It also limits the age of figures that have no
	// notifications, such as the number of readers.
	freshFor = time.Minute
)

// Options configures a Service.
type Options struct {
	Store  *db.Store
	Bus    *events.Bus
	IDs    db.IDs
	Now    func() time.Time
	Pool   Pool   // nil: there is no real jackpot
	Claims Claims // nil: there are no real claims
	// Simulated shows a simulated jackpot and simulated claims where there are no real ones.
	Simulated bool
	// Images allows images from other sites; nil: only paths of this site are allowed.
	Images Images
	// Requests stores the responses to requests that must take effect once.
	Requests *idempotency.Keys
	// Blobs stores uploaded pictures; nil: uploads fail.
	Blobs picture.Blobs
	// Outbox reports changes to members' open apps; nil: apps notice changes later.
	Outbox Outbox
}

// Outbox sends events to open apps. *events.Outbox implements it.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Images reports which image URLs a merchant's pages may use.
type Images interface {
	AllowsImage(ctx context.Context, merchantID int64, imageURL string) (bool, error)
}

// A Service stores and lists content. It caches all content, because every load of the home page needs it.
type Service struct {
	o         Options
	sanitizer *bluemonday.Policy
	notices   *events.Cache[cacheKey, []query.AnnouncementsRow]
	readers   *events.Cache[int64, map[int64]int64]
	pages     *events.Cache[cacheKey, []query.PagesRow]
	help      *events.Cache[cacheKey, []query.HelpTopicsRow]
	models    *events.Cache[int64, []query.LiveModel]
	decoder   *picture.Decoder
}

type cacheKey struct {
	merchant int64
	language string
}

// New returns a Service that follows changes made by other replicas.
func New(o Options) (_ *Service, err error) {
	s := &Service{o: o, sanitizer: bluemonday.UGCPolicy(), decoder: picture.NewDecoder()}
	defer func() {
		if err != nil {
			s.Close()
			err = fmt.Errorf("content: %w", err)
		}
	}()
	options := events.CacheOptions{Bus: o.Bus, Subject: contentChanged, FreshFor: freshFor, Now: o.Now}
	if s.notices, err = events.NewCache[cacheKey, []query.AnnouncementsRow](options); err != nil {
		return nil, err
	}
	if s.readers, err = events.NewCache[int64, map[int64]int64](options); err != nil {
		return nil, err
	}
	if s.pages, err = events.NewCache[cacheKey, []query.PagesRow](options); err != nil {
		return nil, err
	}
	if s.help, err = events.NewCache[cacheKey, []query.HelpTopicsRow](options); err != nil {
		return nil, err
	}
	if s.models, err = events.NewCache[int64, []query.LiveModel](options); err != nil {
		return nil, err
	}
	return s, nil
}

// Close stops following changes.
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
	if s.help != nil {
		s.help.Close()
	}
	if s.models != nil {
		s.models.Close()
	}
}

// Put creates or updates content, identified by codes and names, in one transaction.
func (s *Service) Put(ctx context.Context, merchantID int64, b Bundle) error {
	if err := b.check(); err != nil {
		return err
	}
	for _, a := range b.Announcements {
		if err := s.checkImages(ctx, merchantID, a); err != nil {
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
		if err := s.putHelp(ctx, tx, merchantID, b.Help); err != nil {
			return err
		}
		for _, m := range b.Models {
			if err := putModel(ctx, tx, merchantID, m); err != nil {
				return fmt.Errorf("model %s: %w", m.Code, err)
			}
		}
		return s.changeIn(ctx, tx, merchantID)
	})
	if err != nil {
		return fmt.Errorf("store content: %w", err)
	}
	s.committed()
	return nil
}

// changeIn reports a change of content to the caches of all replicas and to members' open apps, in the transaction of the
// change. Call committed after the commit.
func (s *Service) changeIn(ctx context.Context, tx *db.Tx, merchantID int64) error {
	if err := s.notices.ChangeIn(ctx, tx); err != nil { // all caches have the same subject
		return err
	}
	if s.o.Outbox == nil {
		return nil
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Merchant: strconv.FormatInt(merchantID, 10), Event: contentChanged, Data: []byte("{}")})
}

func (s *Service) committed() {
	s.notices.Committed()
	if s.o.Outbox != nil {
		s.o.Outbox.Wake()
	}
}

// checkLanguage rejects unknown languages, so that the caches cannot grow without limit.
func checkLanguage(language string) error {
	if !slices.Contains(languages, language) {
		return errors.New("content was requested in an unknown language")
	}
	return nil
}
