package chat_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/chat"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A chatSite is a site with a member and an operator.
type chatSite struct {
	*servertest.Site

	t        *testing.T
	token    string
	operator servertest.Operator
}

func newChatSite(t *testing.T, store *db.Store) *chatSite {
	t.Helper()
	h := &chatSite{Site: servertest.New(t, store), t: t}
	h.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7"})
	h.token = h.Login(t, "minhanh92", "qua-xanh7")
	h.operator = h.Operator(t, "thuha", "support")
	return h
}

// call sends a request of the member.
func (h *chatSite) call(method, path string, body any) merchanttest.Reply {
	h.t.Helper()
	return h.Call(h.t, method, path, body, "Authorization", h.token)
}

func (h *chatSite) send(clientID, text string) chat.Message {
	h.t.Helper()
	return merchanttest.Value[chat.Message](h.t, h.call(http.MethodPost, "/wps/chat/messages", map[string]any{"clientId": clientID, "text": text}))
}

func (h *chatSite) state() chat.View {
	h.t.Helper()
	return merchanttest.Value[chat.View](h.t, h.call(http.MethodGet, "/wps/chat", nil))
}

type opsRow struct {
	ID, Status, Name, Operator string
	Verified, Mine             bool
	Version, Unread            int64
	OperatorRead, CustomerRead int64
	Notes                      []struct{ Text, Operator string }
	Ratings                    []struct{ Stars int64 }
}

// latest returns the conversation that changed last.
func (h *chatSite) latest() opsRow {
	h.t.Helper()
	list := merchanttest.Value[struct{ List []opsRow }](h.t, h.operator(http.MethodGet, "/ops/v1/chats", nil)).List
	if len(list) == 0 {
		h.t.Fatal("no chat in the operators' list, want one")
	}
	return list[0]
}

// act performs actions on a conversation, one after another, and returns its row after the last.
func (h *chatSite) act(row opsRow, actions ...string) opsRow {
	h.t.Helper()
	for _, action := range actions {
		row = merchanttest.Value[opsRow](h.t, h.operator(http.MethodPost, "/ops/v1/chats/"+row.ID+"/"+action, map[string]any{"version": row.Version}))
	}
	return row
}

func (h *chatSite) reply(id, clientID, text string) chat.Message {
	h.t.Helper()
	return merchanttest.Value[chat.Message](h.t, h.operator(http.MethodPost, "/ops/v1/chats/"+id+"/messages", map[string]any{"clientId": clientID, "text": text}))
}

func (h *chatSite) texts(after int64) (out []string) {
	h.t.Helper()
	for _, m := range merchanttest.Value[chat.Messages](h.t, h.call(http.MethodGet, fmt.Sprintf("/wps/chat/messages?after=%d", after), nil)).List {
		if m.Kind != "event" {
			out = append(out, m.From+": "+m.Text)
		}
	}
	return out
}

func wantTexts(t *testing.T, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("messages = %q, want %q", got, want)
	}
}

func wantError(t *testing.T, r merchanttest.Reply, status int, code string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), `"errorCode":"`+code+`"`) {
		t.Errorf("got %d %s, want %d %s", r.Status, r.Body, status, code)
	}
}

func TestRO02MemberAndOperatorChatPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newChatSite(t, store)
		if got := h.state(); got.Status != chat.None || !got.Online {
			t.Errorf("state before the first message = %+v, want none and online", got)
		}
		script := "<script>alert(1)</script> xin chào"
		sent := h.send("a1", script)
		if again := h.send("a1", "other"); again != sent {
			t.Errorf("message sent twice = %+v, want the stored message %+v", again, sent)
		}
		if got := h.state(); got.Status != chat.Waiting || got.Position != 1 {
			t.Errorf("state = %+v, want waiting at position 1", got)
		}
		row := h.latest()
		if row.Name != "minhanh92" || !row.Verified || row.Unread != 1 || row.Status != chat.Waiting {
			t.Errorf("row = %+v, want a verified minhanh92 with 1 unread message", row)
		}
		wantError(t, h.operator(http.MethodPost, "/ops/v1/chats/"+row.ID+"/messages", map[string]any{"clientId": "o0", "text": "hi"}), 409, "chat.not_claimed")
		row = h.act(row, "claim")
		h.reply(row.ID, "o1", "Chào bạn")
		h.reply(row.ID, "o1", "Chào bạn")
		wantTexts(t, h.texts(0), "customer: "+script, "operator: Chào bạn")
		unread := merchanttest.Value[struct{ TotalUnreadCount int }](t, h.call(http.MethodGet, "/wps/relay/CBS_unreadCount", nil)).TotalUnreadCount
		if unread != 1 {
			t.Errorf("unread = %d, want 1", unread)
		}
		merchanttest.Value[struct{}](t, h.call(http.MethodPost, "/wps/chat/read", map[string]any{"seq": h.state().LastSeq}))
		merchanttest.Value[struct{}](t, h.operator(http.MethodPost, "/ops/v1/chats/"+row.ID+"/read", map[string]any{"seq": sent.Seq}))
		if got := h.state(); got.Unread != 0 || got.Read != sent.Seq || got.Operator != "thuha" || got.Status != chat.Open {
			t.Errorf("state = %+v, want open with thuha, nothing unread, read up to %d", got, sent.Seq)
		}
		merchanttest.Value[struct{}](t, h.call(http.MethodPost, "/wps/chat/typing", nil))
		merchanttest.Value[struct{}](t, h.operator(http.MethodPost, "/ops/v1/chats/"+row.ID+"/typing", nil))
		withNote := merchanttest.Value[opsRow](t, h.operator(http.MethodPost, "/ops/v1/chats/"+row.ID+"/notes", map[string]any{"text": "asked about a withdrawal"}))
		if len(withNote.Notes) != 1 || withNote.Notes[0].Operator != "thuha" {
			t.Errorf("notes = %+v, want one by thuha", withNote.Notes)
		}
		h.act(h.latest(), "close")
		if got := h.state(); got.Status != chat.Closed || !got.CanRate {
			t.Errorf("state = %+v, want closed and not rated", got)
		}
		rated := merchanttest.Value[chat.View](t, h.call(http.MethodPost, "/wps/chat/rate", map[string]any{"stars": 5, "comment": "nhanh"}))
		if rated.CanRate {
			t.Error("can rate twice, want once")
		}
		wantError(t, h.call(http.MethodPost, "/wps/chat/rate", map[string]any{"stars": 1}), 409, "chat.rated")
		transcript := string(h.operator(http.MethodGet, "/ops/v1/chats/"+row.ID+"/transcript", nil).Body)
		for _, want := range []string{script, "thuha: Chào bạn", "[rated]"} {
			if !strings.Contains(transcript, want) {
				t.Errorf("transcript lacks %q:\n%s", want, transcript)
			}
		}
		if h.send("a2", "còn một câu"); h.state().Status != chat.Waiting {
			t.Error("a message after the end started no new conversation, want status waiting")
		}
		if n := h.Number(t, "SELECT COUNT(*) FROM audit WHERE action IN ('chat.claim', 'chat.note', 'chat.close')"); n != 3 {
			t.Errorf("%d audit rows, want 3", n)
		}
	})
}

func TestChatRateLimit(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	limited := 0
	for i := range 14 {
		h.Refill()
		r := h.call(http.MethodPost, "/wps/chat/messages", map[string]any{"clientId": fmt.Sprint("f", i), "text": "x"})
		if r.Status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited != 4 {
		t.Errorf("%d of 14 messages at once refused, want 4", limited)
	}
	h.Clock.Add(2 * time.Second)
	h.send("later", "x")
	wantError(t, h.call(http.MethodPost, "/wps/chat/messages", map[string]any{"clientId": "e", "text": " \u0007 "}), 400, "chat.empty")
}

func upload(t *testing.T, clientID, contentType string, data []byte) (body, bodyType string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.WriteField("clientId", clientID); err != nil {
		t.Fatal(err)
	}
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", `form-data; name="image"; filename="a.png"`)
	header.Set("Content-Type", contentType)
	part, err := w.CreatePart(header)
	if err == nil {
		_, err = part.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

func TestChatImages(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, image.NewRGBA(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	send := func(clientID string, data []byte) merchanttest.Reply {
		body, bodyType := upload(t, clientID, "image/png", data)
		return h.Call(t, http.MethodPost, "/wps/chat/images", body, "Authorization", h.token, "Content-Type", bodyType)
	}
	wantError(t, send("bad", []byte("<svg onload=alert(1)>")), 400, "chat.picture")
	sent := merchanttest.Value[chat.Message](t, send("i1", encoded.Bytes()))
	if sent.Kind != "image" || sent.Width != 40 || sent.Height != 30 {
		t.Errorf("message = %+v, want a picture of 40 × 30", sent)
	}
	r := h.call(http.MethodGet, "/wps/chat/images/"+sent.Image, nil)
	if r.Status != 200 || r.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("picture: got %d %s, want 200 image/jpeg", r.Status, r.Header.Get("Content-Type"))
	}
	if r := h.operator(http.MethodGet, "/ops/v1/chats/"+h.latest().ID+"/images/"+sent.Image, nil); r.Status != 200 {
		t.Errorf("picture to an operator: got %d, want 200", r.Status)
	}
	h.Register(t, member.NewMember{Username: "quocbao88", Password: "qua-xanh7"})
	other := h.Login(t, "quocbao88", "qua-xanh7")
	if r := h.Call(t, http.MethodGet, "/wps/chat/images/"+sent.Image, nil, "Authorization", other); r.Status != 404 {
		t.Errorf("picture to another member: got %d, want 404", r.Status)
	}
}

func TestCA33VisitorsHoursAndLaunchPart(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	launch := func(query string, headers ...string) string {
		r := h.Call(t, http.MethodGet, "/wps/relay/CBS_launchChat"+query, nil, headers...)
		return merchanttest.Value[struct{ ChatURL string }](t, r).ChatURL
	}
	if got, want := launch("?b2c=1&language=VI&backUrl=%2Fm%2Fmessage&headerColor=%23112233&title=Chat"), "/m/chat"; got != want {
		t.Errorf("chatUrl = %q, want %q", got, want)
	}
	// A cookie identifies a visitor. No other visitor sees the conversation.
	response := h.Call(t, http.MethodGet, "/wps/visitor/chat", nil)
	cookies := (&http.Response{Header: response.Header}).Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly {
		t.Fatalf("cookies = %v, want one that is HttpOnly", cookies)
	}
	cookie := []string{"Cookie", cookies[0].Name + "=" + cookies[0].Value}
	merchanttest.Value[chat.Message](t, h.Call(t, http.MethodPost, "/wps/visitor/chat/messages", map[string]any{"clientId": "v1", "text": "không đăng nhập được", "name": "Lan"}, cookie...))
	if row := h.latest(); row.Verified || row.Name != "Lan" {
		t.Errorf("row = %+v, want an unverified Lan", row)
	}
	if got := merchanttest.Value[chat.View](t, h.Call(t, http.MethodGet, "/wps/visitor/chat", nil)).Status; got != chat.None {
		t.Errorf("status of another visitor = %s, want none", got)
	}
	h.Set(t, merchant.ChatHours, `{"opens":"08:00","closes":"09:00"}`)
	for h.Clock.Now().In(time.FixedZone("", 7*3600)).Hour() != 9 {
		h.Clock.Add(time.Hour)
	}
	h.token = h.Login(t, "minhanh92", "qua-xanh7")
	wantError(t, h.call(http.MethodPost, "/wps/chat/messages", map[string]any{"clientId": "n1", "text": "x"}), 422, "chat.offline")
	merchanttest.Value[chat.Message](t, h.call(http.MethodPost, "/wps/chat/offline", map[string]any{"clientId": "n1", "text": "gọi lại cho tôi"}))
	if got := h.state(); got.Online || !got.Offline || got.Status != chat.Waiting {
		t.Errorf("state = %+v, want waiting after the offline form", got)
	}
	h.Set(t, merchant.ChatService, `"https://chat.example/start?site=7"`)
	if got, want := launch("?b2c=1&language=VI&title=Chat"), "https://chat.example/start?b2c=1&language=VI&site=7&title=Chat"; got != want {
		t.Errorf("chatUrl = %q, want %q", got, want)
	}
}

func TestQueueListsTheLongestWaitFirst(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newChatSite(t, store)
		h.send("a", "first")
		row := h.latest()
		// Two more customers wait since later. The first one writes again, so that it changed last.
		for i := range int64(2) {
			_, err := store.Writer.ExecContext(t.Context(), `INSERT INTO chat (id, merchant_id, name, language, status, queued_at, created_at, updated_at)
				SELECT $1, merchant_id, 'late', language, 'waiting', queued_at + $2, created_at, updated_at FROM chat WHERE name <> 'late'`, i+1, 1000*(i+1))
			if err != nil {
				t.Fatal(err)
			}
		}
		h.send("b", "still here")
		var got []string
		for cursor := ""; ; {
			p := merchanttest.Value[struct {
				List []opsRow
				Next string
			}](t, h.operator(http.MethodGet, "/ops/v1/chats?state=waiting&sort=wait&pageSize=1&cursor="+cursor, nil))
			for _, r := range p.List {
				got = append(got, r.ID)
			}
			if cursor = p.Next; cursor == "" {
				break
			}
		}
		if want := []string{row.ID, "1", "2"}; !slices.Equal(got, want) {
			t.Errorf("queue: got %v, want %v", got, want)
		}
	})
}

func TestSavedReplies(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	type reply struct {
		ID, Title string
		Texts     map[string]string
		Version   int64
	}
	body := map[string]any{"title": "Chào", "texts": map[string]string{"vi": "Chào bạn", "en": "Hello"}}
	created := merchanttest.Value[reply](t, h.operator(http.MethodPost, "/ops/v1/replies", body))
	body["version"], body["title"] = created.Version, "Chào hỏi"
	changed := merchanttest.Value[reply](t, h.operator(http.MethodPut, "/ops/v1/replies/"+created.ID, body))
	if changed.Title != "Chào hỏi" || changed.Version != 2 {
		t.Errorf("changed = %+v, want the new title and version 2", changed)
	}
	wantError(t, h.operator(http.MethodPut, "/ops/v1/replies/"+created.ID, body), 409, "ops.stale")
	if list := merchanttest.Value[struct{ List []reply }](t, h.operator(http.MethodGet, "/ops/v1/replies?q=CH", nil)).List; len(list) != 1 {
		t.Errorf("list = %+v, want one", list)
	}
	merchanttest.Value[struct{}](t, h.operator(http.MethodPost, "/ops/v1/replies/"+created.ID+"/delete", map[string]any{"version": 2}))
	if r := h.operator(http.MethodGet, "/ops/v1/replies/"+created.ID, nil); r.Status != 404 {
		t.Errorf("deleted reply: got %d, want 404", r.Status)
	}
}

// The member's event stream breaks and the server restarts during a conversation. Each message still arrives once and in order.
func TestChatAcrossRestart(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	h := newChatSite(t, store)
	var got []string
	var cursor int64
	catchUp := func() {
		for _, m := range merchanttest.Value[chat.Messages](t, h.call(http.MethodGet, fmt.Sprintf("/wps/chat/messages?after=%d", cursor), nil)).List {
			if m.Seq != cursor+1 {
				t.Errorf("message %d after %d, want no gap", m.Seq, cursor)
			}
			if cursor = m.Seq; m.Kind == "text" {
				got = append(got, m.Text)
			}
		}
	}
	baseURL, stop := h.Streams(t)
	h.send("m1", "one")
	catchUp()
	news := servertest.Listen(t, baseURL, "/wps/events", "Authorization", h.token)
	row := h.act(h.latest(), "claim")
	h.reply(row.ID, "o1", "two")
	for len(got) < 2 {
		if _, open := <-news; !open {
			t.Fatal("the stream ended, want a chat event")
		}
		catchUp()
	}
	stop()
	h.reply(row.ID, "o2", "three") // while the member is disconnected
	h.Server.Close()

	ids := int64(1) << 40
	h.Site = servertest.New(t, store, servertest.Options(func(o *server.Options) { o.IDs = func() int64 { ids++; return ids } }))
	h.Clock.Add(time.Hour) // later than all earlier messages
	h.token = h.Login(t, "minhanh92", "qua-xanh7")
	h.operator = h.Operator(t, "minh", "support")
	baseURL, _ = h.Streams(t)
	news = servertest.Listen(t, baseURL, "/wps/events", "Authorization", h.token)
	catchUp()
	h.send("m1", "one") // sent again, because the browser got no response
	h.send("m2", "four")
	row = h.act(h.latest(), "release", "claim")
	h.reply(row.ID, "o3", "five")
	for len(got) < 5 {
		if _, open := <-news; !open {
			t.Fatal("the stream ended, want a chat event")
		}
		catchUp()
	}
	wantTexts(t, got, "one", "two", "three", "four", "five")
}
