package content_test

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant/merchanttest"
)

const (
	onePath    = "/wps/relay/MCSFE_getAnnouncement?announcementId="
	unreadPath = "/wps/relay/MCSFE_getUnreadAnnouncementCount"
)

// ids gives the announcements' ids by code, read as an agent who sees them all.
func ids(t *testing.T, site *merchanttest.Site) map[string]string {
	t.Helper()
	found := map[string]string{}
	list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=A,PL,B,PU,PR", nil, "Language", "EN", "Authorization", "agent"))
	for i, code := range list.codes() {
		found[code] = list[i].ID
	}
	return found
}

func TestOneAnnouncement(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		id := ids(t, site)
		t.Run("CA-13 by its id", func(t *testing.T) {
			merchanttest.Golden(t, "one", site.Call(t, "GET", onePath+id["everyone"], nil, "Language", "EN"))
			merchanttest.Golden(t, "one_banner", site.Call(t, "GET", onePath+id["join"], nil, "Language", "EN"))
		})
		for name, path := range map[string]string{
			"an agent's, to a visitor": onePath + id["agents"], "unknown": onePath + "999999", "nought": onePath + "0",
		} {
			t.Run(name, func(t *testing.T) { merchanttest.Golden(t, "one_unknown", site.Call(t, "GET", path, nil)) })
		}
		merchanttest.Golden(t, "one_unknown", site.Call(t, "GET", onePath+id["agents"], nil, "Authorization", "player"))
		merchanttest.Value[struct{ ID string }](t, site.Call(t, "GET", onePath+id["agents"], nil, "Authorization", "agent"))
		for _, bad := range []string{"", "x", "1;DROP", "-1", "1.5", "%EF%BC%91", "99999999999999999999", "9999999999999999999", "%00"} {
			merchanttest.Golden(t, "one_malformed", site.Call(t, "GET", onePath+bad, nil), "message")
		}
		site.Clock.Add(time.Hour)
		early := ids(t, site)["early"]
		if got := merchanttest.Value[struct{ ID string }](t, site.Call(t, "GET", onePath+early, nil)); got.ID != early {
			t.Errorf("what has begun since: %+v", got)
		}
	})
}

func TestUnreadCount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		site.AddMember(t, 8, "agent01")
		id := ids(t, site)
		count := func(token string) int {
			return merchanttest.Value[struct{ Count int }](t, site.Call(t, "GET", unreadPath, nil, "Authorization", token)).Count
		}
		if player, agent := count("player"), count("agent"); player != 1 || agent != 2 {
			t.Errorf("before: %d and %d", player, agent)
		}
		body := map[string]any{"announcementId": id["everyone"], "read": true}
		merchanttest.Golden(t, "mark_read", site.Call(t, "POST", readPath, body, "Authorization", "agent"))
		if player, agent := count("player"), count("agent"); player != 1 || agent != 1 {
			t.Errorf("after the agent read one: %d and %d", player, agent)
		}
		merchanttest.Golden(t, "unread", site.Call(t, "GET", unreadPath+"?token=player", nil))
		merchanttest.Golden(t, "unread_no_session", site.Call(t, "GET", unreadPath, nil))
		// What is not theirs to see they cannot mark either.
		merchanttest.Golden(t, "mark_read_unknown", site.Call(t, "POST", readPath,
			map[string]any{"announcementId": id["agents"], "read": true}, "Authorization", "player"))
		// Nor what has not begun, though somebody knows its id; what has run out they may have open still.
		mark := func(code string) merchanttest.Reply {
			t.Helper()
			var stored int64
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT id FROM announcement WHERE code = '"+code+"'").Scan(&stored); err != nil {
				t.Fatal(err)
			}
			return site.Call(t, "POST", readPath, map[string]any{"announcementId": strconv.FormatInt(stored, 10), "read": true}, "Authorization", "player")
		}
		merchanttest.Golden(t, "mark_read_unknown", mark("early"))
		merchanttest.Golden(t, "mark_read", mark("late"))
		site.Clock.Add(time.Hour)
		merchanttest.Golden(t, "mark_read", mark("early"))
	})
}

// Many browsers of one member tell of the same reading at once.
func TestMarkReadTogether(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		id, err := strconv.ParseInt(ids(t, site)["everyone"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := s.MarkRead(t.Context(), content.Reader{MerchantID: site.ID, Language: "vi", MemberID: 7}, id); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n, err := s.Unread(t.Context(), content.Reader{MerchantID: site.ID, Language: "ur", MemberID: 7}); err != nil || n != 0 {
			t.Errorf("%d unread, %v", n, err)
		}
	})
}

func TestPopularAndNews(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Golden(t, "empty", site.Call(t, "GET", "/wps/relay/MCSFE_getPopularAnnouncements", nil))
		merchanttest.Golden(t, "empty", site.Call(t, "GET", "/wps/relay/GLS2_lobbyNews", nil))
		fill(t, site, s)
		more := item("newest", content.Promotion)
		more.Starts, more.Sorting, more.URL, more.Image = merchanttest.Start, 50, "/m/activity", "/m/art/banners/rebate.webp"
		if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{more}}); err != nil {
			t.Fatal(err)
		}
		body := map[string]any{"announcementId": ids(t, site)["promo"], "read": true}
		merchanttest.Golden(t, "mark_read", site.Call(t, "POST", readPath, body, "Authorization", "player"))
		site.Clock.Add(2 * time.Minute) // what is counted is a minute old at most
		t.Run("CA-28 popular announcements are notices and no promotions", func(t *testing.T) {
			merchanttest.Golden(t, "popular", site.Call(t, "GET", "/wps/relay/MCSFE_getPopularAnnouncements?platform=M&merchantCode=fairground", nil, "Language", "EN"))
		})
		t.Run("CA-14 the newest comes first", func(t *testing.T) {
			merchanttest.Golden(t, "news", site.Call(t, "GET", "/wps/relay/GLS2_lobbyNews", nil, "Language", "EN"))
		})
		t.Run("CA-28 popular announcements: what was read most comes first, however many promotions were read", func(t *testing.T) {
			last := item("last", content.PlayerNotice)
			last.Sorting = 99
			all := []content.Announcement{last}
			for i := range 10 {
				all = append(all, item("promotion-"+strconv.Itoa(i), content.Promotion))
			}
			if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: all}); err != nil {
				t.Fatal(err)
			}
			for name, id := range ids(t, site) {
				if name == "last" || strings.HasPrefix(name, "promotion-") {
					merchanttest.Golden(t, "mark_read", site.Call(t, "POST", readPath, map[string]any{"announcementId": id, "read": true}, "Authorization", "player"))
				}
			}
			site.Clock.Add(2 * time.Minute)
			rows, err := s.Popular(t.Context(), content.Reader{MerchantID: site.ID, Language: "en"})
			if err != nil {
				t.Fatal(err)
			}
			titles := make([]string, 0, len(rows))
			for _, row := range rows {
				titles = append(titles, row.Title)
			}
			if want := []string{"News last", "News everyone"}; !slices.Equal(titles, want) {
				t.Errorf("got %q, want %q", titles, want)
			}
		})
		for _, path := range []string{"/wps/relay/MCSFE_getPopularAnnouncements", "/wps/relay/GLS2_lobbyNews"} {
			merchanttest.Golden(t, "other_merchant", site.Call(t, "GET", path+"?merchantCode=nobody", nil))
			merchanttest.Golden(t, "long_platform", site.Call(t, "GET", path+"?platform=MMMMMMMMM", nil))
		}
	})
}
