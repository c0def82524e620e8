package vendor

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Protocol headers.
const (
	headerVendor    = "X-Vendor"
	headerKey       = "X-Key"
	headerTime      = "X-Timestamp"
	headerSignature = "X-Signature"
)

const maxClockSkew = 300 * time.Second

// pathPrefix is the path of every call without the call's name.
const pathPrefix = "/vendor/v1/"

// Sign returns the X-Signature of a body sent to a path at a timestamp. The signature covers the path, so that a signed
// bet is not valid as a win.
func Sign(key []byte, timestamp, path string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp + "." + path + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// validSignature reports whether the path and the body were signed with the key within maxClockSkew. Callers sign with the key's
// hexadecimal text. Signatures made with the decoded bytes are accepted too.
func validSignature(key []byte, timestamp, path, signature string, body []byte, now time.Time) bool {
	ms, ok := parseMillis(timestamp)
	if !ok {
		return false
	}
	if skew := now.UnixMilli() - ms; skew > maxClockSkew.Milliseconds() || skew < -maxClockSkew.Milliseconds() {
		return false
	}
	asText := hmac.Equal([]byte(Sign([]byte(hex.EncodeToString(key)), timestamp, path, body)), []byte(signature))
	return asText || hmac.Equal([]byte(Sign(key, timestamp, path, body)), []byte(signature))
}

// parseMillis accepts decimal digits only.
func parseMillis(s string) (int64, bool) {
	if len(s) == 0 || len(s) > 15 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// dummyKey is used for unknown keys, so that such requests take as long as others.
var dummyKey = make([]byte, sha256.Size)

// verifyCaller returns the vendor that signed a request, or nil if the signature is not valid.
func (s *Service) verifyCaller(r *http.Request, merchantID int64, c call, body []byte) (*vendor, error) {
	v, key, err := s.signer(r.Context(), merchantID, r.Header.Get(headerVendor), r.Header.Get(headerKey))
	if err != nil {
		return nil, err
	}
	if v == nil {
		key = dummyKey
	}
	for _, name := range []string{headerVendor, headerKey, headerTime, headerSignature} {
		if len(r.Header.Values(name)) != 1 { // repeated headers are ambiguous
			v = nil
		}
	}
	if !validSignature(key, r.Header.Get(headerTime), pathPrefix+string(c), r.Header.Get(headerSignature), body, s.o.WallClock()) {
		return nil, nil
	}
	if v == nil {
		return nil, nil
	}
	return s.checkKey(r.Context(), v, r.Header.Get(headerKey))
}

// checkKey returns nil if a key is retired. It reads the database, so that a retired key is rejected
// immediately.
func (r *Registry) checkKey(ctx context.Context, v *vendor, keyID string) (*vendor, error) {
	if keyID == houseKeyID {
		return v, nil
	}
	n, err := r.o.Store.Q().VendorKeyActive(ctx, keyID)
	if err != nil {
		return nil, fmt.Errorf("check vendor's key: %w", err)
	}
	if n == 0 {
		r.cache.Drop()
		return nil, nil
	}
	return v, nil
}
