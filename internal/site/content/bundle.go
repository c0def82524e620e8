package content

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A Bundle is content to import or export.
type Bundle struct {
	Announcements []Announcement `json:"announcements,omitempty"`
	Pages         []Page         `json:"pages,omitempty"`
	Help          []HelpTopic    `json:"help,omitempty"`
	Models        []Model        `json:"models,omitempty"`
}

// Limits of an imported file. The server caches all content in memory.
const (
	maxFileBytes = 4 << 20
	maxItems     = 500 // announcements, pages, help topics and models together
)

// ReadBundle reads an imported file. It rejects unknown fields. Items without the field enabled are enabled.
func ReadBundle(from io.Reader) (Bundle, error) {
	raw, err := rest.ReadFile(from, maxFileBytes)
	if tooLong := (rest.FileTooLargeError{}); errors.As(err, &tooLong) {
		return Bundle{}, ErrMalformed.Because(err)
	}
	if err != nil {
		return Bundle{}, err
	}
	var parts struct{ Announcements, Pages, Help, Models []json.RawMessage }
	if err := decodeStrict(raw, &parts); err != nil {
		return Bundle{}, ErrMalformed.Because(err)
	}
	if len(parts.Announcements)+len(parts.Pages)+len(parts.Help)+len(parts.Models) > maxItems {
		return Bundle{}, ErrMalformed.Because(errTooMany)
	}
	if field, err := rest.CheckFile(raw); err != nil {
		return Bundle{}, ErrMalformed.On(field).Because(fmt.Errorf("%s: %w", field, err))
	}
	announcements, err := decodeItems(parts.Announcements, "announcements", Announcement{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	pages, err := decodeItems(parts.Pages, "pages", Page{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	help, err := decodeItems(parts.Help, "help", HelpTopic{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	models, err := decodeItems(parts.Models, "models", Model{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	b := Bundle{announcements, pages, help, models}
	if b.Size() == 0 {
		return Bundle{}, ErrMalformed.Because(errors.New("the file holds no announcements, pages, help topics or models"))
	}
	return b, b.check()
}

// decodeItems decodes and checks items of one kind. Errors name the index, because an item may lack its code.
func decodeItems[T interface{ check() error }](list []json.RawMessage, kind string, defaults T) ([]T, error) {
	var all []T
	for i, raw := range list {
		item, path := defaults, fmt.Sprintf("%s[%d]", kind, i)
		if err := decodeStrict(raw, &item); err != nil {
			return nil, ErrMalformed.On(path).Because(err)
		}
		if f := (*fault.Fault)(nil); errors.As(item.check(), &f) {
			return nil, f.Because(fmt.Errorf("%w, %s", f.Unwrap(), path))
		}
		all = append(all, item)
	}
	return all, nil
}

func decodeStrict(raw []byte, target any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(target); err != nil {
		return fmt.Errorf("after %d bytes: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("unexpected data follows the end")
	}
	return nil
}

// Size returns the number of items.
func (b Bundle) Size() int { return len(b.Announcements) + len(b.Pages) + len(b.Help) + len(b.Models) }

var errTooMany = fmt.Errorf("there are more than %d announcements, pages, help topics and models: split them into several files", maxItems)

// check validates all items and rejects repeated codes and names.
func (b Bundle) check() error {
	if b.Size() > maxItems {
		return ErrMalformed.Because(errTooMany)
	}
	type key struct{ kind, code string }
	seen := map[key]bool{}
	checkUnique := func(kind, code string) error {
		if seen[key{kind, code}] {
			return malformed("duplicate", kind, code)
		}
		seen[key{kind, code}] = true
		return nil
	}
	for _, a := range b.Announcements {
		if err := cmp.Or(a.check(), checkUnique("announcement", a.Code)); err != nil {
			return err
		}
	}
	for _, p := range b.Pages {
		if err := cmp.Or(p.check(), checkUnique("page", p.Name)); err != nil {
			return err
		}
	}
	for _, h := range b.Help { // pages and help topics share one namespace
		if err := cmp.Or(h.check(), checkUnique("page", h.Code)); err != nil {
			return err
		}
	}
	for _, m := range b.Models {
		if err := cmp.Or(m.check(), checkUnique("model", m.Code)); err != nil {
			return err
		}
	}
	return nil
}

func malformed(field, kind, code string) error {
	return ErrMalformed.On(field).With(kind, code).Because(fmt.Errorf("%s %q", kind, code))
}

// Export returns all stored content of a merchant, enabled or not.
func (s *Service) Export(ctx context.Context, merchantID int64) (Bundle, error) {
	q := s.o.Store.Q()
	var b Bundle
	announcements, err := q.AllAnnouncements(ctx, merchantID)
	if err != nil {
		return b, fmt.Errorf("read announcements: %w", err)
	}
	texts, err := q.AllAnnouncementTexts(ctx, merchantID)
	if err != nil {
		return b, fmt.Errorf("read announcement texts: %w", err)
	}
	pages, err := q.OpsPages(ctx, merchantID, kindPage)
	if err != nil {
		return b, fmt.Errorf("read pages: %w", err)
	}
	help, err := q.OpsPages(ctx, merchantID, kindHelp)
	if err != nil {
		return b, fmt.Errorf("read help topics: %w", err)
	}
	models, err := q.AllLiveModels(ctx, merchantID)
	if err != nil {
		return b, fmt.Errorf("read live models: %w", err)
	}
	b.Announcements = announcementsOf(announcements, texts)
	for _, row := range pages {
		if last := len(b.Pages) - 1; last < 0 || b.Pages[last].Name != row.Name {
			b.Pages = append(b.Pages, Page{Name: row.Name, Sorting: row.Sorting, Enabled: row.Enabled, Texts: map[string]PageText{}})
		}
		b.Pages[len(b.Pages)-1].Texts[row.Language] = PageText{Title: row.Title, Content: row.Content}
	}
	b.Help = helpTopicsOf(help)
	for _, row := range models {
		b.Models = append(b.Models, Model{
			Code: row.Code, Name: row.Name, Cover: row.Cover, Status: row.Status, Sorting: row.Sorting, Enabled: row.Enabled,
		})
	}
	return b, nil
}

func announcementsOf(rows []query.Announcement, texts []query.AnnouncementText) []Announcement {
	byID := map[int64]map[string]Text{}
	for _, t := range texts {
		if byID[t.AnnouncementID] == nil {
			byID[t.AnnouncementID] = map[string]Text{}
		}
		byID[t.AnnouncementID][t.Language] = Text{Title: t.Title, Content: t.Content, Tag: t.Tag, Action: t.Action, Image: t.Image}
	}
	var all []Announcement
	for _, row := range rows {
		a := Announcement{
			Code: row.Code, Type: Type(row.Type), Group: row.GroupName, Execution: row.Execution, PromotionType: row.PromotionType,
			URL: row.Url, Image: row.Image, Sorting: row.Sorting, Starts: time.UnixMilli(row.StartsAt).UTC(), Enabled: row.Enabled, Texts: byID[row.ID],
		}
		if row.EndsAt.Valid {
			a.Ends = time.UnixMilli(row.EndsAt.Int64).UTC()
		}
		all = append(all, a)
	}
	return all
}
