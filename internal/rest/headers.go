package rest

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

// setHeaders puts on an answer what every one carries. Few, because a pre-encoded list has only these, and the
// ninth header costs most (a header map of eight needs no growing); such a list is JSON under nosniff, never
// shown as a page. All other answers are completed by setAllHeaders.
func (a *API) setHeaders(x *exchange) {
	h := x.Header()
	h["X-Content-Type-Options"] = nosniff
	if x.secure {
		h["Strict-Transport-Security"] = strictTLS
	}
}

// setAllHeaders names the request to the client and forbids everything a page could do with the answer. The
// app's pages replace the content policy, which fits data, with their own.
func (x *exchange) setAllHeaders() {
	h := x.Header()
	x.idHeader[0] = x.id
	h["X-Request-Id"] = x.idHeader[:]
	h["Content-Security-Policy"] = bareContent
	h["Referrer-Policy"] = noReferrer
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["X-Frame-Options"] = noFrames
	h["Permissions-Policy"] = noPermission
}
