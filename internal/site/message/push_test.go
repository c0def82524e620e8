package message_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/message"
)

// A pushService is a local push service. It responds with status and records the requests.
type pushService struct {
	*httptest.Server
	status   int
	received []http.Header
	bodies   [][]byte
}

func newPushService(t *testing.T) *pushService {
	t.Helper()
	p := &pushService{status: http.StatusCreated}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p.received, p.bodies = append(p.received, r.Header), append(p.bodies, body)
		w.WriteHeader(p.status)
	}))
	t.Cleanup(p.Close)
	return p
}

// A browser has the keys of a push subscription.
type browser struct {
	key  *ecdh.PrivateKey
	auth []byte
}

func newBrowser(t *testing.T) browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	auth := make([]byte, 16)
	_, _ = rand.Read(auth)
	return browser{key, auth}
}

// subscription returns the request that subscribes the browser.
func (b browser) subscription(endpoint string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return fmt.Sprintf(`{"endpoint":%q,"p256dh":%q,"auth":%q}`, endpoint, encode(b.key.PublicKey().Bytes()), encode(b.auth))
}

func subscription(t *testing.T, endpoint string) string {
	t.Helper()
	return newBrowser(t).subscription(endpoint)
}

func (h *inboxSite) queuedPushes(t *testing.T) (ids []int64) {
	t.Helper()
	rows, err := h.Store.Reader.Query("SELECT id FROM push_note ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestPushIsSentAndGoneEndpointsAreRemoved(t *testing.T) {
	t.Parallel()
	store := dbtest.Open(t, dbtest.Migrated(t, db.SQLite))
	service := newPushService(t)
	h := newInboxSite(t, store)
	h.Server.Inbox.UseClient(service.Client())
	const path = "/wps/member/notifications/push"
	for name, body := range map[string]string{
		"endpoint without TLS": strings.Replace(subscription(t, "https://push.example.test/1"), "https:", "http:", 1),
		"invalid key":          `{"endpoint":"https://push.example.test/1","p256dh":"AAAA","auth":"AAAAAAAAAAAAAAAAAAAAAA"}`,
		"short secret":         strings.Replace(subscription(t, "https://push.example.test/1"), `"auth":"`, `"auth":"A`, 1),
	} {
		wantEqual(t, name, errorCode(t, h.Call(t, "POST", path, body, "Authorization", "player")), "message.subscription")
	}
	wantEqual(t, "subscribe", h.Call(t, "POST", path, subscription(t, service.URL+"/one"), "Authorization", "player").Status, 200)

	h.addSystemMessage(t, playerID, message.WithdrawalPaid, map[string]string{"amount": "5000", "currency": "VND"})
	h.addSystemMessage(t, strangerID, message.WithdrawalPaid, map[string]string{"amount": "1", "currency": "VND"})
	queuedPushes := h.queuedPushes(t)
	wantEqual(t, "queued", len(queuedPushes), 1)
	if err := h.Server.Inbox.Push(t.Context(), queuedPushes[0]); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "requests", len(service.received), 1)
	wantEqual(t, "encoding", service.received[0].Get("Content-Encoding"), "aes128gcm")
	wantEqual(t, "signed", strings.HasPrefix(service.received[0].Get("Authorization"), "vapid t="), true)
	wantEqual(t, "queued after sending", len(h.queuedPushes(t)), 0)

	// A temporary failure is retried. An endpoint that is gone is removed.
	h.addSystemMessage(t, playerID, message.LimitRaised, nil)
	note := h.queuedPushes(t)[0]
	service.status = http.StatusServiceUnavailable
	if err := h.Server.Inbox.Push(t.Context(), note); err == nil {
		t.Error("an unavailable push service: got no error, want one that makes the task run again")
	}
	service.status = http.StatusGone
	if err := h.Server.Inbox.Push(t.Context(), note); err != nil {
		t.Fatal(err)
	}
	h.addSystemMessage(t, playerID, message.LimitRaised, nil)
	wantEqual(t, "queued after the endpoint is gone", len(h.queuedPushes(t)), 0)

	wantEqual(t, "subscribe again", h.Call(t, "POST", path, subscription(t, service.URL+"/two"), "Authorization", "player").Status, 200)
	r := h.Call(t, "PUT", "/wps/member/notifications", `{"choices":[{"topic":"account","way":"push","allowed":false}]}`, "Authorization", "player")
	wantEqual(t, "switch off", r.Status, 200)
	h.addSystemMessage(t, playerID, message.LimitRaised, nil)
	wantEqual(t, "queued after the topic is off", len(h.queuedPushes(t)), 0)
	wantEqual(t, "unsubscribe", h.Call(t, "DELETE", path, fmt.Sprintf(`{"endpoint":%q}`, service.URL+"/two"), "Authorization", "player").Status, 200)
	h.addSystemMessage(t, playerID, message.WithdrawalPaid, map[string]string{"amount": "5000", "currency": "VND"})
	wantEqual(t, "queued after unsubscribing", len(h.queuedPushes(t)), 0)
}

func TestEveryKindHasATextInEveryLanguage(t *testing.T) {
	t.Parallel()
	kinds := []message.Kind{
		message.DepositCredited, message.WithdrawalPaid, message.WithdrawalRefused, message.IdentityVerified, message.IdentityRefused, message.RewardGranted,
		message.RewardExpiring, message.RewardPaid, message.RewardEnded, message.LimitRaised, message.LoginNew, message.ContractOffered, message.FeedbackAnswered, message.LotteryReturned,
		message.Notice,
	}
	args := map[string]string{"amount": "1", "currency": "VND", "title": "T", "from": "F", "text": "X", "address": "A", "device": "D"}
	for _, language := range []string{"vi", "en", "ur", "pt"} {
		for _, kind := range kinds {
			title, text := message.SystemText(kind, language, args)
			if title == "" || text == "" || strings.Contains(title+text, "{") {
				t.Errorf("%s in %s: got %q and %q, want a title and a text without placeholders", kind, language, title, text)
			}
		}
	}
}

func TestSystemTextInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	args := map[string]string{"amount": "1234.50", "currency": "PKR", "title.en": "Welcome", "title.ur": "خوش آمدید", "title": "Chào mừng"}
	for _, c := range []struct{ language, currency, want string }{
		{"en", "PKR", "The reward \"Welcome\" of Rs\u00a01,234.50 waits for you in the reward centre."},
		{"en", "USD", "The reward \"Welcome\" of $1,234.50 waits for you in the reward centre."},
		{"pt", "BRL", "A recompensa \"Chào mừng\" de R$\u00a01.234,50 espera por você na central de recompensas."},
		{"vi", "VND", "Phần thưởng \"Chào mừng\" trị giá 1.234,50\u00a0₫ đang chờ bạn trong Trung tâm thưởng."},
		{"ur", "VND", "انعام \"خوش آمدید\"، رقم \u20661,234.50\u00a0₫\u2069، انعام مرکز میں آپ کا منتظر ہے۔"},
		{"en", "OLD", "The reward \"Welcome\" of 1,234.50\u00a0OLD waits for you in the reward centre."},
	} {
		args["currency"] = c.currency
		if _, text := message.SystemText(message.RewardGranted, c.language, args); text != c.want {
			t.Errorf("%s in %s: got %q, want %q", c.currency, c.language, text, c.want)
		}
	}
}
