package content

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
)

// Faults of the operators' endpoints.
var (
	ErrTaken   = fault.ForOperators(fault.Conflict, "content.taken")
	ErrMissing = fault.ForOperators(fault.NotFound, "content.missing")
)

// A Kind is a list of content that operators edit. It is also the list's name in the operator's API.
type Kind string

// The kinds.
const (
	Announcements Kind = "announcements"
	Banners       Kind = "banners"
	Popups        Kind = "popups"
	Pages         Kind = "pages"
	Help          Kind = "help"
)

// kinds maps each kind to its types of announcements. Pages and help topics have none, because they are in another table.
var kinds = map[Kind][2]Type{
	Announcements: {PlayerNotice, AgentNotice}, Banners: {Banner, Banner}, Popups: {Popup, Popup}, Pages: {}, Help: {},
}

// pageKind returns the kind in the table page, or "" for kinds in the table announcement.
func (k Kind) pageKind() string {
	switch k {
	case Pages:
		return kindPage
	case Help:
		return kindHelp
	default:
		return ""
	}
}

// fallbackLanguages are tried in this order if there is no text in the reader's language. Every entry has a text in one of them.
var fallbackLanguages = []string{"vi", "en"}

// An Entry is an announcement, banner, popup, page or help topic as operators edit it.
type Entry struct {
	ID        int64
	Kind      Kind
	Code      string
	Agents    bool   // an announcement for agents instead of players
	Group     string // place of a banner
	Parent    string // code of a help article's topic
	Execution string // when a popup appears
	URL       string
	Image     string
	Sorting   int64
	Starts    time.Time
	Ends      time.Time // zero: no end
	Published bool
	Texts     map[string]Text // by language; missing languages fall back
	Version   int64
	Helpful   int64 // votes of a help article's readers
	Unhelpful int64
	Reason    string // the operator's reason for a change, only for the audit log
}

// States of an entry.
const (
	StateDraft     = "draft"
	StateScheduled = "scheduled"
	StatePublished = "published"
	StateEnded     = "ended"
)

// State returns the state of the entry at the time now.
func (e Entry) State(now time.Time) string {
	switch {
	case !e.Published:
		return StateDraft
	case now.Before(e.Starts):
		return StateScheduled
	case !e.Ends.IsZero() && !now.Before(e.Ends):
		return StateEnded
	default:
		return StatePublished
	}
}

// Title returns the title in the first fallback language that has one, or else in any language.
func (e Entry) Title() string {
	for _, l := range append(slices.Clone(fallbackLanguages), languages...) {
		if title := e.Texts[l].Title; title != "" {
			return title
		}
	}
	return e.Code
}

func (e Entry) object() string {
	return strings.TrimSuffix(string(e.Kind), "s") + "/" + strconv.FormatInt(e.ID, 10)
}

func (e Entry) announcementType() Type {
	types := kinds[e.Kind]
	if e.Agents {
		return types[1]
	}
	return types[0]
}

// check applies the rules for imported content, except that languages may be missing.
func (e Entry) check() error {
	if !slices.ContainsFunc(fallbackLanguages, func(l string) bool { return e.Texts[l].Title != "" }) {
		return ErrMalformed.On("texts").Because(errors.New("a text in Vietnamese or English is needed"))
	}
	allTexts := map[string]Text{} // with the missing languages filled in
	for _, l := range languages {
		allTexts[l] = Text{Title: e.Title(), Content: "-"}
	}
	maps.Copy(allTexts, e.Texts)
	if e.Kind.pageKind() != "" {
		p := Page{Name: e.Code, Texts: map[string]PageText{}}
		for l, t := range allTexts {
			p.Texts[l] = PageText{Title: t.Title, Content: t.Content}
		}
		if e.Kind == Help {
			if err := (HelpTopic{Code: e.Code, Parent: e.Parent, Texts: p.Texts}).check(); err != nil {
				return err
			}
		}
		if !e.Ends.IsZero() && !e.Ends.After(e.Starts) {
			return malformed("ends", e.Kind.pageKind(), e.Code)
		}
		if e.Kind == Help {
			return nil
		}
		return p.check()
	}
	return Announcement{
		Code: e.Code, Type: e.announcementType(), Group: e.Group, Execution: e.Execution, URL: e.URL, Image: e.Image,
		Starts: e.Starts, Ends: e.Ends, Texts: allTexts,
	}.check()
}

// Entries returns the entries of a kind in display order.
func (s *Service) Entries(ctx context.Context, merchantID int64, kind Kind) ([]Entry, error) {
	return entriesIn(ctx, s.o.Store.Q(), merchantID, kind)
}

func entriesIn(ctx context.Context, q *query.Queries, merchantID int64, kind Kind) ([]Entry, error) {
	if pageKind := kind.pageKind(); pageKind != "" {
		rows, err := q.OpsPages(ctx, merchantID, pageKind)
		if err != nil {
			return nil, fmt.Errorf("read pages: %w", err)
		}
		entries := pageEntries(kind, rows)
		if kind == Help {
			err = addVotes(ctx, q, merchantID, entries)
		}
		return entries, err
	}
	types := kinds[kind]
	rows, err := q.OpsAnnouncements(ctx, merchantID, string(types[0]), string(types[1]))
	if err != nil {
		return nil, fmt.Errorf("read announcements: %w", err)
	}
	texts, err := q.OpsAnnouncementTexts(ctx, merchantID, string(types[0]), string(types[1]))
	if err != nil {
		return nil, fmt.Errorf("read announcement texts: %w", err)
	}
	byID := map[int64][]query.AnnouncementText{}
	for _, t := range texts {
		byID[t.AnnouncementID] = append(byID[t.AnnouncementID], t)
	}
	out := make([]Entry, len(rows))
	for i, row := range rows {
		out[i] = announcementEntry(kind, row, byID[row.ID])
	}
	return out, nil
}

// FindEntry returns one entry.
func (s *Service) FindEntry(ctx context.Context, merchantID int64, kind Kind, id int64) (Entry, error) {
	return findEntry(ctx, s.o.Store.Q(), merchantID, kind, id)
}

func findEntry(ctx context.Context, q *query.Queries, merchantID int64, kind Kind, id int64) (Entry, error) {
	if pageKind := kind.pageKind(); pageKind != "" {
		rows, err := q.OpsPage(ctx, merchantID, id, pageKind)
		if err != nil {
			return Entry{}, fmt.Errorf("read page: %w", err)
		}
		if len(rows) == 0 {
			return Entry{}, ErrMissing
		}
		entries := pageEntries(kind, rows)
		if kind == Help {
			err = addVotes(ctx, q, merchantID, entries)
		}
		return entries[0], err
	}
	row, err := q.OpsAnnouncement(ctx, id, merchantID)
	if errors.Is(err, sql.ErrNoRows) {
		return Entry{}, ErrMissing
	}
	if err != nil {
		return Entry{}, fmt.Errorf("read announcement: %w", err)
	}
	if types := kinds[kind]; Type(row.Type) != types[0] && Type(row.Type) != types[1] {
		return Entry{}, ErrMissing
	}
	texts, err := q.OpsAnnouncementTextsOf(ctx, id)
	if err != nil {
		return Entry{}, fmt.Errorf("read announcement texts: %w", err)
	}
	return announcementEntry(kind, row, texts), nil
}

func announcementEntry(kind Kind, row query.Announcement, texts []query.AnnouncementText) Entry {
	e := Entry{
		ID: row.ID, Kind: kind, Code: row.Code, Agents: Type(row.Type) == AgentNotice, Group: row.GroupName, Execution: row.Execution, URL: row.Url,
		Image: row.Image, Sorting: row.Sorting, Starts: time.UnixMilli(row.StartsAt).UTC(), Published: row.Enabled, Version: row.Version, Texts: map[string]Text{},
	}
	if row.EndsAt.Valid {
		e.Ends = time.UnixMilli(row.EndsAt.Int64).UTC()
	}
	for _, t := range texts {
		e.Texts[t.Language] = Text{Title: t.Title, Content: t.Content, Tag: t.Tag, Action: t.Action, Image: t.Image}
	}
	return e
}

// pageEntries combines the rows of each page, which has one row per language.
func pageEntries(kind Kind, rows []query.Page) []Entry {
	var out []Entry
	for _, row := range rows {
		i := slices.IndexFunc(out, func(e Entry) bool { return e.ID == row.ID })
		if i < 0 {
			e := Entry{
				ID: row.ID, Kind: kind, Code: row.Name, Parent: row.Parent, Sorting: row.Sorting, Published: row.Enabled, Starts: time.UnixMilli(row.StartsAt).UTC(), Texts: map[string]Text{},
			}
			if row.EndsAt.Valid {
				e.Ends = time.UnixMilli(row.EndsAt.Int64).UTC()
			}
			out = append(out, e)
			i = len(out) - 1
		}
		out[i].Version = max(out[i].Version, row.Version)
		out[i].Texts[row.Language] = Text{Title: row.Title, Content: row.Content}
	}
	return out
}
