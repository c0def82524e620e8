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

// valuer is a value that says itself how it is logged.
type valuer struct{ v slog.Value }

func (v valuer) LogValue() slog.Value { return v.v }

func TestLogKeepsSecrets(t *testing.T) {
	t.Parallel()
	t.Run("SE-15 attributes and texts", func(t *testing.T) {
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
			delete(parts, "time") // may hold the digits by chance
			if text := fmt.Sprint(parts); strings.Contains(text, secret) || strings.Contains(text, "70935") || strings.Contains(text, "1970") || strings.Contains(text, "true") {
				t.Errorf("%s", line)
			}
		}
	})
}

// What a request brings in its query, headers and body never reaches the log, whatever becomes of it.
func TestRequestLogKeepsSecrets(t *testing.T) {
	t.Parallel()
	t.Run("SE-15 requests", func(t *testing.T) {
		t.Parallel()
		const secret = "s3cr3t-value"
		var out bytes.Buffer
		log := NewLog(&out, slog.LevelDebug)
		a := newTestAPI(t, func(o *Options) { o.Log = log })
		addEcho(a, Op{Path: "/wps/echo"})
		addEcho(a, Op{Path: "/wps/members", Access: Real})
		Wps(a, Op{Method: http.MethodPost, Path: "/wps/fail", ID: "fail"}, func(context.Context, *echoInput) (int, error) {
			return 0, errors.New("connect to postgres://app:" + secret + "@db/app")
		})
		for _, path := range []string{"/wps/echo", "/wps/members", "/wps/fail", "/wps/unknown", "/m/home"} {
			for _, body := range []string{`{"name":"` + secret + `"}`, `{"password":"` + secret + `"}`, `{"name":"` + secret} {
				w := call(t, a, http.MethodPost, path+"?token="+secret, body, "Authorization", secret, "Cookie", "a="+secret)
				if strings.Contains(w.Body.String(), secret) && w.Code != http.StatusOK {
					t.Errorf("%s answered %s", path, w.Body)
				}
			}
		}
		if err := Flush(log); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), `"msg":"request"`); n != 15 {
			t.Errorf("%d requests logged, not 15", n)
		}
		if strings.Contains(out.String(), secret) {
			t.Errorf("the log holds a secret: %s", out.String())
		}
	})
}

// The short way writes what slog would have written.
func TestRequestLineReadsAsSlogWritesIt(t *testing.T) {
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
				t.Errorf("no %s", name)
			}
			delete(line, name)
		}
		if id, ok := line["request"].(string); !ok || len(id) != 24 {
			t.Errorf("request id %v", line["request"])
		}
		delete(line, "request")
		if p, ok := line["path"].(string); ok {
			line["path"] = strings.ReplaceAll(p, "😀", "\ufffd")
		}
		return line
	}
	short := read(func(b *bytes.Buffer) *slog.Logger { return NewLog(b, slog.LevelInfo) })
	long := read(func(b *bytes.Buffer) *slog.Logger { return slog.New(slog.NewJSONHandler(b, nil)) })
	if diff := cmp.Diff(long, short); diff != "" {
		t.Errorf("slog's line and ours differ:\n%s", diff)
	}
}

// No part of a line can pretend to be more of the line.
func TestRequestLineEscapesIDAndAddress(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := &lines{to: &out}
	const forged = `x","level":"ERROR`
	x := &exchange{id: forged, address: netip.MustParseAddr("fe80::1").WithZone(forged)}
	l.request(time.Unix(0, 0), x, `G"T`, "/", 200, 1)
	if err := l.flush(); err != nil {
		t.Fatal(err)
	}
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	if line["request"] != forged || line["address"] != "fe80::1%"+forged || line["level"] != "INFO" || line["method"] != `G"T` {
		t.Errorf("%v", line)
	}
}

// shared is a buffer that the log's timer and the test may both touch.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func TestLogLinesWaitOnlyAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out shared
		log := NewLog(&out, slog.LevelInfo)
		log.Info("first")
		if out.String() != "" {
			t.Error("written at once")
		}
		time.Sleep(linesWait + time.Millisecond)
		synctest.Wait()
		if !strings.Contains(out.String(), "first") {
			t.Error("not written after the wait")
		}
		log.Info("second")
		log.Warn("third")
		if !strings.Contains(out.String(), "second") || !strings.Contains(out.String(), "third") {
			t.Error("a warning must take along all that waits")
		}
		for range 400 {
			log.Info("much", "text", strings.Repeat("x", 100))
		}
		if len(out.String()) < linesFull {
			t.Error("much must not wait")
		}
		time.Sleep(time.Second)
	})
}
