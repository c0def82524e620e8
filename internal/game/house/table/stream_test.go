package table_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house/housetest"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// news reads one item of a stream.
func news(t *testing.T, in *bufio.Reader) (event string, data shownTable) {
	t.Helper()
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if name, found := strings.CutPrefix(line, "event: "); found {
			event = strings.TrimSpace(name)
		}
		if text, found := strings.CutPrefix(line, "data: "); found {
			if err := json.Unmarshal([]byte(text), &data); err != nil {
				t.Fatal(err)
			}
			return event, data
		}
	}
}

func (h *hall) listen(t *testing.T, server *httptest.Server) (*bufio.Reader, func()) {
	t.Helper()
	return h.listenAs(t, server, h.frame)
}

func (h *hall) listenAs(t *testing.T, server *httptest.Server, frame string) (*bufio.Reader, func()) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/house/v1/table/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", frame)
	answer, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	return bufio.NewReader(answer.Body), func() { _ = answer.Body.Close() }
}

// Whoever sits at a table hears of its phases, of the crowd, and of what becomes of their own tickets.
func TestATablesStream(t *testing.T) {
	t.Parallel()
	h := newHall(t, dbtest.SQLite(t))
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	open := h.betting()
	in, leave := h.listen(t, server)
	defer leave()
	if event, first := news(t, in); event != "table" || first.Round == nil || first.Round.ID != open.Round.ID || first.Mine == nil || first.Balance != tableBalance {
		t.Fatalf("%s %+v", event, first)
	}
	merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	h.poll()
	_, got := news(t, in)
	if got.Crowd.Spots["banker"].Amount != 50_000 || len(got.Mine) != 1 || got.Balance != tableBalance-50_000 {
		t.Errorf("%+v", got)
	}
	seen := map[string]bool{}
	for phase := got.Round.Phase; phase != "result"; {
		h.pass(time.Second)
		now := h.table()
		if now.Round.Phase == phase {
			continue
		}
		for phase != now.Round.Phase { // a phase comes at once; what is paid may come with it or after
			_, got = news(t, in)
			phase = got.Round.Phase
			seen[phase] = true
		}
	}
	for len(got.Mine) == 0 || got.Mine[0].Status == "placed" {
		h.poll()
		_, got = news(t, in)
	}
	if !seen["locked"] || !seen["dealing"] || got.Balance != h.BalanceOf(housetest.Minh) || got.Round.Seed == nil {
		t.Errorf("heard of %v, then %+v", seen, got)
	}
}

// Whoever sits at a table when the site closes hears so, and no more of the table.
func TestPP14ATablesStreamEndsWhenTheSiteCloses(t *testing.T) {
	t.Parallel()
	h := newHall(t, dbtest.SQLite(t))
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	open := h.betting()
	in, leave := h.listen(t, server)
	defer leave()
	news(t, in)
	merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	if err := h.Merchants.Set(t.Context(), h.ID, "system.maintenance", json.RawMessage(`{"on":true}`)); err != nil {
		t.Fatal(err)
	}
	h.poll()
	event, _ := news(t, in)
	for event == "table" { // what was said before
		event, _ = news(t, in)
	}
	if event != "closed" {
		t.Errorf("heard %q", event)
	}
	if rest, err := io.ReadAll(in); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("goes on with %q, %v", rest, err)
	}
}

// Five hundred leave at once, each with a ticket on the table; it goes on for the one who stays, and those who left are paid.
func TestPP15FiveHundredLeaveAtOnce(t *testing.T) {
	t.Parallel()
	h := newHall(t, dbtest.SQLite(t))
	const many = 500
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	open := h.betting()
	in, leave := h.listen(t, server)
	defer leave()
	news(t, in)
	var sitting sync.WaitGroup
	leaving := make([]func(), many)
	for i := range leaving {
		h.fund(int64(1000 + i))
	}
	for i := range leaving {
		frame := h.Open(int64(1000 + i)).Token
		sitting.Go(func() {
			_, leaving[i] = h.listenAs(t, server, frame)
			body := map[string]any{"betId": housetest.SpinID(1000 + i), "round": open.Round.ID, "spots": map[string]int64{"player": 50_000, "banker": 50_000}}
			if r := h.Call(t, "POST", "/house/v1/table/bet", body, "Authorization", frame); r.Status != http.StatusOK {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		})
	}
	sitting.Wait()
	if at, players := h.House.Tables.Listeners(); at != many+1 || players != many+1 {
		t.Fatalf("%d of %d players sit there", at, players)
	}
	for _, one := range leaving {
		sitting.Go(one)
	}
	sitting.Wait()
	for at, players := h.House.Tables.Listeners(); at != 1 || players != 1; at, players = h.House.Tables.Listeners() {
		if t.Context().Err() != nil {
			t.Fatalf("%d streams of %d players are left", at, players)
		}
		runtime.Gosched()
	}
	merchanttest.Value[shownBet](t, h.bet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	for phase := ""; phase != "result"; {
		h.pass(time.Second)
		if now := h.table().Round.Phase; now != phase {
			for phase != now {
				_, got := news(t, in)
				phase = got.Round.Phase
			}
		}
	}
	h.pass(time.Second)
	h.checkBalances(t)
	var paid int
	if err := h.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_round WHERE status = 'settled' AND win > 0 AND player <> '"+housetest.PlayerOf(housetest.Minh)+"'").Scan(&paid); err != nil || paid != many {
		t.Errorf("PP-15 %d of %d who left have come to their money, %v", paid, many, err)
	}
}

// Nobody can take all of a table's places: one window reads two streams at most, one player eight at all tables, and the
// oldest is told that others came after it. Another player loses none.
func TestStreamsOfOnePlayerAreBounded(t *testing.T) {
	t.Parallel()
	h := newHall(t, dbtest.SQLite(t))
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	other, _ := h.listenAs(t, server, h.Open(housetest.Lan).Token)
	news(t, other)
	var open []*bufio.Reader
	listen := func(frame string) {
		in, leave := h.listenAs(t, server, frame)
		t.Cleanup(leave)
		news(t, in)
		open = append(open, in)
	}
	ended := func(n int) {
		t.Helper()
		if event, _ := news(t, open[n]); event != "replaced" {
			t.Fatalf("stream %d hears of %s", n, event)
		}
		if rest, err := io.ReadAll(open[n]); err != nil || strings.TrimSpace(string(rest)) != "" {
			t.Fatalf("stream %d goes on: %q %v", n, rest, err)
		}
	}
	for range 3 {
		listen(h.frame)
	}
	ended(0) // the first of three in one window
	for range 6 {
		listen(h.Open(housetest.Minh).Token)
	}
	if _, players := h.House.Tables.Listeners(); players != 2 {
		t.Errorf("%d players", players)
	}
	listen(h.Open(housetest.Minh).Token)
	ended(1) // the oldest of nine
	h.betting()
	for _, in := range append(open[2:], other) {
		if event, got := news(t, in); event != "table" || got.Round == nil {
			t.Errorf("%s %+v", event, got)
		}
	}
}

// News of a table costs as much as there are tickets and readers together: twice as many of both, twice as much. Counted in
// what is allocated, which does not depend on the machine.
func TestWhatNewsCosts(t *testing.T) {
	cost := func(n int) float64 {
		return testing.AllocsPerRun(3, func() {
			if err := table.Broadcast(n, n); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := cost(250), cost(1000)
	if many > 5*few {
		t.Errorf("250 tickets and readers cost %.0f, 1000 cost %.0f", few, many)
	}
}

// A frame of a slot has no table, one of a table no reels.
func TestCallsOfTheOtherKindOfGame(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	h := newHall(t, store)
	h.WantError(h.Spin(h.frame, 1), 404, "house.wrong_game")
	h.WantError(h.Call(t, "GET", "/house/v1/state", nil, "Authorization", h.frame), 404, "house.wrong_game")
	h.WantError(h.Call(t, "GET", "/house/v1/history", nil, "Authorization", h.frame), 404, "house.wrong_game")
	h.Site.Start()
	slot := h.Open(housetest.Lan).Token
	h.restart()
	for _, path := range []string{"/house/v1/table", "/house/v1/table/mine", "/house/v1/table/events"} {
		h.WantError(h.Call(t, "GET", path, nil, "Authorization", slot), 404, "house.wrong_game")
	}
	h.WantError(h.Call(t, "GET", "/house/v1/table", nil, "Authorization", "nobody"), 401, "house.session_expired")
}
