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

// floors are the folders of internal and how high each stands. A package imports what stands on its own floor or below;
// what two peers may know of each other is a rule of its own.
var floors = map[string]int{
	"money": 0, "fault": 0,
	"platform": 1,
	"ledger":   2,
	"identity": 3, "finance": 3, "site": 3, "game": 3,
	"demo":   4,
	"server": 5,
}

// domainFloor is the height of identity, finance, site and game, which are peers.
const domainFloor = 3

// proofs are what every game shares: the arithmetic of drawing, and seeds that lie encrypted until they are revealed.
var proofs = []string{"game/fairness", "game/seal"}

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

// floor is the folder of internal that a path lies in: "platform" for internal/platform/db/query. Empty outside internal.
func floor(path string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "fairground/"), "internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

// part is the package that a path belongs to, with its floor: "platform/db" for internal/platform/db/query, "ledger" for
// internal/ledger. Empty outside internal.
func part(path string) string {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(path, "fairground/"), "internal/")
	if !ok {
		return ""
	}
	names := strings.SplitN(rest, "/", 3)
	if len(names) > 1 && slices.Contains([]string{"platform", "identity", "finance", "site", "game"}, names[0]) {
		return names[0] + "/" + names[1]
	}
	return names[0]
}

func isDomain(part string) bool { return floors[floor("internal/"+part)] == domainFloor }

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

func TestEveryPackageStandsOnAFloor(t *testing.T) {
	t.Parallel()
	for _, f := range goFiles(t) {
		name := floor(f.folder())
		if _, known := floors[name]; name != "" && !known && name != "rules" {
			t.Errorf("%s: internal/%s is no floor: see the map in ARCHITECTURE.md", f.path, name)
		}
	}
}

func TestImportsPointDownwards(t *testing.T) {
	t.Parallel()
	for _, f := range goFiles(t) {
		from := part(f.folder())
		for _, path := range f.imports() {
			to := part(path)
			if to == "" || to == from {
				continue
			}
			if reason := forbidden(from, to, f.isTest() || strings.HasSuffix(f.folder(), "test")); reason != "" {
				t.Errorf("%s imports %s: %s", f.path, path, reason)
			}
		}
	}
}

func forbidden(from, to string, test bool) string {
	switch {
	case from == "": // a command, a tool or a benchmark wires what it needs
		return ""
	case to == "rules":
		return "the rules are for no one to import"
	case to == "demo" && from != "server":
		return "demo content is only for the server to ask for: without --demo nothing of it exists"
	case to == "server" && test:
		return "" // a domain's external tests build the same server that is shipped
	case from == "game/fairness" && to != "fault":
		return "proofs are arithmetic that stands on nothing else of ours"
	case from == "game/house" && isDomain(to) && !slices.Contains(proofs, to) && !test:
		return "the House plays by the vendor protocol and knows no more than any vendor does"
	case floors[floor("internal/"+to)] > floors[floor("internal/"+from)]:
		return "money, fault → platform → ledger → identity, finance, site, game → demo → server: imports point to the left"
	}
	return ""
}

// A domain sees another through an interface of its own. What it may name of the other are id types and the faults that it
// passes on. The ledger stands below them; it and the proofs may be named whole.
func TestADomainNamesOnlyIDsOfAnother(t *testing.T) {
	t.Parallel()
	idOrFault := regexp.MustCompile(`^(\w*ID|Err[A-Z]\w*)$`)
	for _, f := range goFiles(t) {
		from := part(f.folder())
		if f.isTest() || strings.HasSuffix(f.folder(), "test") || !isDomain(from) {
			continue
		}
		names := map[string]string{} // local name of an imported domain → its path
		for _, spec := range f.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			to := part(path)
			if !strings.HasPrefix(path, "fairground/") || to == from || slices.Contains(proofs, to) || !isDomain(to) {
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

// moneyTables are changed by the ledger and by no one else: every balance is then the sum of its entries.
var moneyWrite = regexp.MustCompile(`(?is)\b(insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+"?(account|account_delta|transfer|entry)"?\b`)

func TestOnlyTheLedgerWritesMoney(t *testing.T) {
	t.Parallel()
	for _, f := range files(t, under("internal/platform/db/queries/", ".sql")) {
		if f.base() == "ledger.sql" {
			continue
		}
		if at := moneyWrite.FindStringIndex(f.text); at != nil {
			t.Errorf("%s:%d: only ledger.sql may change the ledger's tables", f.path, lineOf(f.text, at[0]))
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

// inDatabaseTest: the database's own tests, the ledger's benchmark and the tests of `ledger verify` break
// rows on purpose.
func inDatabaseTest(f goFile) bool {
	return f.isTest() && (strings.HasPrefix(f.path, "internal/platform/db/") || strings.HasPrefix(f.path, "cmd/"))
}

// ledgerWriters are the generated functions of ledger.sql that change a table.
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

// Services get who calls and from where as arguments: what a service reads from the context, its caller cannot see. Handlers,
// which stand in http.go and *_http.go, those of streams in *_stream.go, read it once.
func TestOnlyHandlersReadTheRequest(t *testing.T) {
	t.Parallel()
	reader := regexp.MustCompile(`^([A-Z]\w*Of|NamedMerchant|WithoutTimeout)$`)
	pure := []string{"AmountOf"}
	for _, f := range goFiles(t) {
		handlers := strings.HasSuffix(f.base(), "http.go") || strings.HasSuffix(f.base(), "_stream.go")
		if f.isTest() || handlers || floors[floor(f.folder())] != domainFloor {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "rest" && reader.MatchString(sel.Sel.Name) && !slices.Contains(pure, sel.Sel.Name) {
				t.Errorf("%s: rest.%s: read it in http.go and pass it on", f.fileset.Position(sel.Pos()), sel.Sel.Name)
			}
			return true
		})
	}
}
