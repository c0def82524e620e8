package message_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/message"
)

// decrypt reads the body of a push message as a browser does (RFC 8188 and RFC 8291). It uses no code of the server.
func (b browser) decrypt(body []byte) ([]byte, error) {
	const saltSize, head = 16, 21 // salt, size of a record, length of the sender's key
	if len(body) < head || len(body) < head+int(body[head-1]) {
		return nil, errors.New("the body has no complete header")
	}
	salt, recordSize, keyEnd := body[:saltSize], binary.BigEndian.Uint32(body[saltSize:]), head+int(body[head-1])
	sender, record := body[head:keyEnd], body[keyEnd:]
	if uint32(len(record)) > recordSize {
		return nil, fmt.Errorf("a record of %d bytes, want at most %d", len(record), recordSize)
	}
	public, err := ecdh.P256().NewPublicKey(sender)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		return nil, err
	}
	input, err := hkdf.Key(sha256.New, shared, b.auth, "WebPush: info\x00"+string(b.key.PublicKey().Bytes())+string(sender), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, input, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, input, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	padded, err := gcm.Open(nil, nonce, record, nil)
	if err != nil {
		return nil, err
	}
	text, found := bytes.CutSuffix(bytes.TrimRight(padded, "\x00"), []byte{2})
	if !found {
		return nil, errors.New("the last record does not end with 2")
	}
	return text, nil
}

// A vapidToken is the claims of the token that identifies the server to a push service (RFC 8292).
type vapidToken struct {
	Audience string `json:"aud"`
	Expires  int64  `json:"exp"`
	Subject  string `json:"sub"`
}

// verifyVAPID checks the signature of an Authorization header with the server's public key, and returns the claims.
func verifyVAPID(header, serverKey string) (claims vapidToken, err error) {
	token, key, found := strings.Cut(strings.TrimPrefix(header, "vapid t="), ", k=")
	if !found || key != serverKey {
		return claims, fmt.Errorf("the header has the key %q, want %q", key, serverKey)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return claims, fmt.Errorf("the token has %d parts, want 3", len(parts))
	}
	var decoded [4][]byte
	for i, part := range append(parts, serverKey) {
		if decoded[i], err = base64.RawURLEncoding.DecodeString(part); err != nil {
			return claims, err
		}
	}
	var head struct{ Alg, Typ string }
	if err := json.Unmarshal(decoded[0], &head); err != nil || head.Alg != "ES256" {
		return claims, fmt.Errorf("algorithm %q, %w, want ES256", head.Alg, err)
	}
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), decoded[3])
	if err != nil {
		return claims, err
	}
	signature, digest := decoded[2], sha256.Sum256([]byte(parts[0]+"."+parts[1]))
	if len(signature) != 64 || !ecdsa.Verify(public, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return claims, errors.New("the signature does not match the server's public key")
	}
	return claims, json.Unmarshal(decoded[1], &claims)
}

func TestBrowserReadsPushAndServiceKnowsTheServer(t *testing.T) {
	t.Parallel()
	service := newPushService(t)
	h := newInboxSite(t, dbtest.Open(t, dbtest.Migrated(t, db.SQLite)))
	h.Server.Inbox.UseClient(service.Client())
	h.Exec(t, "UPDATE member SET language = 'ur' WHERE id = $1", playerID)
	reader, other := newBrowser(t), newBrowser(t)
	r := h.Call(t, http.MethodPost, "/wps/member/notifications/push", reader.subscription(service.URL+"/one"), "Authorization", "player")
	wantEqual(t, "subscribe", r.Status, 200)
	serverKey := merchanttest.Value[struct{ PushKey string }](t, h.Call(t, http.MethodGet, "/wps/member/notifications", nil, "Authorization", "player")).PushKey

	type note struct{ Title, Body, Path string }
	noticeTitle, _ := message.SystemText(message.Notice, "ur", nil)
	title, text := message.SystemText(message.WithdrawalPaid, "ur", map[string]string{"amount": "5000", "currency": "VND"})
	long := strings.Repeat("ڈ<", 400)
	for _, c := range []struct {
		name string
		send func()
		want note
	}{
		{"system message", func() {
			h.addSystemMessage(t, playerID, message.WithdrawalPaid, map[string]string{"amount": "5000", "currency": "VND"})
		}, note{title, text, "/m/withdraw"}},
		{"operator's message", func() {
			h.send(t, map[string]any{"audience": "member", "member": "player", "link": "/m/activity?tab=1"}, "Quà & hoa", "<p>Xin <b>chào</b></p>")
		}, note{"Quà & hoa", "Xin chào", "/m/activity?tab=1"}},
		{"long text of an operator", func() {
			h.addSystemMessage(t, playerID, message.Notice, map[string]string{"text": long})
		}, note{noticeTitle, string([]rune(long)[:299]) + "…", ""}},
	} {
		c.send()
		queued := h.queuedPushes(t)
		wantEqual(t, "queued for the "+c.name, len(queued), 1)
		if err := h.Server.Inbox.Push(t.Context(), queued[0]); err != nil {
			t.Fatal(err)
		}
		body, headers := service.bodies[len(service.bodies)-1], service.received[len(service.received)-1]
		plain, err := reader.decrypt(body)
		if err != nil {
			t.Fatalf("%s: the browser cannot decrypt the push message: %v", c.name, err)
		}
		var got note
		if err := json.Unmarshal(plain, &got); err != nil {
			t.Fatalf("%s: %v in %s", c.name, err, plain)
		}
		wantEqual(t, "content of the "+c.name, got, c.want)
		if _, err := other.decrypt(body); err == nil {
			t.Errorf("%s: another browser decrypts it, want an error", c.name)
		}

		claims, err := verifyVAPID(headers.Get("Authorization"), serverKey)
		if err != nil {
			t.Fatalf("%s: the push service cannot verify the server: %v", c.name, err)
		}
		wantEqual(t, "audience of the token", claims.Audience, service.URL)
		wantEqual(t, "subject of the token", claims.Subject, "mailto:push@fairground.invalid")
		// The library uses the real clock. A token must expire within 24 hours.
		if left := time.Until(time.Unix(claims.Expires, 0)); left <= 0 || left > 24*time.Hour {
			t.Errorf("the token expires in %v, want a time within 24 hours", left)
		}
		wantEqual(t, "time to live", headers.Get("TTL"), "86400")
	}
}
