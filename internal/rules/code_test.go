package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// One letter or digit is also a side of a symbol and a group of popups: only its own file can be asked about it.
var ambiguous = map[string]bool{"A": true, "B": true, "2": true}

// appPlaces are the files in which the app has the names of each kind.
var appPlaces = map[string]string{
	"KO-06 module ids": "switches.gen.ts", "KO-06 whitelabel flags": "switches.gen.ts", "KO-06 vendor codes": "vendor-codes.gen.ts",
	"KO-06 content types": "content-types.gen.ts", "KO-06 banners' groups": "content-types.gen.ts", "KO-06 categories": "categories.gen.ts",
	"KO-06 links": "link-codes.gen.ts", "KO-08 the server's part: the lottery's client type": "lottery-codes.gen.ts",
}

// unspoken are codes of those kinds that the app never says: it has no list of promotions.
var unspoken = []string{"PR"}

// The codes of the wire that the app speaks have their names in files that scripts/codes writes from the server's lists. JL is a
// vendor that is offered as a category, and the two lotteries are both, so those stand in two files. A code that stands in two
// other places is changed in one of them.
func TestKO06EachCodeOfTheAppHasOneName(t *testing.T) {
	t.Parallel()
	places := map[string][]string{}
	constant := regexp.MustCompile(`(?m)^export const \w+ = '([\w]+)';$`)
	for _, f := range files(t, func(f file) bool { return under("web/src/api/", ".gen.ts")(f) }) {
		for _, m := range constant.FindAllStringSubmatch(f.text, -1) {
			if slices.Contains(places[m[1]], f.path) && !strings.HasSuffix(f.path, "/switches.gen.ts") { // a module and a flag of one code
				t.Errorf("%s has two names for %s", f.path, m[1])
			}
			places[m[1]] = append(places[m[1]], f.path)
		}
	}
	for kind, place := range appPlaces {
		if len(specCodes[kind]) == 0 {
			t.Errorf("there are no %s", kind)
		}
		for _, code := range specCodes[kind] {
			if named := slices.Contains(places[code], "web/src/api/"+place); named == slices.Contains(unspoken, code) {
				t.Errorf("%s, of %s: named in %s is %t", code, kind, place, named)
			}
		}
	}
	// What the gallery shows is made up, and what tests say is said on purpose, as what features' tests share.
	shared := regexp.MustCompile(`/testing\.tsx?$`)
	sources := files(t, func(f file) bool {
		return under("web/src/", ".ts", ".tsx")(f) && !f.isTest() && !f.isGenerated() &&
			!under("web/src/features/gallery/")(f) && !under("web/src/lib/testing/")(f) && !shared.MatchString(f.path)
	})
	literal := regexp.MustCompile(`'(\w+)'`)
	for _, f := range sources {
		for _, at := range literal.FindAllStringSubmatchIndex(f.text, -1) {
			code := f.text[at[2]:at[3]]
			if len(places[code]) > 0 && !ambiguous[code] && !isWord(f.path, code) {
				t.Errorf("%s:%d: %q has a name in %s", f.path, lineOf(f.text, at[0]), code, places[code])
			}
		}
	}
}

// isWord tells where a text that looks like a code is none: what JL is called stands on the screen.
func isWord(path, code string) bool {
	return path == "web/src/api/category-table.ts" && code == "JL"
}
