package webui

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
)

// Inline blocks of the page: a script without src, and a style. Vite writes both in this plain form.
var (
	inlineScript = regexp.MustCompile(`(?is)<script((?:\s[^>]*)?)>(.*?)</script>`)
	inlineStyle  = regexp.MustCompile(`(?is)<style(?:\s[^>]*)?>(.*?)</style>`)
	hasSource    = regexp.MustCompile(`(?i)\ssrc\s*=`)
)

// The service worker runs under the policy it is served with: it fetches the app's own files, to keep them,
// and does nothing else.
const (
	worker       = "sw.js"
	workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

// contentPolicy is the page's Content-Security-Policy: nothing inline or evaluated runs except the blocks
// that stand in this very build, named by their hashes. reach are origins of others that the app may call.
func contentPolicy(page []byte, reach []string) string {
	scripts, styles := inlineHashes(page)
	return strings.Join([]string{
		"default-src 'none'",
		sources("script-src 'self'", scripts),
		sources("style-src 'self'", styles),
		ownImages,
		"font-src 'self'",
		sources("connect-src 'self'", reach),
		"media-src 'self' blob:",
		"worker-src 'self' blob:",
		"manifest-src 'self'",
		ownFrames,
		"frame-ancestors 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types fairground dompurify 'allow-duplicates'",
	}, "; ")
}

// The directives that origins of others are added to: those of framed games, those that pictures come from.
const (
	ownFrames = "frame-src 'self'"
	ownImages = "img-src 'self' data: blob:"
)

// plainOrigin is one that adds a place to a directive and can do nothing else to the policy.
var plainOrigin = regexp.MustCompile(`^https?://[A-Za-z0-9.:\[\]-]+$`)

// policyNow is the page's policy with the places of the moment. Where they cannot be asked for they are as they were last.
func (a *App) policyNow(r *http.Request) string {
	ctx, cancel := context.WithTimeout(r.Context(), homePatience)
	defer cancel()
	policy := a.policy
	for directive, places := range map[string]Origins{ownFrames: a.reach.Frames, ownImages: a.reach.Images} {
		if places == nil {
			continue
		}
		origins, err := places(ctx)
		if err != nil {
			return *a.sent.Load()
		}
		wider := directive
		for _, origin := range origins {
			if plainOrigin.MatchString(origin) {
				wider += " " + origin
			}
		}
		policy = strings.Replace(policy, directive, wider, 1)
	}
	a.sent.Store(&policy)
	return policy
}

// widgetFrame is the page in which scripts of others run (docs/adr/0011): no code of the app is there, and nothing of
// the app's own may be loaded or called from there.
const widgetFrame = "frame/widget.html"

// widgetPolicy lets scripts of others come from where they are at home and style what they draw as they please.
func widgetPolicy(page []byte, hosts []string) string {
	scripts, _ := inlineHashes(page)
	return strings.Join([]string{
		"default-src 'none'",
		sources("script-src", append(scripts, hosts...)),
		sources("style-src 'unsafe-inline'", hosts),
		sources("img-src data: blob:", hosts),
		sources("font-src data:", hosts),
		sources("connect-src", hosts),
		sources("media-src", hosts),
		sources("frame-src", hosts),
		"worker-src blob:",
		"frame-ancestors 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"object-src 'none'",
	}, "; ")
}

// housePage is the page of the House's games. It is framed by the app and is a page of its own: it runs nothing inline,
// draws and calls only what is this server's, and makes no script out of text.
const housePage = "house/index.html"

func housePolicy(page []byte) string {
	scripts, styles := inlineHashes(page)
	return strings.Join([]string{
		"default-src 'none'",
		sources("script-src 'self'", scripts),
		sources("style-src 'self'", styles),
		"img-src 'self'",
		"font-src 'self'",
		"connect-src 'self'",
		"frame-ancestors 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

// sources is a directive with the places that it allows.
func sources(directive string, places []string) string {
	return strings.Join(append([]string{directive}, places...), " ")
}

// inlineHashes names the blocks that stand in a page.
func inlineHashes(page []byte) (scripts, styles []string) {
	for _, m := range inlineScript.FindAllSubmatch(page, -1) {
		if !hasSource.Match(m[1]) && len(m[2]) > 0 {
			scripts = append(scripts, sourceHash(m[2]))
		}
	}
	for _, m := range inlineStyle.FindAllSubmatch(page, -1) {
		if len(m[1]) > 0 {
			styles = append(styles, sourceHash(m[1]))
		}
	}
	return scripts, styles
}

func sourceHash(block []byte) string {
	sum := sha256.Sum256(block)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
