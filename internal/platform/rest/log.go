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

// secretNames are attributes whose value never stands in a log, whatever they hold.
var secretNames = map[string]bool{
	"password": true, "oldpassword": true, "newpassword": true, "confirmpassword": true, "paymentpassword": true,
	"token": true, "firebaseidtoken": true, "authorization": true, "cookie": true, "set-cookie": true, "secret": true,
	"code": true, "verificationcode": true, "messagecode": true, "captcha": true, "otp": true,
	"idnumber": true, "document": true, "body": true, "query": true,
}

// Secrets inside longer texts: credentials of an address, and name=value pairs of a query.
var (
	inAddress = regexp.MustCompile(`://[^/@\s]*@`)
	inQuery   = regexp.MustCompile(`(?i)\b(token|password|secret|code|authorization|key)=[^&\s"']+`)
)

// NewLog writes JSON lines and keeps secrets out of them. Lines up to level Info wait a moment so that many
// go out in one write; Flush at the end of the program.
func NewLog(w io.Writer, level slog.Leveler) *slog.Logger {
	out := &lines{to: w}
	return slog.New(&logHandler{slog.NewJSONHandler(out, &slog.HandlerOptions{Level: level, ReplaceAttr: redact}), out})
}

// Flush writes what waits in a log made by NewLog.
func Flush(log *slog.Logger) error {
	if h, ok := log.Handler().(*logHandler); ok {
		return h.out.flush()
	}
	return nil
}

// logHandler is slog's own. The one line that every request costs is written by hand past it, because with slog a cached page
// took a quarter more processor time (docs/measurements.md, HTTP).
type logHandler struct {
	slog.Handler
	out *lines
}

func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level > slog.LevelInfo {
		err = errors.Join(err, h.out.flush())
	}
	return err
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logHandler{h.Handler.WithAttrs(attrs), h.out}
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	return &logHandler{h.Handler.WithGroup(name), h.out}
}

const (
	linesFull = 32 << 10
	linesWait = 200 * time.Millisecond
)

// lines gathers log lines.
type lines struct {
	mu    sync.Mutex
	to    io.Writer
	text  []byte
	armed bool
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, line...)
	return len(line), l.after()
}

// after a line was added: write when there is much, else soon.
func (l *lines) after() error {
	if len(l.text) >= linesFull {
		return l.send()
	}
	if !l.armed {
		l.armed = true
		time.AfterFunc(linesWait, func() { _ = l.flush() }) // a log that cannot be written has nowhere to say so
	}
	return nil
}

func (l *lines) flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.armed = false
	return l.send()
}

func (l *lines) send() error {
	if len(l.text) == 0 {
		return nil
	}
	_, err := l.to.Write(l.text)
	l.text = l.text[:0]
	return err
}

// request writes the line of a request that went well, in slog's form but without its cost: nothing in it
// can be a secret, and every text is escaped.
func (l *lines) request(at time.Time, x *exchange, method, path string, status int, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.text
	b = append(b, `{"time":"`...)
	b = at.AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","level":"INFO","msg":"request","request":`...)
	b = appendText(b, x.id)
	b = append(b, `,"method":`...)
	b = appendText(b, plain(method, 16))
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
		var room [48]byte // on the stack, where it fits
		b = appendText(b, string(x.address.AppendTo(room[:0])))
	} else {
		b = append(b, `""`...)
	}
	if x.callerOK {
		b = append(b, `,"member":`...)
		b = strconv.AppendInt(b, x.caller.MemberID, 10)
	}
	l.text = append(b, "}\n"...)
	_ = l.after() // as above
}

// appendText writes a JSON string; all but plain ASCII is escaped. What needs no escape, nearly everything,
// goes in whole.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	if unescaped(s) {
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

func unescaped(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// redact looks at the name first: a secret is one whatever kind of value it stands in. slog hands groups over
// part by part, so a group that has a secret's name is known by the names around the part.
func redact(groups []string, a slog.Attr) slog.Attr {
	if secret(a.Key) || slices.ContainsFunc(groups, secret) {
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

func secret(name string) bool { return secretNames[strings.ToLower(name)] }

// Scrub hides secrets inside a text that is to be shown.
func Scrub(s string) string {
	if strings.Contains(s, "://") {
		s = inAddress.ReplaceAllString(s, "://"+redacted+"@")
	}
	if strings.Contains(s, "=") {
		s = inQuery.ReplaceAllString(s, "$1="+redacted)
	}
	return s
}
