package demo_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"fairground/internal/demo"
	"fairground/internal/platform/rest"
	"fairground/internal/site/content"
)

var (
	helpHTML = regexp.MustCompile(`^(?:</?(?:p|ul|ol|li|b|a)>|<a href="/m/[A-Za-z/]+">|[^<>])+$`)
	helpTags = regexp.MustCompile(`<(?:p|ul|ol|li|a)\b[^>]*>`)
	figures  = regexp.MustCompile(`\d+`)
)

// Translations have the same paragraphs, links and figures as the English article.
func TestHelpArticles(t *testing.T) {
	t.Parallel()
	topics, err := demo.HelpTopics()
	if err != nil {
		t.Fatal(err)
	}
	articles := 0
	for _, h := range topics {
		if h.Parent != "" {
			articles++
		}
		english := h.Texts["en"]
		for _, language := range rest.Languages() {
			text, ok := h.Texts[language]
			if !ok || text.Title == "" {
				t.Errorf("%s has no text in %s", h.Code, language)
				continue
			}
			if h.Parent == "" {
				continue
			}
			if !helpHTML.MatchString(text.Content) {
				t.Errorf("%s in %s: %q, want simple HTML", h.Code, language, text.Content)
			}
			if got, want := helpTags.FindAllString(text.Content, -1), helpTags.FindAllString(english.Content, -1); !slices.Equal(got, want) {
				t.Errorf("%s in %s: tags %v, want %v", h.Code, language, got, want)
			}
			if got, want := sortedFigures(text.Content), sortedFigures(english.Content); !slices.Equal(got, want) {
				t.Errorf("%s in %s: figures %v, want %v", h.Code, language, got, want)
			}
		}
	}
	if articles < 30 {
		t.Errorf("%d articles, want at least 30", articles)
	}
	raw, err := json.Marshal(content.Bundle{Help: topics})
	if err != nil {
		t.Fatal(err)
	}
	if imported, err := content.ReadBundle(bytes.NewReader(raw)); err != nil || len(imported.Help) != len(topics) || len(raw) > 1<<20 {
		t.Errorf("import of %d bytes: %d topics, %v; want %d of at most 1 MB", len(raw), len(imported.Help), err, len(topics))
	}
}

func sortedFigures(text string) []string {
	found := figures.FindAllString(text, -1)
	slices.Sort(found)
	return found
}
