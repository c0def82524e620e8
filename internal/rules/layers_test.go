package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers maps the folders of internal to their levels. A package may import packages of the same or a lower level.
var layers = map[string]int{
	"money": 0, "fault": 0,
	"platform": 1,
	"ledger":   2,
	"identity": 3, "finance": 3, "site": 3, "game": 3,
	"demo":   4,
	"server": 5,
}

// domainLayer is the level of identity, finance, site and game.
const domainLayer = 3

// fairnessPackages may be imported by all games.
var fairnessPackages = []string{"game/fairness", "game/seal", seriesPackage}

// seriesPackage stores series, so it may import more than the rest of game/fairness.
const seriesPackage = "game/fairness/series"

// sharedPackages lists packages that all domains may import.
var sharedPackages = append([]string{"finance/gateway", "finance/paycode", "finance/promo"}, fairnessPackages...)

type goFile struct {
	file
	ast     *ast.File
	fileset *token.FileSet
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var parsed []goFile
	for _, f := range files(t, under("", ".go")) {
		fileset := token.NewFileSet()
		tree, err := parser.ParseFile(fileset, f.path, f.text, parser.ParseComments)
		if err != nil {
			t.Fatalf("%s: %v", f.path, err)
		}
		parsed = append(parsed, goFile{f, tree, fileset})
	}
	return parsed
}

// layerOf returns the folder of internal that contains a path: "platform" for internal/platform/db/query. It returns ""
// outside internal.
func layerOf(path string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "fairground/"), "internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// moduleOf returns the package that a path belongs to, with its layer: "platform/db" for internal/platform/db/query,
// "ledger" for internal/ledger. It returns "" outside internal.
func moduleOf(path string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "fairground/"), "internal/")
	if !ok {
		return ""
	}
	if rest == seriesPackage {
		return rest
	}
	names := strings.SplitN(rest, "/", 3)
	if len(names) > 1 && slices.Contains([]string{"platform", "identity", "finance", "site", "game"}, names[0]) {
		return names[0] + "/" + names[1]
	}
	return names[0]
}

func isDomain(part string) bool { return layers[layerOf("internal/"+part)] == domainLayer }

func (f goFile) imports() []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err == nil && strings.HasPrefix(path, "fairground/") {
			paths = append(paths, path)
		}
	}
	return paths
}

func TestEveryPackageHasALayer(t *testing.T) {
	t.Parallel()
	for _, f := range goFiles(t) {
		name := layerOf(f.folder())
		if _, found := layers[name]; name != "" && !found && name != "rules" {
			t.Errorf("%s: internal/%s is not a layer: see the map in ARCHITECTURE.md", f.path, name)
		}
	}
}

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for _, f := range goFiles(t) {
		from := moduleOf(f.folder())
		for _, path := range f.imports() {
			to := moduleOf(path)
			if to == "" || to == from {
				continue
			}
			if reason := forbidden(from, to, f.isTest() || strings.HasSuffix(f.folder(), "test")); reason != "" {
				t.Errorf("%s imports %s: %s", f.path, path, reason)
			}
		}
	}
}

// forbidden returns the reason why a package must not import another one, or "".
func forbidden(from, to string, test bool) string {
	switch {
	case from == "": // commands, tools and benchmarks may import everything
		return ""
	case to == "rules":
		return "package rules must not be imported"
	case to == "demo" && from != "server":
		return "only the server may import demo data"
	case to == "server" && test:
		return "" // tests of domains use the complete server
	case from == "game/fairness" && to != "fault":
		return "package fairness must have no other dependencies"
	case from == "game/house" && isDomain(to) && !slices.Contains(fairnessPackages, to) && !test:
		return "the House must use the vendor protocol like any other vendor"
	case layers[layerOf("internal/"+to)] > layers[layerOf("internal/"+from)]:
		return "money, fault → platform → ledger → identity, finance, site, game → demo → server: imports point to the left"
	}
	return ""
}

// A domain uses another domain through an interface that it declares itself. It may use only id types and faults of other
// domains. The ledger and the shared packages are exempt.
func TestDomainsUseOnlyIDsOfOthers(t *testing.T) {
	t.Parallel()
	idOrFault := regexp.MustCompile(`^(\w*ID|Err[A-Z]\w*)$`)
	for _, f := range goFiles(t) {
		from := moduleOf(f.folder())
		if f.isTest() || strings.HasSuffix(f.folder(), "test") || !isDomain(from) {
			continue
		}
		names := map[string]string{} // path of an imported domain by its local name
		for _, spec := range f.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			to := moduleOf(path)
			if !strings.HasPrefix(path, "fairground/") || to == from || slices.Contains(sharedPackages, to) || !isDomain(to) {
				continue
			}
			local := path[strings.LastIndex(path, "/")+1:]
			if spec.Name != nil {
				local = spec.Name.Name
			}
			names[local] = path
		}
		if len(names) == 0 {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := sel.X.(*ast.Ident)
			if !ok || names[x.Name] == "" || idOrFault.MatchString(sel.Sel.Name) {
				return true
			}
			t.Errorf("%s: %s.%s: declare a small interface here instead of naming %s of another domain",
				f.fileset.Position(sel.Pos()), x.Name, sel.Sel.Name, sel.Sel.Name)
			return true
		})
	}
}

// moneyWrite matches statements that change the ledger's tables. Only the ledger may execute them, so that every balance is
// the sum of its entries.
var moneyWrite = regexp.MustCompile(`(?is)\b(insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+"?(account|account_delta|transfer|entry)"?\b`)

func TestOnlyLedgerWritesMoney(t *testing.T) {
	t.Parallel()
	for _, f := range files(t, under("internal/platform/db/queries/", ".sql")) {
		if f.base() == "ledger.sql" {
			continue
		}
		if m := moneyWrite.FindStringIndex(f.text); m != nil {
			t.Errorf("%s:%d: only ledger.sql may change the ledger's tables", f.path, lineOf(f.text, m[0]))
		}
	}
	writers := ledgerWriters(t)
	for _, f := range goFiles(t) {
		if strings.HasPrefix(f.path, "internal/ledger/") || strings.HasPrefix(f.path, "internal/rules/") || f.isGenerated() {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING && moneyWrite.MatchString(n.Value) && !inDatabaseTest(f) {
					t.Errorf("%s: only the ledger changes its tables", f.fileset.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				if writers[n.Sel.Name] && !inDatabaseTest(f) {
					t.Errorf("%s: %s changes the ledger's tables: only the ledger may call it", f.fileset.Position(n.Pos()), n.Sel.Name)
				}
			}
			return true
		})
	}
}

// inDatabaseTest reports whether a file may change the ledger's tables, because it tests the database or `ledger verify`.
// Benchmarks and tests of query plans fill their own databases.
func inDatabaseTest(f goFile) bool {
	return strings.HasPrefix(f.path, "bench/") || f.base() == "plan_test.go" || f.isTest() && (strings.HasPrefix(f.path, "internal/platform/db/") || strings.HasPrefix(f.path, "cmd/"))
}

// ledgerWriters returns the generated functions of ledger.sql that change a table.
func ledgerWriters(t *testing.T) map[string]bool {
	t.Helper()
	writers := map[string]bool{}
	name := regexp.MustCompile(`(?m)^-- name: (\w+) :\w+`)
	for _, f := range files(t, under("internal/platform/db/queries/", ".sql")) {
		if f.base() != "ledger.sql" {
			continue
		}
		marks := name.FindAllStringSubmatchIndex(f.text, -1)
		for i, m := range marks {
			end := len(f.text)
			if i+1 < len(marks) {
				end = marks[i+1][0]
			}
			if moneyWrite.MatchString(f.text[m[1]:end]) {
				writers[f.text[m[2]:m[3]]] = true
			}
		}
	}
	return writers
}

// Only handlers, in http.go, *_http.go and *_stream.go, read the caller and the client from the context. Services receive
// them as arguments.
func TestOnlyHandlersReadTheRequest(t *testing.T) {
	t.Parallel()
	reader := regexp.MustCompile(`^([A-Z]\w*Of|NamedMerchant|SiteOrigin|IsLocal)$`)
	withoutContext := []string{"AmountOf"}
	for _, f := range goFiles(t) {
		handlers := strings.HasSuffix(f.base(), "http.go") || strings.HasSuffix(f.base(), "_stream.go")
		if f.isTest() || handlers || layers[layerOf(f.folder())] != domainLayer {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "rest" && reader.MatchString(sel.Sel.Name) && !slices.Contains(withoutContext, sel.Sel.Name) {
				t.Errorf("%s: rest.%s: call it in http.go and pass the result", f.fileset.Position(sel.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
}
