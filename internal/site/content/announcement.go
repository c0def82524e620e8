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

// Type says what an announcement is.
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

func known(t Type) bool { return slices.Contains(types, t) }

// Groups are the places where banners stand. A banner has one; what is announced otherwise needs none.
var groups = []string{"", spec.GroupHome, spec.GroupLive, spec.GroupRegister}

// Executions say when a popup shows: A with a session, F with one at its first login, B without one.
var executions = []string{"", "A", "B", "F"}

// Text is an announcement in one language.
type Text struct {
	Title   string `json:"title"`
	Content string `json:"content,omitempty"` // HTML
	Tag     string `json:"tag,omitempty"`     // the small line over a banner's title
	Action  string `json:"action,omitempty"`  // the words on a banner's button
	Image   string `json:"image,omitempty"`   // in place of the announcement's own, where the picture itself has a direction
}

// Announcement is one notice, banner, popup or promotion.
type Announcement struct {
	Code          string          `json:"code"` // the operator's own name for it
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
	wrong := func(what string) error { return malformed(what, "announcement", a.Code) }
	switch {
	case !codeForm.MatchString(a.Code):
		return wrong("code")
	case !known(a.Type):
		return wrong("type")
	case !slices.Contains(groups, a.Group), a.Type == Banner && a.Group == "":
		return wrong("group")
	case !slices.Contains(executions, a.Execution) || (a.Type == Popup) != (a.Execution != ""):
		return wrong("execution")
	case !label(a.PromotionType):
		return wrong("promotionType")
	case !ownPath(a.URL):
		return wrong("url")
	case !picture(a.Image) || (a.Type == Banner && a.Image == ""):
		return wrong("image")
	case a.Starts.Year() < 2000 || a.Starts.Year() > 9999:
		return wrong("starts")
	case !a.Ends.IsZero() && !a.Ends.After(a.Starts):
		return wrong("ends")
	}
	for language := range a.Texts {
		if !slices.Contains(languages, language) {
			return wrong("texts." + language)
		}
	}
	for _, l := range languages {
		t := a.Texts[l]
		switch {
		case !heading(t.Title):
			return wrong("title." + l)
		case !label(t.Tag):
			return wrong("tag." + l)
		case !label(t.Action):
			return wrong("action." + l)
		}
		if len(t.Content) > longestText {
			return wrong("content." + l)
		}
		if !picture(t.Image) {
			return wrong("image." + l)
		}
	}
	return nil
}

// shown refuses pictures from where the app's page lets none be shown.
func (s *Service) shown(ctx context.Context, merchantID int64, a Announcement) error {
	images := []string{a.Image}
	for _, t := range a.Texts {
		images = append(images, t.Image)
	}
	for _, image := range images {
		if !strings.HasPrefix(image, "https:") {
			continue
		}
		ok := false
		if s.o.Pictures != nil {
			var err error
			if ok, err = s.o.Pictures.Shows(ctx, merchantID, image); err != nil {
				return err
			}
		}
		if !ok {
			return malformed("image", "announcement", a.Code)
		}
	}
	return nil
}

// remote is the form of an address at a CDN.
var remote = regexp.MustCompile(`^https://[A-Za-z0-9][!-~]*$`)

// picture: an announcement shows art of the site, or of the merchant's CDN.
func picture(p string) bool {
	return ownPath(p) || len(p) <= longestAddress && remote.MatchString(p)
}

// ownPath: an announcement leads to a screen of the app, nowhere else.
func ownPath(p string) bool {
	return p == "" || (strings.HasPrefix(p, "/m/") && len(p) <= longestAddress && !strings.ContainsAny(p, "\\ \t\r\n"))
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
			AnnouncementID: id, Language: l, Title: t.Title, Content: s.safe.Sanitize(t.Content), Tag: t.Tag, Action: t.Action, Image: t.Image,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Reader is who looks at announcements.
type Reader struct {
	MerchantID int64
	Language   string
	MemberID   int64 // 0: a visitor
	Agent      bool  // agents' notices are theirs alone
}

// Filter says which announcements are asked for.
type Filter struct {
	Reader

	Types []Type
	Group string // empty: every group
}

// Item is an announcement as one reader sees it.
type Item struct {
	query.AnnouncementsRow
	Read bool
}

// List gives what is to be shown now, in order.
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
		placed := f.Group == "" || row.GroupName == "" || row.GroupName == f.Group
		if placed && slices.Contains(f.Types, Type(row.Type)) {
			items = append(items, Item{AnnouncementsRow: row, Read: read[row.ID]})
		}
	}
	return items, nil
}

// One gives a single announcement, as long as it is shown to this reader.
func (s *Service) One(ctx context.Context, r Reader, id int64) (Item, error) {
	rows, err := s.current(ctx, r)
	if err != nil {
		return Item{}, err
	}
	at := slices.IndexFunc(rows, func(row query.AnnouncementsRow) bool { return row.ID == id })
	if at < 0 {
		return Item{}, ErrUnknown
	}
	read, err := s.readBy(ctx, r.MemberID)
	if err != nil {
		return Item{}, err
	}
	return Item{AnnouncementsRow: rows[at], Read: read[id]}, nil
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

// MarkRead notes that a member has read an announcement. Reading it twice is not an error, nor is reading on what
// has run out since it was opened; what has not begun is not there to be read.
func (s *Service) MarkRead(ctx context.Context, r Reader, announcementID int64) error {
	rows, err := s.all(ctx, edition{r.MerchantID, r.Language})
	if err != nil {
		return err
	}
	now := db.Millis(s.o.Now())
	opened := func(row query.AnnouncementsRow) bool {
		return row.ID == announcementID && r.may(row) && row.StartsAt <= now
	}
	if !slices.ContainsFunc(rows, opened) {
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

func (r Reader) may(row query.AnnouncementsRow) bool {
	return Type(row.Type) != AgentNotice || r.Agent
}

// current is all that this reader may be shown now.
func (s *Service) current(ctx context.Context, r Reader) ([]query.AnnouncementsRow, error) {
	rows, err := s.all(ctx, edition{r.MerchantID, r.Language})
	if err != nil {
		return nil, err
	}
	now := db.Millis(s.o.Now())
	shown := make([]query.AnnouncementsRow, 0, len(rows))
	for _, row := range rows {
		if r.may(row) && row.StartsAt <= now && (!row.EndsAt.Valid || now < row.EndsAt.Int64) {
			shown = append(shown, row)
		}
	}
	return shown, nil
}

func (s *Service) readBy(ctx context.Context, memberID int64) (map[int64]bool, error) {
	if memberID == 0 {
		return nil, nil
	}
	ids, err := s.o.Store.Q().AnnouncementsRead(ctx, memberID)
	if err != nil {
		return nil, fmt.Errorf("read which announcements were read: %w", err)
	}
	read := make(map[int64]bool, len(ids))
	for _, id := range ids {
		read[id] = true
	}
	return read, nil
}

func (s *Service) all(ctx context.Context, key edition) ([]query.AnnouncementsRow, error) {
	if err := in(key.language); err != nil {
		return nil, err
	}
	return s.notices.Get(ctx, key, func(ctx context.Context) ([]query.AnnouncementsRow, error) {
		rows, err := s.o.Store.Q().Announcements(ctx, key.merchant, key.language)
		if err != nil {
			return nil, fmt.Errorf("read announcements: %w", err)
		}
		return rows, nil
	})
}
