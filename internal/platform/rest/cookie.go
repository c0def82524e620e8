package rest

import (
	"context"
	"net/http"
)

// SetCookie sends a cookie with the answer of a typed call: never readable by scripts, and bound to TLS wherever the
// site is served so, for elsewhere the browser would drop it.
func SetCookie(ctx context.Context, c *http.Cookie) {
	x := exchangeOf(ctx)
	if x == nil {
		return
	}
	kept := *c //nolint:gosec // what scripts and plain text may not see is settled below; SameSite is the caller's
	kept.HttpOnly = true
	kept.Secure = x.secure
	if text := kept.String(); text != "" {
		x.Header().Add("Set-Cookie", text)
	}
}
