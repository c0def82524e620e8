package webui

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
)

// Patterns for inline scripts and styles, in the form that Vite writes.
var (
	inlineScript = regexp.MustCompile(`(?is)<script((?:\s[^>]*)?)>(.*?)</script>`)
	inlineStyle  = regexp.MustCompile(`(?is)<style(?:\s[^>]*)?>(.*?)</style>`)
	hasSource    = regexp.MustCompile(`(?i)\ssrc\s*=`)
)

// The service worker only fetches the app's files. The policy in its response applies to it.
const (
	worker       = "sw.js"
	workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)

// contentPolicy returns the page's Content-Security-Policy. It allows only the inline blocks of this build, by their
// hashes, and calls to the site and connectOrigins.
func contentPolicy(page []byte, connectOrigins []string) string {
	scripts, styles := inlineHashes(page)
	return strings.Join([]string{
		"default-src 'none'",
		sources("script-src 'self'", scripts),
		sources("style-src 'self'", styles),
		ownImages,
		"font-src 'self'",
		sources(ownCalls, connectOrigins),
		ownMedia,
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

// Directives to which currentPolicy adds the origins of framed games, of pictures and of live streams.
const (
	ownFrames = "frame-src 'self'"
	ownImages = "img-src 'self' data: blob:"
	ownCalls  = "connect-src 'self'"
	ownMedia  = "media-src 'self' blob:"
)

// safeOrigin matches origins that cannot add other sources or directives to the policy.
var safeOrigin = regexp.MustCompile(`^https?://[A-Za-z0-9.:\[\]-]+$`)

// currentPolicy returns the page's policy with the current origins. If they cannot be read, it returns the last policy.
func (a *App) currentPolicy(r *http.Request) string {
	ctx, cancel := context.WithTimeout(r.Context(), pageDataTimeout)
	defer cancel()
	policy := a.policy
	for directive, read := range map[string]Origins{
		ownFrames: a.options.FrameOrigins, ownImages: a.options.ImageOrigins, ownCalls: a.options.MediaOrigins, ownMedia: a.options.MediaOrigins,
	} {
		if read == nil {
			continue
		}
		origins, err := read(ctx)
		if err != nil {
			return *a.lastPolicy.Load()
		}
		extended := directive
		for _, origin := range origins {
			if safeOrigin.MatchString(origin) {
				extended += " " + origin
			}
		}
		policy = strings.Replace(policy, directive, extended, 1)
	}
	a.lastPolicy.Store(&policy)
	return policy
}

// widgetFrame is the page that runs third-party scripts (docs/adr/0011). It contains no app code, and it cannot load the
// app's files or call its API.
const widgetFrame = "frame/widget.html"

// widgetPolicy returns the Content-Security-Policy of the widget frame. It allows scripts and styles only from
// the given hosts, and calls only to them.
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

// These are the pages of our own games, which the app shows in a frame. They use only this server, and their policy forbids
// creating scripts from text.
const (
	housePage     = "house/index.html"
	lotteryPage   = "lottery/index.html"
	lotteryFolder = "lotto-h5/"
)

// lotteryPath matches the paths of the lottery page: {mui}/{playType}/games/{gameId} (GL-04).
var lotteryPath = regexp.MustCompile(`^lotto-h5/[\w-]+/(?:ent|trad)/games/[\w-]+$`)

// A framedPage is a page of our own games with its content policy.
type framedPage struct {
	file   *asset
	policy string
}

func newFramedPage(file *asset) (*framedPage, error) {
	body, err := file.plain()
	if err != nil {
		return nil, err
	}
	return &framedPage{file, framedPolicy(body)}, nil
}

func framedPolicy(page []byte) string {
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

func sources(directive string, allowed []string) string {
	return strings.Join(append([]string{directive}, allowed...), " ")
}

// inlineHashes returns the CSP hashes of the inline scripts and styles of a page.
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
