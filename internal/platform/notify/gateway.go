package notify

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
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A gateway sends text messages through an HTTP service. It signs the time and the body of each request. The idempotency
// key is the message id, so that a retry after a lost response does not send the message twice.
type gateway struct {
	client *http.Client
	url    string
	key    []byte
	now    func() time.Time
}

func newGateway(o Options) (*gateway, error) {
	u, err := url.Parse(o.SMSURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return nil, errors.New("the URL of the SMS gateway must start with https://")
	}
	if o.SMSKey == "" {
		return nil, errors.New("the SMS gateway has no key: set one to sign requests")
	}
	return &gateway{client: o.Client, url: o.SMSURL, key: []byte(o.SMSKey), now: o.Now}, nil
}

// isLoopback reports whether a host is this machine, where TLS is not required.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (g *gateway) send(ctx context.Context, id int64, m Message) error {
	messageID := strconv.FormatInt(id, 10)
	body, err := json.Marshal(map[string]string{"id": messageID, "to": m.To, "text": m.Text})
	if err != nil {
		return fmt.Errorf("encode SMS: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("call SMS gateway: malformed URL")
	}
	timestamp := strconv.FormatInt(g.now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Signature", sign(g.key, timestamp, body))
	request.Header.Set("Idempotency-Key", messageID)
	response, err := g.client.Do(request)
	if err != nil {
		var withURL *url.Error
		if errors.As(err, &withURL) {
			err = withURL.Err // the URL may contain a key
		}
		return fmt.Errorf("call SMS gateway: %w", err)
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body) // allows connection reuse; the body may contain the recipient, so it is not logged
	switch response.StatusCode / 100 {
	case 2:
		return nil
	case 4:
		if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusRequestTimeout {
			return fmt.Errorf("SMS gateway returned status %d: %w", response.StatusCode, errFinal)
		}
	}
	return fmt.Errorf("SMS gateway returned status %d", response.StatusCode)
}

// sign returns hex(HMAC-SHA256(key, timestamp + "." + body)).
func sign(key []byte, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
