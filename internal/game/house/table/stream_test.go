package table_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
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

// readItem reads one event of a stream.
func readItem(t *testing.T, in *bufio.Reader) (event string, data tableResponse) {
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

func (h *fixture) listen(t *testing.T, server *httptest.Server) (*bufio.Reader, func()) {
	t.Helper()
	return h.listenAs(t, server, h.frame)
}

func (h *fixture) listenAs(t *testing.T, server *httptest.Server, frame string) (*bufio.Reader, func()) {
	t.Helper()
	in, leave, err := openStream(t.Context(), server, frame)
	if err != nil {
		t.Fatal(err)
	}
	return in, leave
}

func openStream(ctx context.Context, server *httptest.Server, frame string) (*bufio.Reader, func(), error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/house/v1/table/events", nil)
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Authorization", frame)
	response, err := server.Client().Do(r)
	if err != nil {
		return nil, nil, err
	}
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" {
		_ = response.Body.Close()
		return nil, nil, fmt.Errorf("response = %d %v, want an event stream", response.StatusCode, response.Header)
	}
	return bufio.NewReader(response.Body), func() { _ = response.Body.Close() }, nil
}

// A stream sends the phases, the crowd and the player's tickets.
func TestStream(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.SQLite(t))
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	open := h.waitForBetting()
	in, leave := h.listen(t, server)
	defer leave()
	if event, first := readItem(t, in); event != "table" || first.Round == nil || first.Round.ID != open.Round.ID || first.Mine == nil || first.Balance != tableBalance {
		t.Fatalf("first item = %s %+v, want the open round %s and the balance %d", event, first, open.Round.ID, tableBalance)
	}
	merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	h.poll()
	_, got := readItem(t, in)
	if got.Crowd.Spots["banker"].Amount != 50_000 || len(got.Mine) != 1 || got.Balance != tableBalance-50_000 {
		t.Errorf("item after the bet = %+v, want one ticket, its stake of 50000 on the spot and off the balance", got)
	}
	seen := map[string]bool{}
	for phase := got.Round.Phase; phase != "result"; {
		h.advance(time.Second)
		now := h.getTable()
		if now.Round.Phase == phase {
			continue
		}
		for phase != now.Round.Phase { // a payout may have its own item
			_, got = readItem(t, in)
			phase = got.Round.Phase
			seen[phase] = true
		}
	}
	for len(got.Mine) == 0 || got.Mine[0].Status == "placed" {
		h.poll()
		_, got = readItem(t, in)
	}
	if !seen["locked"] || !seen["dealing"] || got.Balance != h.BalanceOf(housetest.Minh) || got.Round.Seed == nil {
		t.Errorf("phases = %v, last item %+v, want all phases, the seed and the balance %d", seen, got, h.BalanceOf(housetest.Minh))
	}
}

func TestPP14StreamEndsWhenTheSiteCloses(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.SQLite(t))
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	open := h.waitForBetting()
	in, leave := h.listen(t, server)
	defer leave()
	readItem(t, in)
	merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	if err := h.Merchants.Set(t.Context(), h.ID, "system.maintenance", json.RawMessage(`{"on":true}`)); err != nil {
		t.Fatal(err)
	}
	h.poll()
	event, _ := readItem(t, in)
	for event == "table" { // sent before the close
		event, _ = readItem(t, in)
	}
	if event != "closed" {
		t.Errorf("last event = %q, want closed", event)
	}
	if rest, err := io.ReadAll(in); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("rest of the stream = %q, %v, want nothing", rest, err)
	}
}

// 500 players with tickets disconnect at once. The table continues for another player, and all tickets are paid.
func TestPP15ManyPlayersDisconnect(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.SQLite(t))
	const playerCount = 500
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	open := h.waitForBetting()
	in, leave := h.listen(t, server)
	defer leave()
	readItem(t, in)
	var requests sync.WaitGroup
	disconnects := make([]func(), playerCount)
	for i := range disconnects {
		h.fund(int64(1000 + i))
	}
	for i := range disconnects {
		frame := h.Open(int64(1000 + i)).Token
		requests.Go(func() {
			_, leave, err := openStream(t.Context(), server, frame)
			if err != nil {
				t.Errorf("got %v, want no error", err)
				leave = func() {}
			}
			disconnects[i] = leave
			body := map[string]any{"betId": housetest.SpinID(1000 + i), "round": open.Round.ID, "spots": map[string]int64{"player": 50_000, "banker": 50_000}}
			if r := h.Call(t, "POST", "/house/v1/table/bet", body, "Authorization", frame); r.Status != http.StatusOK {
				t.Errorf("response = %d %s, want 200", r.Status, r.Body)
			}
		})
	}
	requests.Wait()
	if streams, players := h.House.Tables.CountStreams(); streams != playerCount+1 || players != playerCount+1 {
		t.Fatalf("%d streams of %d players, want %d", streams, players, playerCount+1)
	}
	for _, disconnect := range disconnects {
		requests.Go(disconnect)
	}
	requests.Wait()
	for streams, players := h.House.Tables.CountStreams(); streams != 1 || players != 1; streams, players = h.House.Tables.CountStreams() {
		if t.Context().Err() != nil {
			t.Fatalf("%d streams of %d players, want 1", streams, players)
		}
		runtime.Gosched()
	}
	merchanttest.Value[betResponse](t, h.placeBet(1, open.Round.ID, map[string]int64{"banker": 50_000}))
	for phase := ""; phase != "result"; {
		h.advance(time.Second)
		if now := h.getTable().Round.Phase; now != phase {
			for phase != now {
				_, got := readItem(t, in)
				phase = got.Round.Phase
			}
		}
	}
	h.advance(time.Second)
	h.checkBalances(t)
	var paid int
	if err := h.Store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM house_round WHERE status = 'settled' AND win > 0 AND player <> '"+housetest.PlayerOf(housetest.Minh)+"'").Scan(&paid); err != nil || paid != playerCount {
		t.Errorf("PP-15 %d tickets paid, %v, want %d", paid, err, playerCount)
	}
}

// A frame can have two streams, and a player eight. A further stream replaces the oldest one.
func TestStreamLimits(t *testing.T) {
	t.Parallel()
	h := newFixture(t, dbtest.SQLite(t))
	server := httptest.NewServer(h.Handler())
	t.Cleanup(server.Close)
	other, _ := h.listenAs(t, server, h.Open(housetest.Lan).Token)
	readItem(t, other)
	var open []*bufio.Reader
	listen := func(frame string) {
		in, leave := h.listenAs(t, server, frame)
		t.Cleanup(leave)
		readItem(t, in)
		open = append(open, in)
	}
	wantReplaced := func(n int) {
		t.Helper()
		if event, _ := readItem(t, open[n]); event != "replaced" {
			t.Fatalf("last event of stream %d = %s, want replaced", n, event)
		}
		if rest, err := io.ReadAll(open[n]); err != nil || strings.TrimSpace(string(rest)) != "" {
			t.Fatalf("rest of stream %d = %q, %v, want nothing", n, rest, err)
		}
	}
	for range 3 {
		listen(h.frame)
	}
	wantReplaced(0) // the oldest of three in one frame
	for range 6 {
		listen(h.Open(housetest.Minh).Token)
	}
	if _, players := h.House.Tables.CountStreams(); players != 2 {
		t.Errorf("%d players, want 2", players)
	}
	listen(h.Open(housetest.Minh).Token)
	wantReplaced(1) // the oldest of nine
	h.waitForBetting()
	for _, in := range append(open[2:], other) {
		if event, got := readItem(t, in); event != "table" || got.Round == nil {
			t.Errorf("item = %s %+v, want a round", event, got)
		}
	}
}

// The cost of an update grows with tickets plus clients, not tickets times clients. The test counts allocations, because they do
// not depend on the machine.
func TestUpdateCostIsLinear(t *testing.T) {
	cost := func(n int) float64 {
		return testing.AllocsPerRun(3, func() {
			if err := table.BuildStreamItems(n, n); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := cost(250), cost(1000)
	if many > 5*few {
		t.Errorf("allocations = %.0f for 250 tickets and clients, %.0f for 1000, want at most 5 times as many", few, many)
	}
}

// A slot's frame cannot call the operations of tables, and a table's frame cannot call those of slots.
func TestFramesOfOneGameCannotCallTheOther(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	h := newFixture(t, store)
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
