package account_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/identity/account"
	"fairground/internal/identity/member"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/site/merchant/merchanttest"
)

const headIcon = "/wps/member/headIcon"

type chosen struct{ Current string }

// twoColors returns a picture whose left half is red and whose right half is green.
func twoColors(width, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{R: 200, A: 255}
			if x >= width/2 {
				c = color.NRGBA{G: 200, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func pngOf(t testing.TB, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func jpegOf(t testing.TB, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// pngHeader returns a PNG that declares this size and has no pixels.
func pngHeader(width, height uint32) string {
	head := []byte("IHDR")
	head = binary.BigEndian.AppendUint32(head, width)
	head = binary.BigEndian.AppendUint32(head, height)
	head = append(head, 8, 6, 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d")
	out = append(out, head...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(head)))
}

// webpHeader returns a WebP with alpha that declares this size and has no pixels.
func webpHeader(width, height uint32) string {
	size := func(n uint32) string { n--; return string([]byte{byte(n), byte(n >> 8), byte(n >> 16)}) }
	return "RIFF\x40\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00" + size(width) + size(height) + "ALPH\x08\x00\x00\x00\x00abcdefg"
}

func sample(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// An uploader uploads pictures for one member, without rate limits.
type uploader struct {
	*testServer
	token string
}

func (p uploader) upload(t *testing.T, kind, query, data string) merchanttest.Reply {
	t.Helper()
	p.Clock.Add(11 * time.Minute)
	p.Refill()
	return p.Call(t, "POST", headIcon+"/upload"+query, data, "Authorization", p.token, "Content-Type", kind)
}

// current returns the member's picture.
func (p uploader) current(t *testing.T, reply merchanttest.Reply) (image.Image, []byte) {
	t.Helper()
	file := p.Call(t, "GET", merchanttest.Value[chosen](t, reply).Current, nil, "Authorization", p.token)
	if file.Status != http.StatusOK {
		t.Fatalf("get the picture: %d %s, want 200", file.Status, file.Body)
	}
	m, err := jpeg.Decode(bytes.NewReader(file.Body))
	if err != nil {
		t.Fatal(err)
	}
	return m, file.Body
}

func TestSE07UploadedPicture(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		p := uploader{h, token}
		red, green := color.RGBA{R: 200, A: 255}, color.RGBA{G: 200, A: 255}
		wide := pngOf(t, twoColors(300, 100))
		withMetadata := strings.Replace(jpegOf(t, twoColors(80, 80)), "\xff\xd8", "\xff\xd8\xff\xe1\x00\x12Exif home address", 1)
		for name, c := range map[string]struct {
			kind, query, data string
			left, right       color.RGBA
		}{
			"wide":                          {"image/png", "", wide, red, green},
			"tall":                          {"image/png", "", pngOf(t, twoColors(100, 300)), red, green},
			"cropped":                       {"image/png", "?x=200&y=0&size=100", wide, green, green},
			"content type with a parameter": {"IMAGE/PNG; a=b", "?x=0&y=10&size=90", wide, red, red},
			"JPEG with metadata":            {"image/jpeg", "", withMetadata, red, green},
			"progressive JPEG":              {"image/jpeg", "", sample(t, "progressive.jpg"), red, green},
			"lossy WebP":                    {"image/webp", "", sample(t, "lossy.webp"), red, green},
			"lossless WebP":                 {"image/webp", "", sample(t, "lossless.webp"), red, green},
			"transparent WebP":              {"image/webp", "", sample(t, "transparent.webp"), color.RGBA{R: 29, G: 21, B: 153, A: 255}, color.RGBA{R: 29, G: 21, B: 153, A: 255}},
			"HTML after the picture":        {"image/png", "", wide + "<script>alert(1)</script>", red, green},
			"one pixel":                     {"image/png", "", pngOf(t, twoColors(1, 1)), green, green},
		} {
			m, data := p.current(t, p.upload(t, c.kind, c.query, c.data))
			if m.Bounds() != image.Rect(0, 0, 256, 256) || !near(m.At(20, 128), c.left) || !near(m.At(235, 128), c.right) {
				t.Errorf("%s: size %v with %v left and %v right, want 256×256 with %v and %v", name, m.Bounds(), m.At(20, 128), m.At(235, 128), c.left, c.right)
			}
			if bytes.Contains(data, []byte("Exif")) || bytes.Contains(data, []byte("script")) {
				t.Errorf("%s: the stored picture has metadata", name)
			}
		}
	})
}

// near reports whether two colours are close. Lossy formats change colours slightly.
func near(got color.Color, want color.RGBA) bool {
	r, g, b, _ := got.RGBA()
	off := func(a uint32, b uint8) bool { return a>>8 > uint32(b)+20 || a>>8+20 < uint32(b) }
	return !off(r, want.R) && !off(g, want.G) && !off(b, want.B)
}

func TestSE07InvalidPictures(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		p := uploader{h, token}
		valid := pngOf(t, twoColors(64, 64))
		photo := jpegOf(t, twoColors(64, 64))
		type response struct {
			status int
			body   string
		}
		noBody := response{http.StatusBadRequest, `{"success":false,"message":"request body is required","errorCode":"request_param_err"}`}
		badFormat := response{http.StatusBadRequest, `{"success":false,"message":"the request is not valid","errorCode":"avatar.format"}`}
		tooManyPixels := response{http.StatusRequestEntityTooLarge, `{"success":false,"message":"the request is too large","errorCode":"avatar.too_large"}`}
		tooManyBytes := response{http.StatusRequestEntityTooLarge, `{"success":false,"message":"the request is too large","errorCode":"request.too_large"}`}
		badCrop := response{http.StatusBadRequest, `{"success":false,"message":"the request is not valid","errorCode":"avatar.crop"}`}
		for name, c := range map[string]struct {
			kind, query, data string
			want              response
		}{
			"empty":                      {"image/png", "", "", noBody},
			"SVG as PNG":                 {"image/png", "", "<svg xmlns='http://www.w3.org/2000/svg'/>", badFormat},
			"SVG":                        {"image/svg+xml", "", "<svg xmlns='http://www.w3.org/2000/svg'/>", badFormat},
			"GIF":                        {"image/gif", "", sample(t, "still.gif"), badFormat},
			"GIF as PNG":                 {"image/png", "", sample(t, "still.gif"), badFormat},
			"JPEG as PNG":                {"image/png", "", photo, badFormat},
			"multipart form":             {"multipart/form-data; boundary=a", "", valid, badFormat},
			"no content type":            {"", "", valid, badFormat},
			"truncated PNG":              {"image/png", "", valid[:len(valid)/2], badFormat},
			"truncated JPEG":             {"image/jpeg", "", photo[:len(photo)/2], badFormat},
			"truncated WebP":             {"image/webp", "", sample(t, "lossy.webp")[:60], badFormat},
			"header without pixels":      {"image/png", "", pngHeader(64, 64), badFormat},
			"magic bytes only":           {"image/jpeg", "", "\xff\xd8\xff", badFormat},
			"animated WebP":              {"image/webp", "", sample(t, "animated.webp"), badFormat},
			"damaged PNG":                {"image/png", "", valid[:60] + "xxxx" + valid[64:], badFormat},
			"JPEG with many scans":       {"image/jpeg", "", "\xff\xd8\xff\xfe\x00\x84" + strings.Repeat("\xff\xda", 65) + photo[2:], badFormat},
			"no pixels":                  {"image/png", "", pngHeader(0, 64), badFormat},
			"huge size in the header":    {"image/png", "", pngHeader(60_000, 60_000), tooManyPixels},
			"one pixel row too many":     {"image/png", "", pngHeader(4096, 4097), tooManyPixels},
			"huge WebP":                  {"image/webp", "", webpHeader(16_384, 16_384), tooManyPixels},
			"decompression bomb":         {"image/png", "", pngOf(t, image.NewPaletted(image.Rect(0, 0, 8192, 4096), color.Palette{color.Black})), tooManyPixels},
			"too many bytes":             {"image/png", "", valid + strings.Repeat("x", 5<<20), tooManyBytes},
			"square outside the picture": {"image/png", "?x=1&y=0&size=64", valid, badCrop},
			"negative square":            {"image/png", "?x=-1&y=0&size=10", valid, badCrop},
			"square too large":           {"image/png", "?x=0&y=0&size=65", valid, badCrop},
			"empty square":               {"image/png", "?x=3&y=0&size=0", valid, badCrop},
			"square that overflows":      {"image/png", "?x=9223372036854775807&y=0&size=2", valid, badCrop},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, p.upload(t, c.kind, c.query, c.data), c.want.status, c.want.body)
			})
		}
		for _, query := range []string{"?x=a", "?x=99999999999999999999", "?size=1.5"} {
			if reply := p.upload(t, "image/png", query, valid); reply.Status != http.StatusUnprocessableEntity && reply.Status != http.StatusBadRequest {
				t.Errorf("%s = %d %s, want 400 or 422", query, reply.Status, reply.Body)
			}
		}
		if n := h.count(t, "discarded"); n != 0 {
			t.Errorf("%d discarded files after refused uploads, want 0", n)
		}
		merchanttest.Want(t, h.Call(t, "GET", headIcon, nil, "Authorization", token), http.StatusOK,
			`{"success":true,"value":{"current":"","presets":[{"id":"fox","url":"/m/art/avatars/fox.webp"},{"id":"panda","url":"/m/art/avatars/panda.webp"},
				{"id":"tiger","url":"/m/art/avatars/tiger.webp"},{"id":"lion","url":"/m/art/avatars/lion.webp"},{"id":"rabbit","url":"/m/art/avatars/rabbit.webp"},
				{"id":"cat","url":"/m/art/avatars/cat.webp"},{"id":"dog","url":"/m/art/avatars/dog.webp"},{"id":"monkey","url":"/m/art/avatars/monkey.webp"},
				{"id":"frog","url":"/m/art/avatars/frog.webp"},{"id":"koala","url":"/m/art/avatars/koala.webp"},{"id":"unicorn","url":"/m/art/avatars/unicorn.webp"},
				{"id":"dragon","url":"/m/art/avatars/dragon.webp"}]}}`)
	})
}

func TestAvatar(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		_, token := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		_, other := h.member(t, "other001", "qua-xanh7", member.Player)
		_, trial := h.member(t, "trial01", "qua-xanh7", member.Trial)
		p := uploader{h, token}
		put := func(token string, b any) merchanttest.Reply {
			return h.Call(t, "PUT", headIcon, b, "Authorization", token)
		}
		merchanttest.Want(t, put(token, body{"preset": "fox"}), http.StatusOK, `{"success":true,"value":{"current":"/m/art/avatars/fox.webp"}}`)
		for _, bad := range []string{"", "Fox", "fox ", "../fox", "avatar/x.jpg", "unknown", strings.Repeat("x", 64)} {
			merchanttest.Want(t, put(token, body{"preset": bad}), http.StatusNotFound,
				`{"success":false,"message":"not found","errorCode":"avatar.unknown","field":"preset"}`)
		}
		for _, bad := range []any{body{}, body{"preset": 1}, body{"preset": nil}, body{"preset": "fox", "member": 2}, "x"} {
			if reply := put(token, bad); reply.Status/100 != 4 {
				t.Errorf("%v: status = %d, want 4xx", bad, reply.Status)
			}
		}
		merchanttest.Want(t, h.Call(t, "GET", "/wps/member/info", nil, "Authorization", token), http.StatusOK,
			`{"success":true,"value":{"account":"minhanh92","avatar":"/m/art/avatars/fox.webp","clubLabel":{"labelName":""},"id":"(varies)","nickname":"","type":0}}`, "id")
		merchanttest.Want(t, h.Call(t, "GET", "/wps/member/profile", nil, "Authorization", token), http.StatusOK,
			`{"success":true,"value":{"account":"minhanh92","avatar":"/m/art/avatars/fox.webp","email":"","facebook":"","idNumber":"","language":"vi","line":"",
				"mobile":"","nickname":"","payeeName":"","qqNum":"","wechat":"","whatsapp":"","zalo":""}}`)

		first := merchanttest.Value[chosen](t, p.upload(t, "image/png", "", pngOf(t, twoColors(9, 9)))).Current
		file := h.Call(t, "GET", first, nil, "Authorization", token)
		for name, want := range map[string]string{
			"Content-Type": "image/jpeg", "Content-Disposition": `attachment; filename="avatar.jpg"`, "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "no-store",
		} {
			if got := file.Header.Get(name); got != want {
				t.Errorf("header %s = %q, want %q", name, got, want)
			}
		}
		merchanttest.Want(t, h.Call(t, "GET", first, nil, "Authorization", other), http.StatusNotFound, unknownAvatar)
		merchanttest.Want(t, h.Call(t, "GET", first, nil), http.StatusUnauthorized,
			`{"success":false,"message":"a valid session is needed","errorCode":"login.not.session"}`)
		for _, bad := range []string{"x.jpg", "fox", "..%2F..%2Fsecret"} {
			merchanttest.Want(t, h.Call(t, "GET", headIcon+"/file/"+bad, nil, "Authorization", token), http.StatusNotFound, unknownAvatar)
		}
		for path, method := range map[string]string{headIcon: "GET", headIcon + "/file/x.jpg": "GET"} {
			merchanttest.Want(t, h.Call(t, method, path, nil, "Authorization", trial), http.StatusForbidden, trialRefused)
		}
		merchanttest.Want(t, put(trial, body{"preset": "fox"}), http.StatusForbidden, trialRefused)
		merchanttest.Want(t, uploader{h, trial}.upload(t, "image/png", "", pngOf(t, twoColors(9, 9))), http.StatusForbidden, trialRefused)

		t.Run("a replaced picture is deleted a day later", func(t *testing.T) {
			second := merchanttest.Value[chosen](t, p.upload(t, "image/png", "", pngOf(t, twoColors(9, 9)))).Current
			if second == first {
				t.Fatal("two pictures have the same URL")
			}
			merchanttest.Want(t, h.Call(t, "GET", first, nil, "Authorization", token), http.StatusNotFound, unknownAvatar)
			open := func(url string) error {
				r, err := h.Blobs.Open(t.Context(), "avatar/"+url[strings.LastIndex(url, "/")+1:])
				if err == nil {
					err = r.Close()
				}
				return err
			}
			h.sweep(t)
			if err := open(first); err != nil {
				t.Errorf("deleted too early: %v", err)
			}
			h.Clock.Add(26 * time.Hour)
			h.sweep(t)
			if err := open(first); !errors.Is(err, blob.ErrUnknown) {
				t.Errorf("open after a day: %v, want blob.ErrUnknown", err)
			}
			if err := open(second); err != nil {
				t.Errorf("open: got %v, want no error", err)
			}
		})
		t.Run("uploads are limited", func(t *testing.T) {
			token := h.login(t, "other001", "qua-xanh7")
			for i := range 11 {
				reply := h.Call(t, "POST", headIcon+"/upload", "x", "Authorization", token, "Content-Type", "image/png")
				if want := http.StatusBadRequest; i < 10 && reply.Status != want {
					t.Fatalf("upload %d = %d %s, want %d", i, reply.Status, reply.Body, want)
				}
				if i == 10 && reply.Status != http.StatusTooManyRequests {
					t.Errorf("got %s, want 429", reply.Body)
				}
			}
		})
		t.Run("module is off", func(t *testing.T) {
			h.disableModule(t, "PROFPIC3")
			token := h.login(t, "other001", "qua-xanh7")
			for path, method := range map[string]string{headIcon: "GET", headIcon + "/file/x.jpg": "GET", headIcon + "/upload": "POST"} {
				merchanttest.Want(t, h.Call(t, method, path, nil, "Authorization", token), http.StatusForbidden, avatarsOff)
			}
			merchanttest.Want(t, put(token, body{"preset": "fox"}), http.StatusForbidden, avatarsOff)
		})
	})
}

func TestConcurrentUploadsKeepOneFile(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
		data := []byte(pngOf(t, twoColors(9, 9)))
		replica := account.New(h.options())
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				server := []*account.Service{h.accounts, replica}[i%2]
				_, err := server.UploadAvatar(t.Context(), id, "image/png", data, account.Crop{})
				for errors.Is(err, ratelimit.ErrLimited) { // each replica accepts one upload per member at once
					time.Sleep(time.Millisecond)
					_, err = server.UploadAvatar(t.Context(), id, "image/png", data, account.Crop{})
				}
				if err != nil {
					t.Errorf("got %v, want no error", err)
				}
			})
		}
		all.Wait()
		h.Clock.Add(26 * time.Hour)
		h.sweep(t)
		var left []string
		if err := h.Blobs.Each(t.Context(), func(name string) error { left = append(left, name); return nil }); err != nil {
			t.Fatal(err)
		}
		if url, err := h.accounts.Avatar(t.Context(), id); err != nil || len(left) != 1 || !strings.HasSuffix(left[0], url[strings.LastIndex(url, "/"):]) {
			t.Errorf("stored files = %v, avatar = %v, %v, want one file", left, url, err)
		}
		if n := h.count(t, "discarded"); n != 0 {
			t.Errorf("%d discarded files, want 0", n)
		}
	})
}

func TestOneUploadPerMemberAtOnce(t *testing.T) {
	t.Parallel()
	h := newServer(t, dbtest.SQLite(t))
	id, _ := h.member(t, "minhanh92", "qua-xanh7", member.Player)
	other, _ := h.member(t, "other001", "qua-xanh7", member.Player)
	data := []byte(pngOf(t, twoColors(64, 64)))
	release := h.accounts.HoldDecodeSlot()
	first := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := h.accounts.UploadAvatar(ctx, id, "image/png", data, account.Crop{})
		first <- err
	}()
	for !h.accounts.Uploading(id) {
		time.Sleep(time.Millisecond)
	}
	// The first upload is still waiting, so this one must fail immediately.
	if _, err := h.accounts.UploadAvatar(t.Context(), id, "image/png", data, account.Crop{}); !errors.Is(err, ratelimit.ErrLimited) {
		t.Errorf("second upload: %v, want ErrLimited", err)
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("canceled upload: %v, want context.Canceled", err)
	}
	release()
	for _, who := range []int64{id, other} {
		if _, err := h.accounts.UploadAvatar(t.Context(), who, "image/png", data, account.Crop{}); err != nil {
			t.Errorf("upload after the release: %v", err)
		}
	}
}
