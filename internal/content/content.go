// Package content keeps what the operator tells visitors and members: notices, banners, popups and promotions,
// each in every language and for a period. It makes their HTML safe before it is stored. It never sends a
// message to a single member.
package content

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/microcosm-cc/bluemonday"

	"fairground/internal/db"
	"fairground/internal/db/query"
	"fairground/internal/events"
	"fairground/internal/fault"
	"fairground/internal/rest"
)

// Faults of this package.
var (
	ErrMalformed = fault.New(fault.Invalid, "content.malformed")
	ErrUnknown   = fault.New(fault.NotFound, "content.unknown")
)

// Type says what an announcement is.
type Type string

// The types, as the specification letters them.
const (
	AgentNotice  Type = "A"
	PlayerNotice Type = "PL"
	Banner       Type = "B"
	Popup        Type = "PU"
	Promotion    Type = "PR"
)

var types = []Type{AgentNotice, PlayerNotice, Banner, Popup, Promotion}

// Groups are the places where banners stand; an empty group is everywhere.
var groups = []string{"", "m_home", "m_live", "m_reg"}

// Executions say when a popup shows: A with a session, F with one at its first login, B without one.
var executions = []string{"", "A", "B", "F"}

// languages in which every announcement is written.
var languages = rest.Languages()

// Text is an announcement in one language.
type Text struct {
	Title   string `json:"title"`
	Content string `json:"content"` // HTML
	Tag     string `json:"tag"`     // the small line over a banner's title
	Action  string `json:"action"`  // the words on a banner's button
	Image   string `json:"image"`   // in place of the announcement's own, where the picture itself has a direction
}

// Announcement is one notice, banner, popup or promotion.
type Announcement struct {
	Code          string // the operator's own name for it
	Type          Type
	Group         string
	Execution     string
	PromotionType string
	URL           string
	Image         string
	Sorting       int64
	Starts        time.Time
	Ends          time.Time // zero: no end
	Enabled       bool
	Texts         map[string]Text // by language
}

const (
	changed = "content.changed"
	// freshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	freshFor = time.Minute
)

// Options of the service.
type Options struct {
	Store *db.Store
	Bus   *events.Bus
	IDs   db.IDs
	Now   func() time.Time
}

// Service stores and lists announcements. Home asks for them at each load, so they are kept in memory.
type Service struct {
	o     Options
	safe  *bluemonday.Policy
	pages *events.Cache[pageKey, []query.AnnouncementsRow]
}

// New makes the service and listens for changes made elsewhere.
func New(o Options) (*Service, error) {
	pages, err := events.NewCache[pageKey, []query.AnnouncementsRow](events.CacheOptions{
		Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("content: %w", err)
	}
	return &Service{o: o, safe: bluemonday.UGCPolicy(), pages: pages}, nil
}

// Close stops listening.
func (s *Service) Close() { s.pages.Close() }

// Put stores announcements, new or changed by their code, all or none.
func (s *Service) Put(ctx context.Context, merchantID int64, announcements []Announcement) error {
	for _, a := range announcements {
		if err := a.check(); err != nil {
			return err
		}
	}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		for _, a := range announcements {
			if err := s.put(ctx, tx, merchantID, a); err != nil {
				return fmt.Errorf("%s: %w", a.Code, err)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store announcements: %w", err)
	}
	s.pages.Changed()
	return nil
}

func (a Announcement) check() error {
	wrong := func(what string) error { return ErrMalformed.On(what).With("code", a.Code) }
	switch {
	case a.Code == "":
		return wrong("code")
	case !known(a.Type):
		return wrong("type")
	case !slices.Contains(groups, a.Group):
		return wrong("groupName")
	case !slices.Contains(executions, a.Execution) || (a.Type == Popup) != (a.Execution != ""):
		return wrong("execution")
	case !ownPath(a.URL):
		return wrong("url")
	case !ownPath(a.Image) || (a.Type == Banner && a.Image == ""):
		return wrong("image")
	case !a.Ends.IsZero() && !a.Ends.After(a.Starts):
		return wrong("ends")
	}
	for _, l := range languages {
		if strings.TrimSpace(a.Texts[l].Title) == "" {
			return wrong("title." + l)
		}
		if !ownPath(a.Texts[l].Image) {
			return wrong("image." + l)
		}
	}
	return nil
}

// ownPath: an announcement leads to a screen of the app and shows art of the app, nothing from elsewhere.
func ownPath(p string) bool {
	return p == "" || (strings.HasPrefix(p, "/m/") && !strings.ContainsAny(p, "\\ \t\r\n"))
}

func (s *Service) put(ctx context.Context, tx *db.Tx, merchantID int64, a Announcement) error {
	ends := sql.NullInt64{Int64: db.Millis(a.Ends), Valid: !a.Ends.IsZero()}
	id, err := tx.Q.PutAnnouncement(ctx, query.PutAnnouncementParams{
		ID: s.o.IDs(), MerchantID: merchantID, Code: a.Code, Type: string(a.Type), GroupName: a.Group,
		Execution: a.Execution, PromotionType: a.PromotionType, Url: a.URL, Image: a.Image, Sorting: a.Sorting,
		StartsAt: db.Millis(a.Starts), EndsAt: ends, Enabled: a.Enabled,
	})
	if err != nil {
		return err
	}
	for _, l := range languages {
		t := a.Texts[l]
		err := tx.Q.PutAnnouncementText(ctx, query.PutAnnouncementTextParams{
			AnnouncementID: id, Language: l, Title: t.Title, Content: s.safe.Sanitize(t.Content), Tag: t.Tag, Action: t.Action, Image: t.Image,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Filter says which announcements are asked for.
type Filter struct {
	MerchantID int64
	Language   string
	Types      []Type
	Group      string // empty: every group
	MemberID   int64  // 0: a visitor
	Agent      bool   // agents' notices are theirs alone
}

// Item is an announcement as one reader sees it.
type Item struct {
	query.AnnouncementsRow
	Read bool
}

// List gives what is to be shown now, in order.
func (s *Service) List(ctx context.Context, f Filter) ([]Item, error) {
	rows, err := s.all(ctx, pageKey{f.MerchantID, f.Language})
	if err != nil {
		return nil, err
	}
	read := map[int64]bool{}
	if f.MemberID != 0 {
		ids, err := s.o.Store.Q().AnnouncementsRead(ctx, f.MemberID)
		if err != nil {
			return nil, fmt.Errorf("read which announcements were read: %w", err)
		}
		for _, id := range ids {
			read[id] = true
		}
	}
	now := db.Millis(s.o.Now())
	items := []Item{}
	for _, row := range rows {
		t := Type(row.Type)
		wanted := slices.Contains(f.Types, t) && (t != AgentNotice || f.Agent)
		placed := f.Group == "" || row.GroupName == "" || row.GroupName == f.Group
		current := row.StartsAt <= now && (!row.EndsAt.Valid || now < row.EndsAt.Int64)
		if wanted && placed && current {
			items = append(items, Item{AnnouncementsRow: row, Read: read[row.ID]})
		}
	}
	return items, nil
}

// MarkRead notes that a member has read an announcement. Reading it twice is not an error.
func (s *Service) MarkRead(ctx context.Context, merchantID, memberID, announcementID int64) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.ReadAnnouncement(ctx, query.ReadAnnouncementParams{
			MemberID: memberID, MerchantID: merchantID, AnnouncementID: announcementID, ReadAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return fmt.Errorf("mark announcement read: %w", err)
		}
		if n == 0 {
			return ErrUnknown
		}
		return nil
	})
}

type pageKey struct {
	merchant int64
	language string
}

func (s *Service) all(ctx context.Context, key pageKey) ([]query.AnnouncementsRow, error) {
	if !slices.Contains(languages, key.language) {
		return nil, errors.New("announcements are asked for in an unknown language")
	}
	return s.pages.Get(ctx, key, func(ctx context.Context) ([]query.AnnouncementsRow, error) {
		rows, err := s.o.Store.Q().Announcements(ctx, key.merchant, key.language)
		if err != nil {
			return nil, fmt.Errorf("read announcements: %w", err)
		}
		return rows, nil
	})
}

func known(t Type) bool { return slices.Contains(types, t) }
