package house_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"testing"
)

// wallet is the other side of the vendor protocol, written from its page alone: one vendor, money in VND. A test may cut
// any call before it is carried out, or after.
type wallet struct {
	t   testing.TB
	key []byte

	mu       sync.Mutex
	tickets  map[string]string // → player
	sessions map[string]string // → player
	balances map[string]int64
	txs      map[string]record // by id
	rounds   map[string]*round
	calls    []string
	cut      func(call string, nth int) cut // nth from 1, of this call
	counts   map[string]int
	currency string
	bets     string // what is said to new bets; empty: what is right
	ends     string // what is said to wins and rollbacks; empty: what is right
	kept     bool   // and remembered
	body     []byte // of the call that is being answered
}

type cut int

const (
	whole cut = iota
	before
	after
	broken // answers with no JSON, after
)

type record struct {
	body   string
	answer map[string]any
}

type round struct {
	player string
	stakes map[string]int64 // standing bets by tx
	won    bool
	closed bool
}

func newWallet(t testing.TB) *wallet {
	return &wallet{
		t: t, currency: "VND", key: []byte("the House's key of the vendor"), tickets: map[string]string{}, sessions: map[string]string{}, balances: map[string]int64{},
		txs: map[string]record{}, rounds: map[string]*round{}, counts: map[string]int{},
	}
}

// ticket gives a player a launch ticket.
func (w *wallet) ticket(player string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ticket := "ticket-" + strconv.Itoa(len(w.tickets)+len(w.sessions)+1)
	w.tickets[ticket] = player
	return ticket
}

func (w *wallet) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call := r.URL.Path[len("/vendor/v1/"):]
	w.counts[call]++
	w.body = body
	w.calls = append(w.calls, call)
	how := whole
	if w.cut != nil {
		how = w.cut(call, w.counts[call])
	}
	if how == before {
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	status, answer := http.StatusUnauthorized, map[string]any{"code": "INVALID_SIGNATURE"}
	if w.signed(r, body) {
		status, answer = http.StatusOK, w.answer(call, body)
	}
	switch how {
	case after:
		panic(http.ErrAbortHandler) // the connection breaks: nobody hears the answer
	case broken:
		out.WriteHeader(status)
		_, _ = out.Write([]byte("<html>"))
		return
	}
	text, err := json.Marshal(answer)
	if err != nil {
		w.t.Error(err)
	}
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(status)
	_, _ = out.Write(text)
}

// asks tells whether the call that is being answered has the name.
func (w *wallet) asks(txID string) bool { return bytes.Contains(w.body, []byte(`"txId":"`+txID+`"`)) }

func (w *wallet) signed(r *http.Request, body []byte) bool {
	mac := hmac.New(sha256.New, w.key)
	mac.Write([]byte(r.Header.Get("X-Timestamp") + "." + string(body)))
	return r.Header.Get("Merchant") == "second" && r.Header.Get("X-Vendor") == "HOUSE" && r.Header.Get("X-Key") == "house" && r.Header.Get("X-Signature") == hex.EncodeToString(mac.Sum(nil))
}

type asked struct {
	RequestID, SessionID, Currency, GameCode, RoundID, TxID, Amount, RefTxID, Ticket string
	EndRound                                                                         bool
}

func (w *wallet) answer(call string, body []byte) map[string]any {
	var a asked
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&a); err != nil || a.RequestID == "" {
		w.t.Errorf("%s sends %s", call, body)
		return map[string]any{"code": "INVALID_REQUEST"}
	}
	if call == "authenticate" {
		player, known := w.tickets[a.Ticket]
		if !known {
			return map[string]any{"code": "SESSION_EXPIRED"}
		}
		delete(w.tickets, a.Ticket)
		session := "session-of-" + a.Ticket
		w.sessions[session] = player
		return map[string]any{
			"code": "OK", "sessionId": session, "playerId": player, "nickname": "Minh", "currency": w.currency, "language": "vi", "trial": w.currency == "FUN",
			"balance": strconv.FormatInt(w.balances[player], 10),
		}
	}
	if call == "balance" {
		player, known := w.sessions[a.SessionID]
		if !known {
			return map[string]any{"code": "SESSION_EXPIRED"}
		}
		return w.ok(player)
	}
	if seen, known := w.txs[a.TxID]; known {
		if seen.body != "" && seen.body != call+string(body) {
			w.t.Errorf("%s repeats %s with other content: %s", call, a.TxID, body)
			return map[string]any{"code": "DUPLICATE_CONFLICT"}
		}
		again := map[string]any{}
		for name, value := range seen.answer {
			again[name] = value
		}
		again["replayed"] = true
		return again
	}
	answer, remember := w.move(call, a)
	if remember {
		w.txs[a.TxID] = record{call + string(body), answer}
	}
	return answer
}

func (w *wallet) ok(player string) map[string]any {
	return map[string]any{"code": "OK", "balance": strconv.FormatInt(w.balances[player], 10), "currency": w.currency}
}

func (w *wallet) move(call string, a asked) (answer map[string]any, remember bool) {
	amount, err := strconv.ParseInt(a.Amount, 10, 64)
	if err != nil && call != "rollback" {
		w.t.Errorf("%s of %q", call, a.Amount)
	}
	if w.ends != "" && call != "bet" {
		return map[string]any{"code": w.ends}, w.kept
	}
	r := w.rounds[a.RoundID]
	switch call {
	case "bet":
		player, known := w.sessions[a.SessionID]
		switch {
		case w.bets != "":
			return map[string]any{"code": w.bets}, w.bets != "SESSION_EXPIRED" && w.bets != "ACCOUNT_DISABLED" && w.bets != "GAME_UNAVAILABLE"
		case !known:
			return map[string]any{"code": "SESSION_EXPIRED"}, false
		case w.balances[player] < amount:
			return map[string]any{"code": "INSUFFICIENT_FUNDS"}, true
		}
		if r == nil {
			r = &round{player: player, stakes: map[string]int64{}}
			w.rounds[a.RoundID] = r
		}
		r.stakes[a.TxID] = amount
		w.balances[player] -= amount
		return w.ok(player), true
	case "win":
		if r == nil || len(r.stakes) == 0 {
			return map[string]any{"code": "ROUND_NOT_FOUND"}, true
		}
		if r.closed {
			return map[string]any{"code": "ROUND_CLOSED"}, true
		}
		r.won, r.closed = true, a.EndRound
		w.balances[r.player] += amount
		return w.ok(r.player), true
	case "rollback":
		if r == nil || r.stakes[a.RefTxID] == 0 {
			if seen, known := w.txs[a.RefTxID]; known && r != nil && seen.answer["code"] == "OK" {
				return w.ok(r.player), true // it was given back already
			} else if !known { // refused from now on
				w.txs[a.RefTxID] = record{"", map[string]any{"code": "TX_ROLLED_BACK"}}
			}
			return map[string]any{"code": "OK", "status": "tombstone", "balance": "0", "currency": w.currency}, true
		}
		if r.won || r.closed {
			return map[string]any{"code": "ROUND_CLOSED"}, true
		}
		w.balances[r.player] += r.stakes[a.RefTxID]
		delete(r.stakes, a.RefTxID)
		return w.ok(r.player), true
	}
	w.t.Errorf("no call %s", call)
	return map[string]any{"code": "INVALID_REQUEST"}, false
}
