package content_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
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
		popup("visitor", "B"), item("promo", content.Promotion), early, late, off, banner("join", "m_reg"),
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
)

func TestCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Golden(t, "empty", site.Call(t, "GET", homePath, nil))
		fill(t, site, s)
		for name, call := range map[string][]string{
			"CA-13 EN-14 home_vi": {homePath},
			"CA-13 EN-14 home_en": {homePath, "Language", "EN"},
			"bad_type":            {listPath + "&types=B,XX"},
			"missing_types":       {listPath},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Golden(t, name[strings.LastIndexByte(name, ' ')+1:], site.Call(t, "GET", call[0], nil, call[1:]...))
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

func TestWhoSeesWhat(t *testing.T) {
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
			{"RG-10 the server's part: banners of the registration", "&types=B&groupName=m_reg", "", []string{"join"}},
			{"every group", "&types=B", "", []string{"home", "live", "join"}},
			{"ST-04 the server's part: popups with their execution", "&types=PU", "player", []string{"visitor", "again", "first"}},
			{"promotions", "&types=PR", "", []string{"promo"}},
			{"notices", "&types=A,PL", "", []string{"everyone"}},
			{"notices", "&types=A,PL", "player", []string{"everyone"}},
			{"notices", "&types=A,PL", "agent", []string{"everyone", "agents"}},
			{"by a token inside", "&types=A&token=agent", "", []string{"agents"}},
		} {
			t.Run(c.title, func(t *testing.T) {
				reply := site.Call(t, "GET", listPath+c.query, nil, "Language", "EN", "Authorization", c.token)
				if got := merchanttest.Value[listed](t, reply).codes(); !slices.Equal(got, c.want) {
					t.Errorf("%s as %q: %v, want %v", c.query, c.token, got, c.want)
				}
			})
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
		t.Run("CA-13 ST-06 the server's part: what is marked is read from then on", func(t *testing.T) {
			for range 2 { // reading it twice is not an error
				merchanttest.Golden(t, "mark_read", site.Call(t, "POST", readPath, body, "Authorization", "player"))
			}
			if after := notices(); !after[0].Read {
				t.Errorf("after: %+v", after)
			}
		})
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
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{evil}}); err != nil {
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
	t.Run("SE-06 the server's part: an announcement's HTML is made safe when stored", func(t *testing.T) {
		t.Parallel()
		for _, bad := range []string{"steal", "script", "onerror", "iframe", "evil.test"} {
			if strings.Contains(stored, bad) {
				t.Errorf("%q is in %s", bad, stored)
			}
		}
	})
}

func TestMalformedIsRefused(t *testing.T) {
	t.Parallel()
	site, s := serve(t, dbtest.SQLite(t))
	change := func(a content.Announcement, fn func(*content.Announcement)) content.Announcement {
		fn(&a)
		return a
	}
	for field, bad := range map[string]content.Announcement{
		"code":          change(item("", content.PlayerNotice), func(*content.Announcement) {}),
		"type":          item("x", "ZZ"),
		"group":         banner("x", "m_moon"),
		"execution":     popup("x", "Z"),
		"url":           change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.URL = "https://evil.test/" }),
		"promotionType": change(item("x", content.Promotion), func(a *content.Announcement) { a.PromotionType = strings.Repeat("x", 65) }),
		"tag.en":        change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.Texts["en"] = content.Text{Title: "x", Tag: strings.Repeat("x", 65)} }),
		"action.en": change(item("x", content.PlayerNotice), func(a *content.Announcement) {
			a.Texts["en"] = content.Text{Title: "x", Action: strings.Repeat("x", 65)}
		}),
		"image":    change(banner("x", "m_home"), func(a *content.Announcement) { a.Image = "" }),
		"ends":     change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.Ends = a.Starts }),
		"starts":   change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.Starts = time.Time{} }),
		"title.ur": change(item("x", content.PlayerNotice), func(a *content.Announcement) { delete(a.Texts, "ur") }),
		"texts.xx": change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.Texts["xx"] = content.Text{Title: "?"} }),
		"image.pt": change(item("x", content.PlayerNotice), func(a *content.Announcement) { a.Texts["pt"] = content.Text{Title: "x", Image: "//evil.test/x.png"} }),
		"content.en": change(item("x", content.PlayerNotice), func(a *content.Announcement) {
			a.Texts["en"] = content.Text{Title: "x", Content: strings.Repeat("x", 1<<17)}
		}),
		"twice": change(popup("good", "A"), func(*content.Announcement) {}),
	} {
		err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{item("good", content.PlayerNotice), bad}})
		var f *fault.Fault
		if !errors.As(err, &f) || !errors.Is(f, content.ErrMalformed) || f.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{popup("quiet", "")}}); !errors.Is(err, content.ErrMalformed) {
		t.Errorf("a popup without an execution: %v", err)
	}
	if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{banner("astray", "")}}); !errors.Is(err, content.ErrMalformed) {
		t.Errorf("a banner that stands nowhere: %v", err)
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
		if err := other.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{item("fresh", content.PlayerNotice)}}); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=PL", nil)); len(list) == 1 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("this replica never heard of the new notice")
			}
		}
	})
}
