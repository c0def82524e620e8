package rules

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var importPath = regexp.MustCompile(`(?m)(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.{1,2}/[^'"]+)['"]`)

// webRank orders the layers of the app. A layer may import lower ranks and itself.
var webRank = map[string]int{"lib": 0, "i18n": 1, "api": 2, "ui": 2, "features": 3, "app": 4}

// Imports follow the order app → features → ui, api → i18n → lib. A feature must not import another feature, so that each
// can be removed. Shared code belongs in ui, api or lib.
func TestWebImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for _, f := range files(t, under("web/src/", ".ts", ".tsx")) {
		from := webPart(f.path)
		if strings.HasPrefix(f.path, "web/src/lib/testing/") {
			continue // helpers for tests of all layers
		}
		if _, ok := webRank[from.layer]; !ok {
			t.Errorf("%s: web/src/%s is not a layer of the app", f.path, from.layer)
			continue
		}
		for _, m := range importPath.FindAllStringSubmatchIndex(f.text, -1) {
			target := path.Join(path.Dir(f.path), f.text[m[2]:m[3]])
			to := webPart(target)
			switch {
			case to == from || !strings.HasPrefix(target, "web/src/"):
			case f.isTest() && strings.HasPrefix(target, "web/src/lib/testing"):
			case to.layer == "features" && from.layer == "features":
				t.Errorf("%s:%d imports %s: a feature must not import another feature", f.path, lineOf(f.text, m[0]), target)
			case to.layer == from.layer:
			case webRank[to.layer] >= webRank[from.layer]:
				t.Errorf("%s:%d imports %s: %s is not below %s", f.path, lineOf(f.text, m[0]), target, to.layer, from.layer)
			}
		}
	}
}

// separatePages are built without the app, each from its own folder. They may import only these parts of the app.
var separatePages = map[string][]string{
	"house":   {"web/src/lib/", "web/src/i18n/languages.ts"},
	"lottery": {"web/src/lib/", "web/src/i18n/", "web/src/ui/"},
	"console": {"web/src/lib/", "web/src/api/"},
}

// A page must not import another page, the app must not import a page, and the shared kit of the House's games must not
// import a game.
func TestPagesAreSeparate(t *testing.T) {
	t.Parallel()
	for _, f := range files(t, func(f file) bool { return under("web/", ".ts", ".tsx")(f) && !strings.Contains(f.path, "node_modules") }) {
		from := pageOf(f.path)
		for _, m := range importPath.FindAllStringSubmatchIndex(f.text, -1) {
			target := path.Join(path.Dir(f.path), f.text[m[2]:m[3]])
			to := pageOf(target)
			isAllowed := slices.ContainsFunc(separatePages[from], func(allowed string) bool { return strings.HasPrefix(target, allowed) })
			switch {
			case from != "" && strings.HasPrefix(target, "web/src/") && !isAllowed,
				to != "" && from != to && strings.HasPrefix(f.path, "web/src/"),
				to != "" && from != "" && from != to,
				strings.HasPrefix(f.path, "web/house/kit/") && to == "house" && !strings.HasPrefix(target, "web/house/kit/") && !strings.HasPrefix(target, "web/house/locales/"):
				t.Errorf("%s:%d imports %s", f.path, lineOf(f.text, m[0]), target)
			}
		}
	}
}

// The build, the import rules and the type check must have the same pages.
func TestPagesAreListed(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`name: '(\w+)'`)
	var built []string
	for _, f := range files(t, func(f file) bool { return f.path == "web/pages.ts" }) {
		for _, m := range name.FindAllStringSubmatch(f.text, -1) {
			built = append(built, m[1])
		}
	}
	slices.Sort(built)
	if want := slices.Sorted(maps.Keys(separatePages)); !slices.Equal(built, want) {
		t.Errorf("web/pages.ts lists %v, want %v", built, want)
	}
	for _, f := range files(t, func(f file) bool { return f.path == "web/tsconfig.json" }) {
		for _, page := range built {
			if !strings.Contains(f.text, strconv.Quote(page)) {
				t.Errorf("%s does not include %s", f.path, page)
			}
		}
	}
}

// pageOf returns the separate page that a file belongs to, or "".
func pageOf(file string) string {
	folder, _, _ := strings.Cut(strings.TrimPrefix(file, "web/"), "/")
	if _, ok := separatePages[folder]; ok && strings.HasPrefix(file, "web/") {
		return folder
	}
	return ""
}

type webPlace struct{ layer, feature string }

func webPart(file string) webPlace {
	parts := strings.Split(strings.TrimPrefix(file, "web/src/"), "/")
	if parts[0] == "features" && len(parts) > 1 {
		return webPlace{"features", parts[1]}
	}
	return webPlace{layer: parts[0]}
}

// Barrel files (modules that only re-export) hide dependencies and pull whole folders into a chunk.
func TestNoBarrels(t *testing.T) {
	t.Parallel()
	reexport := regexp.MustCompile(`(?m)^export \* from`)
	for _, f := range files(t, func(f file) bool {
		return (strings.HasPrefix(f.path, "web/src/") || pageOf(f.path) != "") && under("web/", ".ts", ".tsx")(f)
	}) {
		if reexport.MatchString(f.text) {
			t.Errorf("%s re-exports a module: import from the original file", f.path)
		}
	}
}

// Colours must be tokens, because tokens are checked for contrast and follow the theme.
func TestColoursAreTokens(t *testing.T) {
	t.Parallel()
	raw := regexp.MustCompile(`(?i)#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb)\(\s*[\d.]`)
	styled := func(f file) bool {
		return under("web/src/", ".css", ".ts", ".tsx")(f) || pageOf(f.path) == "house" && under("web/", ".css")(f) ||
			pageOf(f.path) != "house" && pageOf(f.path) != "" && under("web/", ".css", ".ts", ".tsx")(f)
	}
	tokens := []string{"web/house/tokens.css", "web/console/theme.ts"}
	for _, f := range files(t, styled) {
		if f.isTest() || f.isGenerated() || strings.HasPrefix(f.path, "web/src/ui/tokens") || slices.Contains(tokens, f.path) {
			continue
		}
		text := withoutComments(f.text)
		for _, m := range raw.FindAllStringIndex(text, -1) {
			found := text[m[0]:m[1]]
			if maskLine.MatchString(text[strings.LastIndexByte(text[:m[0]], ';')+1 : m[0]]) {
				continue
			}
			if strings.HasSuffix(f.path, ".css") || looksLikeColour(found) {
				t.Errorf("%s:%d: raw colour %s: use a token of web/src/ui/tokens.css or %s", f.path, lineOf(text, m[0]), found, strings.Join(tokens, " or "))
			}
		}
	}
}

// maskLine matches masks, where only the opacity of a colour matters.
var maskLine = regexp.MustCompile(`\bmask(-image)?:\s*[^;{}]*$`)

// looksLikeColour excludes private names and anchors in scripts. A colour contains a digit or is a function.
func looksLikeColour(s string) bool {
	return strings.Contains(s, "(") || (strings.ContainsAny(s, "0123456789") && (len(s) == 4 || len(s) == 7 || len(s) == 9))
}

// physicalOnPurpose lists physical sides that must not follow the writing direction, with the reason.
var physicalOnPurpose = map[string]string{
	"web/src/ui/Field.module.css: text-align: right": "phone numbers are written from left to right even in Urdu",
	"web/src/ui/Tabs.module.css: left:":              "the position of the indicator is measured from the left in both directions",
}

// Styles must use logical sides, because Urdu is written from right to left.
func TestStylesUseLogicalSides(t *testing.T) {
	t.Parallel()
	physical := regexp.MustCompile(`(?im)(?:^|[;{\s])((?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b[^:;{}]*:` +
		`|border-(?:top|bottom)-(?:left|right)-radius\s*:|(?:left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b)`)
	for _, f := range files(t, func(f file) bool { return under("web/", ".css")(f) || f.path == "web/index.html" }) {
		text := withoutComments(f.text)
		for _, m := range physical.FindAllStringSubmatchIndex(text, -1) {
			found := strings.TrimSpace(text[m[2]:m[3]])
			if physicalOnPurpose[f.path+": "+found] != "" {
				continue
			}
			t.Errorf("%s:%d: %q: use the logical property (inline-start, inline-end)", f.path, lineOf(text, m[2]), found)
		}
	}
}

var blockComment = regexp.MustCompile(`(?s)/\*.*?\*/`)

// withoutComments removes comments but keeps the line numbers.
func withoutComments(text string) string {
	text = blockComment.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			out.WriteString("\n")
			continue
		}
		out.WriteString(line)
	}
	return out.String()
}
