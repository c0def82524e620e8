package ops_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/site/merchant/merchanttest"
)

type object map[string]any

type entry struct {
	ID, Code, Title, Status string
	Version                 int64
	Languages               []string
	Texts                   map[string]struct{ Title, Content string }
}

type entries struct{ List []entry }

func text(title, content string) object { return object{"title": title, "content": content} }

// ids returns the ids of a list in its order.
func ids(list []entry) (all []string) {
	for _, e := range list {
		all = append(all, e.ID)
	}
	return all
}

func TestContentIsEditedByOperators(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newDesk(t, store)
		p := d.create("editor", "content").logIn()
		for _, kind := range []string{"announcements", "banners", "popups", "pages", "help"} {
			path := "/ops/v1/" + kind
			extra := object{}
			switch kind {
			case "banners":
				extra = object{"group": "m_home", "image": "/m/art/banners/a.webp"}
			case "popups":
				extra = object{"execution": "A"}
			}
			create := func(title string) entry {
				body := object{"published": true, "texts": object{"vi": text(title, "<p>"+title+"</p>"), "pt": text("pt "+title, "<p>pt</p>")}}
				for k, v := range extra {
					body[k] = v
				}
				return merchanttest.Value[entry](t, p.call(http.MethodPost, path, body))
			}
			first, second := create("first"), create("second")
			if first.Status != "published" || first.Version != 1 || len(first.Languages) != 2 || first.Title != "first" {
				t.Errorf("%s: created %+v, want a published entry with two languages", kind, first)
			}
			one := path + "/" + second.ID
			edit := object{"version": 1, "published": true, "texts": object{"en": text("third", "<p>third</p>")}}
			for k, v := range extra {
				edit[k] = v
			}
			if edited := merchanttest.Value[entry](t, p.call(http.MethodPut, one, edit)); edited.Title != "third" || edited.Version != 2 || len(edited.Languages) != 1 {
				t.Errorf("%s: edited %+v, want version 2 in English only", kind, edited)
			}
			p.want(p.call(http.MethodPut, one, edit), 409, "ops.stale")
			p.want(p.call(http.MethodPost, one+"/publish", object{"version": 1}), 409, "ops.stale")
			p.want(p.call(http.MethodPost, one+"/unpublish", object{"version": 2}), 200, "")
			p.want(p.call(http.MethodPost, one+"/move", object{"version": 3}), 200, "")
			list := merchanttest.Value[entries](t, p.call(http.MethodGet, path+"?pageSize=2", nil)).List
			if got := ids(list); len(got) < 2 || got[0] != second.ID {
				t.Errorf("%s: order = %v, want %s first", kind, got, second.ID)
			}
			drafts := merchanttest.Value[entries](t, p.call(http.MethodGet, path+"?state=draft&q=THIRD", nil)).List
			if len(drafts) != 1 || drafts[0].ID != second.ID {
				t.Errorf("%s: drafts = %+v, want the one that was hidden", kind, drafts)
			}
			now := merchanttest.Value[entry](t, p.call(http.MethodGet, one, nil))
			p.want(p.call(http.MethodPost, one+"/delete", object{"version": now.Version, "reason": "old"}), 200, "")
			p.want(p.call(http.MethodGet, one, nil), 404, "content.missing")
		}
		if rows := d.Number(t, "SELECT COUNT(*) FROM audit WHERE permission = 'content.edit'"); rows != 5*6 {
			t.Errorf("audit rows = %d, want one for each of the 30 changes", rows)
		}
	})
}

// Articles of the help centre belong to a topic. A topic keeps its place while it has articles.
func TestHelpIsEditedByOperators(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	topic := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/help", object{"code": "money", "published": true, "texts": object{"vi": text("Tiền", "")}}))
	article := object{"code": "pay", "parent": "money", "published": true, "texts": object{"vi": text("Nạp", `<p>a</p><script>alert(1)</script>`), "en": text("Pay", "<p>b</p>")}}
	created := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/help", article))
	if got := created.Texts["vi"].Content; got != "<p>a</p>" {
		t.Errorf("stored content = %q, want it sanitized", got)
	}
	for name, bad := range map[string]object{
		"unknown topic":        {"parent": "nobody", "texts": object{"vi": text("a", "<p>a</p>")}},
		"article as topic":     {"parent": "pay", "texts": object{"vi": text("a", "<p>a</p>")}},
		"article without text": {"parent": "money", "texts": object{"vi": text("a", "")}},
		"1 MB":                 {"parent": "money", "texts": object{"vi": text("a", strings.Repeat("a", 1<<20))}},
	} {
		if r := p.call(http.MethodPost, "/ops/v1/help", bad); r.Status != 400 && r.Status != 413 {
			t.Errorf("%s: %d %s, want a refusal", name, r.Status, r.Body)
		}
	}
	p.want(p.call(http.MethodPost, "/ops/v1/help/"+topic.ID+"/delete", object{"version": 1}), 409, "content.has_articles")
	p.want(p.call(http.MethodGet, "/ops/v1/pages/"+topic.ID, nil), 404, "content.missing")
	shown := merchanttest.Value[[]struct {
		Title    string
		Children []struct{ Title string }
	}](t, d.Call(t, http.MethodGet, "/wps/system/helpCenter", nil, "Language", "en"))
	if len(shown) != 1 || shown[0].Title != "Tiền" || len(shown[0].Children) != 1 || shown[0].Children[0].Title != "Pay" {
		t.Errorf("help centre = %+v, want the topic with its article", shown)
	}
	p.want(p.call(http.MethodPost, "/ops/v1/help/"+created.ID+"/delete", object{"version": 1}), 200, "")
	p.want(p.call(http.MethodPost, "/ops/v1/help/"+topic.ID+"/delete", object{"version": 1}), 200, "")
	other := d.create("clerk", "finance").logIn()
	if r := other.call(http.MethodPost, "/ops/v1/help", article); r.Status != 403 {
		t.Errorf("without the permission: %d, want 403", r.Status)
	}
}

// A reader of a missing language gets Vietnamese, else English.
func TestContentFallsBackToAnotherLanguage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	p.want(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-x", "published": true, "texts": object{"vi": text("Xin chào", "<p>a</p>"), "en": text("Hello", "<p>b</p>")}}), 200, "")
	p.want(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-y", "published": true, "texts": object{"en": text("Only English", "<p>b</p>")}}), 200, "")
	p.want(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-x", "texts": object{"en": text("Hello", "<p>b</p>")}}), 409, "content.taken")
	p.want(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-z", "texts": object{"ur": text("سلام", "<p>b</p>")}}), 400, "content.malformed")
	p.want(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-z", "texts": object{"en": text("a", "<p>b</p>"), "de": text("a", "<p>b</p>")}}), 400, "content.malformed")
	for _, c := range []struct{ name, language, want string }{
		{"help-x", "ur", "Xin chào"}, {"help-x", "en", "Hello"}, {"help-x", "vi", "Xin chào"}, {"help-y", "pt", "Only English"}, {"help-y", "vi", "Only English"},
	} {
		d.Refill()
		got := merchanttest.Value[struct{ Title string }](t, d.Call(t, http.MethodGet, "/wps/system/page/"+c.name, nil, "Language", c.language))
		if got.Title != c.want {
			t.Errorf("%s in %s = %q, want %q", c.name, c.language, got.Title, c.want)
		}
	}
}

// Script in any field is removed, refused, or stays a plain text that apps never read as HTML.
func TestContentWithScript(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	const script = `<script>alert(1)</script>`
	whole := func(change object) object {
		body := object{"group": "m_home", "image": "/m/art/banners/a.webp", "published": true, "texts": object{"vi": text("Tin", "<p>a</p>")}}
		for k, v := range change {
			body[k] = v
		}
		return body
	}
	for field, bad := range map[string]object{
		"code": {"code": script}, "group": {"group": script}, "url": {"url": "javascript:alert(1)"}, "image": {"image": "javascript:alert(1)"},
		"other site's image": {"image": "https://evil.example/a.png"}, "language": {"texts": object{script: text("a", "b")}},
		"image of a language": {"texts": object{"vi": object{"title": "a", "image": script}}},
	} {
		if r := p.call(http.MethodPost, "/ops/v1/banners", whole(bad)); r.Status != 400 {
			t.Errorf("script in %s: %d %s, want 400", field, r.Status, r.Body)
		}
	}
	content := `<p onclick="alert(1)">a</p>` + script + `<a href="javascript:alert(1)">b</a><iframe src="/x"></iframe><img src=x onerror=alert(1)>`
	stored := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/banners", whole(object{"texts": object{"vi": object{"title": script, "content": content, "tag": script, "action": script}}})))
	shown := string(p.call(http.MethodGet, "/wps/relay/MCSFE_getAnnouncement?announcementId="+stored.ID, nil).Body)
	for _, html := range []string{stored.Texts["vi"].Content, shown} {
		for _, bad := range []string{"onclick", "onerror", "javascript:", "iframe"} {
			if strings.Contains(html, bad) {
				t.Errorf("%q contains %s, want it removed", html, bad)
			}
		}
	}
	if strings.Contains(stored.Texts["vi"].Content, "script") {
		t.Errorf("content = %q, want no script", stored.Texts["vi"].Content)
	}
	// Older rows may hold what the sanitizer did not know.
	d.Exec(t, "UPDATE announcement_text SET content = '<p>old</p><script>alert(1)</script>' WHERE announcement_id = "+stored.ID)
	d.Clock.Add(2 * 60 * 1e9)
	got := merchanttest.Value[struct{ Content string }](t, p.call(http.MethodGet, "/wps/relay/MCSFE_getAnnouncement?announcementId="+stored.ID, nil))
	if got.Content != "<p>old</p>" {
		t.Errorf("shown content = %q, want it sanitized again", got.Content)
	}
}

func TestContentRefusesLargeTextsAndFalsePictures(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	send := func(size int) merchanttest.Reply {
		return p.call(http.MethodPost, "/ops/v1/announcements", object{"texts": object{"vi": text("Tin", strings.Repeat("a", size))}})
	}
	p.want(send(1<<20), 413, "")
	p.want(send(100<<10), 400, "content.malformed")
	upload := func(kind string, data []byte) merchanttest.Reply {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="a.png"`}, "Content-Type": {kind}})
		if err == nil {
			_, err = part.Write(data)
		}
		if err = firstOf(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		d.Refill()
		return d.Call(t, http.MethodPost, "/ops/v1/pictures", body.String(), "Cookie", "fairground_operator="+p.cookie, "Content-Type", w.FormDataContentType())
	}
	p.want(upload("image/png", []byte("<svg onload=alert(1)>")), 400, "content.picture")
	p.want(upload("image/svg+xml", []byte("<svg onload=alert(1)>")), 400, "content.picture")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	p.want(upload("image/jpeg", picture.Bytes()), 400, "content.picture")
	stored := merchanttest.Value[struct{ Address string }](t, upload("image/png", picture.Bytes()))
	if r := d.Call(t, http.MethodGet, stored.Address, nil); r.Status != 200 || !bytes.HasPrefix(r.Body, []byte("\xff\xd8\xff")) {
		t.Errorf("picture %s: %d, want a JPEG", stored.Address, r.Status)
	}
	banner := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/banners", object{"group": "m_home", "image": stored.Address, "texts": object{"vi": text("Tin", "")}}))
	if n := d.Count(t, "discarded"); n != 0 {
		t.Errorf("discarded pictures = %d, want 0: a banner uses it", n)
	}
	p.want(p.call(http.MethodPost, "/ops/v1/banners/"+banner.ID+"/delete", object{"version": 1}), 200, "")
	if n := d.Count(t, "discarded"); n != 1 {
		t.Errorf("discarded pictures = %d, want 1: nothing uses it", n)
	}
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestSE03ContentOfAnotherMerchantPart(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	second, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	p, q := d.create("editor", permission.Owner).logIn(), d.createAt("other", second, permission.Owner).logIn().confirm()
	for _, kind := range []string{"announcements", "pages"} {
		own := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/"+kind, object{"texts": object{"vi": text("Tin", "<p>a</p>")}}))
		one := "/ops/v1/" + kind + "/" + own.ID
		q.want(q.call(http.MethodGet, one, nil), 404, "content.missing")
		q.want(q.call(http.MethodPut, one, object{"version": 1, "texts": object{"vi": text("Tin", "<p>a</p>")}}), 404, "content.missing")
		q.want(q.call(http.MethodPost, one+"/delete", object{"version": 1}), 404, "content.missing")
		if list := merchanttest.Value[entries](t, q.call(http.MethodGet, "/ops/v1/"+kind, nil)).List; len(list) != 0 {
			t.Errorf("%s = %+v, want none of the other merchant", kind, list)
		}
	}
	vendors := merchanttest.Value[struct{ List []struct{ ID string } }](t, p.call(http.MethodGet, "/ops/v1/vendors", nil)).List
	games := merchanttest.Value[struct{ List []struct{ ID string } }](t, p.call(http.MethodGet, "/ops/v1/games", nil)).List
	if len(vendors) == 0 || len(games) == 0 {
		addGames(t, p)
		vendors = merchanttest.Value[struct{ List []struct{ ID string } }](t, p.call(http.MethodGet, "/ops/v1/vendors", nil)).List
		games = merchanttest.Value[struct{ List []struct{ ID string } }](t, p.call(http.MethodGet, "/ops/v1/games", nil)).List
	}
	q.want(q.call(http.MethodPost, "/ops/v1/games/"+games[0].ID+"/disable", object{"version": 1}), 404, "catalogue.missing")
	q.want(q.call(http.MethodPost, "/ops/v1/catalogue/vendors/"+vendors[0].ID+"/disable", object{"version": 1}), 404, "catalogue.missing")
	q.want(q.call(http.MethodGet, "/ops/v1/vendors/"+vendors[0].ID, nil), 404, "vendor.missing")
	q.want(q.call(http.MethodPost, "/ops/v1/vendors/"+vendors[0].ID+"/rotate", object{"version": 1}), 404, "vendor.missing")
}

// addGames creates a vendor with three games and returns its key.
func addGames(t *testing.T, p *person) (key string) {
	t.Helper()
	p.confirm()
	return merchanttest.Value[struct{ Key string }](t, p.call(http.MethodPost, "/ops/v1/vendors", object{
		"code": "ACME", "name": "Acme", "launchUrl": "https://play.example/?t={ticket}", "launchMode": "frame",
		"games": []object{{"code": "a1", "category": "RNG"}, {"code": "a2", "category": "RNG"}, {"code": "a3", "category": "RNG"}},
	})).Key
}

func TestVendorsAndGamesAreEditedByOperators(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newDesk(t, store)
		p := d.create("gina", "games").logIn()
		p.want(p.call(http.MethodPost, "/ops/v1/vendors", object{"code": "ACME", "name": "Acme", "launchUrl": "https://play.example/?t={ticket}", "launchMode": "frame", "games": []object{}}), 403, "ops.confirm")
		if key := addGames(t, p); len(key) != 64 {
			t.Fatalf("key = %q, want 64 digits", key)
		}
		type vendor struct {
			ID, Status, LaunchURL string
			Version               int64
			OwnWallet             bool
			Keys                  []struct {
				KeyID     string
				RetiredAt int64
			}
		}
		list := merchanttest.Value[struct{ List []vendor }](t, p.call(http.MethodGet, "/ops/v1/vendors?q=acme", nil)).List
		if len(list) != 1 {
			t.Fatalf("vendors = %+v, want the new one", list)
		}
		path := "/ops/v1/vendors/" + list[0].ID
		read := func() vendor { return merchanttest.Value[vendor](t, p.call(http.MethodGet, path, nil)) }
		edit := object{"version": read().Version, "name": "Acme 2", "launchUrl": "https://play2.example/?t={ticket}", "launchMode": "window", "enabled": true, "ownWallet": true}
		p.want(p.call(http.MethodPut, path, edit), 200, "")
		p.want(p.call(http.MethodPut, path, edit), 409, "ops.stale")
		if got := read(); got.LaunchURL != "https://play2.example/?t={ticket}" || !got.OwnWallet {
			t.Errorf("edited vendor = %+v, want the new address and its own wallet", got)
		}
		for name, bad := range map[string]object{"script": {"launchUrl": "javascript:alert({ticket})"}, "no ticket": {"launchUrl": "https://play.example/"}, "no address": {"launchUrl": ""}, "no name": {"name": " "}} {
			body := object{"version": read().Version, "name": "Acme", "launchUrl": "https://play.example/?t={ticket}", "launchMode": "frame", "enabled": true, "ownWallet": false}
			for k, v := range bad {
				body[k] = v
			}
			if r := p.call(http.MethodPut, path, body); r.Status != 400 {
				t.Errorf("%s: %d %s, want 400", name, r.Status, r.Body)
			}
		}
		rotated := merchanttest.Value[struct{ Key, KeyID string }](t, p.call(http.MethodPost, path+"/rotate", object{"version": read().Version}))
		if got := read(); len(got.Keys) != 2 || got.Keys[0].KeyID != rotated.KeyID || len(rotated.Key) != 64 {
			t.Errorf("keys after the rotation = %+v, want two, the newest %s", got.Keys, rotated.KeyID)
		}
		p.want(p.call(http.MethodPost, path+"/rotate", object{"version": 1}), 409, "ops.stale")
		p.want(p.call(http.MethodPost, path+"/retire", object{"version": read().Version, "keyId": read().Keys[1].KeyID}), 200, "")
		if strings.Contains(string(p.call(http.MethodGet, path, nil).Body), rotated.Key) {
			t.Error("the vendor's page shows the key again, want it shown once")
		}
		if n := d.Number(t, fmt.Sprintf("SELECT COUNT(*) FROM audit WHERE after LIKE '%%%s%%'", rotated.Key)); n != 0 {
			t.Errorf("audit rows with the key = %d, want 0", n)
		}
		probe := merchanttest.Value[struct {
			Reached bool
			Problem string
		}](t, p.call(http.MethodPost, path+"/test", nil))
		if probe.Reached || probe.Problem == "" {
			t.Errorf("connection test of an unknown host = %+v, want its problem", probe)
		}

		type game struct {
			ID, Code, Status string
			Version, HotRank int64
			Jackpot          bool
		}
		games := func(query string) []game {
			return merchanttest.Value[struct{ List []game }](t, p.call(http.MethodGet, "/ops/v1/games"+query, nil)).List
		}
		one := func(code string) game { return games("?q=" + code)[0] }
		act := func(code, action string, more object) {
			t.Helper()
			body := object{"version": one(code).Version}
			for k, v := range more {
				body[k] = v
			}
			p.want(p.call(http.MethodPost, "/ops/v1/games/"+one(code).ID+"/"+action, body), 200, "")
		}
		tiles := func() string {
			d.Refill()
			return string(d.Call(t, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameType=RNG", nil).Body)
		}
		act("a1", "disable", nil)
		if strings.Contains(tiles(), `"gameId":"a1"`) {
			t.Error("a disabled game is listed, want it hidden at once")
		}
		p.want(p.call(http.MethodPost, "/ops/v1/games/"+one("a1").ID+"/enable", object{"version": 1}), 409, "ops.stale")
		act("a1", "enable", nil)
		act("a1", "maintenance", nil)
		act("a2", "hot", object{"rank": 3})
		act("a3", "jackpot", nil)
		if got := tiles(); !strings.Contains(got, `"maintenance":true`) || !strings.Contains(got, `"hot":true`) || !strings.Contains(got, `"jackpot":true`) {
			t.Errorf("tiles = %s, want one in maintenance, one hot and one with a jackpot", got)
		}
		if got := games("?mark=jackpot"); len(got) != 1 || got[0].Code != "a3" {
			t.Errorf("games with a jackpot = %+v, want a3", got)
		}
		if got := games("?state=maintenance&vendor=ACME&category=RNG"); len(got) != 1 || got[0].Code != "a1" {
			t.Errorf("games in maintenance = %+v, want a1", got)
		}
		act("a3", "move", object{"after": ""})
		act("a1", "move", object{"after": one("a2").ID})
		if got := games("?vendor=ACME"); got[0].Code != "a3" || got[1].Code != "a2" || got[2].Code != "a1" {
			t.Errorf("order = %+v, want a3, a2, a1", got)
		}
		p.want(p.call(http.MethodPost, "/ops/v1/catalogue/vendors/"+list[0].ID+"/disable", object{"version": read().Version}), 200, "")
		if got := tiles(); strings.Contains(got, `"gameId":"a2"`) || read().Status != "disabled" {
			t.Errorf("games of a disabled vendor = %s, want none", got)
		}
	})
}

func TestHouseIsShownToOperators(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	p := d.create("gina", "games").logIn()
	tables := merchanttest.Value[struct {
		List []struct{ ID, Status, Engine string }
	}](t, p.call(http.MethodGet, "/ops/v1/tables?pageSize=50", nil)).List
	if len(tables) != 10 || tables[0].Status != "idle" {
		t.Errorf("tables = %+v, want ten idle ones", tables)
	}
	p.want(p.call(http.MethodGet, "/ops/v1/tables/"+tables[0].ID, nil), 200, "")
	p.want(p.call(http.MethodGet, "/ops/v1/tables/none", nil), 404, "house.missing")
	p.want(p.call(http.MethodGet, "/ops/v1/jackpots", nil), 200, "")
	p.want(p.call(http.MethodGet, "/ops/v1/jackpots/XYZ", nil), 404, "jackpot.none")
	p.want(p.call(http.MethodGet, "/ops/v1/stuck", nil), 200, "")
	p.want(p.call(http.MethodPost, "/ops/v1/stuck/7/retry", object{"version": 1}), 404, "house.missing")
}

func TestSE03SeriesAreAnnouncedByOperators(t *testing.T) {
	t.Parallel()
	d := newDesk(t, dbtest.SQLite(t))
	p := d.create("gina", "games").logIn()
	due := time.Now().Add(48 * time.Hour).UnixMilli()
	announced := object{"kind": "table", "name": "none", "detail": "Special prize", "dueAt": due}
	p.want(p.call(http.MethodGet, "/ops/v1/fairness", nil), 200, "")
	p.want(p.call(http.MethodGet, "/ops/v1/fairness/7", nil), 404, "fairness.unknown_series")
	p.want(p.call(http.MethodPost, "/ops/v1/fairness", announced), 404, "fairness.unknown_series")
	p.want(p.call(http.MethodPost, "/ops/v1/fairness/7/value", object{"version": 1, "value": "12345"}), 404, "fairness.unknown_series")
	p.want(p.call(http.MethodPost, "/ops/v1/fairness/7/end", object{"version": 1}), 404, "fairness.unknown_series")
}
