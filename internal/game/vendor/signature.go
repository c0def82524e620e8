package vendor

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"
)

// The protocol's headers.
const (
	headerVendor    = "X-Vendor"
	headerKey       = "X-Key"
	headerTime      = "X-Timestamp"
	headerSignature = "X-Signature"
)

// window is how far a caller's clock may be from ours.
const window = 300 * time.Second

// Sign is what X-Signature says of a body sent at a time.
func Sign(key []byte, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(timestamp))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// signed tells whether the body was signed with the key, just now. The key is given out as text, and the text is what
// callers sign with; who takes it for hexadecimal has the same key and is understood, too.
func signed(key []byte, timestamp, signature string, body []byte, now time.Time) bool {
	ms, ok := millis(timestamp)
	if !ok {
		return false
	}
	if apart := now.UnixMilli() - ms; apart > window.Milliseconds() || apart < -window.Milliseconds() {
		return false
	}
	asText := hmac.Equal([]byte(Sign([]byte(hex.EncodeToString(key)), timestamp, body)), []byte(signature))
	return asText || hmac.Equal([]byte(Sign(key, timestamp, body)), []byte(signature))
}

// millis reads a time of plain digits.
func millis(s string) (int64, bool) {
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

// nobodysKey is compared with where no key is known, so that the answer takes as long.
var nobodysKey = make([]byte, sha256.Size)

// caller finds who sent a request; nil is nobody who could be believed.
func (s *Service) caller(r *http.Request, merchantID int64, body []byte) (*maker, error) {
	m, key, err := s.signer(r.Context(), merchantID, r.Header.Get(headerVendor), r.Header.Get(headerKey))
	if err != nil {
		return nil, err
	}
	if m == nil {
		key = nobodysKey
	}
	for _, name := range []string{headerVendor, headerKey, headerTime, headerSignature} {
		if len(r.Header.Values(name)) != 1 { // two of one would leave open which was meant
			m = nil
		}
	}
	if !signed(key, r.Header.Get(headerTime), r.Header.Get(headerSignature), body, s.o.Wall()) {
		return nil, nil
	}
	return m, nil
}
