package rest

import "net/http"

// What every answer carries. The slices are shared between answers and never changed.
var (
	nosniff      = []string{"nosniff"}
	noReferrer   = []string{"no-referrer"}
	sameOrigin   = []string{"same-origin"}
	noFrames     = []string{"SAMEORIGIN"}
	bareContent  = []string{"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"}
	strictTLS    = []string{"max-age=31536000; includeSubDomains"}
	noPermission = []string{"accelerometer=(), autoplay=(self), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()"}
)

// setHeaders puts the security headers on an answer. The policy here fits data; the app's pages replace it
// with their own.
func (a *API) setHeaders(w http.ResponseWriter, x *exchange) {
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["Referrer-Policy"] = noReferrer
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["X-Frame-Options"] = noFrames
	h["Permissions-Policy"] = noPermission
	h["Content-Security-Policy"] = bareContent
	h["X-Request-Id"] = []string{x.id}
	if x.secure {
		h["Strict-Transport-Security"] = strictTLS
	}
}
