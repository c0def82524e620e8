package content_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/content"
)

// Exported content can be imported again.
func TestBundleRoundTrip(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		ending := announcement("ending", content.Promotion)
		ending.Ends, ending.PromotionType = ending.Starts.AddDate(0, 1, 0), "rebate"
		want := content.Bundle{
			Announcements: []content.Announcement{banner("home", "m_home"), popup("first", "F"), ending},
			Pages:         []content.Page{textPage("about", 1), textPage("privacy", 2)},
			Models:        []content.Model{{Code: "mai", Name: "Mai", Cover: "/m/art/live/sicbo.webp", Status: "streaming"}},
		}
		for i := range want.Announcements {
			want.Announcements[i].Sorting = int64(i)
		}
		if err := s.Put(t.Context(), site.ID, want); err != nil {
			t.Fatal(err)
		}
		got, err := s.Export(t.Context(), site.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("exported bundle (-want +got):\n%s", diff)
		}
		raw, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		again, err := content.ReadBundle(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, again); diff != "" {
			t.Errorf("bundle read from the file (-want +got):\n%s", diff)
		}
	})
}

func TestReadBundleErrors(t *testing.T) {
	t.Parallel()
	texts := `"texts":{"vi":{"title":"a","content":"a"},"en":{"title":"a","content":"a"},"ur":{"title":"a","content":"a"},"pt":{"title":"a","content":"a"}}`
	good := `{"pages":[{"name":"about",` + texts + `}]}`
	if b, err := content.ReadBundle(strings.NewReader(good)); err != nil || !b.Pages[0].Enabled {
		t.Fatalf("ReadBundle = %+v, %v; want an enabled page", b, err)
	}
	for name, c := range map[string]struct{ raw, want string }{
		"empty file":     {``, "EOF"},
		"not JSON":       {`pages: about`, "invalid character"},
		"list":           {`[]`, "cannot unmarshal"},
		"empty object":   {`{}`, "holds no announcements"},
		"unknown kind":   {`{"games":[]}`, `unknown field "games"`},
		"unknown field":  {`{"pages":[{"name":"about","tilte":"x",` + texts + `}]}`, `pages[0]`},
		"wrong type":     {`{"models":[{"code":7}]}`, `models[0]`},
		"extra bracket":  {good + "]", "follows the end"},
		"extra brace":    {good + "}", "follows the end"},
		"repeated field": {strings.Replace(good, `"name":"about"`, `"name":"about","name":"b"`, 1), "pages.name: "},
		"lone surrogate": {strings.Replace(good, `"title":"a"`, `"title":"\ud83c"`, 1), "pages.texts.vi.title: "},
		"invalid UTF-8":  {strings.Replace(good, `"title":"a"`, "\"title\":\"\xe9\"", 1), "pages.texts.vi.title: "},
		"U+0000":         {strings.Replace(good, `"content":"a"`, `"content":"a\u0000"`, 1), "pages.texts.vi.content: "},
		"two values":     {good + good, "follows the end"},
		"no start":       {`{"announcements":[{"code":"x","type":"PL",` + texts + `}]}`, "starts"},
		"malformed time": {`{"announcements":[{"code":"x","type":"PL","starts":"tomorrow",` + texts + `}]}`, "announcements[0]"},
		"duplicate page": {`{"pages":[{"name":"about",` + texts + `},{"name":"about",` + texts + `}]}`, "duplicate"},
	} {
		if _, err := content.ReadBundle(strings.NewReader(c.raw)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error containing %q", name, err, c.want)
		}
	}
}

func TestReadBundleLimits(t *testing.T) {
	t.Parallel()
	wantRejected := func(t *testing.T, from io.Reader, text ...string) {
		t.Helper()
		_, err := content.ReadBundle(from)
		for _, want := range text {
			if !errors.Is(err, content.ErrMalformed) || !strings.Contains(err.Error(), want) {
				t.Errorf("ReadBundle: %v, want ErrMalformed containing %q", err, want)
			}
		}
	}
	t.Run("a file that is too large is not read at all", func(t *testing.T) {
		t.Parallel()
		file, err := os.Create(filepath.Join(t.TempDir(), "long.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := file.Truncate(1 << 40); err != nil {
			t.Fatal(err)
		}
		wantRejected(t, file, "larger than 4 MB")
		if position, err := file.Seek(0, io.SeekCurrent); position != 0 || err != nil {
			t.Errorf("read up to %d, %v; want nothing read", position, err)
		}
	})
	t.Run("a reader without length is read up to the limit", func(t *testing.T) {
		t.Parallel()
		from := &endlessReader{}
		wantRejected(t, from, "larger than 4 MB")
		if from.read > 5<<20 {
			t.Errorf("read %d bytes, want about 4 MB", from.read)
		}
	})
	model := func(i int, name string) string {
		return fmt.Sprintf(`{"code":"m%d","name":%q,"cover":"/m/art/live/sicbo.webp","status":"active"}`, i, name)
	}
	models := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = model(i, "Mai")
		}
		return `{"models":[` + strings.Join(all, ",") + `]}`
	}
	if b, err := content.ReadBundle(strings.NewReader(models(500))); err != nil || b.Size() != 500 {
		t.Errorf("500 items: %v, want size 500", err)
	}
	wantRejected(t, strings.NewReader(models(501)), "more than 500 announcements, pages, help topics and models")
	wantRejected(t, strings.NewReader(`{"pages":[`+strings.Repeat("0,", 300)+`0],"models":[`+strings.Repeat("0,", 300)+`0]}`), "more than 500")
	t.Run("errors name the item, with or without its code", func(t *testing.T) {
		t.Parallel()
		wantRejected(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,`+model(1, strings.Repeat("x", 301))+`]}`), "models[1]", "(name)", `model "m1"`)
		wantRejected(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,null]}`), "models[1]", "(code)")
		wantRejected(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,{"code":1}]}`), "models[1]", "cannot unmarshal number")
		wantRejected(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,]}`), "after ", "invalid character")
	})
}

type endlessReader struct{ read int }

func (b *endlessReader) Read(buffer []byte) (int, error) {
	for i := range buffer {
		buffer[i] = ' '
	}
	b.read += len(buffer)
	return len(buffer), nil
}

// Put stores nothing if it finds an error in the last item.
func TestPutIsAtomic(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		// Sanitizing this page leaves nothing. Put notices that only while storing.
		empty := content.PageText{Title: "x", Content: "<script>x</script>"}
		err := s.Put(t.Context(), site.ID, content.Bundle{
			Announcements: []content.Announcement{announcement("good", content.PlayerNotice)},
			Pages:         []content.Page{{Name: "hollow", Enabled: true, Texts: map[string]content.PageText{"vi": empty, "en": empty, "ur": empty, "pt": empty}}},
		})
		if !errors.Is(err, content.ErrMalformed) || !strings.Contains(err.Error(), `page "hollow"`) {
			t.Errorf("Put of an empty page: %v, want ErrMalformed", err)
		}
		if stored, err := s.Export(t.Context(), site.ID); err != nil || stored.Size() != 0 {
			t.Errorf("stored content = %+v, %v; want none", stored, err)
		}
		models := make([]content.Model, 501)
		for i := range models {
			models[i] = content.Model{Code: fmt.Sprintf("m%d", i), Name: "Mai", Cover: "/m/x.webp", Status: "active"}
		}
		if err := s.Put(t.Context(), site.ID, content.Bundle{Models: models}); !errors.Is(err, content.ErrMalformed) {
			t.Errorf("501 items: %v, want ErrMalformed", err)
		}
	})
}
