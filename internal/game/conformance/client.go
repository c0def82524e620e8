// Package conformance is a client of the vendor protocol that knows nothing but the protocol: it runs the protocol's cases
// against a server, as a vendor would call it. It shares no code with the server's side, so that the two can disagree, and it
// never reaches past what a vendor and the app can ask for.
package conformance

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client is a vendor's side of the protocol, for one session.
type Client struct {
	URL, Vendor, KeyID, Key string
	Game, Currency, Session string
	Run                     string // makes ids of this run its own
	HTTP                    *http.Client
	Now                     func() time.Time
}

// Answer is what a call was told, whichever it was.
type Answer struct {
	HTTP int `json:"-"` // the status

	Code, Balance, Currency       string
	TransactionID, Status, Field  string
	SessionID, PlayerID, Language string
	Replayed, Trial               *bool
}

// String says it in a line.
func (t Answer) String() string {
	return fmt.Sprintf("%d %s balance %q transactionId %q status %q field %q", t.HTTP, t.Code, t.Balance, t.TransactionID, t.Status, t.Field)
}

func (c *Client) ask(ctx context.Context, method, path string, body []byte, headers map[string]string) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	response, err := c.HTTP.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response.StatusCode, answer, err
}

// Call signs and sends one.
func (c *Client) Call(ctx context.Context, name string, fields map[string]any) (Answer, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return Answer{}, err
	}
	stamp := strconv.FormatInt(c.Now().UnixMilli(), 10)
	return c.send(ctx, name, body, stamp, c.sign(stamp, body))
}

func (c *Client) sign(stamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(c.Key))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (c *Client) send(ctx context.Context, name string, body []byte, stamp, signature string) (Answer, error) {
	status, answer, err := c.ask(ctx, http.MethodPost, "/vendor/v1/"+name, body, map[string]string{
		"X-Vendor": c.Vendor, "X-Key": c.KeyID, "X-Timestamp": stamp, "X-Signature": signature,
	})
	t := Answer{HTTP: status}
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(answer, &t); err != nil {
		return t, fmt.Errorf("%s: %d %s", name, status, answer)
	}
	return t, nil
}

// Fields are the common ones. Ids get the run's own name in front.
func (c *Client) Fields(tx, round string, more map[string]any) map[string]any {
	f := map[string]any{
		"requestId": c.Run + "-" + tx, "sessionId": c.Session, "currency": c.Currency, "gameCode": c.Game, "roundId": c.Run + "-" + round, "txId": c.Run + "-" + tx,
	}
	maps.Copy(f, more)
	return f
}
