package rest

import (
	"context"
	"net/http"
)

// SetCookie adds a cookie to the response of a typed call. The cookie is HttpOnly, and Secure if the request came over
// TLS. Without TLS a browser would reject a secure cookie.
func SetCookie(ctx context.Context, c *http.Cookie) {
	x := exchangeOf(ctx)
	if x == nil {
		return
	}
	cookie := *c //nolint:gosec // HttpOnly and Secure are set below; the caller sets SameSite
	cookie.HttpOnly = true
	cookie.Secure = x.secure
	if text := cookie.String(); text != "" {
		x.Header().Add("Set-Cookie", text)
	}
}

// CookieOf returns the value of a cookie of the request, or "".
func CookieOf(ctx context.Context, name string) string {
	x := exchangeOf(ctx)
	if x == nil {
		return ""
	}
	cookie, err := x.request.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}
