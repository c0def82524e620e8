package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ambiguous lists codes that have other meanings in the app, so their literals are allowed.
var ambiguous = map[string]bool{"A": true, "B": true, "2": true}

// appFiles maps each kind of code to the generated file with its names.
var appFiles = map[string]string{
	"KO-06 module ids": "switches.gen.ts", "KO-06 whitelabel flags": "switches.gen.ts", "KO-06 vendor codes": "vendor-codes.gen.ts",
	"KO-06 content types": "content-types.gen.ts", "KO-06 banners' groups": "content-types.gen.ts", "KO-06 categories": "categories.gen.ts",
	"KO-06 links": "link-codes.gen.ts", "KO-08 the server's part: the lottery's client type": "lottery-codes.gen.ts",
}

// unusedByApp lists codes that the app does not use. PR is the type of promotion lists, which the app does not have.
var unusedByApp = []string{"PR"}

// scripts/codes generates constants for the codes in the app. The app must use them instead of literals. JL and the two
// lotteries are vendors and categories, so they are in two files.
func TestKO06AppUsesConstantsForCodes(t *testing.T) {
	t.Parallel()
	declaredIn := map[string][]string{}
	constant := regexp.MustCompile(`(?m)^export const \w+ = '([\w]+)';$`)
	for _, f := range files(t, func(f file) bool { return under("web/src/api/", ".gen.ts")(f) }) {
		for _, m := range constant.FindAllStringSubmatch(f.text, -1) {
			if slices.Contains(declaredIn[m[1]], f.path) && !strings.HasSuffix(f.path, "/switches.gen.ts") { // a module and a flag share a code
				t.Errorf("%s has two names for %s", f.path, m[1])
			}
			declaredIn[m[1]] = append(declaredIn[m[1]], f.path)
		}
	}
	for kind, name := range appFiles {
		if len(specCodes[kind]) == 0 {
			t.Errorf("specCodes has no %s", kind)
		}
		for _, code := range specCodes[kind] {
			if named := slices.Contains(declaredIn[code], "web/src/api/"+name); named == slices.Contains(unusedByApp, code) {
				t.Errorf("%s (%s): has a name in %s = %t", code, kind, name, named)
			}
		}
	}
	// The gallery and tests may use literals.
	shared := regexp.MustCompile(`/testing\.tsx?$`)
	sources := files(t, func(f file) bool {
		return under("web/src/", ".ts", ".tsx")(f) && !f.isTest() && !f.isGenerated() &&
			!under("web/src/features/gallery/")(f) && !under("web/src/lib/testing/")(f) && !shared.MatchString(f.path)
	})
	literal := regexp.MustCompile(`'(\w+)'`)
	for _, f := range sources {
		for _, m := range literal.FindAllStringSubmatchIndex(f.text, -1) {
			code := f.text[m[2]:m[3]]
			if len(declaredIn[code]) > 0 && !ambiguous[code] && !isWord(f.path, code) {
				t.Errorf("%s:%d: literal %q: use its name from %s", f.path, lineOf(f.text, m[0]), code, declaredIn[code])
			}
		}
	}
}

// isWord reports whether a literal is a displayed text instead of a code.
func isWord(path, code string) bool {
	return path == "web/src/api/category-table.ts" && code == "JL"
}
