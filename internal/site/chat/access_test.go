package chat_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"net/http"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestRO03RO07TrialUsersHaveNoLiveChatPart(t *testing.T) {
	t.Parallel()
	s := servertest.New(t, dbtest.SQLite(t))
	s.AddMember(t, 801, "player")
	s.Serve(t, merchanttest.Tokens{
		"player": s.Caller(801, "player"), "trial": {MemberID: 802, MerchantID: s.ID, Type: rest.Trial, Currency: "VND"},
	}, func(a *rest.API) { s.Server.Routes(a, nil) })
	call := func(who, path string) merchanttest.Reply {
		return s.Call(t, http.MethodGet, path, nil, "Authorization", who)
	}
	for _, path := range []string{"/wps/relay/CBS_launchChat", "/wps/relay/CBS_unreadCount", "/wps/relay/CSP_unreadCount", "/wps/chat"} {
		wantError(t, call("trial", path), 403, "member.trial_refused")
		if r := call("player", path); r.Status != http.StatusOK {
			t.Errorf("%s of a member: got %d %s, want 200", path, r.Status, r.Body)
		}
	}
}

// encodePNG returns a picture whose header states a size.
func encodePNG(t *testing.T, width, height uint32) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	header := file[12:29] // the IHDR chunk
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(header))
	return file
}

func TestSE07ChatPicturesPart(t *testing.T) {
	t.Parallel()
	h := newChatSite(t, dbtest.SQLite(t))
	send := func(clientID string, data []byte) merchanttest.Reply {
		body, bodyType := upload(t, clientID, "image/png", data)
		return h.Call(t, http.MethodPost, "/wps/chat/images", body, "Authorization", h.token, "Content-Type", bodyType)
	}
	valid := encodePNG(t, 4, 4)
	padded := func(size int) []byte { return append(bytes.Clone(valid), make([]byte, size-len(valid))...) }
	wantError(t, send("bytes", padded(picture.MaxBytes+1)), 400, "chat.picture")
	wantError(t, send("body", padded(picture.MaxBytes+128<<10)), 413, "request.too_large")
	wantError(t, send("pixels", encodePNG(t, 60_000, 60_000)), 400, "chat.picture")
	if r := send("valid", padded(picture.MaxBytes)); r.Status != http.StatusOK {
		t.Errorf("a picture of the maximum size: got %d %s, want 200", r.Status, r.Body)
	}
}
