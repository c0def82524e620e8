package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"fairground/bench/compare"
	"fairground/internal/game/catalogue"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/platform/spec"
	"fairground/internal/server"
)

const (
	game      = "1101"
	otherGame = "1105"
	perWrite  = 1000
)

// A site is a server with members whose clock does not move, so that a numero stays open while it is measured.
type site struct {
	store    *db.Store
	server   *server.Server
	handler  http.Handler
	merchant int64
	sessions []string
	numero   string
	requests atomic.Int64
	calls    atomic.Int64

	mu  sync.Mutex
	now time.Time
}

// tokens authenticates the members by their ids.
type tokens struct{ merchant int64 }

func (t tokens) Authenticate(_ context.Context, token string) (rest.Caller, error) {
	var id int64
	if _, err := fmt.Sscan(token, &id); err != nil {
		return rest.Caller{}, rest.ErrTokenInvalid
	}
	return rest.Caller{SessionID: id, MemberID: id, MerchantID: t.merchant, Username: "player", Currency: "VND"}, nil
}

func (s *site) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func open(ctx context.Context, o db.Options) (*site, error) {
	store, err := db.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	// The numeros of all games are open ten seconds after the start of a minute.
	s := &site{store: store, now: time.Now().Truncate(time.Minute).Add(10 * time.Second)}
	if err := s.start(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *site) start(ctx context.Context) error {
	if err := s.store.Migrate(ctx); err != nil {
		return err
	}
	if err := jobs.Migrate(ctx, s.store); err != nil {
		return err
	}
	var err error
	s.server, err = server.New(ctx, s.store, server.Options{
		Merchant: "bench", Key: secrettest.Source, Demo: true, SeriesLength: 5_000, DrawHistory: time.Hour, Timeout: time.Hour, Log: slog.New(slog.DiscardHandler), Now: s.clock,
		LotteryRate: ratelimit.Limit{Burst: 1 << 30, Every: time.Nanosecond},
		DBTime:      func(context.Context, *db.Tx) (time.Time, error) { return s.clock(), nil },
	})
	if err != nil {
		return err
	}
	if s.merchant, err = s.server.Merchants.Ensure(ctx, "bench", "Bench", "VND"); err != nil {
		return err
	}
	if err := s.server.Merchants.Set(ctx, s.merchant, "lottery.exposure", json.RawMessage("1000000000000")); err != nil {
		return err
	}
	err = s.server.Catalogue.PutVendors(ctx, s.merchant, []catalogue.Vendor{
		{Code: spec.VendorELott, DisplayName: "Flash", AccountType: spec.FastLottery, Categories: []string{spec.FastLottery}, Sorting: 1, Enabled: true, House: true},
	})
	if err != nil {
		return err
	}
	api, err := rest.New(rest.Options{Authenticator: tokens{s.merchant}, Merchants: s.server.Merchants, Modules: s.server.Merchants, Timeout: time.Hour})
	if err != nil {
		return err
	}
	s.server.Routes(api, nil)
	s.handler = api.Handler()
	if err := s.server.Lottery.DrawDue(ctx); err != nil {
		return err
	}
	for i := range clients {
		if err := s.addMember(ctx, int64(1_000+i)); err != nil {
			return err
		}
	}
	s.numero, err = s.openNumero(game)
	return err
}

func (s *site) close() {
	if s.server != nil {
		s.server.Close()
	}
	_ = s.store.Close()
}

// addMember adds a member with money who has opened the lottery.
func (s *site) addMember(ctx context.Context, id int64) error {
	statement := fmt.Sprintf("INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at, age_confirmed_at, age_confirmed) VALUES (%d, %d, 'player%d', 0, 'VND', '', 0, 0, 18)", id, s.merchant, id)
	if _, err := s.store.Writer.ExecContext(ctx, statement); err != nil {
		return err
	}
	now := s.clock()
	err := s.store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.AddSession(ctx, query.AddSessionParams{
			ID: id, MemberID: id, TokenHash: fmt.Append(nil, id), CreatedAt: db.Millis(now), ExpiresAt: db.Millis(now.Add(24 * time.Hour)),
		})
	})
	if err != nil {
		return err
	}
	cash, err := s.server.Ledger.EnsureMember(ctx, s.merchant, id, "VND")
	if err != nil {
		return err
	}
	house, err := s.server.Ledger.House(ctx, s.merchant, ledger.Adjustments, "VND")
	if err != nil {
		return err
	}
	_, err = s.server.Ledger.Post(ctx, ledger.Transfer{Key: fmt.Sprintf("fund/%d", id), Debit: house.ID, Credit: cash.ID, Amount: 1_000_000_000_000, Kind: "adjustment"})
	if err != nil {
		return err
	}
	var launched struct{ Value struct{ Ticket string } }
	body := map[string]any{"gameCategory": spec.FastLottery, "vendor": spec.VendorELott, "gameId": "lobby"}
	if err := s.call(http.MethodPost, "/wps/game/launchGame", fmt.Sprint(id), body, &launched); err != nil {
		return err
	}
	var opened struct{ Session string }
	if err := s.call(http.MethodPost, "/lgw/session", "", map[string]any{"token": launched.Value.Ticket}, &opened); err != nil {
		return err
	}
	s.sessions = append(s.sessions, opened.Session)
	return nil
}

// call sends a request to the server's handler.
func (s *site) call(method, path, token string, body, into any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	r := httptest.NewRequest(method, path, bytes.NewReader(raw))
	n := s.calls.Add(1)
	r.RemoteAddr = fmt.Sprintf("10.%d.%d.1:1", byte(n>>8), byte(n)) // another network for each call, because of the rate limits
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Merchant", "bench")
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", method, path, w.Code, strings.TrimSpace(w.Body.String()))
	}
	return json.Unmarshal(w.Body.Bytes(), into)
}

func (s *site) openNumero(game string) (string, error) {
	var near struct{ Numero, Status string }
	if err := s.call(http.MethodGet, "/lgw/numeros/near?gameId="+game, "", nil, &near); err != nil {
		return "", err
	}
	if near.Status != "open" {
		return "", fmt.Errorf("the numero %s of game %s is %s, want open", near.Numero, game, near.Status)
	}
	return near.Numero, nil
}

func (s *site) place(client int, game, numero string, bets int) error {
	bet := map[string]any{"playCode": "sum-side", "selection": "big", "stake": 1000, "multiple": 1, "odds": "1.910"}
	order := map[string]any{
		"requestId": fmt.Sprint("r", s.requests.Add(1)), "gameId": game, "numero": numero, "playType": "trad", "prizeMode": spec.PrizeZY, "bets": slices.Repeat([]any{bet}, bets),
	}
	var placed struct{ OrderID string }
	return s.call(http.MethodPost, "/lgw/orders/betting", s.sessions[client], order, &placed)
}

// orders places orders of one bet and returns how many a second.
func (s *site) orders(d time.Duration) (float64, error) {
	begin := time.Now()
	return s.ordersWhile(game, s.numero, 1, func() bool { return time.Since(begin) < d })
}

// ordersWhile places orders while a condition is true, and returns how many a second.
func (s *site) ordersWhile(game, numero string, bets int, goesOn func() bool) (float64, error) {
	var done atomic.Int64
	begin := time.Now()
	err := compare.Parallel(clients, func(client int) error {
		for goesOn() {
			if err := s.place(client, game, numero, bets); err != nil {
				return err
			}
			done.Add(1)
		}
		return nil
	})
	return float64(done.Load()) / time.Since(begin).Seconds(), err
}

// fill places the bets of a numero that is settled afterwards.
func (s *site) fill(n size) error {
	var left atomic.Int64
	left.Store(int64(n.bets / n.perOrder))
	_, err := s.ordersWhile(game, s.numero, n.perOrder, func() bool { return left.Add(-1) >= 0 })
	return err
}

// settle moves the clock behind the draw of the numero, draws and settles it, and returns how many bets a second. With
// isLoaded, the members bet on another game meanwhile, and it also returns how many bets a second they place.
func (s *site) settle(ctx context.Context, bets int, isLoaded bool) (settled, placed float64, err error) {
	s.addMinute()
	if err := s.server.Lottery.DrawDue(ctx); err != nil {
		return 0, 0, err
	}
	other, err := s.openNumero(otherGame)
	if err != nil {
		return 0, 0, err
	}
	var ended atomic.Bool
	var load errgroup.Group
	if isLoaded {
		load.Go(func() (err error) {
			placed, err = s.ordersWhile(otherGame, other, 1, func() bool { return !ended.Load() })
			return err
		})
	}
	begin := time.Now()
	err = s.server.Lottery.SettleDue(ctx)
	settled = float64(bets) / time.Since(begin).Seconds()
	ended.Store(true)
	if err = errors.Join(err, load.Wait()); err != nil {
		return 0, 0, err
	}
	if err := s.checkSettled(ctx, bets); err != nil {
		return 0, 0, err
	}
	s.numero, err = s.openNumero(game)
	return settled, placed, err
}

func (s *site) addMinute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(time.Minute)
}

// pass moves the clock behind the draw of the numero, and draws and settles it.
func (s *site) pass(ctx context.Context) error {
	s.addMinute()
	if err := s.server.Lottery.DrawDue(ctx); err != nil {
		return err
	}
	if err := s.server.Lottery.SettleDue(ctx); err != nil {
		return err
	}
	var err error
	s.numero, err = s.openNumero(game)
	return err
}

// checkSettled fails unless the bets on the last numero are all won or lost, and at least as many as were placed.
func (s *site) checkSettled(ctx context.Context, bets int) error {
	var open, all int
	row := s.store.Writer.QueryRowContext(ctx, "SELECT COUNT(*), COALESCE(SUM(CASE WHEN b.state = 'open' THEN 1 ELSE 0 END), 0) FROM lottery_bet b JOIN lottery_round r ON r.id = b.round_id JOIN lottery_numero n ON n.id = r.numero_id WHERE n.numero = '"+s.numero+"' AND n.game_id = "+game)
	if err := row.Scan(&all, &open); err != nil {
		return err
	}
	if open != 0 || all < bets {
		return fmt.Errorf("%d of %d bets are open, want at least %d settled", open, all, bets)
	}
	return nil
}
