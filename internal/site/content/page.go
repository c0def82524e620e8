package content

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

const (
	maxLineLength = 300      // bytes
	maxTextLength = 64 << 10 // bytes
)

// codePattern matches codes and names, which may be part of a URL.
var codePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$`)

// A PageText is a page in one language.
type PageText struct {
	Title   string `json:"title"`
	Content string `json:"content"` // HTML
}

// A Page is a text page, such as the user agreement.
type Page struct {
	Name    string              `json:"name"` // part of its URL
	Sorting int64               `json:"sorting"`
	Enabled bool                `json:"enabled"`
	Texts   map[string]PageText `json:"texts"` // by language
}

func (p Page) check() error {
	reject := func(field string) error { return malformed(field, "page", p.Name) }
	if !codePattern.MatchString(p.Name) {
		return reject("name")
	}
	for language := range p.Texts {
		if !slices.Contains(languages, language) {
			return reject("texts." + language)
		}
	}
	for _, l := range languages {
		t := p.Texts[l]
		if !validHeading(t.Title) {
			return reject("title." + l)
		}
		if strings.TrimSpace(t.Content) == "" || len(t.Content) > maxTextLength {
			return reject("content." + l)
		}
	}
	return nil
}

func (s *Service) putPage(ctx context.Context, tx *db.Tx, merchantID int64, p Page) error {
	id, err := pageID(ctx, tx, merchantID, p.Name, kindPage)
	if err != nil {
		return err
	}
	if id == 0 {
		id = s.o.IDs()
	}
	for _, l := range languages {
		sanitized := s.sanitizer.Sanitize(p.Texts[l].Content)
		if !hasContent(sanitized) {
			return malformed("content."+l, "page", p.Name)
		}
		err := tx.Q.PutPage(ctx, query.PutPageParams{
			MerchantID: merchantID, Name: p.Name, Language: l, Title: p.Texts[l].Title, Content: sanitized,
			Sorting: p.Sorting, Enabled: p.Enabled, UpdatedAt: db.Millis(s.o.Now()), ID: id, Kind: kindPage,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Pages returns the enabled pages of a merchant in one language, in display order.
func (s *Service) Pages(ctx context.Context, merchantID int64, language string) ([]query.PagesRow, error) {
	if err := checkLanguage(language); err != nil {
		return nil, err
	}
	rows, err := s.pages.Get(ctx, cacheKey{merchantID, language}, func(ctx context.Context) ([]query.PagesRow, error) {
		rows, err := s.o.Store.Q().Pages(ctx, merchantID, language)
		if err != nil {
			return nil, fmt.Errorf("read pages: %w", err)
		}
		for i := range rows { // the sanitizer may be newer than the stored rows
			rows[i].Content = s.sanitizer.Sanitize(rows[i].Content)
		}
		return rows, nil
	})
	now, current := db.Millis(s.o.Now()), []query.PagesRow{}
	for _, row := range rows {
		if row.StartsAt <= now && (!row.EndsAt.Valid || now < row.EndsAt.Int64) {
			current = append(current, row)
		}
	}
	return current, err
}

// PageByName returns an enabled page.
func (s *Service) PageByName(ctx context.Context, merchantID int64, language, name string) (query.PagesRow, error) {
	pages, err := s.Pages(ctx, merchantID, language)
	if err != nil {
		return query.PagesRow{}, err
	}
	for _, p := range pages {
		if p.Name == name {
			return p, nil
		}
	}
	return query.PagesRow{}, ErrUnknown
}
