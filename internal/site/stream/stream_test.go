package stream_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/catalogue"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/stream"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// A streamSite is a site with a member, an operator and a game.
type streamSite struct {
	*servertest.Site

	t        *testing.T
	token    string
	operator servertest.Operator
}

func newStreamSite(t *testing.T, store *db.Store) *streamSite {
	t.Helper()
	s := &streamSite{Site: servertest.New(t, store), t: t}
	s.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7"})
	s.token = s.Login(t, "minhanh92", "qua-xanh7")
	s.operator = s.Operator(t, "thuha", "support")
	err := s.Server.Catalogue.PutVendors(t.Context(), s.ID, []catalogue.Vendor{{Code: "PG", DisplayName: "Peach", AccountType: "PG", Categories: []string{"RNG"}, Enabled: true}})
	if err == nil {
		err = s.Server.Catalogue.PutGames(t.Context(), s.ID, []catalogue.Game{{
			Code: "rng-1", LaunchCode: "rng-1", Icon: "/m/art/tiles/rng-001.webp", Vendor: "PG", Category: "RNG", Names: map[string]string{"vi": "Một", "en": "One", "ur": "ایک", "pt": "Um"}, Enabled: true, SupportPlay: true,
		}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const videoURL = "https://video.example/live/a.m3u8"

// draft returns a request body for a stream. changes lists the names and values of fields to replace.
func draft(changes ...any) map[string]any {
	body := map[string]any{"names": map[string]string{"vi": "Trận đấu", "ur": "میچ"}, "host": "Hà My", "url": videoURL, "games": []string{"rng-1"}, "active": true, "chat": true}
	for i := 0; i < len(changes); i += 2 {
		body[changes[i].(string)] = changes[i+1]
	}
	return body
}

func (s *streamSite) create(changes ...any) stream.Editable {
	s.t.Helper()
	return merchanttest.Value[stream.Editable](s.t, s.operator(http.MethodPost, "/ops/v1/streams", draft(changes...)))
}

func (s *streamSite) row(id string) stream.Editable {
	s.t.Helper()
	return merchanttest.Value[stream.Editable](s.t, s.operator(http.MethodGet, "/ops/v1/streams/"+id, nil))
}

// act runs an action on the current version of a stream. more lists names and values of body fields.
func (s *streamSite) act(id, action string, more ...any) merchanttest.Reply {
	s.t.Helper()
	body := map[string]any{"version": s.row(id).Version}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return s.operator(http.MethodPost, "/ops/v1/streams/"+id+"/"+action, body)
}

func (s *streamSite) createLive() string {
	s.t.Helper()
	id := s.create().ID
	merchanttest.Value[struct{}](s.t, s.act(id, "start"))
	return id
}

func (s *streamSite) list(query string, headers ...string) (out []stream.Listed) {
	s.t.Helper()
	return merchanttest.Value[struct{ List []stream.Listed }](s.t, s.Call(s.t, http.MethodGet, "/wps/liveStreams"+query, nil, headers...)).List
}

func (s *streamSite) show(id string, headers ...string) stream.View {
	s.t.Helper()
	return merchanttest.Value[stream.View](s.t, s.Call(s.t, http.MethodGet, "/wps/liveStreams/"+id, nil, headers...))
}

func (s *streamSite) send(id, clientID, text string) merchanttest.Reply {
	s.t.Helper()
	return s.Call(s.t, http.MethodPost, "/wps/liveStreams/"+id+"/messages", map[string]any{"clientId": clientID, "text": text}, "Authorization", s.token)
}

func (s *streamSite) texts(id string, headers ...string) (out []string) {
	s.t.Helper()
	for _, m := range merchanttest.Value[stream.Messages](s.t, s.Call(s.t, http.MethodGet, "/wps/liveStreams/"+id+"/messages", nil, headers...)).List {
		out = append(out, m.Name+": "+m.Text)
	}
	return out
}

func wantError(t *testing.T, r merchanttest.Reply, status int, code string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), `"errorCode":"`+code+`"`) {
		t.Errorf("got %d %s, want %d %s", r.Status, r.Body, status, code)
	}
}

func TestOS16ListAndStream(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		now := s.Clock.Now().UnixMilli()
		s.create("active", false)
		later := s.create("startsAt", now+60_000, "names", map[string]string{"en": "Later"})
		s.create("startsAt", now-60_000, "endsAt", now-1)
		off := s.create("recorded", true)
		live := s.createLive()
		ids := func(list []stream.Listed) (out []string) {
			for _, v := range list {
				out = append(out, v.ID+" "+v.Status)
			}
			return out
		}
		if got, want := ids(s.list("")), []string{live + " live", later.ID + " scheduled", off.ID + " off"}; !slices.Equal(got, want) {
			t.Errorf("list = %q, want %q", got, want)
		}
		if got, want := ids(s.list("?streaming=true")), []string{live + " live"}; !slices.Equal(got, want) {
			t.Errorf("list of live streams = %q, want %q", got, want)
		}
		for language, want := range map[string]string{"vi": "Trận đấu", "ur": "میچ", "pt": "Trận đấu", "en": "Trận đấu"} {
			if got := s.show(live, "Language", language).Name; got != want {
				t.Errorf("name in %s = %q, want %q", language, got, want)
			}
		}
		if got := s.show(later.ID, "Language", "pt").Name; got != "Later" {
			t.Errorf("name without Vietnamese = %q, want the English one", got)
		}
		shown := s.show(live, "Language", "en")
		if shown.URL != videoURL || !shown.Chat || !shown.Streaming || len(shown.Games) != 1 || shown.Games[0].NodeName != "One" || shown.Games[0].Vassalage != "PG" {
			t.Errorf("stream = %+v, want its URL, an open chat and game One of PG", shown)
		}
		if got := s.show(off.ID); got.URL != "" || got.Chat || !got.Recorded {
			t.Errorf("stream that is off = %+v, want a recording without URL and chat", got)
		}
		s.Clock.Add(2 * time.Minute)
		if got := s.show(later.ID).Status; got != stream.Off {
			t.Errorf("status after its start = %s, want %s", got, stream.Off)
		}
		wantError(t, s.Call(t, http.MethodGet, "/wps/liveStreams/1", nil), 404, "stream.unknown")
	})
}

func TestStreamChat(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		id := s.create().ID
		wantError(t, s.send(id, "a0", "too early"), 422, "stream.closed")
		merchanttest.Value[struct{}](t, s.act(id, "start"))
		script := "<script>alert(1)</script>"
		sent := merchanttest.Value[stream.Message](t, s.send(id, "a1", "  "+script+"\u202e\n"))
		if sent.Text != script || !sent.Mine || sent.Name == "minhanh92" {
			t.Errorf("message = %+v, want %q by the caller with a masked name", sent, script)
		}
		if again := merchanttest.Value[stream.Message](t, s.send(id, "a1", "other")); again != sent {
			t.Errorf("message sent twice = %+v, want the stored message %+v", again, sent)
		}
		wantError(t, s.send(id, "a2", " \u200f\n "), 400, "stream.empty")
		want := []string{sent.Name + ": " + script}
		if got := s.texts(id); !slices.Equal(got, want) {
			t.Errorf("a visitor reads %q, want %q", got, want)
		}
		wantError(t, s.Call(t, http.MethodPost, "/wps/liveStreams/"+id+"/messages", map[string]any{"clientId": "v", "text": "hi"}), 401, "login.not.session")
		for i := range 4 {
			merchanttest.Value[stream.Message](t, s.send(id, fmt.Sprint("b", i), "flood"))
		}
		wantError(t, s.send(id, "b9", "flood"), 429, "rate.limited")
		s.Clock.Add(4 * time.Second)
		merchanttest.Value[stream.Message](t, s.send(id, "b9", "slower"))
	})
}

func TestChatModeration(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		id := s.createLive()
		httpServer := s.serve()
		lines := follow(t, httpServer.URL+"/wps/liveStreams/"+id+"/events", merchanttest.Code)
		merchanttest.Value[stream.Message](t, s.send(id, "a1", "good"))
		bad := merchanttest.Value[stream.Message](t, s.send(id, "a2", "bad"))
		waitFor(t, lines, `"text":"good"`)
		waitFor(t, lines, `"text":"bad"`)
		hide := func(seq int64) merchanttest.Reply {
			return s.operator(http.MethodPost, "/ops/v1/streams/"+id+"/hide", map[string]any{"seq": seq, "reason": "abuse"})
		}
		merchanttest.Value[struct{}](t, hide(bad.Seq))
		merchanttest.Value[struct{}](t, hide(bad.Seq))
		wantError(t, hide(99), 404, "stream.unknown")
		waitFor(t, lines, "event: hidden")
		waitFor(t, lines, fmt.Sprintf(`data: {"seq":%d}`, bad.Seq))
		if got := s.texts(id); len(got) != 1 || !strings.HasSuffix(got[0], ": good") {
			t.Errorf("messages = %q, want only good", got)
		}
		talk := merchanttest.Value[struct{ List []stream.TalkRow }](t, s.operator(http.MethodGet, "/ops/v1/streams/"+id+"/messages", nil)).List
		if len(talk) != 2 || talk[0].Text != "bad" || talk[0].HiddenBy != "thuha" || talk[1].Username != "minhanh92" {
			t.Errorf("operators read %+v, want bad, hidden by thuha, then good", talk)
		}

		mute := func(minutes int) merchanttest.Reply {
			return s.operator(http.MethodPost, "/ops/v1/streams/"+id+"/mute", map[string]any{"seq": bad.Seq, "minutes": minutes})
		}
		merchanttest.Value[struct{}](t, mute(10))
		wantError(t, s.send(id, "a3", "still here"), 422, "stream.muted")
		if got, want := s.show(id, "Authorization", s.token).MutedUntil, s.Clock.Now().Add(10*time.Minute).UnixMilli(); got != want {
			t.Errorf("muted until %d, want %d", got, want)
		}
		if got := s.show(id).MutedUntil; got != 0 {
			t.Errorf("a visitor is muted until %d, want 0", got)
		}
		s.Clock.Add(11 * time.Minute)
		merchanttest.Value[stream.Message](t, s.send(id, "a4", "back"))
		merchanttest.Value[struct{}](t, mute(10))
		merchanttest.Value[struct{}](t, mute(0))
		merchanttest.Value[stream.Message](t, s.send(id, "a5", "free"))
		merchanttest.Value[struct{}](t, s.act(id, "stop"))
		waitFor(t, lines, "event: changed")
		wantError(t, s.send(id, "a6", "too late"), 422, "stream.closed")
	})
}

// serve starts an HTTP server and the outbox.
func (s *streamSite) serve() *httptest.Server {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Server.Outbox.Run(ctx) }()
	httpServer := httptest.NewServer(s.Handler())
	s.t.Cleanup(func() {
		cancel()
		<-done
		s.Server.Hub.Close()
		httpServer.Close()
	})
	return httpServer
}

// follow opens an event stream as a visitor and returns its lines.
func follow(t *testing.T, url, merchant string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Merchant", merchant)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	if response.StatusCode != http.StatusOK {
		t.Fatalf("event stream: got %d, want 200", response.StatusCode)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(response.Body); in.Scan(); {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func waitFor(t *testing.T, lines <-chan string, part string) {
	t.Helper()
	for line := range lines {
		if strings.Contains(line, part) {
			return
		}
	}
	t.Fatalf("the event stream ended without %q", part)
}

func TestStreamEditing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		first, second := s.create(), s.create("names", map[string]string{"en": "Second"})
		for field, value := range map[string]any{
			"names": map[string]string{"ur": "میچ"}, "url": "http://video.example/a.m3u8", "poster": "https://elsewhere.example/a.webp",
			"games": []string{"none"}, "endsAt": 1,
		} {
			body := draft(field, value, "startsAt", 5)
			wantError(t, s.operator(http.MethodPost, "/ops/v1/streams", body), 400, "stream.malformed")
		}
		for _, bad := range []string{"https://a.example;script-src/x", "javascript:alert(1)", "https://u:p@a.example/x", "//a.example/x", "/etc/passwd", "https://a.example/ x"} {
			wantError(t, s.operator(http.MethodPost, "/ops/v1/streams", draft("url", bad)), 400, "stream.malformed")
		}
		changed := merchanttest.Value[stream.Editable](t, s.operator(http.MethodPut, "/ops/v1/streams/"+first.ID, draft("host", "Lan", "version", first.Version)))
		if changed.Host != "Lan" || changed.Version != first.Version+1 {
			t.Errorf("changed = %+v, want host Lan and version %d", changed, first.Version+1)
		}
		wantError(t, s.operator(http.MethodPut, "/ops/v1/streams/"+first.ID, draft("version", first.Version)), 409, "ops.stale")
		wantError(t, s.operator(http.MethodPost, "/ops/v1/streams/"+first.ID+"/start", map[string]any{"version": first.Version}), 409, "ops.stale")
		merchanttest.Value[struct{}](t, s.act(first.ID, "move", "after", second.ID))
		list := merchanttest.Value[struct{ List []stream.Editable }](t, s.operator(http.MethodGet, "/ops/v1/streams", nil)).List
		if len(list) != 2 || list[0].ID != second.ID {
			t.Errorf("list = %+v, want %s first", list, second.ID)
		}
		merchanttest.Value[struct{}](t, s.act(first.ID, "start"))
		if origins, err := s.Server.Streams.Origins(t.Context()); err != nil || !slices.Equal(origins, []string{"https://video.example"}) {
			t.Errorf("origins = %v %v, want https://video.example", origins, err)
		}
		merchanttest.Value[stream.Message](t, s.send(first.ID, "a1", "hello"))
		for _, id := range []string{first.ID, second.ID} {
			merchanttest.Value[struct{}](t, s.act(id, "delete", "reason", "over"))
			wantError(t, s.operator(http.MethodGet, "/ops/v1/streams/"+id, nil), 404, "stream.unknown")
		}
		if origins, err := s.Server.Streams.Origins(t.Context()); err != nil || len(origins) != 0 {
			t.Errorf("origins = %v %v, want none", origins, err)
		}
		actions := merchanttest.Value[struct{ List []struct{ Action string } }](t, s.Operator(t, "owner2", "owner")(http.MethodGet, "/ops/v1/audit", nil)).List
		for _, want := range []string{"stream.create", "stream.change", "stream.start", "stream.move", "stream.delete"} {
			if !slices.ContainsFunc(actions, func(a struct{ Action string }) bool { return a.Action == want }) {
				t.Errorf("the audit log lacks %s: %v", want, actions)
			}
		}
	})
}
