// Command stream opens event streams of the real binary, as viewers of the demo's live stream do. It measures the memory of one stream, and
// the time until all streams have a message that a member writes.
//
//	go run ./bench/stream            needs bin/fairground (make build) and Linux
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fairground/bench/compare"
)

const (
	// timeout limits the whole benchmark.
	timeout = 5 * time.Minute
	// messages is the number of messages that a member writes. It is the burst that the chat allows. The slowest one counts.
	messages = 5
	// maxStreamBytes is the budget of one stream.
	maxStreamBytes  = 20 << 10
	parallelOpens   = 16
	streamsPerProxy = 20 // the server limits how fast one network opens streams
)

var binary string

func main() {
	streams := flag.Int("streams", 5000, "number of event streams")
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	flag.StringVar(&binary, "binary", "bin/fairground", "path of the server binary")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := run(ctx, *streams, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench stream:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, streams int, out string) error {
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	s, err := start(ctx, work)
	if err != nil {
		return err
	}
	defer s.stop()
	r := &compare.Report{}
	if err := s.measure(ctx, streams, r); err != nil {
		return err
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "stream.md"))
}

// A server is the real binary, run by this benchmark.
type server struct {
	cmd *exec.Cmd
	url string
}

func start(ctx context.Context, data string) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s := &server{url: "http://" + address}
	s.cmd = exec.CommandContext(ctx, binary, "serve", "--demo", "--addr", address, "--data", data, "--proxies", "127.0.0.0/8", "--rate", "100000000")
	s.cmd.Env = append(os.Environ(), "GOGC=10") // so that garbage hardly counts as memory
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if response, err := http.Get(s.url + "/healthz"); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return s, nil
			}
		}
	}
	s.stop()
	return nil, errors.New("the server was not ready within a minute")
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	_ = s.cmd.Wait()
}

// memory returns the memory that the process uses: what is resident, without the free memory that the Go runtime has not yet
// returned to the system.
func (s *server) memory(ctx context.Context) (int64, error) {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(content), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, errors.New("the process's status has no VmRSS")
	}
	kilobytes, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0, err
	}
	idle, err := s.metric(ctx, "go_memstats_heap_idle_bytes")
	if err != nil {
		return 0, err
	}
	released, err := s.metric(ctx, "go_memstats_heap_released_bytes")
	return kilobytes<<10 - (idle - released), err
}

func (s *server) metric(ctx context.Context, name string) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if text, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			value, err := strconv.ParseFloat(text, 64)
			return int64(value), err
		}
	}
	return 0, errors.Join(fmt.Errorf("the metrics have no %s", name), lines.Err())
}

// call sends a request and decodes the value of the response.
func (s *server) call(ctx context.Context, method, path, token string, body, value any) error {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, content)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	reply, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %.200s", method, path, response.StatusCode, reply)
	}
	return json.Unmarshal(reply, &struct{ Value any }{value})
}

func (s *server) measure(ctx context.Context, count int, r *compare.Report) error {
	var list struct{ List []struct{ ID string } }
	if err := s.call(ctx, http.MethodGet, "/wps/liveStreams?streaming=true", "", nil, &list); err != nil {
		return err
	}
	if len(list.List) == 0 {
		return errors.New("the demo has no live stream on air")
	}
	path := "/wps/liveStreams/" + list.List[0].ID
	var session struct{ Token string }
	login := map[string]string{"username": "demo88", "password": "Demo1234", "type": "username"}
	if err := s.call(ctx, http.MethodPost, "/wps/session/login", "", login, &session); err != nil {
		return err
	}
	before, err := s.memory(ctx)
	if err != nil {
		return err
	}
	received := make(chan time.Time, count*messages)
	begin := time.Now()
	err = compare.Parallel(parallelOpens, func(n int) error {
		for i := n; i < count; i += parallelOpens {
			if err := s.follow(ctx, path, i, received); err != nil {
				return fmt.Errorf("stream %d: %w", i, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	opened := time.Since(begin)
	var slowest time.Duration
	for i := range messages {
		sentAt := time.Now()
		message := map[string]string{"clientId": fmt.Sprintf("bench-%d", i), "text": "hello"}
		if err := s.call(ctx, http.MethodPost, path+"/messages", session.Token, message, &struct{}{}); err != nil {
			return err
		}
		for n := range count {
			select {
			case at := <-received:
				slowest = max(slowest, at.Sub(sentAt))
			case <-ctx.Done():
				return fmt.Errorf("%d of %d streams have message %d: %w", n, count, i, ctx.Err())
			}
		}
	}
	after, err := s.memory(ctx)
	if err != nil {
		return err
	}
	perStream := max(1, (after-before)/int64(count))
	r.Figure("event streams opened", float64(count)/opened.Seconds())
	r.Figure(fmt.Sprintf("deliveries to %d event streams", count), 1/slowest.Seconds())
	r.Ratio(fmt.Sprintf("20 KB per memory of one of %d event streams", count), maxStreamBytes/float64(perStream), 1)
	r.Ratio(fmt.Sprintf("one second per delivery to %d event streams", count), 1/slowest.Seconds(), 1)
	fmt.Fprintf(os.Stderr, "%d event streams: %.1f KB each; a message reached all of them within %v\n", count, float64(perStream)/1024, slowest.Round(time.Millisecond))
	return nil
}

// follow opens an event stream. For each message it sends the time to received.
func (s *server) follow(ctx context.Context, path string, n int, received chan<- time.Time) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path+"/events", nil)
	if err != nil {
		return err
	}
	network := n / streamsPerProxy
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("11.%d.%d.1", network/256, network%256))
	response, err := http.DefaultClient.Do(request) //nolint:bodyclose // the goroutine below closes it
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return fmt.Errorf("the server answered %d", response.StatusCode)
	}
	go func() {
		defer func() { _ = response.Body.Close() }()
		for lines := bufio.NewScanner(response.Body); lines.Scan(); {
			if lines.Text() == "event: message" {
				received <- time.Now()
			}
		}
	}()
	return nil
}
