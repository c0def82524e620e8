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

// The most that is stored of anything: pages are read on phones.
const (
	longestLine = 300
	longestText = 64 << 10
)

// codeForm is that of the names that operators give, and of a part of an address.
var codeForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$`)

// PageText is a page in one language.
type PageText struct {
	Title   string `json:"title"`
	Content string `json:"content"` // HTML
}

// Page is a text that stands for itself, such as the user agreement.
type Page struct {
	Name    string              `json:"name"` // as its address has it
	Sorting int64               `json:"sorting"`
	Enabled bool                `json:"enabled"`
	Texts   map[string]PageText `json:"texts"` // by language
}

func (p Page) check() error {
	wrong := func(what string) error { return malformed(what, "page", p.Name) }
	if !codeForm.MatchString(p.Name) {
		return wrong("name")
	}
	for language := range p.Texts {
		if !slices.Contains(languages, language) {
			return wrong("texts." + language)
		}
	}
	for _, l := range languages {
		t := p.Texts[l]
		if !heading(t.Title) {
			return wrong("title." + l)
		}
		if strings.TrimSpace(t.Content) == "" || len(t.Content) > longestText {
			return wrong("content." + l)
		}
	}
	return nil
}

func (s *Service) putPage(ctx context.Context, tx *db.Tx, merchantID int64, p Page) error {
	for _, l := range languages {
		clean := s.safe.Sanitize(p.Texts[l].Content)
		if !shows(clean) {
			return malformed("content."+l, "page", p.Name)
		}
		err := tx.Q.PutPage(ctx, query.PutPageParams{
			MerchantID: merchantID, Name: p.Name, Language: l, Title: p.Texts[l].Title, Content: clean,
			Sorting: p.Sorting, Enabled: p.Enabled, UpdatedAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Pages gives all pages of a merchant in one language, in order.
func (s *Service) Pages(ctx context.Context, merchantID int64, language string) ([]query.PagesRow, error) {
	if err := in(language); err != nil {
		return nil, err
	}
	return s.pages.Get(ctx, edition{merchantID, language}, func(ctx context.Context) ([]query.PagesRow, error) {
		rows, err := s.o.Store.Q().Pages(ctx, merchantID, language)
		if err != nil {
			return nil, fmt.Errorf("read pages: %w", err)
		}
		return rows, nil
	})
}

// PageOf gives one of them.
func (s *Service) PageOf(ctx context.Context, merchantID int64, language, name string) (query.PagesRow, error) {
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
