package content_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/content"
	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/merchant/merchanttest"
	"fairground/internal/rest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func newContent(t *testing.T, site *merchanttest.Site) *content.Service {
	t.Helper()
	s, err := content.New(content.Options{Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func item(code string, kind content.Type) content.Announcement {
	return content.Announcement{
		Code: code, Type: kind, Starts: merchanttest.Start.Add(-time.Hour), Enabled: true,
		Texts: map[string]content.Text{
			"vi": {Title: "Tin " + code, Content: "<p>Nội dung</p>"}, "en": {Title: "News " + code, Content: "<p>Text</p>"},
			"ur": {Title: "خبر " + code}, "pt": {Title: "Aviso " + code},
		},
	}
}

func banner(code, group string) content.Announcement {
	b := item(code, content.Banner)
	b.Group, b.Image, b.URL = group, "/m/art/banners/"+code+".webp", "/m/trail"
	b.Texts["vi"] = content.Text{Title: "Thử trước", Tag: "Chơi thử", Action: "Thử ngay"}
	return b
}

func popup(code, execution string) content.Announcement {
	p := item(code, content.Popup)
	p.Execution = execution
	return p
}

// fill stores one of each kind, some of them not for now, and a member who reads.
func fill(t *testing.T, site *merchanttest.Site, s *content.Service) {
	t.Helper()
	early, late, off := item("early", content.PlayerNotice), item("late", content.PlayerNotice), item("off", content.PlayerNotice)
	early.Starts = merchanttest.Start.Add(time.Hour)
	late.Ends = merchanttest.Start
	off.Enabled = false
	all := []content.Announcement{
		banner("home", "m_home"), banner("live", "m_live"), item("everyone", content.PlayerNotice), item("agents", content.AgentNotice),
		popup("visitor", "B"), item("promo", content.Promotion), early, late, off,
	}
	for i := range all {
		all[i].Sorting = int64(i)
	}
	if err := s.Put(t.Context(), site.ID, all); err != nil {
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
	site.Serve(t, callers, func(a *rest.API) { content.Register(a, s) })
	return site, s
}

const (
	listPath = "/wps/relay/MCSFE_getListAnnouncements?platform=M&merchantCode=fairground"
	homePath = listPath + "&types=B,PL,PU&groupName=m_home"
	readPath = "/wps/relay/MCSFE_markAnnouncementAsRead"
)

func TestCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Golden(t, "empty", site.Call(t, "GET", homePath, nil))
		fill(t, site, s)
		for name, call := range map[string][]string{
			"home_vi":       {homePath},
			"home_en":       {homePath, "Language", "EN"},
			"bad_type":      {listPath + "&types=B,XX"},
			"missing_types": {listPath},
		} {
			merchanttest.Golden(t, name, site.Call(t, "GET", call[0], nil, call[1:]...))
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

func TestWhoSeesWhat(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		for _, c := range []struct {
			query, token string
			want         []string
		}{
			{"&types=B,PL,PU&groupName=m_home", "", []string{"home", "everyone", "visitor"}},
			{"&types=B&groupName=m_live", "", []string{"live"}},
			{"&types=B&groupName=m_reg", "", nil},
			{"&types=B", "", []string{"home", "live"}},
			{"&types=PR", "", []string{"promo"}},
			{"&types=A,PL", "", []string{"everyone"}},
			{"&types=A,PL", "player", []string{"everyone"}},
			{"&types=A,PL", "agent", []string{"everyone", "agents"}},
			{"&types=A&token=agent", "", []string{"agents"}},
		} {
			reply := site.Call(t, "GET", listPath+c.query, nil, "Language", "EN", "Authorization", c.token)
			if got := merchanttest.Value[listed](t, reply).codes(); !slices.Equal(got, c.want) {
				t.Errorf("%s as %q: %v, want %v", c.query, c.token, got, c.want)
			}
		}
		site.Clock.Add(time.Hour)
		got := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil, "Language", "EN")).codes()
		if want := []string{"everyone", "early"}; !slices.Equal(got, want) {
			t.Errorf("an hour later: %v, want %v", got, want)
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
			t.Fatalf("before: %+v", before)
		}
		body := map[string]any{"announcementId": before[0].ID, "read": true}
		for range 2 { // reading it twice is not an error
			merchanttest.Golden(t, "mark_read", site.Call(t, "POST", readPath, body, "Authorization", "player"))
		}
		if after := notices(); !after[0].Read {
			t.Errorf("after: %+v", after)
		}
		if mine := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); mine[0].Read {
			t.Error("a visitor sees what a member has read")
		}
		body["token"] = "player"
		merchanttest.Golden(t, "mark_read", site.Call(t, "POST", readPath, body))
		delete(body, "token")
		body["read"] = false
		merchanttest.Golden(t, "mark_unread", site.Call(t, "POST", readPath, body, "Authorization", "player"))
		body["read"] = true
		merchanttest.Golden(t, "mark_read_no_session", site.Call(t, "POST", readPath, body))
		body["announcementId"] = "999999"
		merchanttest.Golden(t, "mark_read_unknown", site.Call(t, "POST", readPath, body, "Authorization", "player"))
		body["announcementId"] = "1; DROP"
		merchanttest.Golden(t, "mark_read_malformed", site.Call(t, "POST", readPath, body, "Authorization", "player"))
	})
}

func TestStoredHTMLIsSafe(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	evil := item("evil", content.PlayerNotice)
	evil.Texts["vi"] = content.Text{
		Title:   "x",
		Content: `<p onclick="steal()">Hi <b>there</b></p><script>steal()</script><img src=x onerror=steal()><a href="javascript:steal()">go</a><iframe src="//evil.test"></iframe>`,
	}
	if err := s.Put(t.Context(), site.ID, []content.Announcement{evil}); err != nil {
		t.Fatal(err)
	}
	var stored string
	err := site.Store.Reader.QueryRowContext(t.Context(), "SELECT content FROM announcement_text WHERE language = 'vi'").Scan(&stored)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stored, "<b>there</b>") {
		t.Errorf("plain formatting was lost: %s", stored)
	}
	for _, bad := range []string{"steal", "script", "onerror", "iframe", "evil.test"} {
		if strings.Contains(stored, bad) {
			t.Errorf("sanitised on the server when stored: %q is in %s", bad, stored)
		}
	}
}

func TestMalformedIsRefused(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	change := func(a content.Announcement, fn func(*content.Announcement)) content.Announcement {
		fn(&a)
		return a
	}
	for field, bad := range map[string]content.Announcement{
		"code":      change(item("", content.PlayerNotice), func(*content.Announcement) {}),
		"type":      item("x", "ZZ"),
		"groupName": banner("x", "m_moon"),
		"execution": popup("x", "Z"),
		"url":       change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.URL = "https://evil.test/" }),
		"image":     change(banner("x", "m_home"), func(a *content.Announcement) { a.Image = "" }),
		"ends":      change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.Ends = a.Starts }),
		"title.ur":  change(item("x", content.PlayerNotice), func(a *content.Announcement) { delete(a.Texts, "ur") }),
	} {
		err := s.Put(t.Context(), site.ID, []content.Announcement{item("good", content.PlayerNotice), bad})
		if !errors.Is(err, content.ErrMalformed) || !strings.Contains(err.Error(), "("+field+")") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := s.Put(t.Context(), site.ID, []content.Announcement{popup("quiet", "")}); !errors.Is(err, content.ErrMalformed) {
		t.Errorf("a popup without an execution: %v", err)
	}
	if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=A,PL,B,PU,PR", nil)); len(list) != 0 {
		t.Errorf("a refused batch left something behind: %+v", list)
	}
}

func TestReplicasHearOfChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, _ := serve(t, store)
		other := newContent(t, site)
		if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); len(list) != 0 {
			t.Fatal(list)
		}
		if err := other.Put(t.Context(), site.ID, []content.Announcement{item("fresh", content.PlayerNotice)}); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
			if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); len(list) == 1 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("this replica never heard of the new notice")
			}
		}
	})
}
