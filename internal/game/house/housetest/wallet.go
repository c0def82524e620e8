package housetest

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

// A Wallet is a fake wallet that implements the vendor protocol for one vendor. Tests may change its fields between calls.
type Wallet struct {
	Key        []byte
	Balances   map[string]int64  // by player
	Rounds     map[string]*Round // by round ID
	Responses  map[string]Stored // by transaction ID
	Calls      []string          // the names of all calls
	Counts     map[string]int    // number of calls, by name
	Currency   string
	Currencies map[string]string                  // by player, if not Currency
	Fail       func(call string, nth int) Failure // nth is the number of the call among those with its name, from 1; nil for no failures
	RefuseBets string                             // the code for new bets; empty to accept them
	RefuseEnds string                             // the code for wins and rollbacks; empty to accept them
	IsFinal    bool                               // repeat RefuseEnds for the same transaction ID

	t        testing.TB
	mu       sync.Mutex
	tickets  map[string]string // → player
	sessions map[string]string // → player
	body     []byte            // of the current call
}

// A Failure says how a call fails.
type Failure int

// Failures of a call.
const (
	NoFailure       Failure = iota
	FailBefore              // before it takes effect
	FailAfter               // after it takes effect, without a response
	InvalidResponse         // after it takes effect, with a response that is not JSON
)

// Stored is the stored response to a transaction ID.
type Stored struct {
	Body     string
	response map[string]any
}

// A Round is a round in the wallet.
type Round struct {
	Stakes map[string]int64 // by transaction ID, without rolled-back stakes
	Closed bool

	player string
	won    bool
}

func newWallet(t testing.TB) *Wallet {
	return &Wallet{
		t: t, Currency: "VND", Key: []byte("the House's key of the vendor"), tickets: map[string]string{}, sessions: map[string]string{}, Balances: map[string]int64{},
		Responses: map[string]Stored{}, Rounds: map[string]*Round{}, Counts: map[string]int{},
	}
}

// Ticket returns a new launch ticket of a player.
func (w *Wallet) Ticket(player string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ticket := "ticket-" + strconv.Itoa(len(w.tickets)+len(w.sessions)+1)
	w.tickets[ticket] = player
	return ticket
}

func (w *Wallet) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	call := r.URL.Path[len("/vendor/v1/"):]
	w.Counts[call]++
	w.body = body
	w.Calls = append(w.Calls, call)
	failure := NoFailure
	if w.Fail != nil {
		failure = w.Fail(call, w.Counts[call])
	}
	if failure == FailBefore {
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	status, response := http.StatusUnauthorized, map[string]any{"code": "INVALID_SIGNATURE"}
	if w.signed(r, body) {
		status, response = http.StatusOK, w.respond(call, body)
	}
	switch failure {
	case FailAfter:
		panic(http.ErrAbortHandler) // breaks the connection
	case InvalidResponse:
		out.WriteHeader(status)
		_, _ = out.Write([]byte("<html>"))
		return
	}
	text, err := json.Marshal(response)
	if err != nil {
		w.t.Error(err)
	}
	out.Header().Set("Content-Type", "application/json")
	out.WriteHeader(status)
	_, _ = out.Write(text)
}

// HasTxID reports whether the current call has a transaction ID. Fail may call it.
func (w *Wallet) HasTxID(txID string) bool {
	return bytes.Contains(w.body, []byte(`"txId":"`+txID+`"`))
}

func (w *Wallet) signed(r *http.Request, body []byte) bool {
	mac := hmac.New(sha256.New, w.Key)
	mac.Write([]byte(r.Header.Get("X-Timestamp") + "." + r.URL.Path + "." + string(body)))
	return r.Header.Get("Merchant") == "second" && r.Header.Get("X-Vendor") == "HOUSE" && r.Header.Get("X-Key") == "house" && r.Header.Get("X-Signature") == hex.EncodeToString(mac.Sum(nil))
}

type request struct {
	RequestID, SessionID, Currency, GameCode, RoundID, TxID, Amount, RefTxID, Ticket string
	EndRound                                                                         bool
}

func (w *Wallet) respond(call string, body []byte) map[string]any {
	var a request
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&a); err != nil || a.RequestID == "" {
		w.t.Errorf("call %s has the invalid body %s", call, body)
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
			"code": "OK", "sessionId": session, "playerId": player, "nickname": "Minh", "currency": w.currency(player), "language": "vi", "trial": w.currency(player) == "FUN",
			"balance": strconv.FormatInt(w.Balances[player], 10),
		}
	}
	if call == "balance" {
		player, known := w.sessions[a.SessionID]
		if !known {
			return map[string]any{"code": "SESSION_EXPIRED"}
		}
		return w.ok(player)
	}
	if seen, known := w.Responses[a.TxID]; known {
		if seen.Body != "" && seen.Body != call+string(body) {
			w.t.Errorf("call %s repeats transaction %s with another body: %s", call, a.TxID, body)
			return map[string]any{"code": "DUPLICATE_CONFLICT"}
		}
		again := map[string]any{}
		for name, value := range seen.response {
			again[name] = value
		}
		again["replayed"] = true
		return again
	}
	response, isFinal := w.execute(call, a)
	if isFinal {
		w.Responses[a.TxID] = Stored{call + string(body), response}
	}
	return response
}

func (w *Wallet) currency(player string) string {
	if own := w.Currencies[player]; own != "" {
		return own
	}
	return w.Currency
}

func (w *Wallet) ok(player string) map[string]any {
	return map[string]any{"code": "OK", "balance": strconv.FormatInt(w.Balances[player], 10), "currency": w.currency(player)}
}

func (w *Wallet) execute(call string, a request) (response map[string]any, isFinal bool) {
	amount, err := strconv.ParseInt(a.Amount, 10, 64)
	if err != nil && call != "rollback" {
		w.t.Errorf("call %s has the invalid amount %q", call, a.Amount)
	}
	if w.RefuseEnds != "" && call != "bet" {
		return map[string]any{"code": w.RefuseEnds}, w.IsFinal
	}
	r := w.Rounds[a.RoundID]
	switch call {
	case "bet":
		player, known := w.sessions[a.SessionID]
		switch {
		case w.RefuseBets != "":
			return map[string]any{"code": w.RefuseBets}, w.RefuseBets != "SESSION_EXPIRED" && w.RefuseBets != "ACCOUNT_DISABLED" && w.RefuseBets != "GAME_UNAVAILABLE"
		case !known:
			return map[string]any{"code": "SESSION_EXPIRED"}, false
		case a.Currency != w.currency(player):
			return map[string]any{"code": "WRONG_CURRENCY"}, true
		case w.Balances[player] < amount:
			return map[string]any{"code": "INSUFFICIENT_FUNDS"}, true
		}
		if r == nil {
			r = &Round{player: player, Stakes: map[string]int64{}}
			w.Rounds[a.RoundID] = r
		}
		r.Stakes[a.TxID] = amount
		w.Balances[player] -= amount
		return w.ok(player), true
	case "win":
		if r == nil || len(r.Stakes) == 0 {
			return map[string]any{"code": "ROUND_NOT_FOUND"}, true
		}
		if a.Currency != w.currency(r.player) {
			return map[string]any{"code": "WRONG_CURRENCY"}, true
		}
		if r.Closed {
			return map[string]any{"code": "ROUND_CLOSED"}, true
		}
		r.won, r.Closed = true, a.EndRound
		w.Balances[r.player] += amount
		return w.ok(r.player), true
	case "rollback":
		if r == nil || r.Stakes[a.RefTxID] == 0 {
			if seen, known := w.Responses[a.RefTxID]; known && r != nil && seen.response["code"] == "OK" {
				return w.ok(r.player), true // already rolled back
			} else if !known { // a later bet with this ID is refused
				w.Responses[a.RefTxID] = Stored{"", map[string]any{"code": "TX_ROLLED_BACK"}}
			}
			return map[string]any{"code": "OK", "status": "tombstone", "balance": "0", "currency": w.Currency}, true
		}
		if r.won || r.Closed {
			return map[string]any{"code": "ROUND_CLOSED"}, true
		}
		w.Balances[r.player] += r.Stakes[a.RefTxID]
		delete(r.Stakes, a.RefTxID)
		return w.ok(r.player), true
	}
	w.t.Errorf("unknown call %s", call)
	return map[string]any{"code": "INVALID_REQUEST"}, false
}
