package rest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const redacted = "[redacted]"

// secretNames are attributes whose values are never logged.
var secretNames = map[string]bool{
	"password": true, "oldpassword": true, "newpassword": true, "confirmpassword": true, "paymentpassword": true,
	"token": true, "firebaseidtoken": true, "authorization": true, "cookie": true, "set-cookie": true, "secret": true,
	"code": true, "verificationcode": true, "messagecode": true, "captcha": true, "otp": true,
	"idnumber": true, "document": true, "body": true, "query": true,
}

// Patterns for secrets inside strings: credentials in a URL, and name=value pairs.
var (
	urlCredentials = regexp.MustCompile(`://[^/@\s]*@`)
	secretPair     = regexp.MustCompile(`(?i)\b(token|password|secret|code|authorization|key)=[^&\s"']+`)
)

// NewLog returns a logger that writes JSON lines without secrets. It buffers lines up to level Info for a short time. Call
// Flush before the program exits.
func NewLog(w io.Writer, level slog.Leveler) *slog.Logger {
	buffer := &logBuffer{out: w}
	return slog.New(&logHandler{slog.NewJSONHandler(buffer, &slog.HandlerOptions{Level: level, ReplaceAttr: redact}), buffer})
}

// Flush writes the buffered lines of a logger from NewLog.
func Flush(log *slog.Logger) error {
	if h, ok := log.Handler().(*logHandler); ok {
		return h.buffer.flush()
	}
	return nil
}

// A logHandler is slog's JSON handler with a buffer. API.finish writes request lines directly to the buffer, because slog
// adds 25 % CPU time to a cached page (docs/measurements.md, HTTP).
type logHandler struct {
	slog.Handler
	buffer *logBuffer
}

func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level > slog.LevelInfo {
		err = errors.Join(err, h.buffer.flush())
	}
	return err
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logHandler{h.Handler.WithAttrs(attrs), h.buffer}
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	return &logHandler{h.Handler.WithGroup(name), h.buffer}
}

const (
	maxBuffered = 32 << 10
	flushDelay  = 200 * time.Millisecond
)

type logBuffer struct {
	mu        sync.Mutex
	out       io.Writer
	lines     []byte
	scheduled bool // a flush is scheduled
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line...)
	return len(line), l.writeOrSchedule()
}

func (l *logBuffer) writeOrSchedule() error {
	if len(l.lines) >= maxBuffered {
		return l.writeOut()
	}
	if !l.scheduled {
		l.scheduled = true
		time.AfterFunc(flushDelay, func() { _ = l.flush() }) // a log error cannot be logged
	}
	return nil
}

func (l *logBuffer) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.scheduled = false
	return l.writeOut()
}

func (l *logBuffer) writeOut() error {
	if len(l.lines) == 0 {
		return nil
	}
	_, err := l.out.Write(l.lines)
	l.lines = l.lines[:0]
	return err
}

// writeRequest writes the line of a successful request in slog's format. It contains no secrets, and all strings are
// escaped.
func (l *logBuffer) writeRequest(end time.Time, x *exchange, method, path string, status int, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.lines
	b = append(b, `{"time":"`...)
	b = end.AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","level":"INFO","msg":"request","request":`...)
	b = appendText(b, x.id)
	b = append(b, `,"method":`...)
	b = appendText(b, printable(method, 16))
	b = append(b, `,"path":`...)
	b = appendText(b, path)
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(status), 10)
	b = append(b, `,"bytes":`...)
	b = strconv.AppendInt(b, x.bytes, 10)
	b = append(b, `,"took":`...)
	b = strconv.AppendInt(b, int64(took), 10)
	b = append(b, `,"address":`...)
	if x.address.IsValid() {
		var buf [48]byte // avoids an allocation
		b = appendText(b, string(x.address.AppendTo(buf[:0])))
	} else {
		b = append(b, `""`...)
	}
	if x.callerOK {
		b = append(b, `,"member":`...)
		b = strconv.AppendInt(b, x.caller.MemberID, 10)
	}
	l.lines = append(b, "}\n"...)
	_ = l.writeOrSchedule() // a log error cannot be logged
}

// appendText appends s as a JSON string. It escapes everything except printable ASCII.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	if needsNoEscape(s) {
		b = append(b, s...)
		return append(b, '"')
	}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r >= ' ' && r <= '~':
			b = append(b, byte(r))
		case r > 0xffff:
			b = append(b, "\\ufffd"...)
		default:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
	}
	return append(b, '"')
}

func needsNoEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// redact replaces an attribute with a secret name, or inside a group with a secret name, whatever its type. slog calls it
// for each attribute inside a group, not for the group.
func redact(groups []string, a slog.Attr) slog.Attr {
	if isSecretName(a.Key) || slices.ContainsFunc(groups, isSecretName) {
		return slog.String(a.Key, redacted)
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, Scrub(a.Value.String()))
	case slog.KindAny:
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, Scrub(err.Error()))
		}
	}
	return a
}

func isSecretName(name string) bool { return secretNames[strings.ToLower(name)] }

// Scrub replaces secrets inside a string.
func Scrub(s string) string {
	if strings.Contains(s, "://") {
		s = urlCredentials.ReplaceAllString(s, "://"+redacted+"@")
	}
	if strings.Contains(s, "=") {
		s = secretPair.ReplaceAllString(s, "$1="+redacted)
	}
	return s
}
