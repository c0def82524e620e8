package content_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func newContent(t *testing.T, site *merchanttest.Site) *content.Service {
	t.Helper()
	s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Simulated: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func announcement(code string, kind content.Type) content.Announcement {
	return content.Announcement{
		Code: code, Type: kind, Starts: merchanttest.Start.Add(-time.Hour), Enabled: true,
		Texts: map[string]content.Text{
			"vi": {Title: "Tin " + code, Content: "<p>Nội dung</p>"}, "en": {Title: "News " + code, Content: "<p>Text</p>"},
			"ur": {Title: "خبر " + code}, "pt": {Title: "Aviso " + code},
		},
	}
}

func banner(code, group string) content.Announcement {
	b := announcement(code, content.Banner)
	b.Group, b.Image, b.URL = group, "/m/art/banners/"+code+".webp", "/m/trail"
	b.Texts["vi"] = content.Text{Title: "Thử trước", Tag: "Chơi thử", Action: "Thử ngay"}
	return b
}

func popup(code, execution string) content.Announcement {
	p := announcement(code, content.Popup)
	p.Execution = execution
	return p
}

// fill stores a member and announcements of every type. Some announcements are not current.
func fill(t *testing.T, site *merchanttest.Site, s *content.Service) {
	t.Helper()
	early, late, disabled := announcement("early", content.PlayerNotice), announcement("late", content.PlayerNotice), announcement("off", content.PlayerNotice)
	early.Starts = merchanttest.Start.Add(time.Hour)
	late.Ends = merchanttest.Start
	disabled.Enabled = false
	all := []content.Announcement{
		banner("home", "m_home"), banner("live", "m_live"), announcement("everyone", content.PlayerNotice), announcement("agents", content.AgentNotice),
		popup("visitor", "B"), announcement("promo", content.Promotion), early, late, disabled, banner("join", "m_reg"),
		popup("again", "A"), popup("first", "F"),
	}
	for i := range all {
		all[i].Sorting = int64(i)
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: all}); err != nil {
		t.Fatal(err)
	}
	site.AddMember(t, 7, "reader1")
}

func serve(t *testing.T, store *db.Store) (*merchanttest.Site, *content.Service) {
	t.Helper()
	site := merchanttest.New(t, store)
	s := newContent(t, site)
	callers := merchanttest.Tokens{
		"player": {MemberID: 7, MerchantID: site.ID}, "agent": {MemberID: 8, MerchantID: site.ID, Type: 1},
	}
	site.Serve(t, callers, func(a *rest.API) { content.Routes(a, s) })
	return site, s
}

const (
	listPath = "/wps/relay/MCSFE_getListAnnouncements?platform=M&merchantCode=fairground"
	homePath = listPath + "&types=B,PL,PU&groupName=m_home"
	readPath = "/wps/relay/MCSFE_markAnnouncementAsRead"

	emptyReply     = `{"success":true,"value":{}}`
	emptyList      = `{"success":true,"value":[]}`
	unknownContent = `{"errorCode":"content.unknown","message":"not found","success":false}`
	noSession      = `{"errorCode":"login.not.session","message":"a valid session is needed","success":false}`
	systemError    = `{"errorCode":"system.error","message":"system error","requestId":"(varies)","success":false}`
)

// noticeJSON returns the JSON of an announcement without optional fields.
func noticeJSON(id, kind, execution, title, html string) string {
	return fmt.Sprintf(`{"id":%q,"type":%q,"execution":%q,"title":%q,"content":%q,"cta":"","groupName":"","image":"","promotionType":"",
		"read":false,"startTime":1773476813000,"tag":"","url":""}`, id, kind, execution, title, html)
}

// homeList returns the expected response for the home page: a banner and then the other announcements.
func homeList(banner, prefix, html string) string {
	return `{"success":true,"value":[` + banner + `,` + noticeJSON("1004", "PL", "", prefix+"everyone", html) + `,` +
		noticeJSON("1006", "PU", "B", prefix+"visitor", html) + `,` + noticeJSON("1012", "PU", "A", prefix+"again", html) + `,` +
		noticeJSON("1013", "PU", "F", prefix+"first", html) + `]}`
}

func TestListEndpoint(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Want(t, site.Call(t, "GET", homePath, nil), 200, emptyList)
		fill(t, site, s)
		for _, c := range []struct {
			name, path, language string
			status               int
			want                 string
		}{
			{"CA-13 EN-14 home in Vietnamese", homePath, "VI", 200, homeList(`{"content":"","cta":"Thử ngay","execution":"","groupName":"m_home","id":"1002",
				"image":"/m/art/banners/home.webp","promotionType":"","read":false,"startTime":1773476813000,"tag":"Chơi thử","title":"Thử trước","type":"B",
				"url":"/m/trail"}`, "Tin ", "<p>Nội dung</p>")},
			{"CA-13 EN-14 home in English", homePath, "EN", 200, homeList(`{"content":"<p>Text</p>","cta":"","execution":"","groupName":"m_home","id":"1002",
				"image":"/m/art/banners/home.webp","promotionType":"","read":false,"startTime":1773476813000,"tag":"","title":"News home","type":"B",
				"url":"/m/trail"}`, "News ", "<p>Text</p>")},
			{"unknown type", listPath + "&types=B,XX", "VI", 400, `{"errorCode":"request_param_err","field":"types","message":"the request is not valid","success":false}`},
			{"no types", listPath, "VI", 400, `{"errorCode":"request_param_err","field":"types","message":"required query parameter is missing","success":false}`},
		} {
			t.Run(c.name, func(t *testing.T) {
				merchanttest.Want(t, site.Call(t, "GET", c.path, nil, "Language", c.language), c.status, c.want)
			})
		}
	})
}

type listed []struct {
	ID, Title string
	Read      bool
}

func (l listed) codes() []string {
	var codes []string
	for _, x := range l {
		codes = append(codes, strings.TrimPrefix(x.Title, "News "))
	}
	return codes
}

func TestListByReader(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		for _, c := range []struct {
			title, query, token string
			want                []string
		}{
			{"home", "&types=B,PL,PU&groupName=m_home", "", []string{"home", "everyone", "visitor", "again", "first"}},
			{"live", "&types=B&groupName=m_live", "", []string{"live"}},
			{"RG-10 the server's part: banners of the registration page", "&types=B&groupName=m_reg", "", []string{"join"}},
			{"every group", "&types=B", "", []string{"home", "live", "join"}},
			{"ST-04 the server's part: popups with their execution", "&types=PU", "player", []string{"visitor", "again", "first"}},
			{"promotions", "&types=PR", "", []string{"promo"}},
			{"notices", "&types=A,PL", "", []string{"everyone"}},
			{"notices", "&types=A,PL", "player", []string{"everyone"}},
			{"notices", "&types=A,PL", "agent", []string{"everyone", "agents"}},
			{"token in the query", "&types=A&token=agent", "", []string{"agents"}},
		} {
			t.Run(c.title, func(t *testing.T) {
				reply := site.Call(t, "GET", listPath+c.query, nil, "Language", "EN", "Authorization", c.token)
				if got := merchanttest.Value[listed](t, reply).codes(); !slices.Equal(got, c.want) {
					t.Errorf("list %s with token %q = %v, want %v", c.query, c.token, got, c.want)
				}
			})
		}
		site.Clock.Add(time.Hour)
		got := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil, "Language", "EN")).codes()
		if want := []string{"everyone", "early"}; !slices.Equal(got, want) {
			t.Errorf("list after an hour = %v, want %v", got, want)
		}
	})
}

// At the limit, only one of two concurrent requests takes the last place, and repeating it returns its first answer.
func TestCreateAtTheLimit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, _ := serve(t, store)
		s, err := content.New(content.Options{Store: store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Requests: idempotency.New(store, site.Clock.Now)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		site.Exec(t, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
			INSERT INTO announcement (id, merchant_id, code, type, sorting, starts_at, enabled) SELECT i, CAST($1 AS BIGINT), 'n' || i, 'PL', i, 0, TRUE FROM n`, site.ID)
		create := func(key string) (content.Entry, error) {
			request := idempotency.Request{Owner: idempotency.Operator(1), Call: "create", Key: key, Content: key}
			return s.CreateEntry(t.Context(), request, site.ID, content.Entry{Kind: content.Announcements, Starts: merchanttest.Start, Texts: map[string]content.Text{"en": {Title: key}}})
		}
		var entries [2]content.Entry
		var errs [2]error
		var both sync.WaitGroup
		for i := range entries {
			both.Go(func() { entries[i], errs[i] = create(fmt.Sprint("k", i)) })
		}
		both.Wait()
		first := 0
		if errs[0] != nil {
			first = 1
		}
		if errs[first] != nil || !errors.Is(errs[1-first], content.ErrMalformed) {
			t.Fatalf("two requests for the last place: got %v and %v, want one to fail with %v", errs[0], errs[1], content.ErrMalformed)
		}
		again, err := create(fmt.Sprint("k", first))
		if err != nil || again.ID != entries[first].ID {
			t.Errorf("the same request again: got entry %d and %v, want entry %d", again.ID, err, entries[first].ID)
		}
	})
}

func TestMarkRead(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		notices := func() listed {
			return merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil, "Authorization", "player"))
		}
		before := notices()
		if len(before) != 1 || before[0].Read {
			t.Fatalf("notices = %+v, want one unread", before)
		}
		body := map[string]any{"announcementId": before[0].ID, "read": true}
		t.Run("CA-13 ST-06 the server's part: marked announcements are read", func(t *testing.T) {
			for range 2 { // idempotent
				merchanttest.Want(t, site.Call(t, "POST", readPath, body, "Authorization", "player"), 200, emptyReply)
			}
			if after := notices(); !after[0].Read {
				t.Errorf("notices = %+v, want read", after)
			}
		})
		if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); list[0].Read {
			t.Error("the notice is marked as read for a visitor, want unread")
		}
		body["read"] = false
		merchanttest.Want(t, site.Call(t, "POST", readPath, body, "Authorization", "player"), 400, `{
			"errorCode":"request_param_err","field":"read","message":"the request is not valid","success":false
		}`)
		body["read"] = true
		merchanttest.Want(t, site.Call(t, "POST", readPath, body), 401, noSession)
		body["announcementId"] = "999999"
		merchanttest.Want(t, site.Call(t, "POST", readPath, body, "Authorization", "player"), 404, unknownContent)
		body["announcementId"] = "1; DROP"
		merchanttest.Want(t, site.Call(t, "POST", readPath, body, "Authorization", "player"), 400, `{
			"errorCode":"request_param_err","field":"announcementId","message":"expected string to match pattern ^[0-9]{1,19}$",
			"success":false
		}`)
	})
}

func TestStoredHTMLIsSanitized(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	evil := announcement("evil", content.PlayerNotice)
	evil.Texts["vi"] = content.Text{
		Title:   "x",
		Content: `<p onclick="steal()">Hi <b>there</b></p><script>steal()</script><img src=x onerror=steal()><a href="javascript:steal()">go</a><iframe src="//evil.test"></iframe>`,
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{evil}}); err != nil {
		t.Fatal(err)
	}
	var stored string
	err := site.Store.Reader.QueryRowContext(t.Context(), "SELECT content FROM announcement_text WHERE language = 'vi'").Scan(&stored)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stored, "<b>there</b>") {
		t.Errorf("stored HTML = %s, want it to keep <b>there</b>", stored)
	}
	t.Run("SE-06 the server's part: stored announcement HTML is sanitized", func(t *testing.T) {
		t.Parallel()
		for _, bad := range []string{"steal", "script", "onerror", "iframe", "evil.test"} {
			if strings.Contains(stored, bad) {
				t.Errorf("stored HTML contains %q: %s", bad, stored)
			}
		}
	})
}

func TestMalformedAnnouncements(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	change := func(a content.Announcement, fn func(*content.Announcement)) content.Announcement {
		fn(&a)
		return a
	}
	for field, bad := range map[string]content.Announcement{
		"code":          change(announcement("", content.PlayerNotice), func(*content.Announcement) {}),
		"type":          announcement("x", "ZZ"),
		"group":         banner("x", "m_moon"),
		"execution":     popup("x", "Z"),
		"url":           change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { a.URL = "https://evil.test/" }),
		"promotionType": change(announcement("x", content.Promotion), func(a *content.Announcement) { a.PromotionType = strings.Repeat("x", 65) }),
		"tag.en":        change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { a.Texts["en"] = content.Text{Title: "x", Tag: strings.Repeat("x", 65)} }),
		"action.en": change(announcement("x", content.PlayerNotice), func(a *content.Announcement) {
			a.Texts["en"] = content.Text{Title: "x", Action: strings.Repeat("x", 65)}
		}),
		"image":    change(banner("x", "m_home"), func(a *content.Announcement) { a.Image = "" }),
		"ends":     change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { a.Ends = a.Starts }),
		"starts":   change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { a.Starts = time.Time{} }),
		"title.ur": change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { delete(a.Texts, "ur") }),
		"texts.xx": change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { a.Texts["xx"] = content.Text{Title: "?"} }),
		"image.pt": change(announcement("x", content.PlayerNotice), func(a *content.Announcement) { a.Texts["pt"] = content.Text{Title: "x", Image: "//evil.test/x.png"} }),
		"content.en": change(announcement("x", content.PlayerNotice), func(a *content.Announcement) {
			a.Texts["en"] = content.Text{Title: "x", Content: strings.Repeat("x", 1<<17)}
		}),
		"duplicate": change(popup("good", "A"), func(*content.Announcement) {}),
	} {
		err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{announcement("good", content.PlayerNotice), bad}})
		var f *fault.Fault
		if !errors.As(err, &f) || !errors.Is(f, content.ErrMalformed) || f.Field != field {
			t.Errorf("malformed %s: %v, want ErrMalformed on this field", field, err)
		}
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{popup("quiet", "")}}); !errors.Is(err, content.ErrMalformed) {
		t.Errorf("popup without execution: %v, want ErrMalformed", err)
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{banner("astray", "")}}); !errors.Is(err, content.ErrMalformed) {
		t.Errorf("banner without group: %v, want ErrMalformed", err)
	}
	if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=A,PL,B,PU,PR", nil)); len(list) != 0 {
		t.Errorf("announcements after rejected batches = %+v, want none", list)
	}
}

func TestReplicasReloadAfterChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, _ := serve(t, store)
		other := newContent(t, site)
		if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); len(list) != 0 {
			t.Fatalf("notices = %v, want none", list)
		}
		if err := other.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{announcement("fresh", content.PlayerNotice)}}); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); len(list) == 1 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("the replica did not reload within a minute")
			}
		}
	})
}
