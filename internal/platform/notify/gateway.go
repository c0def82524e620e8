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

// gateway sends text messages through an HTTP service. Each request is signed over its time and its body, and named
// by the message's id, so that one that was taken and not heard of is not sent twice.
type gateway struct {
	client *http.Client
	url    string
	key    []byte
	now    func() time.Time
}

func newGateway(o Options) (*gateway, error) {
	u, err := url.Parse(o.SMSURL)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return nil, errors.New("the SMS gateway needs an https address")
	}
	if o.SMSKey == "" {
		return nil, errors.New("the SMS gateway needs a key")
	}
	return &gateway{client: o.Client, url: o.SMSURL, key: []byte(o.SMSKey), now: o.Now}, nil
}

// loopback tells this machine, where nothing listens in on plain text.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (g *gateway) send(ctx context.Context, id int64, m Message) error {
	name := strconv.FormatInt(id, 10)
	body, err := json.Marshal(map[string]string{"id": name, "to": m.To, "text": m.Text})
	if err != nil {
		return fmt.Errorf("write to the SMS gateway: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url, bytes.NewReader(body))
	if err != nil {
		return errors.New("ask the SMS gateway: malformed address")
	}
	at := strconv.FormatInt(g.now().Unix(), 10)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Timestamp", at)
	request.Header.Set("X-Signature", sign(g.key, at, body))
	request.Header.Set("Idempotency-Key", name)
	reply, err := g.client.Do(request)
	if err != nil {
		var where *url.Error
		if errors.As(err, &where) {
			err = where.Err // without the address: some carry their key in it
		}
		return fmt.Errorf("ask the SMS gateway: %w", err)
	}
	defer reply.Body.Close()
	_, _ = io.Copy(io.Discard, reply.Body) // so that the connection can be used again; its words are not ours to log
	switch reply.StatusCode / 100 {
	case 2:
		return nil
	case 4:
		if reply.StatusCode != http.StatusTooManyRequests && reply.StatusCode != http.StatusRequestTimeout {
			return fmt.Errorf("the SMS gateway answers %d: %w", reply.StatusCode, errFinal)
		}
	}
	return fmt.Errorf("the SMS gateway answers %d", reply.StatusCode)
}

// sign is hex(HMAC-SHA256(key, time + "." + body)).
func sign(key []byte, at string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
