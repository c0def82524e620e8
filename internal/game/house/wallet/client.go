// Package wallet is the House's client for the vendor protocol. The House moves money only with this protocol.
package wallet

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

// keyID is the id of the House's own signing key, which is derived, not stored.
const keyID = "house"

// maxResponseBytes is much more than the largest response of the protocol.
const maxResponseBytes = 64 << 10

// errNoResponse means that the outcome of a call is unknown. The caller may repeat the identical call.
var errNoResponse = errors.New("house: no valid response from the wallet")

// Options configure a Client.
type Options struct {
	Client *http.Client
	URL    string // without a path
	Key    func(vendor string) []byte
	Now    func() time.Time
	Pauses []time.Duration // before each retry of a call whose outcome is unknown; nil for the default
}

// A Client sends signed calls of the vendor protocol.
type Client struct{ o Options }

// New returns a Client.
func New(o Options) *Client {
	if o.Pauses == nil {
		o.Pauses = []time.Duration{50 * time.Millisecond, 250 * time.Millisecond, time.Second}
	}
	return &Client{o}
}

// A Request is the body of a call.
type Request struct {
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

// A Response is the wallet's response to a call.
type Response struct {
	Code     string `json:"code"`
	Balance  string `json:"balance"`
	Currency string `json:"currency"`
	Replayed bool   `json:"replayed"` // the stored response to an earlier call with the same txId
	Status   string `json:"status"`   // only in responses to rollback

	// Only in responses to authenticate.
	SessionID string `json:"sessionId"`
	PlayerID  string `json:"playerId"`
	Nickname  string `json:"nickname"`
	Language  string `json:"language"`
	Trial     bool   `json:"trial"`
}

// Call sends a call for a vendor. While the outcome is unknown, it repeats the identical call. The vendor is one of the session's
// merchant, because vendor codes are unique only within a merchant.
func (c *Client) Call(ctx context.Context, s Session, vendor, name string, r Request) (Response, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return Response{}, err
	}
	for attempt := 0; ; attempt++ {
		response, err := c.send(ctx, s.Merchant, vendor, name, body)
		if err == nil || !errors.Is(err, errNoResponse) || attempt == len(c.o.Pauses) {
			return response, err
		}
		pause := time.NewTimer(c.o.Pauses[attempt])
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return Response{}, err
		}
	}
}

func (c *Client) send(ctx context.Context, merchant, vendor, name string, body []byte) (Response, error) {
	path := "/vendor/v1/" + name
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.o.URL+path, bytes.NewReader(body))
	if err != nil {
		return Response{}, fmt.Errorf("call the wallet: %w", err)
	}
	at := strconv.FormatInt(c.o.Now().UnixMilli(), 10)
	r.Header.Set("Content-Type", "application/json")
	if merchant != "" {
		r.Header.Set("Merchant", merchant)
	}
	r.Header.Set("X-Vendor", vendor)
	r.Header.Set("X-Key", keyID)
	r.Header.Set("X-Timestamp", at)
	r.Header.Set("X-Signature", sign(c.o.Key(vendor), at, path, body))
	httpResponse, err := c.o.Client.Do(r)
	if err != nil {
		return Response{}, fmt.Errorf("%w: %w", errNoResponse, err)
	}
	defer httpResponse.Body.Close()
	text, err := io.ReadAll(io.LimitReader(httpResponse.Body, maxResponseBytes))
	if err != nil {
		return Response{}, fmt.Errorf("%w: %w", errNoResponse, err)
	}
	if httpResponse.StatusCode >= http.StatusInternalServerError || httpResponse.StatusCode == http.StatusTooManyRequests {
		return Response{}, fmt.Errorf("%w: status %d", errNoResponse, httpResponse.StatusCode)
	}
	var response Response
	if err := json.Unmarshal(text, &response); err != nil || response.Code == "" {
		return Response{}, fmt.Errorf("%w: status %d without a code", errNoResponse, httpResponse.StatusCode)
	}
	if httpResponse.StatusCode != http.StatusOK && response.Code == CodeOK {
		return Response{}, fmt.Errorf("%w: status %d with code OK", errNoResponse, httpResponse.StatusCode)
	}
	return response, nil
}

// sign computes the protocol's signature over the timestamp, the path and the body.
func sign(key []byte, at, path string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(at + "." + path + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
