package rules

import (
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// specFolder is the folder of the package with constants for the codes of the specification.
const specFolder = "internal/platform/spec"

// specCodes lists the codes of the specification.
var specCodes = map[string][]string{
	"KO-06 module ids": {
		"FREEPLAY3", "REGISTER_REE3", "MOBILENUMREG3", "CHNGPASSVERIF3", "REGMOBVERF3", "VALID_CAPTCHA3", "AFFMAN3", "PROFPIC3", "INBOX3", "COMM3",
		"FUNDTRANS3", "AGEANNOUNCE3", "MEMTRANS3", "PERSPNL3", "AGEINFO3", "AGEDOWNMAN3", "REG3", "CAPTCHA3", "CBS3",
	},
	"KO-06 whitelabel flags":                             {"FACEBOOKLOGIN3", "GOOGLELOGIN3", "MOBILEVERCODELOGIN3", "MANPLAYREB3", "REFERRAL"},
	"KO-06 prize modes":                                  {"Lott", "ZY", "Elott"},
	"KO-06 vendor codes":                                 {"JL", "TCG_LOTTO_VN", "TCG_SEA", "LOTT", "ELOTT", "IMES", "SV3", "AV", "EG3", "PG", "FC"},
	"KO-06 links":                                        {"TELEGRAM", "WHATSAPP"},
	"KO-06 content types":                                {"A", "PL", "B", "PU", "PR"},
	"KO-06 banners' groups":                              {"m_home", "m_live", "m_reg"},
	"KO-06 gateway codes":                                {"1", "3"},
	"KO-06 categories":                                   {"ALL", "LOTT", "ELOTT", "LIVE", "RNG", "FISH", "SPORTS", "ESPORTS", "PVP", "HOT", "LIVESTREAM", "HOME", "PROMO", "FAV", "JL"},
	"KO-08 the server's part: play types":                {"Tradition", "Entertainment"},
	"KO-08 the server's part: the lottery's client type": {"2"},
}

// common lists codes that have other meanings elsewhere, so literals are allowed.
var common = []string{"A", "B", "1", "2", "3"}

func TestKO06ServerUsesConstantsForCodes(t *testing.T) {
	t.Parallel()
	all := slices.Concat(slices.Collect(maps.Values(specCodes))...)
	declared := map[string]int{}
	elsewhere := map[string][]string{}
	for _, f := range goFiles(t) {
		if f.isTest() || f.isGenerated() {
			continue
		}
		constant := map[ast.Node]bool{}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if group, ok := n.(*ast.GenDecl); ok && group.Tok == token.CONST {
				for _, s := range group.Specs {
					for _, value := range s.(*ast.ValueSpec).Values {
						constant[value] = true
					}
				}
			}
			// Struct tags cannot use constants.
			if field, ok := n.(*ast.Field); ok {
				field.Tag = nil
			}
			literal, ok := n.(*ast.BasicLit)
			if !ok {
				return true
			}
			text := literal.Value
			if literal.Kind == token.STRING {
				text, _ = strconv.Unquote(text)
			}
			if f.folder() == specFolder {
				// Other strings are descriptions of switches.
				if constant[n] || slices.Contains(all, text) {
					declared[text]++
				}
			} else {
				elsewhere[text] = append(elsewhere[text], f.fileset.Position(n.Pos()).String())
			}
			return true
		})
	}
	for _, kind := range slices.Sorted(maps.Keys(specCodes)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for _, code := range specCodes[kind] {
				if declared[code] != 1 {
					t.Errorf("%s has %d names in %s, want one", code, declared[code], specFolder)
				}
				if places := elsewhere[code]; len(places) > 0 && !slices.Contains(common, code) {
					t.Errorf("literal %s: use its name from %s: %s", code, specFolder, places)
				}
			}
		})
	}
	for code := range declared {
		if !slices.Contains(all, code) {
			t.Errorf("%s has a name in %s but is not in specCodes", code, specFolder)
		}
	}
	// A switch that is not in specFolder could never be turned on.
	likeSwitch := regexp.MustCompile(`^[A-Z][A-Z_]{2,}3$`)
	for text, places := range elsewhere {
		if likeSwitch.MatchString(text) {
			t.Errorf("%s looks like a switch but has no name in %s: %s", text, specFolder, places)
		}
	}
}
