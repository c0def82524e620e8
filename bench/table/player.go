package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"fairground/internal/platform/spec"
)

const parallelLogins = 8

// A player plays at the table and in a vendor's game.
type player struct {
	s            *server
	n            int
	frame, plain string // sessions of the House and of the vendor
	bets         int

	mu     sync.Mutex
	phases map[string]string // latest phase of each round in the stream
}

// addPlayer starts a trial, opens the table with its stream, and opens the vendor's game.
func (s *server) addPlayer(ctx context.Context, n int) (*player, error) {
	p := &player{s: s, n: n, phases: map[string]string{}}
	var login struct{ Token string }
	if err := p.post(ctx, "/wps/session/login/freeplay", "", map[string]any{"moduleId": spec.ModuleFreePlay, "ageConfirmed": true}, &login); err != nil {
		return nil, err
	}
	ticket, err := p.launch(ctx, login.Token, spec.Live, tableVendor, tableGame)
	if err != nil {
		return nil, err
	}
	var opened struct{ Token string }
	if err := p.post(ctx, "/house/v1/session", "", map[string]any{"ticket": ticket}, &opened); err != nil {
		return nil, err
	}
	p.frame = opened.Token
	if ticket, err = p.launch(ctx, login.Token, spec.Slots, plainVendor, plainGame); err != nil {
		return nil, err
	}
	var entered struct{ SessionID string }
	if err := p.sendSigned(ctx, "authenticate", fmt.Appendf(nil, `{"ticket":%q}`, ticket), &entered); err != nil {
		return nil, err
	}
	p.plain = entered.SessionID
	return p, p.listen(ctx)
}

func (p *player) launch(ctx context.Context, token, category, vendor, game string) (ticket string, err error) {
	var launched struct{ GameURL string }
	err = p.post(ctx, "/wps/game/launchGame", token, map[string]any{"gameCategory": category, "vendor": vendor, "gameId": game}, &launched)
	_, ticket, _ = strings.Cut(launched.GameURL, "t=")
	return ticket, err
}

type tableState struct {
	Round *struct {
		ID, Phase string
		ClosesAt  int64
	}
	Now int64
}

func (p *player) listen(ctx context.Context) error {
	r, err := p.request(ctx, http.MethodGet, "/house/v1/table/events", p.frame, nil)
	if err != nil {
		return err
	}
	opened := make(chan error, 1)
	go p.follow(r, opened)
	return <-opened
}

func (p *player) follow(r *http.Request, opened chan<- error) {
	reply, err := client.Do(r)
	if err != nil {
		opened <- err
		return
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		opened <- fmt.Errorf("the stream returned %d", reply.StatusCode)
		return
	}
	opened <- nil
	for in := bufio.NewScanner(reply.Body); in.Scan(); {
		text, found := bytes.CutPrefix(in.Bytes(), []byte("data: "))
		var got tableState
		if !found || json.Unmarshal(text, &got) != nil || got.Round == nil {
			continue
		}
		p.mu.Lock()
		p.phases[got.Round.ID] = got.Round.Phase
		p.mu.Unlock()
	}
}

// waitForResult waits until the stream shows the round's result.
func (p *player) waitForResult(ctx context.Context, round string) error {
	for {
		p.mu.Lock()
		phase := p.phases[round]
		p.mu.Unlock()
		if phase == "result" {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("player %d last saw the round in phase %q", p.n, phase)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// waitForBetting waits for a round with enough betting time left.
func (p *player) waitForBetting(ctx context.Context) (round string, err error) {
	for {
		var got tableState
		if err := p.get(ctx, "/house/v1/table", &got); err != nil {
			return "", err
		}
		if got.Round != nil && got.Round.Phase == "betting" && got.Round.ClosesAt-got.Now > 18_000 {
			return got.Round.ID, nil
		}
		select {
		case <-ctx.Done():
			return "", errors.New("no round accepts bets")
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// bet places one ticket at the table.
func (p *player) bet(ctx context.Context, round string) error {
	p.bets++
	id := fmt.Sprintf("00000000-0000-4000-8000-%06d%06d", p.n, p.bets)
	return p.post(ctx, "/house/v1/table/bet", p.frame, map[string]any{"betId": id, "round": round, "spots": map[string]int{tableSpot: tableStake}}, nil)
}

// vendorBet places the same stake as a vendor's bet, in a new round.
func (p *player) vendorBet(ctx context.Context) error {
	p.bets++
	return p.sendSigned(ctx, "bet", fmt.Appendf(nil, `{"requestId":"q%[2]d-%[3]d","sessionId":%[1]q,"currency":"FUN","gameCode":"`+plainGame+`","roundId":"r%[2]d-%[3]d","txId":"t%[2]d-%[3]d","amount":"%[4]d"}`,
		p.plain, p.n, p.bets, tableStake), nil)
}

func (p *player) sendSigned(ctx context.Context, call string, body []byte, into any) error {
	stamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(p.s.key.Key))
	mac.Write([]byte(stamp + "./vendor/v1/" + call + "."))
	mac.Write(body)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.s.url+"/vendor/v1/"+call, bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-Vendor": plainVendor, "X-Key": p.s.key.KeyID, "X-Timestamp": stamp, "X-Signature": hex.EncodeToString(mac.Sum(nil)),
	} {
		r.Header.Set(name, value)
	}
	responseBody, err := read(client.Do(r))
	if err != nil {
		return err
	}
	if !bytes.Contains(responseBody, []byte(`"code":"OK"`)) {
		return fmt.Errorf("%s: %s", call, responseBody)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(responseBody, into)
}

func (p *player) post(ctx context.Context, path, token string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return p.send(ctx, http.MethodPost, path, token, bytes.NewReader(text), into)
}

func (p *player) get(ctx context.Context, path string, into any) error {
	return p.send(ctx, http.MethodGet, path, p.frame, nil, into)
}

// client keeps one connection per player, besides the streams.
var client = &http.Client{Transport: &http.Transport{MaxIdleConns: 1000, MaxIdleConnsPerHost: 1000}}

// request uses a separate client address for each player.
func (p *player) request(ctx context.Context, method, path, token string, body io.Reader) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.s.url+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", p.n/250, 1+p.n%250))
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	return r, nil
}

func read(reply *http.Response, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	responseBody, err := io.ReadAll(reply.Body)
	if err == nil && reply.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d %s", reply.StatusCode, responseBody)
	}
	return responseBody, err
}

// send sends a request and decodes the value of the response.
func (p *player) send(ctx context.Context, method, path, token string, body io.Reader, into any) error {
	r, err := p.request(ctx, method, path, token, body)
	if err != nil {
		return err
	}
	responseBody, err := read(client.Do(r))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(responseBody, &struct{ Value any }{into})
}
