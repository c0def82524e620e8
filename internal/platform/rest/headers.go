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

// setHeaders puts on an answer what every one carries (docs/adr/0008): the request's name, and that nothing a page
// could do is allowed to it. The app's pages replace the content policy, which fits data, with their own.
func (x *exchange) setHeaders() {
	h := x.Header()
	x.idHeader[0] = x.id
	h["X-Request-Id"] = x.idHeader[:]
	h["X-Content-Type-Options"] = nosniff
	h["Content-Security-Policy"] = bareContent
	h["Referrer-Policy"] = noReferrer
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["X-Frame-Options"] = noFrames
	h["Permissions-Policy"] = noPermission
	h["Cache-Control"] = noStore // what may be kept says so itself
	if x.secure {
		h["Strict-Transport-Security"] = strictTLS
	}
}
