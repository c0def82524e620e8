package captcha

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

func encodeProof(t testing.TB, p workProof) string {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(text)
}

func goodProof() workProof {
	p := workProof{Algorithm: "SHA-256", Number: 7, Salt: "0011?expires=1800000000&cost=20&"}
	p.Challenge = workDigest(p.Salt, p.Number)
	return p
}

func TestParseProof(t *testing.T) {
	t.Parallel()
	if p, ok := parseProof(encodeProof(t, goodProof())); !ok || p.cost != 20 || p.expires.Unix() != 1_800_000_000 {
		t.Errorf("proof = %+v, %v, want cost 20", p, ok)
	}
	for name, change := range map[string]func(*workProof){
		"algorithm":        func(p *workProof) { p.Algorithm = "SHA-1" },
		"wrong number":     func(p *workProof) { p.Number = 8 },
		"negative number":  func(p *workProof) { p.Number = -7; p.Challenge = workDigest(p.Salt, -7) },
		"number too large": func(p *workProof) { p.Number = 21; p.Challenge = workDigest(p.Salt, 21) },
		"no delimiter": func(p *workProof) {
			p.Salt = strings.TrimSuffix(p.Salt, "&")
			p.Challenge = workDigest(p.Salt, p.Number)
		},
		"no expiry": func(p *workProof) { p.Salt = "0011?cost=20&"; p.Challenge = workDigest(p.Salt, p.Number) },
		"no cost":   func(p *workProof) { p.Salt = "0011?expires=1800000000&"; p.Challenge = workDigest(p.Salt, p.Number) },
		"no query":  func(p *workProof) { p.Salt = "0011&"; p.Challenge = workDigest(p.Salt, p.Number) },
	} {
		p := goodProof()
		change(&p)
		if _, ok := parseProof(encodeProof(t, p)); ok {
			t.Errorf("%s: accepted, want refused", name)
		}
	}
}

// An accepted proof has exactly one split into salt and number, so its cost and expiry are those that the server signed.
func FuzzParseProof(f *testing.F) {
	good := encodeProof(f, goodProof())
	for _, seed := range []string{good, good[1:], good + "=", "", "e30=", strings.Repeat("A", 2049)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parseProof(text)
		if !ok {
			return
		}
		if len(text) > maxProof || !strings.HasSuffix(p.Salt, "&") || p.Number < 0 || p.Number > p.cost || workDigest(p.Salt, p.Number) != p.Challenge {
			t.Errorf("parseProof(%q) accepted %+v", text, p)
		}
	})
}
