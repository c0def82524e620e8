package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// valuer implements slog.LogValuer.
type valuer struct{ v slog.Value }

func (v valuer) LogValue() slog.Value { return v.v }

func TestLogRedactsSecrets(t *testing.T) {
	t.Parallel()
	t.Run("SE-15 attributes and strings", func(t *testing.T) {
		t.Parallel()
		var out bytes.Buffer
		log := NewLog(&out, slog.LevelDebug)
		const secret = "s3cr3t-value"
		for name := range secretNames {
			log.Info("x", name, secret)
			log.Info("x", strings.ToUpper(name), secret)
			log.WithGroup("inner").Info("x", name, secret)
			log.With(name, secret).Info("x")
			log.Info("x", slog.Group("deeper", slog.String(name, secret)))
			log.Info("x", name, struct{ A string }{secret})
			log.Info("x", name, 70935)
			log.Info("x", name, 70935*time.Nanosecond)
			log.Info("x", name, time.UnixMilli(70935))
			log.Info("x", name, true, name, 70935.5)
			log.Info("x", slog.Group(name, "part", secret, "number", 70935))
			log.WithGroup(name).Info("x", "part", secret)
			log.Info("x", name, valuer{slog.StringValue(secret)})
			log.Info("x", name, valuer{slog.GroupValue(slog.Int("part", 70935))})
			log.Info("x", "plain", valuer{slog.GroupValue(slog.Int(name, 70935))})
		}
		log.Info("x", "error", errors.New("dial postgres://admin:"+secret+"@db.example/app failed"))
		log.Info("x", "url", "GET /wps/x?a=1&token="+secret+"&b=2")
		log.Error("password=" + secret)
		if err := Flush(log); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			var parts map[string]any
			if err := json.Unmarshal([]byte(line), &parts); err != nil {
				t.Fatal(err)
			}
			delete(parts, "time") // may contain the digits by chance
			if text := fmt.Sprint(parts); strings.Contains(text, secret) || strings.Contains(text, "70935") || strings.Contains(text, "1970") || strings.Contains(text, "true") {
				t.Errorf("got log line %s, want no secret value in it", line)
			}
		}
	})
}

func TestRequestLogContainsNoSecrets(t *testing.T) {
	t.Parallel()
	t.Run("SE-15 requests", func(t *testing.T) {
		t.Parallel()
		const secret = "s3cr3t-value"
		var out bytes.Buffer
		log := NewLog(&out, slog.LevelDebug)
		a := newTestAPI(t, func(o *Options) { o.Log = log })
		addEcho(a, Op{Path: "/wps/echo"})
		addEcho(a, Op{Path: "/wps/members", Access: Real})
		Typed(a, Op{Method: http.MethodPost, Path: "/wps/fail", ID: "fail"}, func(context.Context, *echoInput) (int, error) {
			return 0, errors.New("connect to postgres://app:" + secret + "@db/app")
		})
		for _, path := range []string{"/wps/echo", "/wps/members", "/wps/fail", "/wps/unknown", "/m/home"} {
			for _, body := range []string{`{"name":"` + secret + `"}`, `{"password":"` + secret + `"}`, `{"name":"` + secret} {
				w := call(t, a, http.MethodPost, path+"?token="+secret, body, "Authorization", secret, "Cookie", "a="+secret)
				if strings.Contains(w.Body.String(), secret) && w.Code != http.StatusOK {
					t.Errorf("the response of %s contains the secret: %s", path, w.Body)
				}
			}
		}
		if err := Flush(log); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), `"msg":"request"`); n != 15 {
			t.Errorf("logged %d requests, want 15", n)
		}
		if strings.Contains(out.String(), secret) {
			t.Errorf("the log contains the secret: %s", out.String())
		}
	})
}

func TestRequestLineMatchesSlog(t *testing.T) {
	t.Parallel()
	read := func(handler func(*bytes.Buffer) *slog.Logger) map[string]any {
		var out bytes.Buffer
		log := handler(&out)
		a := newTestAPI(t, func(o *Options) { o.Log = log })
		addGet(a, "/wps/{name}", Session, func(context.Context) (int, error) { return 1, nil })
		call(t, a, http.MethodGet, "/wps/%C3%A0%22%5C%01%F0%9F%98%80?x=1", "", "Authorization", "player")
		if err := Flush(log); err != nil {
			t.Fatal(err)
		}
		var line map[string]any
		if err := json.Unmarshal(out.Bytes(), &line); err != nil {
			t.Fatalf("%v: %s", err, out.String())
		}
		for _, name := range []string{"time", "took"} {
			if line[name] == nil {
				t.Errorf("the line has no %s, want it: %v", name, line)
			}
			delete(line, name)
		}
		if id, ok := line["request"].(string); !ok || len(id) != 24 {
			t.Errorf("request id = %v, want 24 characters", line["request"])
		}
		delete(line, "request")
		if p, ok := line["path"].(string); ok {
			line["path"] = strings.ReplaceAll(p, "😀", "\ufffd")
		}
		return line
	}
	got := read(func(b *bytes.Buffer) *slog.Logger { return NewLog(b, slog.LevelInfo) })
	want := read(func(b *bytes.Buffer) *slog.Logger { return slog.New(slog.NewJSONHandler(b, nil)) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the request line differs from slog's:\n%s", diff)
	}
}

func TestRequestLineEscapesIDAndAddress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &logBuffer{out: &out}
	const forged = `x","level":"ERROR`
	x := &exchange{id: forged, address: netip.MustParseAddr("fe80::1").WithZone(forged)}
	l.writeRequest(time.Unix(0, 0), x, `G"T`, "/", 200, 1)
	if err := l.flush(); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if line["request"] != forged || line["address"] != "fe80::1%"+forged || line["level"] != "INFO" || line["method"] != `G"T` {
		t.Errorf("got log line %v, want the forged values as plain fields", line)
	}
}

// safeBuffer is a buffer for concurrent use by the log's timer and the test.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func TestLogIsFlushed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out safeBuffer
		log := NewLog(&out, slog.LevelInfo)
		log.Info("first")
		if out.String() != "" {
			t.Error("an info line was written immediately")
		}
		time.Sleep(flushDelay + time.Millisecond)
		synctest.Wait()
		if !strings.Contains(out.String(), "first") {
			t.Error("an info line was not written after flushDelay")
		}
		log.Info("second")
		log.Warn("third")
		if !strings.Contains(out.String(), "second") || !strings.Contains(out.String(), "third") {
			t.Error("a warning did not flush the buffer")
		}
		for range 400 {
			log.Info("much", "text", strings.Repeat("x", 100))
		}
		if len(out.String()) < maxBuffered {
			t.Error("a full buffer was not written")
		}
		time.Sleep(time.Second)
	})
}
