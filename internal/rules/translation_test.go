package rules

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var languages = []string{"vi", "en", "ur", "pt"}

// appLocales contains the catalogues of the app, in one folder per feature.
const appLocales = "web/src/i18n/locales/"

// pageLanguages maps the folders of catalogues to their languages. Each separate page has its own folder.
var pageLanguages = map[string][]string{
	appLocales:             languages,
	"web/house/locales/":   languages,
	"web/lottery/locales/": languages,
	"web/console/locales/": {"en", "vi"},
}

// catalogues merges all catalogues below a folder, by language.
func catalogues(t *testing.T, folder string, languages []string) map[string]catalogue {
	t.Helper()
	all := map[string]catalogue{}
	for _, language := range languages {
		all[language] = catalogue{}
		for _, f := range files(t, func(f file) bool { return strings.HasPrefix(f.path, folder) && f.base() == language+".po" }) {
			messages, err := readCatalogue(f)
			if err != nil {
				t.Fatal(err)
			}
			for id, text := range messages {
				if previous, twice := all[language][id]; twice && previous != text {
					t.Errorf("%s: %q has two translations: %q and %q", language, id, previous, text)
				}
				all[language][id] = text
			}
		}
	}
	return all
}

// Every message is translated, with the same placeholders.
func TestTranslationsAreComplete(t *testing.T) {
	t.Parallel()
	for folder, languages := range pageLanguages {
		checkTranslations(t, folder, languages)
	}
}

func checkTranslations(t *testing.T, folder string, languages []string) {
	t.Helper()
	all := catalogues(t, folder, languages)
	reference := all["en"]
	if len(reference) == 0 {
		t.Errorf("%s has no messages: this test looks in the wrong folder", folder)
	}
	for _, language := range languages {
		messages := all[language]
		for id := range messages {
			if _, ok := reference[id]; !ok {
				t.Errorf("%s has %q, which en lacks", language, id)
			}
		}
		for id, source := range reference {
			text, ok := messages[id]
			if !ok || text == "" {
				t.Errorf("%s: %q is not translated", language, id)
				continue
			}
			want, err := placeholders(source)
			if err != nil {
				t.Errorf("en: %v", err)
				continue
			}
			got, err := placeholders(text)
			if err != nil {
				t.Errorf("%s: %v", language, err)
				continue
			}
			if !slices.Equal(want, got) {
				t.Errorf("%s: placeholders of %q = %v, want %v", language, id, got, want)
			}
		}
	}
}

// Without a message for the code, a member would see 'system error'.
func TestEveryErrorCodeHasAMessage(t *testing.T) {
	t.Parallel()
	all := catalogues(t, appLocales, languages)
	for code, where := range faultCodes(t, "New") {
		for _, language := range languages {
			if all[language]["errors."+code] == "" {
				t.Errorf("%s: errors.%s has no text in %s: add it, or use fault.ForOperators if members cannot receive it", where, code, language)
			}
		}
	}
}

// Faults for operators have no text in the app, so member endpoints must not return them.
func TestFaultsForOperatorsAreNotInTheAPI(t *testing.T) {
	t.Parallel()
	all := catalogues(t, appLocales, languages)
	document := membersAPI(t, files(t, func(f file) bool { return f.path == "docs/openapi.json" })[0].text)
	members := faultCodes(t, "New")
	for code, where := range faultCodes(t, "ForOperators") {
		if strings.Contains(document, "`"+code+"`") {
			t.Errorf("%s: %s is for operators but is in docs/openapi.json", where, code)
		}
		if other, twice := members[code]; twice {
			t.Errorf("%s: %s is declared for operators here and for members in %s", where, code, other)
		}
		for _, language := range languages {
			if all[language]["errors."+code] != "" {
				t.Errorf("%s: errors.%s has an unused text in %s", where, code, language)
			}
		}
	}
}

// membersAPI returns the API document without the operator endpoints.
func membersAPI(t *testing.T, document string) string {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(document), &all); err != nil {
		t.Fatal(err)
	}
	paths, _ := all["paths"].(map[string]any)
	for path := range paths {
		if strings.HasPrefix(path, "/ops/") {
			delete(paths, path)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// faultCodes returns the codes of all faults created by a function of package fault, with their positions.
func faultCodes(t *testing.T, function string) map[string]string {
	t.Helper()
	codes := map[string]string{}
	for _, f := range goFiles(t) {
		if f.isTest() || f.path == "internal/fault/fault.go" {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != function {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "fault" {
				return true
			}
			literal, ok := call.Args[1].(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true // the code comes from a variable, and is declared elsewhere
			}
			code, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			codes[code] = f.fileset.Position(call.Pos()).String()
			return true
		})
	}
	if len(codes) == 0 {
		t.Fatal("no fault found: this test looks in the wrong place")
	}
	return codes
}

func TestReadCatalogue(t *testing.T) {
	t.Parallel()
	text := "msgid \"\"\nmsgstr \"\"\n\"Language: en\\n\"\n\n#. note\n#: src/a.tsx\nmsgid \"one\"\nmsgstr \"1\"\n\nmsgid \"\"\n\"long \"\n\"id\"\nmsgstr \"\"\n\"long \\\"text\\\"\"\n"
	got, err := readCatalogue(file{"x.po", text})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(catalogue{"one": "1", "long id": `long "text"`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, bad := range map[string]string{
		"obsolete": "#~ msgid \"a\"\n", "twice": "msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"b\"\n", "garbage": "msgid a\n",
	} {
		if _, err := readCatalogue(file{"x.po", bad}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"plain":            "",
		"{a} and {b}, {a}": "a b",
		"{n, plural, one {# game in {room}} other {# games}}": "n room",
		"{g, select, x {he} other {they}} <0>go</0>":          "</0> <0> g",
		"it's '{not}' {one}":                                  "one",
	}
	for message, want := range cases {
		got, err := placeholders(message)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v %v, want %q", message, got, err, want)
		}
	}
	for _, bad := range []string{"{a", "a}", "{n, plural, one {x}"} {
		if _, err := placeholders(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}
