package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"fairground/internal/fault"
)

// MaxRequest is the most that a command can be sent.
const MaxRequest = 1 << 20

// A command that takes longer than this is in trouble, and whoever asks is told so; a client that stalls does not
// hold up the server's stop.
const (
	readTime    = 5 * time.Second
	commandTime = 60 * time.Second
	writeTime   = commandTime + 15*time.Second
)

// Command is what a running server can be asked to do: JSON in, JSON out.
type Command func(ctx context.Context, in json.RawMessage) (any, error)

// Do makes a Command of a typed function.
func Do[I, O any](fn func(context.Context, I) (O, error)) Command {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var in I
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&in); err != nil {
			return nil, fmt.Errorf("read command: %w", err)
		}
		return fn(ctx, in)
	}
}

// reply is what goes back over the socket.
type reply struct {
	Value json.RawMessage `json:"value,omitempty"`
	Kind  fault.Kind      `json:"kind,omitempty"`
	Code  string          `json:"code,omitempty"`
	Error string          `json:"error,omitempty"`
}

// Listen opens the socket in the data folder. Call it only while holding the folder's lock: a socket that is
// already there is then a dead server's. It is made in a folder that only its owner can enter and then moved to
// its place, for between making it and closing it to others there must be no moment to slip in.
func Listen(ctx context.Context, folder string) (_ net.Listener, err error) {
	making := filepath.Join(folder, ".socket")
	err = os.RemoveAll(making) // a dead server's as well
	if err == nil {
		err = os.Mkdir(making, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(making)) }()
	reach, done, err := reachable(making)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", reach)
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	made, path := filepath.Join(making, socketName), filepath.Join(folder, socketName)
	err = os.Chmod(made, 0o600)
	if err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("guard control socket: %w", err), l.Close())
	}
	return &listener{l, path}, nil
}

// listener removes the socket by its full name: the one it was opened by no longer leads there.
type listener struct {
	net.Listener
	path string
}

func (l *listener) Close() error {
	return errors.Join(l.Listener.Close(), os.Remove(l.path))
}

// longest socket address that systems take (108 on Linux, 104 elsewhere, with a closing zero).
const longest = 100

// reachable gives a short way to the socket of a folder with a long name: through the folder's descriptor.
func reachable(folder string) (path string, done func(), err error) {
	path = filepath.Join(folder, socketName)
	if len(path) <= longest {
		return path, func() {}, nil
	}
	d, err := os.Open(folder)
	if err != nil {
		return "", nil, fmt.Errorf("open data folder: %w", err)
	}
	short := filepath.Join("/proc/self/fd", strconv.Itoa(int(d.Fd())), socketName)
	if _, err := os.Stat(filepath.Dir(short)); err != nil {
		return "", nil, errors.Join(fmt.Errorf("data folder's name is too long for a socket: %s", folder), d.Close())
	}
	return short, func() { _ = d.Close() }, nil // opened to look through only
}

// Server answers commands over a socket.
type Server struct{ http *http.Server }

// Stop waits for commands under way, and cuts off those that are not done when ctx ends.
func (s *Server) Stop(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.Join(errors.New("a command was cut off"), s.http.Close())
	}
	return err
}

// Serve answers commands until the listener is closed. What goes wrong is explained here, where all of it is known:
// whoever asked gets the words.
func Serve(l net.Listener, commands map[string]Command, explain func(error) string, log *slog.Logger) *Server {
	mux := http.NewServeMux()
	for name, command := range commands {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			log.InfoContext(r.Context(), "command", "name", name)
			answer(w, r, command, explain)
		})
	}
	s := &http.Server{Handler: mux, ReadTimeout: readTime, WriteTimeout: writeTime}
	go func() {
		if err := s.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			log.Error("control socket", "error", err)
		}
	}()
	return &Server{s}
}

func answer(w http.ResponseWriter, r *http.Request, command Command, explain func(error) string) {
	ctx, cancel := context.WithTimeout(r.Context(), commandTime)
	defer cancel()
	var out reply
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxRequest))
	if err == nil {
		var value any
		if value, err = command(ctx, raw); err == nil {
			out.Value, err = json.Marshal(value)
		}
	}
	if err != nil {
		var f *fault.Fault
		if errors.As(err, &f) {
			out.Kind, out.Code = f.Kind, f.Code
		}
		out.Error = explain(err)
		w.WriteHeader(http.StatusUnprocessableEntity)
	}
	_ = json.NewEncoder(w).Encode(out) // the command is gone: nobody to tell
}

// ErrNoServer says that nobody listens in the data folder: nothing was asked, nothing is changed.
var ErrNoServer = errors.New("reach the running server")

// served tells whether a server listens in the data folder.
func served(ctx context.Context, folder string) bool {
	reach, done, err := reachable(folder)
	if err != nil {
		return false
	}
	defer done()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", reach)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was said
	return true
}

// Call asks the server of a data folder. The error of a command comes back with its code.
func Call(ctx context.Context, folder, name string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode command: %w", err)
	}
	reach, done, err := reachable(folder)
	if err != nil {
		return err
	}
	defer done()
	client := &http.Client{Timeout: writeTime, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, "unix", reach)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNoServer, err)
			}
			return conn, nil
		},
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://server/"+name, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("ask the running server: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return fmt.Errorf("the running server does not know %s: is it of another version?", name)
	}
	var got reply
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		return fmt.Errorf("read the server's answer: %w", err)
	}
	if got.Error != "" {
		return &Refusal{got.Kind, got.Code, got.Error}
	}
	return json.Unmarshal(got.Value, out)
}

// Refusal is what the server said, explained there, with the kind and code of the fault that it was.
type Refusal struct {
	kind fault.Kind
	code string
	text string
}

func (e *Refusal) Error() string { return e.text }

// Unwrap lets errors.Is find the fault by its code.
func (e *Refusal) Unwrap() error {
	if e.code == "" {
		return nil
	}
	return fault.New(e.kind, e.code)
}
