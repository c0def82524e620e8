package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret/secrettest"
)

// childEnv makes the test binary run as the program, for tests that kill it.
const childEnv = "FAIRGROUND_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		if user := os.Getenv(userEnv); user != "" {
			changeUser(user)
		}
		registerStopFunction()
		os.Exit(runProcess(func(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) int {
			c := newTestConsole(ctx, in, out, stderr)
			if query := os.Getenv(blockEnv); query != "" {
				c.now = blockingClock(optionsOf(args[slices.Index(args, "--data"):]), query)
			}
			return run(c, args)
		}))
	}
	// Tests copy databases between folders, so all of them use one key. Tests of the key file use --key-file.
	if err := os.Setenv("FAIRGROUND_KEY", secrettest.Source.Text); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400) // as in runProcess
	dbtest.Main(m)
}

// testTimeout limits all waits in tests. It is long because a busy machine may be slow.
const testTimeout = 5 * time.Minute

// newTestConsole returns a console with long timeouts, cheap password hashes and short fairness chains.
func newTestConsole(ctx context.Context, in io.Reader, out, stderr io.Writer) *console {
	return &console{ctx: ctx, in: in, out: out, stderr: stderr, now: time.Now, hashes: cheapHashes, lockTimeout: testTimeout, timeout: testTimeout, links: testLinks}
}

// runTest is Main with a test console.
func runTest(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) int {
	return run(newTestConsole(ctx, in, out, stderr), args)
}

// A safeBuffer is a buffer for concurrent use.
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

// command runs a command and returns its exit code and output.
func command(t *testing.T, stdin string, args ...string) (code int, out, stderr string) {
	t.Helper()
	var o, e safeBuffer
	code = runTest(t.Context(), args, strings.NewReader(stdin), &o, &e)
	return code, o.String(), e.String()
}

// wantError runs a command that must fail with a one-line message that contains want. A server may write log lines before
// the message.
func wantError(t *testing.T, want string, args ...string) {
	t.Helper()
	var out, errorOutput safeBuffer
	c := newTestConsole(t.Context(), strings.NewReader(""), &out, &errorOutput)
	c.lockTimeout = time.Second
	code := run(c, args)
	stderr := errorOutput.String()
	line := strings.TrimSuffix(stderr, "\n")
	for strings.HasPrefix(line, `{"time":`) {
		_, line, _ = strings.Cut(line, "\n")
	}
	if code == 0 || strings.Contains(line, "\n") || !strings.HasPrefix(line, "fairground: ") || !strings.Contains(line, want) {
		t.Errorf("%v: exit %d, stderr %q, want one line with %q", args, code, stderr, want)
	}
}

// A program is a running server.
type program struct {
	t     *testing.T
	url   string
	out   *safeBuffer
	log   *safeBuffer
	stop  context.CancelFunc
	ended chan int
}

var listeningLine = regexp.MustCompile(`Fairground serves (http://[^/]+)/m/home`)

// start runs serve with the given arguments until the test ends.
func start(t *testing.T, args ...string) *program {
	t.Helper()
	return startAt(t, time.Now, args...)
}

// startAt is start with a different clock.
func startAt(t *testing.T, now func() time.Time, args ...string) *program {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := &program{t: t, out: &safeBuffer{}, log: &safeBuffer{}, stop: stop, ended: make(chan int, 1)}
	go func() {
		c := newTestConsole(ctx, strings.NewReader(""), s.out, s.log)
		c.now = now
		s.ended <- run(c, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...))
	}()
	t.Cleanup(func() {
		if code := s.end(); code != 0 {
			t.Errorf("exit code of the server = %d: %s, want exit code 0", code, s.log)
		}
	})
	for end := time.After(testTimeout); ; {
		if found := listeningLine.FindStringSubmatch(s.out.String()); found != nil {
			s.url = found[1]
			return s
		}
		select {
		case code := <-s.ended:
			s.ended <- code
			t.Fatalf("the server ended with %d: %s", code, s.log)
		case <-end:
			t.Fatalf("the server did not start: %s", s.log)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// end stops the server, waits until it exits, and returns its exit code.
func (s *program) end() int {
	s.stop()
	code := <-s.ended
	s.ended <- code
	return code
}

// A response is an envelope with an encoded value.
type response struct {
	status    int
	Success   bool
	Value     json.RawMessage
	ErrorCode string
	RequestID string
	Field     string
	Args      map[string]string
	header    http.Header
}

// noRedirects is a client that does not follow redirects.
var noRedirects = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (s *program) call(method, path, token, body string) response {
	s.t.Helper()
	if token == "" {
		return s.send(method, path, body)
	}
	return s.send(method, path, body, "Authorization", token)
}

// send sends a request with headers: name, value, name, value …
func (s *program) send(method, path, body string, headers ...string) response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := noRedirects.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := response{status: res.StatusCode, header: res.Header}
	kind := res.Header.Get("Content-Type")
	if a.status == http.StatusFound || strings.HasPrefix(kind, "image/") || kind == "application/x-apple-aspen-config" {
		return a // redirects, images and profiles have no envelope
	}
	if strings.HasPrefix(path, "/lgw/") && a.status == http.StatusOK {
		a.Value = raw
		return a // only refusals of the lottery have an envelope
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		s.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, raw)
	}
	return a
}

// value sends a request that must succeed and returns its value.
func value[T any](s *program, method, path, token, body string) (v T) {
	s.t.Helper()
	a := s.call(method, path, token, body)
	if a.status != http.StatusOK || !a.Success {
		s.t.Fatalf("%s %s: %d %s, want 200", method, path, a.status, a.ErrorCode)
	}
	if err := json.Unmarshal(a.Value, &v); err != nil {
		s.t.Fatal(err)
	}
	return v
}

func (s *program) login(username, password string) (token string) {
	s.t.Helper()
	body, err := json.Marshal(map[string]string{"username": username, "password": password, "type": "username"})
	if err != nil {
		s.t.Fatal(err)
	}
	return value[struct{ Token string }](s, http.MethodPost, "/wps/session/login", "", string(body)).Token
}

type balance struct {
	SumBalance json.Number
	Currency   string
}

func (s *program) balance(token string) string {
	s.t.Helper()
	return value[balance](s, http.MethodGet, "/wps/v2/wallets/balance", token, "").SumBalance.String()
}

// events reads the event stream of a session. Each item is "EVENT DATA".
func (s *program) events(token string) chan string {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/wps/events", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", token)
	res, err := http.DefaultClient.Do(r)
	if err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("event stream: %v %v, want status code 200", res, err)
	}
	items := make(chan string, 100)
	go func() {
		defer close(items)
		defer res.Body.Close()
		lines, event := bufio.NewScanner(res.Body), ""
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				event = name
			}
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				items <- event + " " + data
			}
		}
	}()
	return items
}

// eachStorage runs a test with the arguments for an empty installation on each engine.
func eachStorage(t *testing.T, fn func(t *testing.T, args []string)) {
	t.Helper()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			args := []string{"--data", t.TempDir()}
			if e == db.Postgres {
				args = append(args, "--db", dbtest.Blank(t, e).URL)
			}
			fn(t, args)
		})
	}
}

func readAll(t *testing.T, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
