package content_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
)

func textPage(name string, sorting int64) content.Page {
	return content.Page{
		Name: name, Sorting: sorting, Enabled: true, Texts: map[string]content.PageText{
			"vi": {Title: "Trang " + name, Content: "<p>Nội dung</p>"}, "en": {Title: "Page " + name, Content: "<p>Text</p>"},
			"ur": {Title: "صفحہ " + name, Content: "<p>متن</p>"}, "pt": {Title: "Página " + name, Content: "<p>Texto</p>"},
		},
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Golden(t, "empty", site.Call(t, "GET", "/wps/system/pages", nil))
		off := textPage("off", 1)
		off.Enabled = false
		evil := textPage("evil", 30)
		evil.Texts["en"] = content.PageText{Title: "x", Content: `<h3>Hi</h3><script>steal()</script><a href="javascript:steal()" onclick="steal()">go</a><p style="position:fixed">x</p>`}
		if err := s.Put(t.Context(), site.ID, content.Bundle{Pages: []content.Page{textPage("privacy", 20), textPage("userAgreement", 10), off, evil}}); err != nil {
			t.Fatal(err)
		}
		merchanttest.Golden(t, "pages", site.Call(t, "GET", "/wps/system/pages", nil, "Language", "EN"))
		merchanttest.Golden(t, "page_en", site.Call(t, "GET", "/wps/system/page/userAgreement", nil, "Language", "EN"))
		merchanttest.Golden(t, "page_ur", site.Call(t, "GET", "/wps/system/page/userAgreement", nil, "Language", "UR"))
		for _, unknown := range []string{"off", "nobody", "useragreement", "a b", "' OR 1=1 --", "<script>", "..", "ｐrivacy", "🎰"} {
			reply := site.Call(t, "GET", "/wps/system/page/"+url.PathEscape(unknown), nil)
			if unknown == ".." { // the way up, not a name
				if reply.Status == http.StatusOK {
					t.Errorf("%q: %s", unknown, reply.Body)
				}
				continue
			}
			merchanttest.Golden(t, "page_unknown", reply)
		}
		if reply := site.Call(t, "GET", "/wps/system/page/privacy%00", nil); reply.Status != http.StatusBadRequest {
			t.Errorf("a name with U+0000: %d %s", reply.Status, reply.Body)
		}
		merchanttest.Golden(t, "page_long", site.Call(t, "GET", "/wps/system/page/"+strings.Repeat("x", 49), nil))
		t.Run("SE-06 the server's part: a page's HTML is made safe when stored", func(t *testing.T) {
			var stored string
			err := store.Reader.QueryRowContext(t.Context(), "SELECT content FROM page WHERE name = 'evil' AND language = 'en'").Scan(&stored)
			if err != nil || !strings.Contains(stored, "<h3>Hi</h3>") {
				t.Fatal(stored, err)
			}
			for _, bad := range []string{"steal", "script", "onclick", "style"} {
				if strings.Contains(stored, bad) {
					t.Errorf("%q is in %s", bad, stored)
				}
			}
		})
		// Changed later, it says so.
		site.Clock.Add(time.Hour)
		if err := s.Put(t.Context(), site.ID, content.Bundle{Pages: []content.Page{textPage("privacy", 20)}}); err != nil {
			t.Fatal(err)
		}
		got := merchanttest.Value[struct{ UpdatedAt int64 }](t, site.Call(t, "GET", "/wps/system/page/privacy", nil))
		if want := merchanttest.Start.Add(time.Hour).UnixMilli(); got.UpdatedAt != want {
			t.Errorf("updated %d, want %d", got.UpdatedAt, want)
		}
	})
}

func TestMalformedPagesAndModels(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	with := func(fn func(*content.Page)) content.Bundle {
		p := textPage("x", 1)
		fn(&p)
		return content.Bundle{Pages: []content.Page{textPage("good", 1), p}}
	}
	model := func(fn func(*content.Model)) content.Bundle {
		m := content.Model{Code: "mai", Name: "Mai", Cover: "/m/art/live/sicbo.webp", Status: "active"}
		fn(&m)
		return content.Bundle{Pages: []content.Page{textPage("good", 1)}, Models: []content.Model{m}}
	}
	for field, bad := range map[string]content.Bundle{
		"name":       with(func(p *content.Page) { p.Name = "../x" }),
		"title.pt":   with(func(p *content.Page) { delete(p.Texts, "pt") }),
		"content.ur": with(func(p *content.Page) { p.Texts["ur"] = content.PageText{Title: "x"} }),
		"content.en": with(func(p *content.Page) {
			p.Texts["en"] = content.PageText{Title: "x", Content: strings.Repeat("x", 1<<17)}
		}),
		"title.vi": with(func(p *content.Page) { p.Texts["vi"] = content.PageText{Title: "\u200d\u3164", Content: "x"} }),
		"title.en": with(func(p *content.Page) { p.Texts["en"] = content.PageText{Title: "a\u202eb", Content: "x"} }),
		"content.vi": with(func(p *content.Page) {
			p.Texts["vi"] = content.PageText{Title: "x", Content: "<script>x</script><p>&nbsp;</p>"}
		}),
		"texts.EN": with(func(p *content.Page) { p.Texts["EN"] = content.PageText{Title: "x", Content: "x"} }),
		"twice":    with(func(p *content.Page) { p.Name = "good" }),
		"code":     model(func(m *content.Model) { m.Code = "m i" }),
		"cover":    model(func(m *content.Model) { m.Cover = "https://evil.test/x.png" }),
		"status":   model(func(m *content.Model) { m.Status = "asleep" }),
	} {
		var f *fault.Fault
		err := s.Put(t.Context(), site.ID, bad)
		if !errors.As(err, &f) || !errors.Is(f, content.ErrMalformed) || f.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	merchanttest.Golden(t, "empty", site.Call(t, "GET", "/wps/system/pages", nil))
}

func TestLiveModels(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		const path = "/wps/relay/LIVE_getModelList"
		merchanttest.Golden(t, "empty", site.Call(t, "GET", path, nil))
		cover := "/m/art/live/sicbo.webp"
		models := []content.Model{
			{Code: "thu", Name: "Thu", Cover: cover, Status: "streaming", Sorting: 3, Enabled: true},
			{Code: "mai", Name: "Mai", Cover: cover, Status: "active", Sorting: 2, Enabled: true},
			{Code: "linh", Name: "Linh", Cover: cover, Status: "active", Sorting: 1, Enabled: true},
			{Code: "gone", Name: "Gone", Cover: cover, Status: "streaming", Sorting: 0},
		}
		if err := s.Put(t.Context(), site.ID, content.Bundle{Models: models}); err != nil {
			t.Fatal(err)
		}
		t.Run("CA-27 the live models' part: active, streaming", func(t *testing.T) {
			merchanttest.Golden(t, "models_active", site.Call(t, "GET", path+"?status=active", nil))
			merchanttest.Golden(t, "models_streaming", site.Call(t, "GET", path+"?status=streaming&merchantCode=fairground", nil))
			for _, both := range []string{"", "?status=", "?status=active,streaming"} {
				merchanttest.Golden(t, "models_all", site.Call(t, "GET", path+both, nil))
			}
		})
		for _, bad := range []string{"asleep", "ACTIVE", "active,", "active,%20streaming", "%27;--", "1", "%F0%9F%8E%B0"} {
			merchanttest.Golden(t, "models_bad_status", site.Call(t, "GET", path+"?status="+bad, nil))
		}
	})
}
