package vendor_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestSignatures(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		session := w.openSession(t, "minhanh92")
		body := `{"sessionId":"` + session + `"}`
		now := w.Clock.Now()
		sign := func(key []byte, at time.Time, body string) []string {
			stamp := fmt.Sprint(at.UnixMilli())
			return []string{"X-Vendor", "TEST", "X-Key", w.key.KeyID, "X-Timestamp", stamp, "X-Signature", vendor.Sign(key, stamp, "/vendor/v1/balance", []byte(body))}
		}
		good := func() []string { return sign([]byte(w.key.Key), now, body) }
		set := func(name, value string) []string {
			h := good()
			for i := 0; i < len(h); i += 2 {
				if h[i] == name {
					h[i+1] = value
				}
			}
			return h
		}
		raw, err := hex.DecodeString(w.key.Key)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			headers []string
			body    string
			status  int
		}{
			"valid":                            {good(), body, 200},
			"the key as bytes":                 {sign(raw, now, body), body, 200},
			"299 s late":                       {sign([]byte(w.key.Key), now.Add(-300*time.Second), body), body, 200},
			"299 s early":                      {sign([]byte(w.key.Key), now.Add(300*time.Second), body), body, 200},
			"too late":                         {sign([]byte(w.key.Key), now.Add(-300*time.Second-time.Millisecond), body), body, 401},
			"too early":                        {sign([]byte(w.key.Key), now.Add(300*time.Second+time.Millisecond), body), body, 401},
			"another body":                     {good(), body + " ", 401},
			"another key":                      {sign([]byte("0"+w.key.Key[1:]+"x"), now, body), body, 401},
			"upper case":                       {set("X-Signature", strings.ToUpper(good()[7])), body, 401},
			"no vendor":                        {good()[2:], body, 401},
			"no signature":                     {good()[:6], body, 401},
			"an empty signature":               {set("X-Signature", ""), body, 401},
			"another vendor's code":            {set("X-Vendor", "RIVAL"), body, 401},
			"an unknown key":                   {set("X-Key", "nosuchkey"), body, 401},
			"the House's key id":               {set("X-Key", "house"), body, 401},
			"a time with a sign":               {set("X-Timestamp", "+"+good()[5]), body, 401},
			"a time in seconds":                {set("X-Timestamp", good()[5][:10]), body, 401},
			"a signature of no known vendor":   {nil, body, 401},
			"malformed, and not signed at all": {nil, "{", 401},
		} {
			t.Run("SE-11 "+name, func(t *testing.T) {
				r := w.send(t, "balance", c.body, c.headers...)
				if r.status != c.status || c.status == 401 && r.raw != "{\"code\":\"INVALID_SIGNATURE\"}\n" {
					t.Errorf("%d %s, want %d", r.status, r.raw, c.status)
				}
			})
		}
		t.Run("SE-11 a request signed as bet is refused as win", func(t *testing.T) {
			if r := w.call(t, "bet", bet(session, "p1", "rp", "1")); r.Code != "OK" {
				t.Fatalf("bet: %s, want OK", r.raw)
			}
			body, stamp := fmt.Sprintf(`{"sessionId":%q,"currency":"VND","gameCode":"x-G1","roundId":"rp","txId":"p2","amount":"1000"}`, session), fmt.Sprint(now.UnixMilli())
			for path, want := range map[string]int{"/vendor/v1/bet": 401, "/vendor/v1/win/": 401, "/win": 401, "win": 401, "": 401, "/vendor/v1/win": 200} {
				signature := vendor.Sign([]byte(w.key.Key), stamp, path, []byte(body))
				if r := w.send(t, "win", body, "X-Vendor", "TEST", "X-Key", w.key.KeyID, "X-Timestamp", stamp, "X-Signature", signature); r.status != want {
					t.Errorf("win signed as %q: %d %s, want %d", path, r.status, r.raw, want)
				}
			}
			mac := hmac.New(sha256.New, []byte(w.key.Key))
			mac.Write([]byte(stamp + "." + body))
			if r := w.send(t, "win", body, "X-Vendor", "TEST", "X-Key", w.key.KeyID, "X-Timestamp", stamp, "X-Signature", hex.EncodeToString(mac.Sum(nil))); r.status != 401 {
				t.Errorf("signature without a path: %d %s, want 401", r.status, r.raw)
			}
		})
		t.Run("SE-11 a repeated header is rejected", func(t *testing.T) {
			for i := 0; i < len(good()); i += 2 {
				name, right := good()[i], good()[i+1]
				for _, values := range [][]string{{right, "x"}, {"x", right}, {right, right}} {
					r := httptest.NewRequestWithContext(t.Context(), "POST", "/vendor/v1/balance", strings.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					for k, h := 0, good(); k < len(h); k += 2 {
						r.Header.Set(h[k], h[k+1])
					}
					r.Header[name] = values
					recorder := httptest.NewRecorder()
					w.Handler().ServeHTTP(recorder, r)
					if recorder.Code != 401 || recorder.Body.String() != "{\"code\":\"INVALID_SIGNATURE\"}\n" {
						t.Errorf("%s %q: %d %s, want 401 INVALID_SIGNATURE", name, values, recorder.Code, recorder.Body)
					}
				}
			}
		})
		t.Run("SE-11 at most two keys are active", func(t *testing.T) {
			first := w.key
			as := func(k vendor.Key) string {
				return w.callAs(t, "TEST", k.KeyID, []byte(k.Key), "balance", fields{"sessionId": session}).Code
			}
			second, err := w.vendors.Rotate(t.Context(), w.ID, "TEST")
			if err != nil || as(first) != "OK" || as(second) != "OK" {
				t.Fatalf("after one rotation: %v %s %s, want OK for both keys", err, as(first), as(second))
			}
			third, err := w.vendors.Rotate(t.Context(), w.ID, "TEST")
			if err != nil || as(first) != "INVALID_SIGNATURE" || as(second) != "OK" || as(third) != "OK" {
				t.Fatalf("after two rotations: %v %s %s %s, want OK except for the first key", err, as(first), as(second), as(third))
			}
			if err := w.vendors.Retire(t.Context(), w.ID, "TEST", second.KeyID); err != nil || as(second) != "INVALID_SIGNATURE" || as(third) != "OK" {
				t.Errorf("after retiring: %v %s %s, want OK only for the third key", err, as(second), as(third))
			}
		})
		t.Run("SE-11 the House signs for its own vendors only", func(t *testing.T) {
			ticket, _ := w.launch(t, "minhanh92", "H1", "HOUSE", "RNG")
			if r := w.callAs(t, "HOUSE", "house", w.vendors.HouseKey("HOUSE"), "authenticate", fields{"ticket": ticket}); r.Code != "OK" {
				t.Errorf("House vendor: %s, want OK", r.raw)
			}
			at, body := fmt.Sprint(w.Clock.Now().UnixMilli()), fmt.Sprintf(`{"requestId":"r","ticket":%q}`, ticket)
			sign := vendor.Sign(w.vendors.HouseKey("HOUSE"), at, "/vendor/v1/authenticate", []byte(body))
			if r := w.send(t, "authenticate", body, "X-Vendor", "HOUSE", "X-Key", "house", "X-Timestamp", at, "X-Signature", sign); r.status != 401 {
				t.Errorf("House key from an external request: %s, want 401", r.raw)
			}
			if r := w.callAs(t, "TEST", "house", w.vendors.HouseKey("TEST"), "balance", fields{"sessionId": session}); r.status != 401 {
				t.Errorf("House key for an external vendor: %s, want 401", r.raw)
			}
		})
	})
}

func TestMalformedRequests(t *testing.T) { //nolint:tparallel // the cases share one site
	t.Parallel()
	w := newVendorSite(t, dbtest.SQLite(t))
	session := w.openSession(t, "minhanh92")
	for _, c := range []struct {
		call        string
		body        fields
		code, field string
	}{
		{"bet", fields{"sessionId": nil}, "INVALID_REQUEST", "sessionId"},
		{"bet", fields{"currency": nil}, "INVALID_REQUEST", "currency"},
		{"bet", fields{"gameCode": nil}, "INVALID_REQUEST", "gameCode"},
		{"bet", fields{"roundId": nil}, "INVALID_REQUEST", "roundId"},
		{"bet", fields{"txId": nil}, "INVALID_REQUEST", "txId"},
		{"bet", fields{"amount": nil}, "INVALID_REQUEST", "amount"},
		{"bet", fields{"txId": ""}, "INVALID_REQUEST", "txId"},
		{"bet", fields{"txId": strings.Repeat("x", 65)}, "INVALID_REQUEST", "txId"},
		{"bet", fields{"txId": "a/b"}, "INVALID_REQUEST", "txId"},
		{"bet", fields{"txId": 7}, "INVALID_REQUEST", "txId"},
		{"bet", fields{"roundId": "a\nb"}, "INVALID_REQUEST", "roundId"},
		{"bet", fields{"currency": "vnd"}, "INVALID_REQUEST", "currency"},
		{"bet", fields{"requestId": []string{"x"}}, "INVALID_REQUEST", "requestId"},
		{"bet", fields{"other": "x"}, "INVALID_REQUEST", "other"},
		{"win", fields{"ENDROUND": true}, "INVALID_REQUEST", "ENDROUND"},
		{"bet", fields{"TXID": "x"}, "INVALID_REQUEST", "body"}, // equals txId in another case
		{"win", fields{"endRound": "true"}, "INVALID_REQUEST", "endRound"},
		{"win", fields{"endRound": 1}, "INVALID_REQUEST", "endRound"},
		{"rollback", fields{"refTxId": nil}, "INVALID_REQUEST", "refTxId"},
		{"rollback", fields{"refTxId": "s1"}, "INVALID_REQUEST", "refTxId"}, // its own txId
		{"endRound", fields{"roundId": nil}, "INVALID_REQUEST", "roundId"},
		{"promo", fields{"reason": nil}, "INVALID_REQUEST", "reason"},
		{"promo", fields{"reason": ""}, "INVALID_REQUEST", "reason"},
		{"promo", fields{"reason": "x", "amount": "0"}, "INVALID_AMOUNT", "amount"},
		{"authenticate", fields{}, "INVALID_REQUEST", "ticket"},
		{"bet", fields{"amount": "0"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "-1"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "+1"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "1.5"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "1e3"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "1,000"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "١٢"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": " 1"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "1."}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": ""}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "1000000000000001"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": "99999999999999999999999999"}, "INVALID_AMOUNT", "amount"},
		{"bet", fields{"amount": 12}, "INVALID_AMOUNT", "amount"},
		{"win", fields{"amount": "12.505", "currency": "CNY"}, "INVALID_AMOUNT", "amount"},
		{"win", fields{"amount": "-0"}, "INVALID_AMOUNT", "amount"},
	} {
		t.Run(fmt.Sprintf("GL-07 %s %v", c.call, c.body), func(t *testing.T) {
			body := fields{"sessionId": session, "currency": "VND", "gameCode": "x-G1", "roundId": "rs", "txId": "s1", "amount": "1"}
			switch c.call {
			case "rollback":
				body = fields{"sessionId": session, "txId": "s1", "refTxId": "s0"}
			case "authenticate":
				body = fields{}
			}
			for name, v := range c.body {
				if body[name] = v; v == nil {
					delete(body, name)
				}
			}
			r := w.call(t, c.call, body)
			if r.status != 400 || r.Code != c.code || r.Field != c.field {
				t.Errorf("%d %s, want 400 %s for field %s", r.status, r.raw, c.code, c.field)
			}
		})
	}
	for _, body := range []string{"", "[]", "null", "7", `{"sessionId":"a","sessionId":"b"}`, `{"sessionId":"a"} x`, "\xff", strings.Repeat("x", 20<<10)} {
		stamp := fmt.Sprint(w.Clock.Now().UnixMilli())
		r := w.send(t, "balance", body, "X-Vendor", "TEST", "X-Key", w.key.KeyID, "X-Timestamp", stamp, "X-Signature", vendor.Sign([]byte(w.key.Key), stamp, "/vendor/v1/balance", []byte(body)))
		if r.status != 400 || r.Code != "INVALID_REQUEST" || r.Field != "body" {
			t.Errorf("%.40q = %d %s, want 400 INVALID_REQUEST of the body", body, r.status, r.raw)
		}
	}
	if r := w.call(t, "bet", bet(session, "s1", "rs", "1")); r.Code != "OK" || r.replayed() {
		t.Errorf("a malformed call was remembered: %s", r.raw)
	}
}
