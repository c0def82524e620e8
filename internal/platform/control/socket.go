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

// MaxRequest is the maximum size of a command's input.
const MaxRequest = 1 << 20

// The timeouts prevent a stalled client or command from blocking Stop.
const (
	readTimeout    = 5 * time.Second
	commandTimeout = 60 * time.Second
	writeTimeout   = commandTimeout + 15*time.Second
)

// A Command is a function that a running server offers. Its input and output are JSON.
type Command func(ctx context.Context, in json.RawMessage) (any, error)

// Do converts a typed function to a Command.
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

type reply struct {
	Value json.RawMessage `json:"value,omitempty"`
	Kind  fault.Kind      `json:"kind,omitempty"`
	Code  string          `json:"code,omitempty"`
	Error string          `json:"error,omitempty"`
}

// Listen opens the socket in the data folder. The caller must hold the folder's lock, so an existing socket belongs to a
// dead server and is replaced. Listen creates the socket in a private folder and then moves it, so that other users can
// never open it.
func Listen(ctx context.Context, folder string) (_ net.Listener, err error) {
	private := filepath.Join(folder, ".socket")
	err = os.RemoveAll(private) // left by a dead server
	if err == nil {
		err = os.Mkdir(private, 0o700)
	}
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(private)) }()
	bindPath, done, err := socketPath(private)
	if err != nil {
		return nil, err
	}
	defer done()
	l, err := (&net.ListenConfig{}).Listen(ctx, "unix", bindPath)
	if err != nil {
		return nil, fmt.Errorf("open control socket: %w", err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	privatePath, path := filepath.Join(private, socketName), filepath.Join(folder, socketName)
	err = os.Chmod(privatePath, 0o600)
	if err == nil {
		err = os.Rename(privatePath, path)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("protect control socket: %w", err), l.Close())
	}
	return &listener{l, path}, nil
}

// A listener removes the socket at its final path when it is closed. net.UnixListener would remove the path at which it was
// opened.
type listener struct {
	net.Listener
	path string
}

func (l *listener) Close() error {
	return errors.Join(l.Listener.Close(), os.Remove(l.path))
}

// maxSocketPath is a length that all systems accept. The limit is 108 bytes on Linux and 104 elsewhere, with a zero byte.
const maxSocketPath = 100

// socketPath returns a path to the folder's socket. For a folder with a long name, the path starts with /proc/self/fd.
func socketPath(folder string) (path string, done func(), err error) {
	path = filepath.Join(folder, socketName)
	if len(path) <= maxSocketPath {
		return path, func() {}, nil
	}
	d, err := os.Open(folder)
	if err != nil {
		return "", nil, fmt.Errorf("open data folder: %w", err)
	}
	short := filepath.Join("/proc/self/fd", strconv.Itoa(int(d.Fd())), socketName)
	if _, err := os.Stat(filepath.Dir(short)); err != nil {
		return "", nil, errors.Join(fmt.Errorf("path of the data folder is too long for a socket: %s", folder), d.Close())
	}
	return short, func() { _ = d.Close() }, nil // the path works while d is open
}

// A Server runs commands over a socket.
type Server struct{ http *http.Server }

// Stop waits for running commands, and aborts them when ctx ends.
func (s *Server) Stop(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.Join(errors.New("a running command was aborted"), s.http.Close())
	}
	return err
}

// Serve runs commands until the listener is closed. explain returns the error text for the client. The server explains its
// errors itself, because causes are not sent to the client.
func Serve(l net.Listener, commands map[string]Command, explain func(error) string, log *slog.Logger) *Server {
	mux := http.NewServeMux()
	for name, command := range commands {
		mux.HandleFunc("POST /"+name, func(w http.ResponseWriter, r *http.Request) {
			log.InfoContext(r.Context(), "command", "name", name)
			handle(w, r, command, explain)
		})
	}
	s := &http.Server{Handler: mux, ReadTimeout: readTimeout, WriteTimeout: writeTimeout}
	go func() {
		if err := s.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			log.Error("control socket", "error", err)
		}
	}()
	return &Server{s}
}

func handle(w http.ResponseWriter, r *http.Request, command Command, explain func(error) string) {
	ctx, cancel := context.WithTimeout(r.Context(), commandTimeout)
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
	_ = json.NewEncoder(w).Encode(out) // the client may have disconnected
}

// ErrNoServer reports that no server listens in the data folder. The command was not run.
var ErrNoServer = errors.New("no running server")

func hasServer(ctx context.Context, folder string) bool {
	path, done, err := socketPath(folder)
	if err != nil {
		return false
	}
	defer done()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// Call runs a command in the server that uses the data folder. If the command fails, the error is a CommandError.
func Call(ctx context.Context, folder, name string, in, out any) error {
	raw, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("encode command: %w", err)
	}
	path, done, err := socketPath(folder)
	if err != nil {
		return err
	}
	defer done()
	client := &http.Client{Timeout: writeTimeout, Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
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
		return fmt.Errorf("call the running server: %w", err)
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return fmt.Errorf("the running server does not know command %s: is it another version?", name)
	}
	var got reply
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		return fmt.Errorf("read the server response: %w", err)
	}
	if got.Error != "" {
		return &CommandError{got.Kind, got.Code, got.Error}
	}
	return json.Unmarshal(got.Value, out)
}

// A CommandError is an error that a command returned in the server, with the server's text and the fault's kind and code.
type CommandError struct {
	kind fault.Kind
	code string
	text string
}

func (e *CommandError) Error() string { return e.text }

// Unwrap lets errors.Is find the fault by its code.
func (e *CommandError) Unwrap() error {
	if e.code == "" {
		return nil
	}
	return fault.New(e.kind, e.code)
}
