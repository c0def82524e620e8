package content

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/spec"
)

// A Type is a type of announcement.
type Type string

// The types.
const (
	AgentNotice  Type = spec.ContentAgent
	PlayerNotice Type = spec.ContentPlayer
	Banner       Type = spec.ContentBanner
	Popup        Type = spec.ContentPopup
	Promotion    Type = spec.ContentPromotion
)

var types = []Type{AgentNotice, PlayerNotice, Banner, Popup, Promotion}

func validType(t Type) bool { return slices.Contains(types, t) }

// groups lists the places of banners in the app. Other announcements need no group.
var groups = []string{"", spec.GroupHome, spec.GroupLive, spec.GroupRegister}

// executions lists when popups appear: A with a session, F at the first login, B without a session.
var executions = []string{"", "A", "B", "F"}

// A Text is an announcement in one language.
type Text struct {
	Title   string `json:"title"`
	Content string `json:"content,omitempty"` // HTML
	Tag     string `json:"tag,omitempty"`     // above a banner's title
	Action  string `json:"action,omitempty"`  // label of a banner's button
	Image   string `json:"image,omitempty"`   // replaces the announcement's image, for example in a right-to-left language
}

// An Announcement is a notice, banner, popup or promotion.
type Announcement struct {
	Code          string          `json:"code"` // chosen by the operator
	Type          Type            `json:"type"`
	Group         string          `json:"group,omitempty"`
	Execution     string          `json:"execution,omitempty"`
	PromotionType string          `json:"promotionType,omitempty"`
	URL           string          `json:"url,omitempty"`
	Image         string          `json:"image,omitempty"`
	Sorting       int64           `json:"sorting"`
	Starts        time.Time       `json:"starts"`
	Ends          time.Time       `json:"ends,omitzero"` // zero: no end
	Enabled       bool            `json:"enabled"`
	Texts         map[string]Text `json:"texts"` // by language
}

func (a Announcement) check() error {
	reject := func(field string) error { return malformed(field, "announcement", a.Code) }
	switch {
	case !codePattern.MatchString(a.Code):
		return reject("code")
	case !validType(a.Type):
		return reject("type")
	case !slices.Contains(groups, a.Group), a.Type == Banner && a.Group == "":
		return reject("group")
	case !slices.Contains(executions, a.Execution) || (a.Type == Popup) != (a.Execution != ""):
		return reject("execution")
	case !validLabel(a.PromotionType):
		return reject("promotionType")
	case !sitePath(a.URL):
		return reject("url")
	case !validImage(a.Image) || (a.Type == Banner && a.Image == ""):
		return reject("image")
	case a.Starts.Year() < 2000 || a.Starts.Year() > 9999:
		return reject("starts")
	case !a.Ends.IsZero() && !a.Ends.After(a.Starts):
		return reject("ends")
	}
	for language := range a.Texts {
		if !slices.Contains(languages, language) {
			return reject("texts." + language)
		}
	}
	for _, l := range languages {
		t := a.Texts[l]
		switch {
		case !validHeading(t.Title):
			return reject("title." + l)
		case !validLabel(t.Tag):
			return reject("tag." + l)
		case !validLabel(t.Action):
			return reject("action." + l)
		}
		if len(t.Content) > maxTextLength {
			return reject("content." + l)
		}
		if !validImage(t.Image) {
			return reject("image." + l)
		}
	}
	return nil
}

// checkImages rejects images from other sites that are not in a folder of the merchant's system.cdn.
func (s *Service) checkImages(ctx context.Context, merchantID int64, a Announcement) error {
	images := []string{a.Image}
	for _, t := range a.Texts {
		images = append(images, t.Image)
	}
	for _, image := range images {
		if !strings.HasPrefix(image, "https:") {
			continue
		}
		allowed := false
		if s.o.Images != nil {
			var err error
			if allowed, err = s.o.Images.AllowsImage(ctx, merchantID, image); err != nil {
				return err
			}
		}
		if !allowed {
			return malformed("image", "announcement", a.Code)
		}
	}
	return nil
}

var cdnURL = regexp.MustCompile(`^https://[A-Za-z0-9][!-~]*$`)

// validImage accepts a path of this site or a URL that may be in a folder of system.cdn.
func validImage(p string) bool {
	return sitePath(p) || isUploadedPicture(p) || len(p) <= maxURLLength && cdnURL.MatchString(p)
}

// sitePath accepts a path of the app. Announcements must not link to other sites.
func sitePath(p string) bool {
	return p == "" || (strings.HasPrefix(p, "/m/") && len(p) <= maxURLLength && !strings.ContainsAny(p, "\\ \t\r\n"))
}

func (s *Service) putAnnouncement(ctx context.Context, tx *db.Tx, merchantID int64, a Announcement) error {
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
			AnnouncementID: id, Language: l, Title: t.Title, Content: s.sanitizer.Sanitize(t.Content), Tag: t.Tag, Action: t.Action, Image: t.Image,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A Reader is a visitor or member who reads announcements.
type Reader struct {
	MerchantID int64
	Language   string
	MemberID   int64 // 0: a visitor
	Agent      bool  // may read agent notices
}

// A Filter selects announcements for a reader.
type Filter struct {
	Reader

	Types []Type
	Group string // empty: every group
}

// An Item is an announcement with its state for a reader.
type Item struct {
	query.AnnouncementsRow
	Read bool
}

// List returns the current announcements that match the filter, in display order.
func (s *Service) List(ctx context.Context, f Filter) ([]Item, error) {
	rows, err := s.current(ctx, f.Reader)
	if err != nil {
		return nil, err
	}
	read, err := s.readBy(ctx, f.MemberID)
	if err != nil {
		return nil, err
	}
	items := []Item{}
	for _, row := range rows {
		inGroup := f.Group == "" || row.GroupName == "" || row.GroupName == f.Group
		if inGroup && slices.Contains(f.Types, Type(row.Type)) {
			items = append(items, Item{AnnouncementsRow: row, Read: read[row.ID]})
		}
	}
	return items, nil
}

// Get returns a current announcement that the reader may read.
func (s *Service) Get(ctx context.Context, r Reader, id int64) (Item, error) {
	rows, err := s.current(ctx, r)
	if err != nil {
		return Item{}, err
	}
	i := slices.IndexFunc(rows, func(row query.AnnouncementsRow) bool { return row.ID == id })
	if i < 0 {
		return Item{}, ErrUnknown
	}
	read, err := s.readBy(ctx, r.MemberID)
	if err != nil {
		return Item{}, err
	}
	return Item{AnnouncementsRow: rows[i], Read: read[id]}, nil
}

// Unread counts the notices that a member has not read.
func (s *Service) Unread(ctx context.Context, r Reader) (int, error) {
	items, err := s.List(ctx, Filter{Reader: r, Types: []Type{AgentNotice, PlayerNotice}})
	if err != nil {
		return 0, err
	}
	n := 0
	for _, i := range items {
		if !i.Read {
			n++
		}
	}
	return n, nil
}

// MarkRead records that a member has read an announcement. It is idempotent. The announcement may have ended since
// the member opened it, but must have started.
func (s *Service) MarkRead(ctx context.Context, r Reader, announcementID int64) error {
	rows, err := s.all(ctx, cacheKey{r.MerchantID, r.Language})
	if err != nil {
		return err
	}
	now := db.Millis(s.o.Now())
	readable := func(row query.AnnouncementsRow) bool {
		return row.ID == announcementID && r.canRead(row) && row.StartsAt <= now
	}
	if !slices.ContainsFunc(rows, readable) {
		return ErrUnknown
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.ReadAnnouncement(ctx, query.ReadAnnouncementParams{
			MemberID: r.MemberID, MerchantID: r.MerchantID, AnnouncementID: announcementID, ReadAt: db.Millis(s.o.Now()),
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

func (r Reader) canRead(row query.AnnouncementsRow) bool {
	return Type(row.Type) != AgentNotice || r.Agent
}

func (s *Service) current(ctx context.Context, r Reader) ([]query.AnnouncementsRow, error) {
	rows, err := s.all(ctx, cacheKey{r.MerchantID, r.Language})
	if err != nil {
		return nil, err
	}
	now := db.Millis(s.o.Now())
	current := make([]query.AnnouncementsRow, 0, len(rows))
	for _, row := range rows {
		if r.canRead(row) && row.StartsAt <= now && (!row.EndsAt.Valid || now < row.EndsAt.Int64) {
			current = append(current, row)
		}
	}
	return current, nil
}

func (s *Service) readBy(ctx context.Context, memberID int64) (map[int64]bool, error) {
	if memberID == 0 {
		return nil, nil
	}
	ids, err := s.o.Store.Q().AnnouncementsRead(ctx, memberID)
	if err != nil {
		return nil, fmt.Errorf("list read announcements: %w", err)
	}
	read := make(map[int64]bool, len(ids))
	for _, id := range ids {
		read[id] = true
	}
	return read, nil
}

func (s *Service) all(ctx context.Context, key cacheKey) ([]query.AnnouncementsRow, error) {
	if err := checkLanguage(key.language); err != nil {
		return nil, err
	}
	return s.notices.Get(ctx, key, func(ctx context.Context) ([]query.AnnouncementsRow, error) {
		rows, err := s.o.Store.Q().Announcements(ctx, key.language, key.merchant)
		if err != nil {
			return nil, fmt.Errorf("read announcements: %w", err)
		}
		for i := range rows { // the sanitizer may be newer than the stored rows
			rows[i].Content = s.sanitizer.Sanitize(rows[i].Content)
		}
		return rows, nil
	})
}
