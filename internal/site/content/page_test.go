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
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/pages", nil), 200, emptyList)
		disabled := textPage("off", 1)
		disabled.Enabled = false
		evil := textPage("evil", 30)
		evil.Texts["en"] = content.PageText{Title: "x", Content: `<h3>Hi</h3><script>steal()</script><a href="javascript:steal()" onclick="steal()">go</a><p style="position:fixed">x</p>`}
		if err := s.Put(t.Context(), site.ID, content.Bundle{Pages: []content.Page{textPage("privacy", 20), textPage("userAgreement", 10), disabled, evil}}); err != nil {
			t.Fatal(err)
		}
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/pages", nil, "Language", "EN"), 200, `{"success":true,"value":[
			{"name":"userAgreement","title":"Page userAgreement"},
			{"name":"privacy","title":"Page privacy"},
			{"name":"evil","title":"x"}
		]}`)
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/page/userAgreement", nil, "Language", "EN"), 200, `{"success":true,"value":{"content":"<p>Text</p>","name":"userAgreement","title":"Page userAgreement","updatedAt":1773480413000}}`)
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/page/userAgreement", nil, "Language", "UR"), 200, `{"success":true,"value":{"content":"<p>متن</p>","name":"userAgreement","title":"صفحہ userAgreement","updatedAt":1773480413000}}`)
		for _, unknown := range []string{"off", "nobody", "useragreement", "a b", "' OR 1=1 --", "<script>", "..", "ｐrivacy", "🎰"} {
			reply := site.Call(t, "GET", "/wps/system/page/"+url.PathEscape(unknown), nil)
			if unknown == ".." { // the parent path
				if reply.Status == http.StatusOK {
					t.Errorf("page %q = %s, want an error", unknown, reply.Body)
				}
				continue
			}
			merchanttest.Want(t, reply, 404, unknownContent)
		}
		if reply := site.Call(t, "GET", "/wps/system/page/privacy%00", nil); reply.Status != http.StatusBadRequest {
			t.Errorf("name with U+0000: status %d, %s; want 400", reply.Status, reply.Body)
		}
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/page/"+strings.Repeat("x", 49), nil), 400, `{
			"errorCode":"request_param_err","field":"name","message":"expected length <= 48","success":false
		}`)
		t.Run("SE-06 the server's part: stored page HTML is sanitized", func(t *testing.T) {
			var stored string
			err := store.Reader.QueryRowContext(t.Context(), "SELECT content FROM page WHERE name = 'evil' AND language = 'en'").Scan(&stored)
			if err != nil || !strings.Contains(stored, "<h3>Hi</h3>") {
				t.Fatalf("stored text = %q, %v, want <h3>Hi</h3> in it", stored, err)
			}
			for _, bad := range []string{"steal", "script", "onclick", "style"} {
				if strings.Contains(stored, bad) {
					t.Errorf("stored HTML contains %q: %s", bad, stored)
				}
			}
		})
		site.Clock.Add(time.Hour)
		if err := s.Put(t.Context(), site.ID, content.Bundle{Pages: []content.Page{textPage("privacy", 20)}}); err != nil {
			t.Fatal(err)
		}
		got := merchanttest.Value[struct{ UpdatedAt int64 }](t, site.Call(t, "GET", "/wps/system/page/privacy", nil))
		if want := merchanttest.Start.Add(time.Hour).UnixMilli(); got.UpdatedAt != want {
			t.Errorf("updatedAt = %d, want %d", got.UpdatedAt, want)
		}
	})
}

func TestMalformedPagesAndModels(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	bundleWith := func(fn func(*content.Page)) content.Bundle {
		p := textPage("x", 1)
		fn(&p)
		return content.Bundle{Pages: []content.Page{textPage("good", 1), p}}
	}
	bundleWithModel := func(fn func(*content.Model)) content.Bundle {
		m := content.Model{Code: "mai", Name: "Mai", Cover: "/m/art/live/sicbo.webp", Status: "active"}
		fn(&m)
		return content.Bundle{Pages: []content.Page{textPage("good", 1)}, Models: []content.Model{m}}
	}
	for field, bad := range map[string]content.Bundle{
		"name":       bundleWith(func(p *content.Page) { p.Name = "../x" }),
		"title.pt":   bundleWith(func(p *content.Page) { delete(p.Texts, "pt") }),
		"content.ur": bundleWith(func(p *content.Page) { p.Texts["ur"] = content.PageText{Title: "x"} }),
		"content.en": bundleWith(func(p *content.Page) {
			p.Texts["en"] = content.PageText{Title: "x", Content: strings.Repeat("x", 1<<17)}
		}),
		"title.vi": bundleWith(func(p *content.Page) { p.Texts["vi"] = content.PageText{Title: "\u200d\u3164", Content: "x"} }),
		"title.en": bundleWith(func(p *content.Page) { p.Texts["en"] = content.PageText{Title: "a\u202eb", Content: "x"} }),
		"content.vi": bundleWith(func(p *content.Page) {
			p.Texts["vi"] = content.PageText{Title: "x", Content: "<script>x</script><p>&nbsp;</p>"}
		}),
		"texts.EN":  bundleWith(func(p *content.Page) { p.Texts["EN"] = content.PageText{Title: "x", Content: "x"} }),
		"duplicate": bundleWith(func(p *content.Page) { p.Name = "good" }),
		"code":      bundleWithModel(func(m *content.Model) { m.Code = "m i" }),
		"cover":     bundleWithModel(func(m *content.Model) { m.Cover = "https://evil.test/x.png" }),
		"status":    bundleWithModel(func(m *content.Model) { m.Status = "asleep" }),
	} {
		var f *fault.Fault
		err := s.Put(t.Context(), site.ID, bad)
		if !errors.As(err, &f) || !errors.Is(f, content.ErrMalformed) || f.Field != field {
			t.Errorf("malformed %s: %v, want ErrMalformed on this field", field, err)
		}
	}
	merchanttest.Want(t, site.Call(t, "GET", "/wps/system/pages", nil), 200, emptyList)
}

func TestLiveModels(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		const path = "/wps/relay/LIVE_getModelList"
		merchanttest.Want(t, site.Call(t, "GET", path, nil), 200, emptyList)
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
		t.Run("CA-27 the live models' part: models are selected by status", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", path+"?status=active", nil), 200, `{"success":true,"value":[
				{"cover":"/m/art/live/sicbo.webp","id":"linh","name":"Linh","status":"active"},
				{"cover":"/m/art/live/sicbo.webp","id":"mai","name":"Mai","status":"active"}
			]}`)
			merchanttest.Want(t, site.Call(t, "GET", path+"?status=streaming&merchantCode=fairground", nil), 200, `{"success":true,"value":[{"cover":"/m/art/live/sicbo.webp","id":"thu","name":"Thu","status":"streaming"}]}`)
			for _, bothStatuses := range []string{"", "?status=", "?status=active,streaming"} {
				merchanttest.Want(t, site.Call(t, "GET", path+bothStatuses, nil), 200, `{"success":true,"value":[
					{"cover":"/m/art/live/sicbo.webp","id":"linh","name":"Linh","status":"active"},
					{"cover":"/m/art/live/sicbo.webp","id":"mai","name":"Mai","status":"active"},
					{"cover":"/m/art/live/sicbo.webp","id":"thu","name":"Thu","status":"streaming"}
				]}`)
			}
		})
		for _, bad := range []string{"asleep", "ACTIVE", "active,", "active,%20streaming", "%27;--", "1", "%F0%9F%8E%B0"} {
			merchanttest.Want(t, site.Call(t, "GET", path+"?status="+bad, nil), 400, `{
				"errorCode":"request_param_err","field":"status","message":"the request is not valid","success":false
			}`)
		}
	})
}
