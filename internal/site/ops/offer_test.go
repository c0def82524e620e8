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

func ids(list []entry) (all []string) {
	for _, e := range list {
		all = append(all, e.ID)
	}
	return all
}

func TestContentIsEditedByOperators(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
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
			entryPath := path + "/" + second.ID
			edit := object{"version": 1, "published": true, "texts": object{"en": text("third", "<p>third</p>")}}
			for k, v := range extra {
				edit[k] = v
			}
			if edited := merchanttest.Value[entry](t, p.call(http.MethodPut, entryPath, edit)); edited.Title != "third" || edited.Version != 2 || len(edited.Languages) != 1 {
				t.Errorf("%s: edited %+v, want version 2 in English only", kind, edited)
			}
			p.wantStatus(p.call(http.MethodPut, entryPath, edit), 409, "ops.stale")
			p.wantStatus(p.call(http.MethodPost, entryPath+"/publish", object{"version": 1}), 409, "ops.stale")
			p.wantStatus(p.call(http.MethodPost, entryPath+"/unpublish", object{"version": 2}), 200, "")
			p.wantStatus(p.call(http.MethodPost, entryPath+"/move", object{"version": 3}), 200, "")
			list := merchanttest.Value[entries](t, p.call(http.MethodGet, path+"?pageSize=2", nil)).List
			if got := ids(list); len(got) < 2 || got[0] != second.ID {
				t.Errorf("%s: order = %v, want %s first", kind, got, second.ID)
			}
			drafts := merchanttest.Value[entries](t, p.call(http.MethodGet, path+"?state=draft&q=THIRD", nil)).List
			if len(drafts) != 1 || drafts[0].ID != second.ID {
				t.Errorf("%s: drafts = %+v, want the unpublished one", kind, drafts)
			}
			current := merchanttest.Value[entry](t, p.call(http.MethodGet, entryPath, nil))
			p.wantStatus(p.call(http.MethodPost, entryPath+"/delete", object{"version": current.Version, "reason": "old"}), 200, "")
			p.wantStatus(p.call(http.MethodGet, entryPath, nil), 404, "content.missing")
		}
		if rows := d.Number(t, "SELECT COUNT(*) FROM audit WHERE permission = 'content.edit'"); rows != 5*6 {
			t.Errorf("audit rows = %d, want one for each of the 30 changes", rows)
		}
	})
}

// An article of the help centre belongs to a topic. A topic with articles cannot be deleted.
func TestHelpIsEditedByOperators(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
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
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/help/"+topic.ID+"/delete", object{"version": 1}), 409, "content.has_articles")
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/pages/"+topic.ID, nil), 404, "content.missing")
	shown := merchanttest.Value[[]struct {
		Title    string
		Children []struct{ Title string }
	}](t, d.Call(t, http.MethodGet, "/wps/system/helpCenter", nil, "Language", "en"))
	if len(shown) != 1 || shown[0].Title != "Tiền" || len(shown[0].Children) != 1 || shown[0].Children[0].Title != "Pay" {
		t.Errorf("help centre = %+v, want the topic with its article", shown)
	}
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/help/"+created.ID+"/delete", object{"version": 1}), 200, "")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/help/"+topic.ID+"/delete", object{"version": 1}), 200, "")
	other := d.create("clerk", "finance").logIn()
	if r := other.call(http.MethodPost, "/ops/v1/help", article); r.Status != 403 {
		t.Errorf("without the permission: %d, want 403", r.Status)
	}
}

// If there is no text in the reader's language, the reader gets Vietnamese or English.
func TestContentFallsBackToAnotherLanguage(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-x", "published": true, "texts": object{"vi": text("Xin chào", "<p>a</p>"), "en": text("Hello", "<p>b</p>")}}), 200, "")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-y", "published": true, "texts": object{"en": text("Only English", "<p>b</p>")}}), 200, "")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-x", "texts": object{"en": text("Hello", "<p>b</p>")}}), 409, "content.taken")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-z", "texts": object{"ur": text("سلام", "<p>b</p>")}}), 400, "content.malformed")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/pages", object{"code": "help-z", "texts": object{"en": text("a", "<p>b</p>"), "de": text("a", "<p>b</p>")}}), 400, "content.malformed")
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

// A script in any field is removed, refused, or stored in a field that apps show as plain text.
func TestContentWithScript(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	const script = `<script>alert(1)</script>`
	bannerWith := func(change object) object {
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
		if r := p.call(http.MethodPost, "/ops/v1/banners", bannerWith(bad)); r.Status != 400 {
			t.Errorf("script in %s: %d %s, want 400", field, r.Status, r.Body)
		}
	}
	content := `<p onclick="alert(1)">a</p>` + script + `<a href="javascript:alert(1)">b</a><iframe src="/x"></iframe><img src=x onerror=alert(1)>`
	stored := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/banners", bannerWith(object{"texts": object{"vi": object{"title": script, "content": content, "tag": script, "action": script}}})))
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
	// Rows stored by an older version may contain unsafe HTML.
	d.Exec(t, "UPDATE announcement_text SET content = '<p>old</p><script>alert(1)</script>' WHERE announcement_id = "+stored.ID)
	d.Clock.Add(2 * 60 * 1e9)
	got := merchanttest.Value[struct{ Content string }](t, p.call(http.MethodGet, "/wps/relay/MCSFE_getAnnouncement?announcementId="+stored.ID, nil))
	if got.Content != "<p>old</p>" {
		t.Errorf("shown content = %q, want it sanitized again", got.Content)
	}
}

func TestContentRefusesLargeTextsAndInvalidPictures(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("editor", "content").logIn()
	send := func(size int) merchanttest.Reply {
		return p.call(http.MethodPost, "/ops/v1/announcements", object{"texts": object{"vi": text("Tin", strings.Repeat("a", size))}})
	}
	p.wantStatus(send(1<<20), 413, "")
	p.wantStatus(send(100<<10), 400, "content.malformed")
	upload := func(contentType string, data []byte) merchanttest.Reply {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="a.png"`}, "Content-Type": {contentType}})
		if err == nil {
			_, err = part.Write(data)
		}
		if err = firstError(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		d.Refill()
		return d.Call(t, http.MethodPost, "/ops/v1/pictures", body.String(), "Cookie", "fairground_operator="+p.cookie, "Content-Type", w.FormDataContentType())
	}
	p.wantStatus(upload("image/png", []byte("<svg onload=alert(1)>")), 400, "content.picture")
	p.wantStatus(upload("image/svg+xml", []byte("<svg onload=alert(1)>")), 400, "content.picture")
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 40, 20))); err != nil {
		t.Fatal(err)
	}
	p.wantStatus(upload("image/jpeg", picture.Bytes()), 400, "content.picture")
	stored := merchanttest.Value[struct{ Address string }](t, upload("image/png", picture.Bytes()))
	if r := d.Call(t, http.MethodGet, stored.Address, nil); r.Status != 200 || !bytes.HasPrefix(r.Body, []byte("\xff\xd8\xff")) {
		t.Errorf("picture %s: %d, want a JPEG", stored.Address, r.Status)
	}
	banner := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/banners", object{"group": "m_home", "image": stored.Address, "texts": object{"vi": text("Tin", "")}}))
	if n := d.Count(t, "discarded"); n != 0 {
		t.Errorf("discarded pictures = %d, want 0: a banner uses it", n)
	}
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/banners/"+banner.ID+"/delete", object{"version": 1}), 200, "")
	if n := d.Count(t, "discarded"); n != 1 {
		t.Errorf("discarded pictures = %d, want 1: nothing uses it", n)
	}
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/streams", object{"names": object{"vi": "Trận đấu"}, "url": "/m/a.m3u8", "poster": stored.Address}), 200, "")
	again := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/banners", object{"group": "m_home", "image": stored.Address, "texts": object{"vi": text("Tin", "")}}))
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/banners/"+again.ID+"/delete", object{"version": 1}), 200, "")
	if n := d.Count(t, "discarded"); n != 0 {
		t.Errorf("discarded pictures = %d, want 0: a stream uses it", n)
	}
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestSE03ContentOfAnotherMerchantPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	second, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	p, q := d.create("editor", permission.Owner).logIn(), d.createForMerchant("other", second, permission.Owner).logIn().confirm()
	for _, kind := range []string{"announcements", "pages"} {
		created := merchanttest.Value[entry](t, p.call(http.MethodPost, "/ops/v1/"+kind, object{"texts": object{"vi": text("Tin", "<p>a</p>")}}))
		entryPath := "/ops/v1/" + kind + "/" + created.ID
		q.wantStatus(q.call(http.MethodGet, entryPath, nil), 404, "content.missing")
		q.wantStatus(q.call(http.MethodPut, entryPath, object{"version": 1, "texts": object{"vi": text("Tin", "<p>a</p>")}}), 404, "content.missing")
		q.wantStatus(q.call(http.MethodPost, entryPath+"/delete", object{"version": 1}), 404, "content.missing")
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
	q.wantStatus(q.call(http.MethodPost, "/ops/v1/games/"+games[0].ID+"/disable", object{"version": 1}), 404, "catalogue.missing")
	q.wantStatus(q.call(http.MethodPost, "/ops/v1/catalogue/vendors/"+vendors[0].ID+"/disable", object{"version": 1}), 404, "catalogue.missing")
	q.wantStatus(q.call(http.MethodGet, "/ops/v1/vendors/"+vendors[0].ID, nil), 404, "vendor.missing")
	q.wantStatus(q.call(http.MethodPost, "/ops/v1/vendors/"+vendors[0].ID+"/rotate", object{"version": 1}), 404, "vendor.missing")
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
		d := newOpsSite(t, store)
		p := d.create("gina", "games").logIn()
		p.wantStatus(p.call(http.MethodPost, "/ops/v1/vendors", object{"code": "ACME", "name": "Acme", "launchUrl": "https://play.example/?t={ticket}", "launchMode": "frame", "games": []object{}}), 403, "ops.confirm")
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
		readVendor := func() vendor { return merchanttest.Value[vendor](t, p.call(http.MethodGet, path, nil)) }
		edit := object{"version": readVendor().Version, "name": "Acme 2", "launchUrl": "https://play2.example/?t={ticket}", "launchMode": "window", "enabled": true, "ownWallet": true}
		p.wantStatus(p.call(http.MethodPut, path, edit), 200, "")
		p.wantStatus(p.call(http.MethodPut, path, edit), 409, "ops.stale")
		if got := readVendor(); got.LaunchURL != "https://play2.example/?t={ticket}" || !got.OwnWallet {
			t.Errorf("edited vendor = %+v, want the new URL and its own wallet", got)
		}
		for name, bad := range map[string]object{"script": {"launchUrl": "javascript:alert({ticket})"}, "no ticket": {"launchUrl": "https://play.example/"}, "no URL": {"launchUrl": ""}, "no name": {"name": " "}} {
			body := object{"version": readVendor().Version, "name": "Acme", "launchUrl": "https://play.example/?t={ticket}", "launchMode": "frame", "enabled": true, "ownWallet": false}
			for k, v := range bad {
				body[k] = v
			}
			if r := p.call(http.MethodPut, path, body); r.Status != 400 {
				t.Errorf("%s: %d %s, want 400", name, r.Status, r.Body)
			}
		}
		rotated := merchanttest.Value[struct{ Key, KeyID string }](t, p.call(http.MethodPost, path+"/rotate", object{"version": readVendor().Version}))
		if got := readVendor(); len(got.Keys) != 2 || got.Keys[0].KeyID != rotated.KeyID || len(rotated.Key) != 64 {
			t.Errorf("keys after the rotation = %+v, want two, the newest %s", got.Keys, rotated.KeyID)
		}
		p.wantStatus(p.call(http.MethodPost, path+"/rotate", object{"version": 1}), 409, "ops.stale")
		p.wantStatus(p.call(http.MethodPost, path+"/retire", object{"version": readVendor().Version, "keyId": readVendor().Keys[1].KeyID}), 200, "")
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
		findGame := func(code string) game { return games("?q=" + code)[0] }
		act := func(code, action string, more object) {
			t.Helper()
			body := object{"version": findGame(code).Version}
			for k, v := range more {
				body[k] = v
			}
			p.wantStatus(p.call(http.MethodPost, "/ops/v1/games/"+findGame(code).ID+"/"+action, body), 200, "")
		}
		tiles := func() string {
			d.Refill()
			return string(d.Call(t, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameType=RNG", nil).Body)
		}
		act("a1", "disable", nil)
		if strings.Contains(tiles(), `"gameId":"a1"`) {
			t.Error("a disabled game is listed, want it hidden at once")
		}
		p.wantStatus(p.call(http.MethodPost, "/ops/v1/games/"+findGame("a1").ID+"/enable", object{"version": 1}), 409, "ops.stale")
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
		act("a1", "move", object{"after": findGame("a2").ID})
		if got := games("?vendor=ACME"); got[0].Code != "a3" || got[1].Code != "a2" || got[2].Code != "a1" {
			t.Errorf("order = %+v, want a3, a2, a1", got)
		}
		p.wantStatus(p.call(http.MethodPost, "/ops/v1/catalogue/vendors/"+list[0].ID+"/disable", object{"version": readVendor().Version}), 200, "")
		if got := tiles(); strings.Contains(got, `"gameId":"a2"`) || readVendor().Status != "disabled" {
			t.Errorf("games of a disabled vendor = %s, want none", got)
		}
	})
}

func TestOperatorsSeeHouseGames(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("gina", "games").logIn()
	tables := merchanttest.Value[struct {
		List []struct{ ID, Status, Engine string }
	}](t, p.call(http.MethodGet, "/ops/v1/tables?pageSize=50", nil)).List
	if len(tables) != 10 || tables[0].Status != "idle" {
		t.Errorf("tables = %+v, want ten idle ones", tables)
	}
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/tables/"+tables[0].ID, nil), 200, "")
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/tables/none", nil), 404, "house.missing")
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/jackpots", nil), 200, "")
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/jackpots/XYZ", nil), 404, "jackpot.none")
	csv := p.call(http.MethodGet, "/ops/v1/jackpots?format=csv", nil)
	if got := csv.Header.Get("Content-Type"); csv.Status != 200 || !strings.HasPrefix(got, "text/csv") || !strings.Contains(string(csv.Body), "currency,amount,series,draws,status\r\n") {
		t.Errorf("jackpots as CSV = %d, %s, %s, want a CSV file", csv.Status, got, csv.Body)
	}
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/stuck", nil), 200, "")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/stuck/7/retry", object{"version": 1}), 404, "house.missing")
}

func TestSE03SeriesAreAnnouncedByOperators(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("gina", "games").logIn()
	due := time.Now().Add(48 * time.Hour).UnixMilli()
	announced := object{"kind": "table", "name": "none", "detail": "Special prize", "dueAt": due}
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/fairness", nil), 200, "")
	p.wantStatus(p.call(http.MethodGet, "/ops/v1/fairness/7", nil), 404, "fairness.unknown_series")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/fairness", announced), 404, "fairness.unknown_series")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/fairness/7/value", object{"version": 1, "value": "12345"}), 404, "fairness.unknown_series")
	p.wantStatus(p.call(http.MethodPost, "/ops/v1/fairness/7/end", object{"version": 1}), 404, "fairness.unknown_series")
}
