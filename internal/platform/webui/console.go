package webui

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
)

const (
	consoleFile = "console/index.html"
	consoleBase = "/console" // path of the operators' console
)

// nonceMark is the placeholder for the nonce in the console's page.
const nonceMark = `<meta name="style-nonce" content="" />`

// A consolePage is the page of the operators' console. Its component library inserts styles, which need a nonce. Each
// response has a new nonce in the page and in the policy.
type consolePage struct {
	body   []byte
	policy string // without the nonce
}

func newConsolePage(built *asset) (*consolePage, error) {
	body, err := built.plain()
	if err != nil {
		return nil, err
	}
	return &consolePage{body, consolePolicy(body)}, nil
}

// nonceSource is the source in the policy that send replaces with the nonce.
const nonceSource = "'nonce'"

// consolePolicy returns the console's Content-Security-Policy. It allows only this server, and forbids showing the console
// in a frame. The default Trusted Types policy in the console's code rejects markup.
func consolePolicy(page []byte) string {
	scripts, styles := inlineHashes(page)
	return strings.Join([]string{
		"default-src 'none'",
		sources("script-src 'self'", scripts),
		sources("style-src 'self' "+nonceSource, styles),
		"img-src 'self' data: blob:",
		"font-src 'self'",
		"connect-src 'self'",
		"frame-src blob:", // content previews that the console creates; they run no scripts
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types default",
	}, "; ")
}

func isConsole(urlPath string) bool {
	return urlPath == consoleBase || strings.HasPrefix(urlPath, consoleBase+"/") && isScreen(urlPath)
}

// send writes the page with a new nonce. The response must not be cached, because a nonce must not be reused.
func (p *consolePage) send(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	body := bytes.Replace(p.body, []byte(nonceMark), []byte(`<meta name="style-nonce" content="`+nonce+`" />`), 1)
	h := w.Header()
	h.Set("Content-Security-Policy", strings.Replace(p.policy, nonceSource, "'nonce-"+nonce+"'", 1))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Content-Type", typeOf(consoleFile))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // an error means that the client disconnected
	}
}
