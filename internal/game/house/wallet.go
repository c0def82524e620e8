package house

import (
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
	"time"
)

// keyID is the id of the House's own key, which stands in no table.
const keyID = "house"

// Codes of the vendor protocol that the House acts on.
const (
	codeOK       = "OK"
	codeFunds    = "INSUFFICIENT_FUNDS"
	codeLimit    = "LIMIT_REACHED"
	codeExcluded = "EXCLUDED"
	codeExpired  = "SESSION_EXPIRED"
	codeDisabled = "ACCOUNT_DISABLED"
	codeRolled   = "TX_ROLLED_BACK"
	codeClosed   = "ROUND_CLOSED"
	codeNoRound  = "ROUND_NOT_FOUND"
	codeCurrency = "WRONG_CURRENCY"
	codeGameOff  = "GAME_UNAVAILABLE"
)

// statusTombstone says to a rollback that its bet never came.
const statusTombstone = "tombstone"

// codeBetsClosed is the House's own: the wallet was willing, but the table had closed.
const codeBetsClosed = "BETTING_CLOSED"

// errUnknown says that nobody knows whether a call was carried out: it is to be repeated as it was.
var errUnknown = errors.New("house: the wallet's answer did not come")

// longestAnswer is far more than any answer of the protocol.
const longestAnswer = 64 << 10

// WalletOptions say where the wallet is and how the House signs.
type WalletOptions struct {
	Client *http.Client // over a socket, or straight into the server's own handler: the same calls either way
	URL    string       // without a path
	Key    func(vendor string) []byte
	Now    func() time.Time
	Pauses []time.Duration // before each repetition of a call whose outcome is unknown; nil: the usual ones
}

// Wallet is a client of the vendor protocol.
type Wallet struct{ o WalletOptions }

// NewWallet makes one.
func NewWallet(o WalletOptions) *Wallet {
	if o.Pauses == nil {
		o.Pauses = []time.Duration{50 * time.Millisecond, 250 * time.Millisecond, time.Second}
	}
	return &Wallet{o}
}

// ask is the body of a call: what all have in common, and what some have beside it.
type ask struct {
	RequestID string `json:"requestId"`
	SessionID string `json:"sessionId,omitempty"`
	Currency  string `json:"currency,omitempty"`
	GameCode  string `json:"gameCode,omitempty"`
	RoundID   string `json:"roundId,omitempty"`
	TxID      string `json:"txId,omitempty"`
	Amount    string `json:"amount,omitempty"`
	EndRound  bool   `json:"endRound,omitempty"`
	RefTxID   string `json:"refTxId,omitempty"`
	Ticket    string `json:"ticket,omitempty"`
}

// told is the wallet's answer.
type told struct {
	Code     string `json:"code"`
	Balance  string `json:"balance"`
	Currency string `json:"currency"`
	Replayed bool   `json:"replayed"` // of movements: the first answer to this name, again
	Status   string `json:"status"`   // of rollbacks

	// Of authenticate alone.
	SessionID string `json:"sessionId"`
	PlayerID  string `json:"playerId"`
	Nickname  string `json:"nickname"`
	Language  string `json:"language"`
	Trial     bool   `json:"trial"`
}

// call sends one call of a vendor's and repeats it, the same to the byte, while its outcome is unknown. Vendors' codes are the
// merchants' own: the seat says whose is meant.
func (w *Wallet) call(ctx context.Context, at seat, vendor, name string, a ask) (told, error) {
	body, err := json.Marshal(a)
	if err != nil {
		return told{}, err
	}
	for attempt := 0; ; attempt++ {
		t, err := w.once(ctx, at.merchant, vendor, name, body)
		if err == nil || !errors.Is(err, errUnknown) || attempt == len(w.o.Pauses) {
			return t, err
		}
		pause := time.NewTimer(w.o.Pauses[attempt])
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return told{}, err
		}
	}
}

func (w *Wallet) once(ctx context.Context, merchant, vendor, name string, body []byte) (told, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.o.URL+"/vendor/v1/"+name, bytes.NewReader(body))
	if err != nil {
		return told{}, fmt.Errorf("ask the wallet: %w", err)
	}
	at := strconv.FormatInt(w.o.Now().UnixMilli(), 10)
	r.Header.Set("Content-Type", "application/json")
	if merchant != "" {
		r.Header.Set("Merchant", merchant)
	}
	r.Header.Set("X-Vendor", vendor)
	r.Header.Set("X-Key", keyID)
	r.Header.Set("X-Timestamp", at)
	r.Header.Set("X-Signature", sign(w.o.Key(vendor), at, body))
	answer, err := w.o.Client.Do(r)
	if err != nil {
		return told{}, fmt.Errorf("%w: %w", errUnknown, err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, longestAnswer))
	if err != nil {
		return told{}, fmt.Errorf("%w: %w", errUnknown, err)
	}
	if answer.StatusCode >= http.StatusInternalServerError || answer.StatusCode == http.StatusTooManyRequests {
		return told{}, fmt.Errorf("%w: status %d", errUnknown, answer.StatusCode)
	}
	var t told
	if err := json.Unmarshal(text, &t); err != nil || t.Code == "" {
		return told{}, fmt.Errorf("%w: status %d without a code", errUnknown, answer.StatusCode)
	}
	if answer.StatusCode != http.StatusOK && t.Code == codeOK {
		return told{}, fmt.Errorf("%w: status %d says OK", errUnknown, answer.StatusCode)
	}
	return t, nil
}

// sign makes the protocol's signature: over the time and the body as it is sent.
func sign(key []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(at))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
