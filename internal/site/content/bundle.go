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

// Bundle is content as an operator writes it into a file and reads it again.
type Bundle struct {
	Announcements []Announcement `json:"announcements,omitempty"`
	Pages         []Page         `json:"pages,omitempty"`
	Models        []Model        `json:"models,omitempty"`
}

// What one file may hold. All of it is kept in memory and home asks for it at each load, so it is a site's news, not its
// archive; whoever has more than this brings several files.
const (
	fileMost  = 4 << 20
	thingMost = 500 // announcements, pages and models together
)

// ReadBundle reads a file. What it does not know is refused: it would be lost in silence. What does not say otherwise is
// switched on.
func ReadBundle(from io.Reader) (Bundle, error) {
	raw, err := rest.ReadFile(from, fileMost)
	if tooLong := (rest.FileTooLargeError{}); errors.As(err, &tooLong) {
		return Bundle{}, ErrMalformed.Because(err)
	}
	if err != nil {
		return Bundle{}, err
	}
	var parts struct{ Announcements, Pages, Models []json.RawMessage }
	if err := strict(raw, &parts); err != nil {
		return Bundle{}, ErrMalformed.Because(err)
	}
	if len(parts.Announcements)+len(parts.Pages)+len(parts.Models) > thingMost {
		return Bundle{}, ErrMalformed.Because(errTooMany)
	}
	if field, err := rest.CheckFile(raw); err != nil {
		return Bundle{}, ErrMalformed.On(field).Because(fmt.Errorf("%s: %w", field, err))
	}
	announcements, err := each(parts.Announcements, "announcements", Announcement{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	pages, err := each(parts.Pages, "pages", Page{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	models, err := each(parts.Models, "models", Model{Enabled: true})
	if err != nil {
		return Bundle{}, err
	}
	b := Bundle{announcements, pages, models}
	if b.Size() == 0 {
		return Bundle{}, ErrMalformed.Because(errors.New("the file holds no announcements, pages or models"))
	}
	return b, b.check()
}

// each reads things of one kind, and tells by its place which of them does not fit: it need not have a name.
func each[T interface{ check() error }](list []json.RawMessage, what string, usual T) ([]T, error) {
	var all []T
	for i, raw := range list {
		one, place := usual, fmt.Sprintf("%s[%d]", what, i)
		if err := strict(raw, &one); err != nil {
			return nil, ErrMalformed.On(place).Because(err)
		}
		if f := (*fault.Fault)(nil); errors.As(one.check(), &f) {
			return nil, f.Because(fmt.Errorf("%w, %s", f.Unwrap(), place))
		}
		all = append(all, one)
	}
	return all, nil
}

func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("after %d bytes: %w", d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end")
	}
	return nil
}

// Size tells how many things it holds.
func (b Bundle) Size() int { return len(b.Announcements) + len(b.Pages) + len(b.Models) }

var errTooMany = fmt.Errorf("there are more than %d announcements, pages and models: bring them in parts", thingMost)

// check refuses what does not fit, and two things of one name: one of them would be lost.
func (b Bundle) check() error {
	if b.Size() > thingMost {
		return ErrMalformed.Because(errTooMany)
	}
	type thing struct{ kind, code string }
	seen := map[thing]bool{}
	again := func(kind, code string) error {
		if seen[thing{kind, code}] {
			return malformed("twice", kind, code)
		}
		seen[thing{kind, code}] = true
		return nil
	}
	for _, a := range b.Announcements {
		if err := cmp.Or(a.check(), again("announcement", a.Code)); err != nil {
			return err
		}
	}
	for _, p := range b.Pages {
		if err := cmp.Or(p.check(), again("page", p.Name)); err != nil {
			return err
		}
	}
	for _, m := range b.Models {
		if err := cmp.Or(m.check(), again("model", m.Code)); err != nil {
			return err
		}
	}
	return nil
}

// malformed says what of which thing does not fit.
func malformed(what, kind, code string) error {
	return ErrMalformed.On(what).With(kind, code).Because(fmt.Errorf("%s %q", kind, code))
}

// Everything gives all content of a merchant as it is stored, switched on or off.
func (s *Service) Everything(ctx context.Context, merchantID int64) (Bundle, error) {
	q := s.o.Store.Q()
	var b Bundle
	announcements, err := q.AllAnnouncements(ctx, merchantID)
	if err != nil {
		return b, fmt.Errorf("read announcements: %w", err)
	}
	texts, err := q.AllAnnouncementTexts(ctx, merchantID)
	if err != nil {
		return b, fmt.Errorf("read announcements' texts: %w", err)
	}
	pages, err := q.AllPages(ctx, merchantID)
	if err != nil {
		return b, fmt.Errorf("read pages: %w", err)
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
	for _, row := range models {
		b.Models = append(b.Models, Model{
			Code: row.Code, Name: row.Name, Cover: row.Cover, Status: row.Status, Sorting: row.Sorting, Enabled: row.Enabled,
		})
	}
	return b, nil
}

func announcementsOf(rows []query.Announcement, texts []query.AnnouncementText) []Announcement {
	by := map[int64]map[string]Text{}
	for _, t := range texts {
		if by[t.AnnouncementID] == nil {
			by[t.AnnouncementID] = map[string]Text{}
		}
		by[t.AnnouncementID][t.Language] = Text{Title: t.Title, Content: t.Content, Tag: t.Tag, Action: t.Action, Image: t.Image}
	}
	var all []Announcement
	for _, row := range rows {
		a := Announcement{
			Code: row.Code, Type: Type(row.Type), Group: row.GroupName, Execution: row.Execution, PromotionType: row.PromotionType,
			URL: row.Url, Image: row.Image, Sorting: row.Sorting, Starts: time.UnixMilli(row.StartsAt).UTC(), Enabled: row.Enabled, Texts: by[row.ID],
		}
		if row.EndsAt.Valid {
			a.Ends = time.UnixMilli(row.EndsAt.Int64).UTC()
		}
		all = append(all, a)
	}
	return all
}
