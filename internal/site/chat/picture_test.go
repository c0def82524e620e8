package chat_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"testing"
	"time"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/chat"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// sendPicture sends a picture as a visitor if headers has a cookie, or else as the member.
func (h *chatSite) sendPicture(clientID string, data []byte, headers ...string) merchanttest.Reply {
	h.t.Helper()
	h.Refill()
	body, bodyType := upload(h.t, clientID, "image/png", data)
	path := "/wps/visitor/chat/images"
	if len(headers) == 0 {
		path, headers = "/wps/chat/images", []string{"Authorization", h.token}
	}
	return h.Call(h.t, http.MethodPost, path, body, append(headers, "Content-Type", bodyType)...)
}

// visitor returns the cookie header of a new visitor.
func (h *chatSite) visitor() []string {
	h.t.Helper()
	h.Refill()
	cookies := (&http.Response{Header: h.Call(h.t, http.MethodGet, "/wps/visitor/chat", nil).Header}).Cookies()
	if len(cookies) != 1 {
		h.t.Fatalf("cookies = %v, want one", cookies)
	}
	return []string{"Cookie", cookies[0].Name + "=" + cookies[0].Value}
}

// wantStored checks how many pictures are stored, and that each is in a message.
func (h *chatSite) wantStored(want int) {
	h.t.Helper()
	got := 0
	if err := h.Blobs.Each(h.t.Context(), func(string) error { got++; return nil }); err != nil {
		h.t.Fatal(err)
	}
	if got != want {
		h.t.Errorf("stored pictures: got %d, want %d", got, want)
	}
	if got := h.Number(h.t, "SELECT COUNT(*) FROM discarded"); got != 0 {
		h.t.Errorf("stored pictures without a message: got %d, want none", got)
	}
}

func smallPicture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRefusedAndRepeatedPicturesAreNotStored(t *testing.T) {
	t.Parallel()
	h, data := newChatSite(t, dbtest.SQLite(t)), smallPicture(t)
	sent := merchanttest.Value[chat.Message](t, h.sendPicture("a", data))
	for range 10 { // a repetition counts nowhere
		if again := merchanttest.Value[chat.Message](t, h.sendPicture("a", data)); again != sent {
			t.Errorf("repeated picture: got %+v, want %+v", again, sent)
		}
	}
	h.wantStored(1)
	for i := range 9 {
		h.Refill()
		h.send(fmt.Sprint("text", i), "x")
	}
	wantError(t, h.sendPicture("b", data), 429, "rate.limited") // the limit of messages, after the picture was stored
	h.wantStored(1)
	h.Clock.Add(2 * time.Minute)
	for i := range 5 {
		wantError(t, h.sendPicture(fmt.Sprint("bad", i), []byte("no picture")), 400, "chat.picture")
	}
	wantError(t, h.sendPicture("c", data), 429, "rate.limited") // pictures that were refused count, too
	h.wantStored(1)
}

func TestVisitorsOutsideOpeningHoursStoreNoPictures(t *testing.T) {
	t.Parallel()
	h, data := newChatSite(t, dbtest.SQLite(t)), smallPicture(t)
	h.Set(t, merchant.ChatHours, `{"opens":"08:00","closes":"09:00"}`)
	for h.Clock.Now().In(time.FixedZone("", 7*3600)).Hour() != 9 {
		h.Clock.Add(time.Hour)
	}
	for range 12 { // more than the limit of a network, which counts only pictures that could be accepted
		wantError(t, h.sendPicture("a", data, h.visitor()...), 422, "chat.offline")
	}
	h.wantStored(0)
}

func TestPicturesOfVisitorsFromOneNetworkAreLimitedTogether(t *testing.T) {
	t.Parallel()
	h, data := newChatSite(t, dbtest.SQLite(t)), smallPicture(t)
	one, two := h.visitor(), h.visitor()
	for i := range 5 {
		merchanttest.Value[chat.Message](t, h.sendPicture(fmt.Sprint(i), data, one...))
		merchanttest.Value[chat.Message](t, h.sendPicture(fmt.Sprint(i), data, two...))
	}
	for _, who := range [][]string{one, two, h.visitor()} {
		wantError(t, h.sendPicture("more", data, who...), 429, "rate.limited")
	}
	h.wantStored(10)
	merchanttest.Value[chat.Message](t, h.sendPicture("member", data))
	merchanttest.Value[chat.Message](t, h.sendPicture("more", data, append(h.visitor(), "X-Forwarded-For", "203.0.113.9")...))
	h.wantStored(12)
}
