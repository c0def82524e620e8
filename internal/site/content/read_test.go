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
	announcementPath = "/wps/relay/MCSFE_getAnnouncement?announcementId="
	unreadPath       = "/wps/relay/MCSFE_getUnreadAnnouncementCount"
)

// ids returns the ids of the current announcements by code. Agents may read all of them.
func ids(t *testing.T, site *merchanttest.Site) map[string]string {
	t.Helper()
	found := map[string]string{}
	list := merchanttest.Value[listed](t, site.Call(t, "GET", listPath+"&types=A,PL,B,PU,PR", nil, "Language", "EN", "Authorization", "agent"))
	for i, code := range list.codes() {
		found[code] = list[i].ID
	}
	return found
}

func TestGetAnnouncement(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		id := ids(t, site)
		t.Run("CA-13 an announcement is found by its id", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", announcementPath+id["everyone"], nil, "Language", "EN"), 200, `{"success":true,"value":`+noticeJSON("1004", "PL", "", "News everyone", "<p>Text</p>")+`}`)
			merchanttest.Want(t, site.Call(t, "GET", announcementPath+id["join"], nil, "Language", "EN"), 200, `{"success":true,"value":{
				"content":"<p>Text</p>","cta":"","execution":"","groupName":"m_reg","id":"1011","image":"/m/art/banners/join.webp",
				"promotionType":"","read":false,"startTime":1773476813000,"tag":"","title":"News join","type":"B","url":"/m/trail"
			}}`)
		})
		for name, path := range map[string]string{
			"agent notice for a visitor": announcementPath + id["agents"], "unknown id": announcementPath + "999999", "id 0": announcementPath + "0",
		} {
			t.Run(name, func(t *testing.T) { merchanttest.Want(t, site.Call(t, "GET", path, nil), 404, unknownContent) })
		}
		for _, code := range []string{"early", "late", "off"} { // not started, ended, disabled
			stored := site.Number(t, "SELECT id FROM announcement WHERE code = $1", code)
			merchanttest.Want(t, site.Call(t, "GET", announcementPath+strconv.FormatInt(stored, 10), nil), 404, unknownContent)
		}
		merchanttest.Want(t, site.Call(t, "GET", announcementPath+id["agents"], nil, "Authorization", "player"), 404, unknownContent)
		merchanttest.Value[struct{ ID string }](t, site.Call(t, "GET", announcementPath+id["agents"], nil, "Authorization", "agent"))
		for _, bad := range []string{"", "x", "1;DROP", "-1", "1.5", "%EF%BC%91", "99999999999999999999", "9999999999999999999", "%00"} {
			merchanttest.Want(t, site.Call(t, "GET", announcementPath+bad, nil), 400, `{
				"errorCode":"request_param_err","field":"announcementId","message":"(varies)","success":false
			}`, "message")
		}
		site.Clock.Add(time.Hour)
		early := ids(t, site)["early"]
		if got := merchanttest.Value[struct{ ID string }](t, site.Call(t, "GET", announcementPath+early, nil)); got.ID != early {
			t.Errorf("announcement after its start = %+v, want id %s", got, early)
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
			t.Errorf("unread of player and agent = %d and %d, want 1 and 2", player, agent)
		}
		body := map[string]any{"announcementId": id["everyone"], "read": true}
		merchanttest.Want(t, site.Call(t, "POST", readPath, body, "Authorization", "agent"), 200, emptyReply)
		if player, agent := count("player"), count("agent"); player != 1 || agent != 1 {
			t.Errorf("unread of player and agent = %d and %d, want 1 and 1 after the agent read one", player, agent)
		}
		merchanttest.Want(t, site.Call(t, "GET", unreadPath+"?token=player", nil), 400, `{"errorCode":"request_param_err","field":"token","message":"the request is not valid","success":false}`)
		merchanttest.Want(t, site.Call(t, "GET", unreadPath, nil), 401, noSession)
		// Members cannot mark announcements that they may not read.
		merchanttest.Want(t, site.Call(t, "POST", readPath, map[string]any{"announcementId": id["agents"], "read": true}, "Authorization", "player"), 404, unknownContent)
		// They cannot mark future announcements, but may mark ended ones that they still have open.
		mark := func(code string) merchanttest.Reply {
			t.Helper()
			var stored int64
			if err := store.Reader.QueryRowContext(t.Context(), "SELECT id FROM announcement WHERE code = '"+code+"'").Scan(&stored); err != nil {
				t.Fatal(err)
			}
			return site.Call(t, "POST", readPath, map[string]any{"announcementId": strconv.FormatInt(stored, 10), "read": true}, "Authorization", "player")
		}
		merchanttest.Want(t, mark("early"), 404, unknownContent)
		merchanttest.Want(t, mark("late"), 200, emptyReply)
		site.Clock.Add(time.Hour)
		merchanttest.Want(t, mark("early"), 200, emptyReply)
	})
}

func TestConcurrentMarkRead(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		fill(t, site, s)
		id, err := strconv.ParseInt(ids(t, site)["everyone"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var requests sync.WaitGroup
		for range 8 {
			requests.Go(func() {
				if err := s.MarkRead(t.Context(), content.Reader{MerchantID: site.ID, Language: "vi", MemberID: 7}, id); err != nil {
					t.Errorf("MarkRead: got %v, want no error", err)
				}
			})
		}
		requests.Wait()
		if n, err := s.Unread(t.Context(), content.Reader{MerchantID: site.ID, Language: "ur", MemberID: 7}); err != nil || n != 0 {
			t.Errorf("unread = %d, %v; want 0", n, err)
		}
	})
}

func TestPopularAndNews(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site, s := serve(t, store)
		merchanttest.Want(t, site.Call(t, "GET", "/wps/relay/MCSFE_getPopularAnnouncements", nil), 200, emptyList)
		merchanttest.Want(t, site.Call(t, "GET", "/wps/relay/GLS2_lobbyNews", nil), 200, emptyList)
		fill(t, site, s)
		newest := announcement("newest", content.Promotion)
		newest.Starts, newest.Sorting, newest.URL, newest.Image = merchanttest.Start, 50, "/m/activity", "/m/art/banners/rebate.webp"
		if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: []content.Announcement{newest}}); err != nil {
			t.Fatal(err)
		}
		body := map[string]any{"announcementId": ids(t, site)["promo"], "read": true}
		merchanttest.Want(t, site.Call(t, "POST", readPath, body, "Authorization", "player"), 200, emptyReply)
		site.Clock.Add(2 * time.Minute) // reader counts are cached for a minute
		t.Run("CA-28 popular announcements are notices, not promotions", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", "/wps/relay/MCSFE_getPopularAnnouncements?platform=M&merchantCode=fairground", nil, "Language", "EN"), 200, `{"success":true,"value":[{"createdAt":1773476813000,"id":"1004","image":"","title":"News everyone","type":"PL","url":""}]}`)
		})
		t.Run("CA-14 lobby news are newest first", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", "/wps/relay/GLS2_lobbyNews", nil, "Language", "EN"), 200, `{"success":true,"value":[
				{
					"createdAt":1773480413000,"id":"1014","image":"/m/art/banners/rebate.webp","title":"News newest","type":"PR",
					"url":"/m/activity"
				},
				{"createdAt":1773476813000,"id":"1004","image":"","title":"News everyone","type":"PL","url":""},
				{"createdAt":1773476813000,"id":"1007","image":"","title":"News promo","type":"PR","url":""}
			]}`)
		})
		t.Run("CA-28 popular announcements: most readers first, ignoring promotions", func(t *testing.T) {
			last := announcement("last", content.PlayerNotice)
			last.Sorting = 99
			all := []content.Announcement{last}
			for i := range 10 {
				all = append(all, announcement("promotion-"+strconv.Itoa(i), content.Promotion))
			}
			if err := s.Put(t.Context(), site.ID, content.Bundle{Announcements: all}); err != nil {
				t.Fatal(err)
			}
			for name, id := range ids(t, site) {
				if name == "last" || strings.HasPrefix(name, "promotion-") {
					merchanttest.Want(t, site.Call(t, "POST", readPath, map[string]any{"announcementId": id, "read": true}, "Authorization", "player"), 200, emptyReply)
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
				t.Errorf("popular titles = %q, want %q", titles, want)
			}
		})
		for _, path := range []string{"/wps/relay/MCSFE_getPopularAnnouncements", "/wps/relay/GLS2_lobbyNews"} {
			merchanttest.Want(t, site.Call(t, "GET", path+"?merchantCode=nobody", nil), 403, `{
				"errorCode":"merchant.unknown","field":"merchantCode","message":"not allowed","success":false
			}`)
			merchanttest.Want(t, site.Call(t, "GET", path+"?platform=MMMMMMMMM", nil), 400, `{
				"errorCode":"request_param_err","field":"platform","message":"expected length <= 8","success":false
			}`)
		}
	})
}
