package control

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/fault"
)

// TestMain also runs as the other process of TestLockEndsWithItsProcess.
func TestMain(m *testing.M) {
	if os.Getenv("CONTROL_TEST_HOLD") != "" {
		if _, err := Acquire("."); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until it is killed
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAcquireIsExclusive(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "new", "data")
	first, err := Acquire(folder)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Acquire(folder)
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) || !strings.Contains(err.Error(), folder) {
		t.Errorf("second Acquire: %v, want ErrBusy with this process and %s", err, folder)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	again, err := Acquire(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(); err != nil {
		t.Errorf("Release: got %v, want no error", err)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("data folder mode %v, %v, want 0700", info.Mode(), err)
	}
}

func TestLockEndsWithItsProcess(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), "CONTROL_TEST_HOLD=1")
	other.Dir = folder
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("got %q (%v), want \"held\\n\"", line, err)
	}
	if _, err := Acquire(folder); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), strconv.Itoa(other.Process.Pid)) {
		t.Errorf("while the process runs: %v, want ErrBusy and %v", err, strconv.Itoa(other.Process.Pid))
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // killed on purpose
	lock, err := Acquire(folder)
	if err != nil {
		t.Fatalf("after the process was killed: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Errorf("Release: got %v, want no error", err)
	}
}

type sum struct{ A, B int }

func serve(t *testing.T, folder string) {
	t.Helper()
	l, err := Listen(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	s := Serve(l, map[string]Command{
		"add": Do(func(_ context.Context, in sum) (int, error) { return in.A + in.B, nil }),
		"refuse": Do(func(context.Context, sum) (int, error) {
			return 0, fault.New(fault.Conflict, "name.taken").On("username")
		}),
		"fail": Do(func(context.Context, sum) (int, error) { return 0, errors.New("disk on fire") }),
		"time": Do(func(ctx context.Context, _ sum) (int, error) {
			end, bounded := ctx.Deadline()
			if !bounded {
				return 0, errors.New("command has no deadline")
			}
			return int(time.Until(end).Seconds()), nil
		}),
	}, func(err error) string { return "explained: " + err.Error() }, slog.New(slog.DiscardHandler))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Stop(ctx); err != nil {
			t.Errorf("Stop: got %v, want no error", err)
		}
		if _, err := os.Stat(filepath.Join(folder, socketName)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("socket still exists: %v, want ErrNotExist", err)
		}
	})
}

func TestCommands(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]string{
		"plain":         t.TempDir(),
		"very long":     filepath.Join(t.TempDir(), strings.Repeat("long-", 30)),
		"after a crash": t.TempDir(),
	} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if name == "after a crash" {
			if err := os.WriteFile(filepath.Join(folder, socketName), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			serve(t, folder)
			info, err := os.Stat(filepath.Join(folder, socketName))
			if err != nil || info.Mode().Perm() != 0o600 || info.Mode().Type() != os.ModeSocket {
				t.Errorf("socket mode %v, %v, want a socket with 0600", info.Mode(), err)
			}
			var got int
			if err := Call(t.Context(), folder, "add", sum{2, 3}, &got); err != nil || got != 5 {
				t.Errorf("got %d, %v, want 5", got, err)
			}
			err = Call(t.Context(), folder, "refuse", sum{}, &got)
			if !errors.Is(err, fault.New(fault.Conflict, "name.taken")) || fault.KindOf(err) != fault.Conflict || err.Error() != "explained: name.taken (username)" {
				t.Errorf("fault: got %v, want the conflict name.taken, explained", err)
			}
			if err := Call(t.Context(), folder, "fail", sum{}, &got); err == nil || err.Error() != "explained: disk on fire" {
				t.Errorf("error: got %v, want an error with \"explained: disk on fire\"", err)
			}
			if err := Call(t.Context(), folder, "time", sum{}, &got); err != nil || got > 60 {
				t.Errorf("command deadline in %d seconds, %v; want at most 60", got, err)
			}
			if err := Call(t.Context(), folder, "add", map[string]int{"A": 1, "C": 2}, &got); err == nil {
				t.Error("unknown field was accepted")
			}
			if err := Call(t.Context(), folder, "subtract", sum{}, &got); err == nil || !strings.Contains(err.Error(), "another version") {
				t.Errorf("unknown command: %v, want an error with \"another version\"", err)
			}
		})
	}
}

// Other users can never open the socket, not even while it is created.
func TestSocketIsAlwaysPrivate(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	stop, seen := make(chan struct{}), make(chan os.FileMode)
	go func() {
		var widest os.FileMode
		for {
			select {
			case <-stop:
				seen <- widest
				return
			default:
			}
			if info, err := os.Stat(filepath.Join(folder, socketName)); err == nil {
				widest |= info.Mode().Perm()
			}
		}
	}()
	for range 500 {
		l, err := Listen(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	if widest := <-seen; widest&^0o600 != 0 {
		t.Errorf("socket mode was %v, want 0", widest)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("files left: %v, %v, want none left", left, err)
	}
}

// Wait waits for a command, but not for a server, and its error names the process with the lock.
func TestWait(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	first, err := Acquire(folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Wait(t.Context(), folder, 100*time.Millisecond); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("after the timeout: %v, want ErrBusy with this process", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Wait(gone, folder, time.Minute); !errors.Is(err, ErrBusy) {
		t.Errorf("canceled: %v, want ErrBusy", err)
	}
	release := time.AfterFunc(200*time.Millisecond, func() { _ = first.Release() })
	defer release.Stop()
	second, err := Wait(t.Context(), folder, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, folder)
	var got int
	if err := Call(t.Context(), folder, "add", sum{2, 3}, &got); err != nil {
		t.Fatal(err)
	}
	if _, err := Wait(t.Context(), folder, time.Minute); !errors.Is(err, ErrBusy) {
		t.Errorf("with a running server: %v, want ErrBusy", err)
	}
	if err := second.Release(); err != nil {
		t.Errorf("Release: got %v, want no error", err)
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	var got int
	if err := Call(t.Context(), t.TempDir(), "add", sum{}, &got); !errors.Is(err, ErrNoServer) {
		t.Errorf("Call without a server: %v, want ErrNoServer", err)
	}
}

// A client that sends less than it announces blocks neither the server nor Stop.
func TestStalledClient(t *testing.T) {
	t.Parallel()
	for name, stopped := range map[string]bool{"while it runs": false, "at the stop": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := &oneClient{conns: make(chan net.Conn, 1), closed: make(chan struct{})}
				s := Serve(l, map[string]Command{"add": Do(func(context.Context, sum) (int, error) { return 0, nil })}, error.Error, slog.New(slog.DiscardHandler))
				conn, served := net.Pipe()
				defer conn.Close()
				l.conns <- served
				if _, err := io.WriteString(conn, "POST /add HTTP/1.1\r\nHost: server\r\nContent-Length: 100\r\n\r\n{"); err != nil {
					t.Fatal(err)
				}
				synctest.Wait() // the server reads the body
				began := time.Now()
				want := readTimeout
				if stopped {
					want = time.Second
					ctx, cancel := context.WithTimeout(t.Context(), want)
					defer cancel()
					if err := s.Stop(ctx); err == nil {
						t.Error("Stop did not report the aborted command")
					}
				}
				_, _ = io.ReadAll(conn) // ends when the server closes the connection
				if took := time.Since(began); took != want {
					t.Errorf("connection closed after %v, want %v", took, want)
				}
				if !stopped {
					if err := s.Stop(t.Context()); err != nil {
						t.Errorf("Stop: got %v, want no error", err)
					}
				}
			})
		})
	}
}

type oneClient struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *oneClient) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *oneClient) Close() error { l.once.Do(func() { close(l.closed) }); return nil }

func (l *oneClient) Addr() net.Addr { return &net.UnixAddr{} }
