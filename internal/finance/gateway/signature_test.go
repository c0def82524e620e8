package gateway_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/gateway"
)

func TestSignatures(t *testing.T) {
	t.Parallel()
	const key, path = "k", "/pay/v1/G1/payment"
	now := time.UnixMilli(1_900_000_000_000)
	body := []byte(`{"reference":"A"}`)
	at := func(skew time.Duration) string { return strconv.FormatInt(now.Add(skew).UnixMilli(), 10) }
	for what, c := range map[string]struct {
		signedWith, timestamp, signedPath string
		signedBody                        string
		valid                             bool
	}{
		"now":                     {key, at(0), path, string(body), true},
		"300 s old":               {key, at(-300 * time.Second), path, string(body), true},
		"300 s ahead":             {key, at(300 * time.Second), path, string(body), true},
		"older than 300 s":        {key, at(-300*time.Second - time.Millisecond), path, string(body), false},
		"more than 300 s ahead":   {key, at(300*time.Second + time.Millisecond), path, string(body), false},
		"another key":             {"other", at(0), path, string(body), false},
		"another path":            {key, at(0), "/pay/v1/G1/payout", string(body), false},
		"another body":            {key, at(0), path, `{"reference":"B"}`, false},
		"no timestamp":            {key, "", path, string(body), false},
		"a sign in the timestamp": {key, "+" + at(0), path, string(body), false},
		"a long timestamp":        {key, strings.Repeat("0", 3) + at(0), path, string(body), false},
	} {
		signature := gateway.Sign(c.signedWith, c.timestamp, c.signedPath, []byte(c.signedBody))
		if got := gateway.Valid(key, c.timestamp, path, signature, body, now); got != c.valid {
			t.Errorf("%s: got %v, want %v", what, got, c.valid)
		}
	}
	signature := gateway.Sign(key, at(0), path, body)
	if gateway.Valid(key, at(0), path, strings.ToUpper(signature), body, now) {
		t.Error("a signature in capital letters: got valid, want invalid")
	}
}
