package stream_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
	"fairground/internal/site/stream"
)

func TestViewersAreCountedWhileTheySendHeartbeats(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		id := s.createLive()
		path := "/wps/liveStreams/" + id + "/watch"
		watch := func(viewer string, headers ...string) int64 {
			t.Helper()
			return merchanttest.Value[stream.Pulse](t, s.Call(t, http.MethodPost, path, map[string]any{"viewer": viewer}, headers...)).Viewers
		}
		want := func(what string, got, want int64) {
			t.Helper()
			if got != want {
				t.Errorf("viewers %s: got %d, want %d", what, got, want)
			}
		}
		want("of one visitor", watch("a"), 1)
		want("of the same visitor", watch("a"), 1)
		want("with a member", watch("b", "Authorization", s.token), 2)
		want("with the member in another browser", watch("c", "Authorization", s.token), 2)
		want("in the list", s.list("")[0].Viewers, 2)
		want("of the stream", s.show(id).Viewers, 2)
		s.Clock.Add(40 * time.Second)
		want("after the member's next heartbeat", watch("b", "Authorization", s.token), 2)
		s.Clock.Add(40 * time.Second)
		want("after the visitor left", s.show(id).Viewers, 1)
		if err := s.Server.Streams.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		want("after the sweep", s.show(id).Viewers, 1)
		merchanttest.Value[struct{}](t, s.act(id, "stop"))
		wantError(t, s.Call(t, http.MethodPost, path, map[string]any{"viewer": "a"}), 422, "stream.closed")
		merchanttest.Value[struct{}](t, s.act(id, "delete"))
	})
}

func TestReactionsAreCountedAndLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		id := s.createLive()
		react := func(kind string) merchanttest.Reply {
			t.Helper()
			return s.Call(t, http.MethodPost, "/wps/liveStreams/"+id+"/reactions", map[string]any{"kind": kind}, "Authorization", s.token)
		}
		for i := range int64(5) {
			if got := merchanttest.Value[stream.Reaction](t, react("fire")).Total; got != i+1 {
				t.Errorf("total of reaction %d: got %d, want %d", i, got, i+1)
			}
		}
		wantError(t, react("fire"), 429, "rate.limited")
		wantError(t, react("insult"), 400, "request_param_err")
		if got, want := fmt.Sprint(s.show(id).Reactions), "[{heart 0} {clap 0} {fire 5} {laugh 0}]"; got != want {
			t.Errorf("reactions: got %s, want %s", got, want)
		}
		// Reactions within a second cause one event.
		var announced int
		if err := store.Reader.QueryRow("SELECT COUNT(*) FROM outbox WHERE payload LIKE '%reaction%'").Scan(&announced); err != nil {
			t.Fatal(err)
		}
		if announced != 1 {
			t.Errorf("events: got %d, want 1", announced)
		}
		merchanttest.Value[struct{}](t, s.act(id, "stop"))
		s.Clock.Add(time.Minute)
		wantError(t, react("fire"), 422, "stream.closed")
	})
}

func TestOperatorsWriteNextToAStream(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newStreamSite(t, store)
		id := s.createLive()
		speak := func(clientID, text string) merchanttest.Reply {
			t.Helper()
			return s.operator(http.MethodPost, "/ops/v1/streams/"+id+"/messages", map[string]any{"clientId": clientID, "text": text})
		}
		first := merchanttest.Value[stream.Message](t, speak("a", "The match begins at 20:00"))
		again := merchanttest.Value[stream.Message](t, speak("a", "The match begins at 20:00"))
		if !first.Operator || first.Name != "" || first != again {
			t.Errorf("message: got %+v and %+v, want an operator's message without a name, stored once", first, again)
		}
		wantError(t, speak("b", "\u200e"), 400, "stream.empty")
		list := merchanttest.Value[stream.Messages](t, s.Call(t, http.MethodGet, "/wps/liveStreams/"+id+"/messages", nil, "Authorization", s.token)).List
		if len(list) != 1 || list[0] != first {
			t.Errorf("messages: got %+v, want only %+v", list, first)
		}
		rows := merchanttest.Value[struct{ List []stream.TalkRow }](t, s.operator(http.MethodGet, "/ops/v1/streams/"+id+"/messages", nil)).List
		if len(rows) != 1 || rows[0].Operator != "thuha" || rows[0].MemberID != "" {
			t.Errorf("operators' list: got %+v, want thuha's message without a member", rows)
		}
		wantError(t, s.operator(http.MethodPost, "/ops/v1/streams/"+id+"/mute", map[string]any{"seq": first.Seq, "minutes": 10}), 404, "stream.unknown")
		merchanttest.Value[struct{}](t, s.operator(http.MethodPost, "/ops/v1/streams/"+id+"/hide", map[string]any{"seq": first.Seq}))
		if got := s.texts(id); len(got) != 0 {
			t.Errorf("messages after hiding: got %q, want none", got)
		}
	})
}
