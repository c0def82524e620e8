package gateway

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of the protocol.
const (
	HeaderGateway   = "X-Gateway"
	HeaderKey       = "X-Key"
	HeaderTime      = "X-Timestamp"
	HeaderSignature = "X-Signature"
)

const maxClockSkew = 300 * time.Second

// Sign returns the signature of a request. It covers the timestamp, the path without host and query, and the raw body.
func Sign(key, timestamp, path string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(timestamp + "." + path + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Valid reports whether a request was signed with the key and its timestamp is close to now.
func Valid(key, timestamp, path, signature string, body []byte, now time.Time) bool {
	matches := hmac.Equal([]byte(Sign(key, timestamp, path, body)), []byte(signature))
	if len(timestamp) == 0 || len(timestamp) > 15 || strings.Trim(timestamp, "0123456789") != "" {
		return false
	}
	ms, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return false
	}
	skew := now.UnixMilli() - ms
	return matches && skew <= maxClockSkew.Milliseconds() && skew >= -maxClockSkew.Milliseconds()
}

// SignRequest signs a request: it sets the headers of the protocol.
func SignRequest(r *http.Request, code, keyID, key string, body []byte, now time.Time) {
	timestamp := strconv.FormatInt(now.UnixMilli(), 10)
	r.Header.Set(HeaderGateway, code)
	r.Header.Set(HeaderKey, keyID)
	r.Header.Set(HeaderTime, timestamp)
	r.Header.Set(HeaderSignature, Sign(key, timestamp, r.URL.EscapedPath(), body))
}

// dummyKey makes requests with an unknown key take as long as others.
var dummyKey = strings.Repeat("0", 2*keyBytes)

// sender returns the gateway that signed a request, or a zero Gateway if the signature is not valid.
func (s *Service) sender(ctx context.Context, r *http.Request, body []byte) (Gateway, error) {
	ok := true
	for _, name := range []string{HeaderGateway, HeaderKey, HeaderTime, HeaderSignature} {
		ok = ok && len(r.Header.Values(name)) == 1 // repeated headers are ambiguous
	}
	key := dummyKey
	row, err := s.o.Store.Q().GatewayOfKey(ctx, r.Header.Get(HeaderKey))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		ok = false
	case err != nil:
		return Gateway{}, fmt.Errorf("find gateway's key: %w", err)
	default:
		raw, err := s.o.Keys.Unwrap(keyPurpose+r.Header.Get(HeaderKey), row.Wrapped)
		if err != nil {
			return Gateway{}, fmt.Errorf("open gateway's key: %w", err)
		}
		key = string(raw)
	}
	valid := Valid(key, r.Header.Get(HeaderTime), r.URL.EscapedPath(), r.Header.Get(HeaderSignature), body, s.o.Clock())
	if !ok || !valid || row.Code != r.Header.Get(HeaderGateway) || row.Code != r.PathValue("gateway") {
		return Gateway{}, nil
	}
	return Gateway{ID: row.ID, MerchantID: row.MerchantID, Code: row.Code}, nil
}
