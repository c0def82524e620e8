package demo_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/demo"
	"fairground/internal/finance/cashier"
	"fairground/internal/finance/limits"
	"fairground/internal/game/catalogue"
	"fairground/internal/identity/account"
	"fairground/internal/identity/session"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func countRows(t *testing.T, store *db.Store) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for name, query := range map[string]string{
		"merchants": "SELECT COUNT(*) FROM merchant", "settings": "SELECT COUNT(*) FROM setting", "flags": "SELECT COUNT(*) FROM flag",
		"vendors": "SELECT COUNT(*) FROM vendor", "vendor categories": "SELECT COUNT(*) FROM vendor_category",
		"games": "SELECT COUNT(*) FROM game", "names": "SELECT COUNT(*) FROM game_name", "words": "SELECT COUNT(*) FROM game_word", "classes": "SELECT COUNT(*) FROM game_class",
		"hot": "SELECT COUNT(*) FROM game WHERE hot_rank > 0", "announcements": "SELECT COUNT(*) FROM announcement",
		"texts": "SELECT COUNT(*) FROM announcement_text", "members": "SELECT COUNT(*) FROM member",
		"promotions": "SELECT COUNT(*) FROM promotion", "rules": "SELECT COUNT(*) FROM loyalty_rule", "levels": "SELECT COUNT(*) FROM vip_member WHERE level > 0",
		"pools":     "SELECT COUNT(*) FROM jackpot_pool WHERE amount > 0",
		"transfers": "SELECT COUNT(*) FROM transfer", "money": "SELECT CAST(SUM(balance) AS BIGINT) FROM account WHERE member_id IS NOT NULL",
	} {
		var n int64
		if err := store.Reader.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(name, err)
		}
		counts[name] = n
	}
	return counts
}

func TestFill(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		p := parts(t, site)
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		first := countRows(t, store)
		if first["games"] < 300 || first["names"] != 4*first["games"] || first["hot"] < 30 || first["vendors"] < 12 || first["members"] != 2 {
			t.Errorf("rows = %v, want at least 300 games with four names each, 30 hot ones, 12 vendors, and 2 members", first)
		}
		off := merchant.SwitchOf(spec.PromotionReferral, false)
		if err := site.Merchants.SetSwitch(t.Context(), site.ID, off); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		t.Logf("second Fill took %s", time.Since(start).Round(time.Millisecond))
		if diff := cmp.Diff(first, countRows(t, store)); diff != "" {
			t.Errorf("second start changed rows (-first +second):\n%s", diff)
		}
		var referral bool
		row := store.Reader.QueryRowContext(t.Context(), "SELECT enabled FROM flag WHERE code = 'REFERRAL'")
		if err := row.Scan(&referral); err != nil || referral {
			t.Errorf("flag REFERRAL = %v, %v; want off as the operator set it", referral, err)
		}
	})
}

func TestFillKeepsOperatorChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		p := parts(t, site)
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		first := countRows(t, store)
		exec := func(statement string) {
			t.Helper()
			if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		tables := []string{"vendor", "game", "announcement"}
		for _, table := range tables {
			exec("UPDATE " + table + " SET enabled = FALSE, sorting = 4242 WHERE id IN (SELECT MIN(id) FROM " + table + ")")
		}
		for _, child := range []string{"game_name", "game_word", "game_class"} {
			exec("DELETE FROM " + child + " WHERE game_id IN (SELECT MAX(id) FROM game)")
		}
		exec("DELETE FROM game WHERE id IN (SELECT MAX(id) FROM game)") // the game is missing, as if a later release added it
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		for _, table := range tables {
			var off int
			row := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table+" WHERE NOT enabled AND sorting = 4242")
			if err := row.Scan(&off); err != nil || off != 1 {
				t.Errorf("%s: %d rows with the operator's change, %v; want 1", table, off, err)
			}
		}
		if diff := cmp.Diff(first, countRows(t, store)); diff != "" {
			t.Errorf("rows (-first +second):\n%s", diff)
		}
	})
}

func TestInterruptedFillIsCompletedLater(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		p := parts(t, site)
		steps := []string{"vendor", "game", "announcement", "member", "transfer"}
		interrupted, betweenSteps := 0, 0
		for calls := 1; ; calls += calls/2 + 1 { // interrupt later each time, until Fill succeeds
			if err := demo.Fill(&countdown{Context: t.Context(), left: calls}, p); err == nil {
				break
			}
			interrupted++
			done := 0
			for _, table := range steps {
				var n int
				if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&n); err != nil {
					t.Fatal(err)
				}
				done += min(n, 1)
			}
			if done > 0 && done < len(steps) {
				betweenSteps++
			}
		}
		t.Logf("%d starts interrupted, %d of them between the first and the last step", interrupted, betweenSteps)
		if betweenSteps == 0 {
			t.Error("no start was interrupted between two steps")
		}
		clean := merchanttest.New(t, dbtest.SQLite(t))
		if err := demo.Fill(t.Context(), parts(t, clean)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(countRows(t, clean.Store), countRows(t, store)); diff != "" {
			t.Errorf("after %d interruptions (-clean +interrupted):\n%s", interrupted, diff)
		}
		if report, err := ledger.Verify(t.Context(), store); err != nil || !report.OK() {
			t.Errorf("ledger.Verify = %+v, %v; want OK", report, err)
		}
	})
}

// A countdown is a context that is cancelled after a number of calls of Done. It simulates a crash at the same point of
// every run.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
	done chan struct{}
}

func (c *countdown) Done() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done == nil {
		c.done = make(chan struct{})
	}
	if c.left--; c.left == 0 {
		close(c.done)
	}
	return c.done
}

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left <= 0 {
		return context.Canceled
	}
	return nil
}

func TestConcurrentServersFillOnce(t *testing.T) {
	t.Parallel()
	options := dbtest.Migrated(t, db.Postgres)
	site := merchanttest.New(t, dbtest.Open(t, options))
	var all sync.WaitGroup
	for range 2 {
		replica := &merchanttest.Site{
			Store: dbtest.Open(t, options), Bus: site.Bus, Clock: site.Clock, IDs: site.IDs, Merchants: site.Merchants, ID: site.ID,
		}
		p := parts(t, replica)
		all.Go(func() {
			if err := demo.Fill(t.Context(), p); err != nil {
				t.Errorf("Fill: got %v, want no error", err)
			}
		})
	}
	all.Wait()
	if got := countRows(t, site.Store); got["members"] != 2 || got["transfers"] != 4 || got["pools"] != 2 {
		t.Errorf("rows = %v, want 2 members, 4 transfers, 2 pools", got)
	}
}

func TestOtherCurrencyIsRejected(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	if _, err := site.Store.Writer.ExecContext(t.Context(), "UPDATE merchant SET currency = 'CNY'"); err != nil {
		t.Fatal(err)
	}
	site.Merchants = site.Replica(t)
	if err := demo.Fill(t.Context(), parts(t, site)); err == nil || !strings.Contains(err.Error(), "separate data folder") {
		t.Errorf("Fill with another currency: %v, want an error with \"separate data folder\"", err)
	}
}

func TestVisitorJourney(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		p := parts(t, site)
		if err := demo.Fill(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		keys, err := secrettest.Open(t.Context(), store, site.Clock.Now)
		if err != nil {
			t.Fatal(err)
		}
		sessions, err := session.New(session.Options{
			Store: store, Bus: site.Bus, Members: p.Members, Captchas: noProof{}, Settings: site.Merchants, Limiter: ratelimit.NewStored(store, keys, site.Clock.Now),
			Breaks: limits.New(limits.Options{Store: store, Now: site.Clock.Now}), IDs: site.IDs, Now: site.Clock.Now, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(sessions.Close)
		site.Serve(t, sessions, func(a *rest.API) {
			merchant.Routes(a, site.Merchants)
			account.Routes(a, account.New(account.Options{Store: store, Sessions: sessions, Now: site.Clock.Now}), account.Refusals{})
			session.Routes(a, sessions)
			catalogue.Routes(a, p.Catalogue)
			content.Routes(a, p.Content)
			cashier.Routes(a, p.Ledger)
		})
		type hot struct {
			List []struct{ GameID, GameCategory, GameName, IconURL string }
		}
		list := merchanttest.Value[hot](t, site.Call(t, "GET", "/wps/relay/GCSGAME_hotGamesV2?language=VI", nil))
		if len(list.List) < 30 || list.List[0].IconURL != "/m/art/tiles/"+list.List[0].GameID+".webp" {
			t.Errorf("hot games = %+v, want at least 30", list)
		}
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/settings/consolidated", nil), 200, `{"success":true,"value":{
			"ageLimit":18,"appWindow":true,"cdn":["/m/"],"countryDialingCode":"84",
			"currency":{"code":"VND","decimals":0,"pattern":"#,##0","position":"B","symbol":"₫"},"defaultLanguage":"VI","demo":true,
			"downloadLinks":[
				{"resourceType":"Android","url":"/m/app"},
				{"resourceType":"IOS","url":"/m/app"},
				{"resourceType":"MOBILECONFIG","url":"/wps/system/webclip"}
			],
			"downloadPopup":false,"gamePageAvtiveCategory":"HOT","homeGameCategory":"HOT","languages":["VI","EN","UR","PT"],
			"licences":[
				{"image":"/m/art/logo.svg","link":"/m/policy/licence","name":"DEMO 1"},
				{"image":"/m/art/logo.svg","link":"/m/fairness","name":"DEMO 2"},
				{"image":"/m/art/logo.svg","link":"/m/policy/responsible","name":"DEMO 3"}
			],
			"merchantCode":"fairground","merchantName":"Fairground","pickerLanguages":["VI","EN"],
			"signIn":{"facebook":false,"firebase":null,"google":false,"sms":true},"statusReading":"a"
		}}`)
		banners := site.Call(t, "GET", "/wps/relay/MCSFE_getListAnnouncements?types=B&groupName=m_home&platform=M", nil)
		merchanttest.Want(t, banners, 200, `{"success":true,"value":[
			{
				"content":"","cta":"Chơi thử ngay","execution":"","groupName":"m_home","id":"(varies)","image":"/m/art/banners/trial.webp",
				"promotionType":"","read":false,"startTime":1767225600000,"tag":"Chơi thử","title":"Thử trước, không cần nạp","type":"B",
				"url":"/m/trail"
			},
			{
				"content":"","cta":"Xem cách kiểm tra","execution":"","groupName":"m_home","id":"(varies)",
				"image":"/m/art/banners/fairness.webp","promotionType":"","read":false,"startTime":1767312000000,"tag":"Minh bạch",
				"title":"Mỗi kết quả đều kiểm chứng được","type":"B","url":"/m/fairness"
			},
			{
				"content":"","cta":"Xem lịch quay","execution":"","groupName":"m_home","id":"(varies)",
				"image":"/m/art/banners/lottery.webp","promotionType":"","read":false,"startTime":1767398400000,"tag":"Xổ số ba miền",
				"title":"Lịch quay mỗi chiều: 16:15, 17:15, 18:15","type":"B","url":"/m/lottery"
			},
			{
				"content":"","cta":"Đặt hạn mức","execution":"","groupName":"m_home","id":"(varies)","image":"/m/art/banners/limits.webp",
				"promotionType":"","read":false,"startTime":1767484800000,"tag":"Chơi có trách nhiệm","title":"Đặt hạn mức trước khi chơi",
				"type":"B","url":"/m/member/limits"
			}
		]}`, "id")
		for _, language := range []string{"VI", "EN", "UR", "PT"} {
			type notices []struct{ Title, Content string }
			path := "/wps/relay/MCSFE_getListAnnouncements?types=PL&groupName=m_home&platform=M"
			if got := merchanttest.Value[notices](t, site.Call(t, "GET", path, nil, "Language", language)); len(got) < 5 {
				t.Errorf("%d notices in %s, want at least 5", len(got), language)
			}
		}
		const wallet = `{"success":true,"value":{"currency":"VND","currencySymbol":"₫","sumBalance":AMOUNT,"balance":[
			{"balance":0,"currency":"VND","kind":"held","version":0},{"balance":AMOUNT,"currency":"VND","kind":"cash","version":1}]}}`
		want := map[string]struct{ info, balance string }{
			"demo88": {`{"success":true,"value":{
				"account":"demo88","avatar":"","clubLabel":{"labelName":"VIP 3"},"id":"(varies)","nickname":"Minh Anh","type":0
			}}`, "12480500"},
			"agent88": {`{"success":true,"value":{
				"account":"agent88","affiliateCode":"agent88","avatar":"","clubLabel":{"labelName":"VIP 1"},"id":"(varies)",
				"nickname":"Thanh Tùng","type":1
			}}`, "5000000"},
		}
		for _, account := range demo.Accounts {
			type grant struct{ Token string }
			body := map[string]string{"username": account.Username, "password": demo.Password}
			token := merchanttest.Value[grant](t, site.Call(t, "POST", "/wps/session/login", body)).Token
			w := want[account.Username]
			merchanttest.Want(t, site.Call(t, "GET", "/wps/member/info", nil, "Authorization", token), 200, w.info, "id")
			balance := site.Call(t, "GET", "/wps/v2/wallets/balance", nil, "Authorization", token)
			merchanttest.Want(t, balance, 200, strings.ReplaceAll(wallet, "AMOUNT", w.balance))
			if reply := site.Call(t, "DELETE", "/wps/session/logout", nil, "Authorization", token); reply.Status != 200 {
				t.Errorf("logout: %s, want 200", reply.Body)
			}
		}
	})
}

func TestContentLinksOnlyToTheApp(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	if err := demo.Fill(t.Context(), parts(t, site)); err != nil {
		t.Fatal(err)
	}
	rows, err := site.Store.Reader.QueryContext(t.Context(), "SELECT url FROM announcement UNION ALL SELECT image FROM announcement UNION ALL SELECT icon FROM game")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var link string
		if err := rows.Scan(&link); err != nil {
			t.Fatal(err)
		}
		if link != "" && !strings.HasPrefix(link, "/m/") {
			t.Errorf("the link %s is not a path of the app", link)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(fmt.Errorf("read links: %w", err))
	}
}
