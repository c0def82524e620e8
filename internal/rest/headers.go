package rest

import "net/http"

// What answers carry. The slices are shared between answers and never changed.
var (
	nosniff      = []string{"nosniff"}
	noReferrer   = []string{"no-referrer"}
	sameOrigin   = []string{"same-origin"}
	noFrames     = []string{"SAMEORIGIN"}
	bareContent  = []string{"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"}
	strictTLS    = []string{"max-age=31536000; includeSubDomains"}
	noPermission = []string{"accelerometer=(), autoplay=(self), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()"}
)

// setHeaders puts on every answer what even data needs. Few, because every one costs the hottest answers, and
// the ninth costs most (a header map of eight needs no growing): what matters only for what a browser may
// show as a page stands in setDocumentHeaders. Data is never shown as one: its type is JSON and nosniff.
func (a *API) setHeaders(x *exchange) {
	h := x.Header()
	h["X-Content-Type-Options"] = nosniff
	if x.secure {
		h["Strict-Transport-Security"] = strictTLS
	}
}

// setRequestID names the request to the client: in every answer but the pre-encoded ones that went well, about
// which there is nothing to ask.
func (x *exchange) setRequestID() {
	x.idHeader[0] = x.id
	x.Header()["X-Request-Id"] = x.idHeader[:]
}

// setDocumentHeaders completes them for what a browser may show. The app's pages replace the content policy,
// which fits data, with their own.
func setDocumentHeaders(h http.Header) {
	h["Content-Security-Policy"] = bareContent
	h["Referrer-Policy"] = noReferrer
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["X-Frame-Options"] = noFrames
	h["Permissions-Policy"] = noPermission
}
