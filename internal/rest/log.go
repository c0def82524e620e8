package rest

import (
	"io"
	"log/slog"
	"regexp"
	"strings"
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

// NewLog writes JSON lines and keeps secrets out of them.
func NewLog(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: redact}))
}

func redact(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		if secretNames[strings.ToLower(a.Key)] {
			return slog.String(a.Key, redacted)
		}
		return slog.String(a.Key, Scrub(a.Value.String()))
	case slog.KindAny:
		if secretNames[strings.ToLower(a.Key)] {
			return slog.String(a.Key, redacted)
		}
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, Scrub(err.Error()))
		}
	}
	return a
}

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
