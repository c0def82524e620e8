package rules

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

// appCodes are the codes of the wire that the app speaks, by the file where each has its name. JL is a vendor that is offered
// as a category, and the two lotteries are both, so those stand in two files.
var appCodes = map[string][]string{
	"web/src/api/categories.ts": {
		"ALL", "HOT", "FAV", "JL", "RNG", "FISH", "LIVE", "PVP", "SPORTS", "ESPORTS", "LOTT", "ELOTT", "LIVESTREAM", "HOME", "PROMO",
	},
	"web/src/api/vendor-codes.ts":  {"EG3", "PG", "FC", "JL", "TCG_LOTTO_VN", "TCG_SEA", "LOTT", "ELOTT", "IMES", "SV3", "AV"},
	"web/src/api/content-types.ts": {"A", "PL", "B", "PU", "m_home", "m_live", "m_reg"},
	"web/src/api/link-codes.ts":    {"TELEGRAM", "WHATSAPP"},
	"web/src/api/lottery-codes.ts": {"2"},
}

// One letter or digit is also a side of a symbol and a group of popups: only its own file can be asked about it.
var ambiguous = map[string]bool{"A": true, "B": true, "2": true}

// A code that stands in two places is changed in one of them.
func TestKO06EachCodeOfTheAppHasOneName(t *testing.T) {
	t.Parallel()
	// What the gallery shows is made up, and what tests say is said on purpose, as what features' tests share.
	shared := regexp.MustCompile(`/testing\.tsx?$`)
	sources := files(t, func(f file) bool {
		return under("web/src/", ".ts", ".tsx")(f) && !f.isTest() && !f.isGenerated() &&
			!under("web/src/features/gallery/")(f) && !under("web/src/lib/testing/")(f) && !shared.MatchString(f.path)
	})
	places := map[string][]string{}
	for place, codes := range appCodes {
		for _, code := range codes {
			places[code] = append(places[code], place)
		}
	}
	// The switches have their names in a generated file, which scripts/codes holds against the server's list.
	switches := slices.Concat(specCodes["KO-06 module ids"], specCodes["KO-06 whitelabel flags"])
	for _, code := range switches {
		places[code] = []string{"web/src/api/switches.gen.ts"}
	}
	found := map[string]int{}
	constant := regexp.MustCompile(`(?m)^export const \w+ = '([\w]+)';$`)
	literal := regexp.MustCompile(`'(\w+)'`)
	for _, f := range sources {
		if _, home := appCodes[f.path]; home {
			for _, m := range constant.FindAllStringSubmatch(f.text, -1) {
				found[f.path+" "+m[1]]++
				if !slices.Contains(places[m[1]], f.path) {
					t.Errorf("%s: %s is not in the table of this test", f.path, m[1])
				}
			}
			continue
		}
		for _, at := range literal.FindAllStringSubmatchIndex(f.text, -1) {
			code := f.text[at[2]:at[3]]
			if len(places[code]) > 0 && !ambiguous[code] && !isWord(f.path, code) {
				t.Errorf("%s:%d: %q has a name in %s", f.path, lineOf(f.text, at[0]), code, places[code])
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(places)) {
		for _, place := range places[code] {
			if slices.Contains(switches, code) {
				continue
			}
			if found[place+" "+code] != 1 {
				t.Errorf("%s has %d names for %s, want one", place, found[place+" "+code], code)
			}
		}
	}
}

// isWord tells where a text that looks like a code is none: what JL is called stands on the screen.
func isWord(path, code string) bool {
	return path == "web/src/api/category-table.ts" && code == "JL"
}
