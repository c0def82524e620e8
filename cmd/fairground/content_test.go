package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairground/internal/site/content"
)

// The commands work with and without a running server.
func TestContentCommands(t *testing.T) {
	t.Parallel()
	texts := `"texts":{"vi":{"title":"Mới","content":"<p>Mới</p>"},"en":{"title":"New","content":"<p>New</p><script>x</script>"},"ur":{"title":"نیا","content":"<p>نیا</p>"},"pt":{"title":"Novo","content":"<p>Novo</p>"}}`
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "content.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write(`{"announcements":[{"code":"fresh","type":"PL","starts":"2026-01-01T00:00:00Z","sorting":1,` + texts + `}],
		"pages":[{"name":"rules",` + texts + `}],"models":[{"code":"mai","name":"Mai","cover":"/m/art/live/sicbo.webp","status":"active"}]}`)
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		s := start(t, args...)
		run := func(want string, more ...string) string {
			t.Helper()
			code, out, stderr := command(t, "", append(append([]string{"content"}, more...), args...)...)
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%v = %d, %s%s, want exit code 0 and %q", more, code, out, stderr, want)
			}
			return out
		}
		no := func(want string, more ...string) {
			t.Helper()
			wantError(t, want, append(append([]string{"content"}, more...), args...)...)
		}
		run("", "list")
		if list := value[[]any](s, http.MethodGet, "/wps/relay/MCSFE_getListAnnouncements?types=PL", "", ""); len(list) != 0 {
			t.Fatalf("announcements = %v, want none", list)
		}
		run("Stored 1 announcements, 1 pages, 0 help topics, 1 models.", "import", file)
		if list := value[[]struct{ Title string }](s, http.MethodGet, "/wps/relay/MCSFE_getListAnnouncements?types=PL", "", ""); len(list) != 1 || list[0].Title != "Mới" {
			t.Errorf("announcements = %+v, want 1 entry and title \"Mới\"", list)
		}
		if page := value[struct{ Content string }](s, http.MethodGet, "/wps/system/page/rules", "", ""); page.Content != "<p>Mới</p>" {
			t.Errorf("page = %+v, want \"<p>Mới</p>\"", page)
		}
		for _, running := range []bool{true, false} {
			if !running {
				s.end()
			}
			run("announcement  fresh", "list")
			var one content.Bundle
			if err := json.Unmarshal([]byte(run(`"name": "rules"`, "show", "rules")), &one); err != nil || one.Size() != 1 || one.Pages[0].Texts["en"].Content != "<p>New</p>" {
				t.Errorf("got %+v (%v), want one page with the new text", one, err)
			}
			all := run(`"code": "mai"`, "show")
			run("Stored 1 announcements, 1 pages, 0 help topics, 1 models.", "import", write(all)) // import accepts the output of show
			no("no content with the name nobody", "show", "nobody")
			no("no such file", "import", filepath.Join(t.TempDir(), "none.json"))
			no(`content.malformed): title.pt: page "x"`, "import", write(`{"pages":[{"name":"x","texts":{"vi":{"title":"a","content":"a"},"en":{"title":"a","content":"a"},"ur":{"title":"a","content":"a"}}}]}`))
			no("unknown field", "import", write(`{"games":[]}`))
			no(`: cover: model "lan", models[1]`, "import", write(`{"models":[{"code":"mai","name":"Mai","cover":"/m/art/live/sicbo.webp","status":"streaming"},{"code":"lan","name":"Lan","cover":"https://evil.test/x.webp","status":"active"}]}`))
			run("model         mai    on  active", "list") // the valid entry of that file was not stored either
			no("larger than 4 MB", "import", write(strings.Repeat(" ", 4<<20+1)))
			no("more than 500", "import", write(`{"pages":[`+strings.Repeat("{},", 500)+`{}]}`))
			no("content.malformed", "import", write(`no JSON`))
			no("split it", "import", write(`{"pages":[`+largePages()+`]}`))
			no("merchant.unknown", "list", "--merchant", "nobody")
		}
	})
}

// An operator can use the demo's help articles on a real site.
func TestHelpArticlesCanBeImported(t *testing.T) {
	t.Parallel()
	code, articles, stderr := command(t, "", "content", "help-articles")
	if code != 0 {
		t.Fatalf("help-articles: %d %s, want 0", code, stderr)
	}
	path := filepath.Join(t.TempDir(), "help.json")
	if err := os.WriteFile(path, []byte(articles), 0o600); err != nil {
		t.Fatal(err)
	}
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		s := start(t, args...)
		code, out, stderr := command(t, "", append([]string{"content", "import", path}, args...)...)
		if code != 0 || !strings.Contains(out, "help topics") {
			t.Fatalf("import: %d %s%s, want 0", code, out, stderr)
		}
		topics := value[[]struct{ Children []struct{ Content string } }](s, http.MethodGet, "/wps/system/helpCenter?lang=PT", "", "")
		shown := 0
		for _, topic := range topics {
			shown += len(topic.Children)
		}
		if shown < 30 {
			t.Errorf("%d articles, want at least 30", shown)
		}
	})
}

// largePages returns valid pages that exceed the size limit of an import.
func largePages() string {
	long := strings.Repeat("a", 60_000)
	text := `{"title":"a","content":"` + long + `"}`
	var pages []string
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		pages = append(pages, `{"name":"`+name+`","texts":{"vi":`+text+`,"en":`+text+`,"ur":`+text+`,"pt":`+text+`}}`)
	}
	return strings.Join(pages, ",")
}
