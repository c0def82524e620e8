// Package conformance tests a server's implementation of the vendor protocol. It makes the calls that a vendor would make.
//
// It shares no code with the server, so that a mistake on either side is found. It uses only calls that vendors and the app can
// make.
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

// A Client makes a vendor's calls in one session.
type Client struct {
	URL, Vendor, KeyID, Key string
	Game, Currency, Session string
	Run                     string // prefix of this run's IDs
	HTTP                    *http.Client
	Now                     func() time.Time
}

// A Response is the response to any call.
type Response struct {
	HTTP int `json:"-"` // status code

	Code, Balance, Currency       string
	TransactionID, Status, Field  string
	SessionID, PlayerID, Language string
	Replayed, Trial               *bool
}

// String returns the fields that failure messages need.
func (t Response) String() string {
	return fmt.Sprintf("%d %s balance %q transactionId %q status %q field %q", t.HTTP, t.Code, t.Balance, t.TransactionID, t.Status, t.Field)
}

func (c *Client) do(ctx context.Context, method, path string, body []byte, headers map[string]string) (int, []byte, error) {
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
	reply, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return response.StatusCode, reply, err
}

// Call signs and sends a call.
func (c *Client) Call(ctx context.Context, name string, fields map[string]any) (Response, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return Response{}, err
	}
	stamp := strconv.FormatInt(c.Now().UnixMilli(), 10)
	return c.send(ctx, name, body, stamp, c.sign(stamp, name, body))
}

func (c *Client) sign(stamp, name string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(c.Key))
	mac.Write([]byte(stamp + "./vendor/v1/" + name + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

func (c *Client) send(ctx context.Context, name string, body []byte, stamp, signature string) (Response, error) {
	status, reply, err := c.do(ctx, http.MethodPost, "/vendor/v1/"+name, body, map[string]string{
		"X-Vendor": c.Vendor, "X-Key": c.KeyID, "X-Timestamp": stamp, "X-Signature": signature,
	})
	t := Response{HTTP: status}
	if err != nil {
		return t, err
	}
	if err := json.Unmarshal(reply, &t); err != nil {
		return t, fmt.Errorf("%s: %d %s", name, status, reply)
	}
	return t, nil
}

// Fields returns the fields that movements share, with prefixed IDs.
func (c *Client) Fields(tx, round string, more map[string]any) map[string]any {
	f := map[string]any{
		"requestId": c.Run + "-" + tx, "sessionId": c.Session, "currency": c.Currency, "gameCode": c.Game, "roundId": c.Run + "-" + round, "txId": c.Run + "-" + tx,
	}
	maps.Copy(f, more)
	return f
}
