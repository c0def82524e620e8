package webui

import (
	"crypto/sha256"
	"encoding/base64"
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
// that stand in this very build, named by their hashes.
func contentPolicy(page []byte) string {
	scripts, styles := []string{"'self'"}, []string{"'self'"}
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
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + strings.Join(scripts, " "),
		"style-src " + strings.Join(styles, " "),
		"img-src 'self' data: blob:",
		"font-src 'self'",
		"connect-src 'self'",
		"media-src 'self' blob:",
		"worker-src 'self' blob:",
		"manifest-src 'self'",
		"frame-src 'self'",
		"frame-ancestors 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"object-src 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types fairground dompurify 'allow-duplicates'",
	}, "; ")
}

func sourceHash(block []byte) string {
	sum := sha256.Sum256(block)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
