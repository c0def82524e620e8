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

// What is stored reads back as a file that stores the same.
func TestBundleComesBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		ending := item("ending", content.Promotion)
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
		got, err := s.Everything(t.Context(), site.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-stored +read)\n%s", diff)
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
			t.Errorf("(-stored +from the file)\n%s", diff)
		}
	})
}

func TestReadBundleRefuses(t *testing.T) {
	t.Parallel()
	texts := `"texts":{"vi":{"title":"a","content":"a"},"en":{"title":"a","content":"a"},"ur":{"title":"a","content":"a"},"pt":{"title":"a","content":"a"}}`
	good := `{"pages":[{"name":"about",` + texts + `}]}`
	if b, err := content.ReadBundle(strings.NewReader(good)); err != nil || !b.Pages[0].Enabled {
		t.Fatalf("%+v %v", b, err)
	}
	for name, c := range map[string]struct{ raw, want string }{
		"nothing":            {``, "EOF"},
		"no JSON":            {`pages: about`, "invalid character"},
		"a list":             {`[]`, "cannot unmarshal"},
		"empty":              {`{}`, "holds no announcements"},
		"an unknown part":    {`{"games":[]}`, `unknown field "games"`},
		"an unknown field":   {`{"pages":[{"name":"about","tilte":"x",` + texts + `}]}`, `pages[0]`},
		"a wrong type":       {`{"models":[{"code":7}]}`, `models[0]`},
		"a bracket more":     {good + "]", "follows the end"},
		"a brace more":       {good + "}", "follows the end"},
		"a field twice":      {strings.Replace(good, `"name":"about"`, `"name":"about","name":"b"`, 1), "pages.name: a name stands twice"},
		"half a pair":        {strings.Replace(good, `"title":"a"`, `"title":"\ud83c"`, 1), "pages.texts.vi.title: a text holds"},
		"no UTF-8":           {strings.Replace(good, `"title":"a"`, "\"title\":\"\xe9\"", 1), "pages.texts.vi.title: a text holds"},
		"U+0000":             {strings.Replace(good, `"content":"a"`, `"content":"a\u0000"`, 1), "pages.texts.vi.content: a text holds"},
		"two values":         {good + good, "follows the end"},
		"no time to start":   {`{"announcements":[{"code":"x","type":"PL",` + texts + `}]}`, "starts"},
		"a malformed time":   {`{"announcements":[{"code":"x","type":"PL","starts":"tomorrow",` + texts + `}]}`, "announcements[0]"},
		"the same one twice": {`{"pages":[{"name":"about",` + texts + `},{"name":"about",` + texts + `}]}`, "twice"},
	} {
		if _, err := content.ReadBundle(strings.NewReader(c.raw)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Nothing absurd is read, and nothing is stored of a file in which anything does not fit.
func TestReadBundleIsBounded(t *testing.T) {
	t.Parallel()
	refused := func(t *testing.T, from io.Reader, says ...string) {
		t.Helper()
		_, err := content.ReadBundle(from)
		for _, want := range says {
			if !errors.Is(err, content.ErrMalformed) || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	}
	t.Run("a file that is too long is not read at all", func(t *testing.T) {
		t.Parallel()
		file, err := os.Create(filepath.Join(t.TempDir(), "long.json"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if err := file.Truncate(1 << 40); err != nil {
			t.Fatal(err)
		}
		refused(t, file, "longer than 4 MB")
		if at, err := file.Seek(0, io.SeekCurrent); at != 0 || err != nil {
			t.Errorf("read to %d, %v", at, err)
		}
	})
	t.Run("one without a length is read no further than it may go", func(t *testing.T) {
		t.Parallel()
		from := &blanks{}
		refused(t, from, "longer than 4 MB")
		if from.read > 5<<20 {
			t.Errorf("%d bytes were read", from.read)
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
		t.Errorf("as many as there may be: %v", err)
	}
	refused(t, strings.NewReader(models(501)), "more than 500 announcements, pages and models")
	refused(t, strings.NewReader(`{"pages":[`+strings.Repeat("0,", 300)+`0],"models":[`+strings.Repeat("0,", 300)+`0]}`), "more than 500")
	t.Run("which one it is, with or without a name", func(t *testing.T) {
		t.Parallel()
		refused(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,`+model(1, strings.Repeat("x", 301))+`]}`), "models[1]", "(name)", `model "m1"`)
		refused(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,null]}`), "models[1]", "(code)")
		refused(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,{"code":1}]}`), "models[1]", "cannot unmarshal number")
		refused(t, strings.NewReader(`{"models":[`+model(0, "Mai")+`,]}`), "after ", "invalid character")
	})
}

// blanks never end: nobody may read all of them.
type blanks struct{ read int }

func (b *blanks) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = ' '
	}
	b.read += len(into)
	return len(into), nil
}

// A slip that only storing finds, at the very end, takes back what came before it.
func TestNothingIsStoredOfABadFile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		// Nothing is left of it once it is clean, which is seen when it is stored.
		empty := content.PageText{Title: "x", Content: "<script>x</script>"}
		err := s.Put(t.Context(), site.ID, content.Bundle{
			Announcements: []content.Announcement{item("good", content.PlayerNotice)},
			Pages:         []content.Page{{Name: "hollow", Enabled: true, Texts: map[string]content.PageText{"vi": empty, "en": empty, "ur": empty, "pt": empty}}},
		})
		if !errors.Is(err, content.ErrMalformed) || !strings.Contains(err.Error(), `page "hollow"`) {
			t.Errorf("%v", err)
		}
		if left, err := s.Everything(t.Context(), site.ID); err != nil || left.Size() != 0 {
			t.Errorf("%+v %v", left, err)
		}
		crowd := make([]content.Model, 501)
		for i := range crowd {
			crowd[i] = content.Model{Code: fmt.Sprintf("m%d", i), Name: "Mai", Cover: "/m/x.webp", Status: "active"}
		}
		if err := s.Put(t.Context(), site.ID, content.Bundle{Models: crowd}); !errors.Is(err, content.ErrMalformed) {
			t.Errorf("too many at once: %v", err)
		}
	})
}
