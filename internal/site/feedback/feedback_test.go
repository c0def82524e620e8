package feedback_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/textproto"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func picture(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// form returns a form and its content type.
func form(t *testing.T, category, content string, files ...[]byte) (body, contentType string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for name, text := range map[string]string{"category": category, "content": content} {
		if err := w.WriteField(name, text); err != nil {
			t.Fatal(err)
		}
	}
	for i, data := range files {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="image"; filename="%d.png"`, i)}, "Content-Type": {"image/png"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), w.FormDataContentType()
}

func code(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

type entry struct {
	ID, Status, Content, Answer string
	Images                      int
	Version                     int64
}

func TestOS17PartFeedbackIsSentAndAnswered(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := servertest.New(t, store)
		s.AddMember(t, 901, "player")
		s.AddMember(t, 902, "stranger")
		s.Serve(t, merchanttest.Tokens{"player": s.Caller(901, "player"), "stranger": s.Caller(902, "stranger")}, func(a *rest.API) { s.Server.Routes(a, nil) })
		operator := s.Operator(t, "helper", "support")
		const path = "/wps/member/feedback"
		send := func(key, category, content string, files ...[]byte) merchanttest.Reply {
			body, contentType := form(t, category, content, files...)
			return s.Call(t, "POST", path, body, "Authorization", "player", "Content-Type", contentType, "Idempotency-Key", key)
		}
		ok := picture(t)
		for name, c := range map[string]struct {
			reply merchanttest.Reply
			want  string
		}{
			"VA-08 short":         {send("a", "other", "too short"), "validation.range"},
			"VA-08 long":          {send("b", "other", strings.Repeat("ă", 141)), "validation.range"},
			"category":            {send("c", "love", "long enough text"), "feedback.category"},
			"VA-08 four images":   {send("d", "other", "long enough text", ok, ok, ok, ok), "feedback.images"},
			"SE-07 no picture":    {send("e", "other", "long enough text", []byte("<svg onload=alert(1)>")), "feedback.format"},
			"too large a picture": {send("f", "other", "long enough text", make([]byte, 5<<20+1)), "feedback.too_large"},
		} {
			want(t, name, code(t, c.reply), c.want)
		}
		made := merchanttest.Value[entry](t, send("g", "game", "<b>The wheel</b> stops\nsometimes", ok, ok))
		again := merchanttest.Value[entry](t, send("g", "game", "<b>The wheel</b> stops\nsometimes", ok, ok))
		want(t, "sent twice", again.ID, made.ID)
		want(t, "images", made.Images, 2)
		image := path + "/" + made.ID + "/image/2"
		want(t, "own picture", s.Call(t, "GET", image, nil, "Authorization", "player").Status, 200)
		want(t, "picture of another", code(t, s.Call(t, "GET", image, nil, "Authorization", "stranger")), "feedback.no_image")
		want(t, "operator's picture", operator("GET", "/ops/v1/feedback/"+made.ID+"/image/1", nil).Status, 200)

		answer := map[string]any{"version": 1, "text": "It is repaired."}
		want(t, "stale", code(t, operator("POST", "/ops/v1/feedback/"+made.ID+"/answer", map[string]any{"version": 9, "text": "x"})), "ops.stale")
		want(t, "answered", merchanttest.Value[entry](t, operator("POST", "/ops/v1/feedback/"+made.ID+"/answer", answer)).Status, "answered")
		want(t, "answered again", code(t, operator("POST", "/ops/v1/feedback/"+made.ID+"/answer", answer)), "feedback.answered")
		history := merchanttest.Value[struct{ List []entry }](t, s.Call(t, "GET", path, nil, "Authorization", "player"))
		want(t, "history", len(history.List), 1)
		want(t, "answer", history.List[0].Answer, "It is repaired.")
		inbox := merchanttest.Value[struct {
			List []struct{ Kind, Preview string }
		}](t, s.Call(t, "GET", "/wps/relay/EMFE_getInboxMessages", nil, "Authorization", "player"))
		want(t, "kind in the inbox", inbox.List[0].Kind, "feedback.answered")
		want(t, "text in the inbox", inbox.List[0].Preview, "It is repaired.")
		others := merchanttest.Value[struct{ List []entry }](t, s.Call(t, "GET", path, nil, "Authorization", "stranger"))
		want(t, "history of another", len(others.List), 0)
		open := merchanttest.Value[struct{ List []entry }](t, operator("GET", "/ops/v1/feedback?state=open", nil))
		want(t, "open", len(open.List), 0)
	})
}
