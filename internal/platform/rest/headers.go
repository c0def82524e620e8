package rest

// Header values. All responses share the slices, so they must not be changed.
var (
	nosniff      = []string{"nosniff"}
	noReferrer   = []string{"no-referrer"}
	sameOrigin   = []string{"same-origin"}
	noFrames     = []string{"SAMEORIGIN"}
	dataPolicy   = []string{"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"}
	strictTLS    = []string{"max-age=31536000; includeSubDomains"}
	noPermission = []string{"accelerometer=(), autoplay=(self), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=(), browsing-topics=()"}
)

// setHeaders sets the headers of every response (docs/adr/0008). The content policy forbids everything; pages of the app
// replace it.
func (x *exchange) setHeaders() {
	h := x.Header()
	x.idHeader[0] = x.id
	h["X-Request-Id"] = x.idHeader[:]
	h["X-Content-Type-Options"] = nosniff
	h["Content-Security-Policy"] = dataPolicy
	h["Referrer-Policy"] = noReferrer
	h["Cross-Origin-Opener-Policy"] = sameOrigin
	h["Cross-Origin-Resource-Policy"] = sameOrigin
	h["X-Frame-Options"] = noFrames
	h["Permissions-Policy"] = noPermission
	h["Cache-Control"] = noStore // cacheable responses replace it
	if x.secure {
		h["Strict-Transport-Security"] = strictTLS
	}
}
