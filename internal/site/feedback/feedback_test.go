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

func encodePNG(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

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

func errorCode(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

func wantEqual[T comparable](t *testing.T, what string, got, want T) {
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
		validPicture := encodePNG(t)
		for name, c := range map[string]struct {
			reply merchanttest.Reply
			want  string
		}{
			"VA-08 too short":     {send("a", "other", "too short"), "validation.range"},
			"VA-08 too long":      {send("b", "other", strings.Repeat("ă", 141)), "validation.range"},
			"unknown category":    {send("c", "love", "long enough text"), "feedback.category"},
			"VA-08 four pictures": {send("d", "other", "long enough text", validPicture, validPicture, validPicture, validPicture), "feedback.images"},
			"SE-07 not a picture": {send("e", "other", "long enough text", []byte("<svg onload=alert(1)>")), "feedback.format"},
			"picture too large":   {send("f", "other", "long enough text", make([]byte, 5<<20+1)), "feedback.too_large"},
		} {
			wantEqual(t, name, errorCode(t, c.reply), c.want)
		}
		created := merchanttest.Value[entry](t, send("g", "game", "<b>The wheel</b> stops\nsometimes", validPicture, validPicture))
		again := merchanttest.Value[entry](t, send("g", "game", "<b>The wheel</b> stops\nsometimes", validPicture, validPicture))
		wantEqual(t, "id when sent twice", again.ID, created.ID)
		wantEqual(t, "number of pictures", created.Images, 2)
		image := path + "/" + created.ID + "/image/2"
		wantEqual(t, "own picture", s.Call(t, "GET", image, nil, "Authorization", "player").Status, 200)
		wantEqual(t, "another member's picture", errorCode(t, s.Call(t, "GET", image, nil, "Authorization", "stranger")), "feedback.no_image")
		wantEqual(t, "picture for an operator", operator("GET", "/ops/v1/feedback/"+created.ID+"/image/1", nil).Status, 200)

		answer := map[string]any{"version": 1, "text": "It is repaired."}
		wantEqual(t, "outdated version", errorCode(t, operator("POST", "/ops/v1/feedback/"+created.ID+"/answer", map[string]any{"version": 9, "text": "x"})), "ops.stale")
		wantEqual(t, "status after the answer", merchanttest.Value[entry](t, operator("POST", "/ops/v1/feedback/"+created.ID+"/answer", answer)).Status, "answered")
		wantEqual(t, "second answer", errorCode(t, operator("POST", "/ops/v1/feedback/"+created.ID+"/answer", answer)), "feedback.answered")
		history := merchanttest.Value[struct{ List []entry }](t, s.Call(t, "GET", path, nil, "Authorization", "player"))
		wantEqual(t, "length of the history", len(history.List), 1)
		wantEqual(t, "answer", history.List[0].Answer, "It is repaired.")
		inbox := merchanttest.Value[struct {
			List []struct{ Kind, Preview string }
		}](t, s.Call(t, "GET", "/wps/relay/EMFE_getInboxMessages", nil, "Authorization", "player"))
		wantEqual(t, "kind in the inbox", inbox.List[0].Kind, "feedback.answered")
		wantEqual(t, "text in the inbox", inbox.List[0].Preview, "It is repaired.")
		others := merchanttest.Value[struct{ List []entry }](t, s.Call(t, "GET", path, nil, "Authorization", "stranger"))
		wantEqual(t, "another member's history", len(others.List), 0)
		openFeedback := merchanttest.Value[struct{ List []entry }](t, operator("GET", "/ops/v1/feedback?state=open", nil))
		wantEqual(t, "open feedback", len(openFeedback.List), 0)
	})
}
