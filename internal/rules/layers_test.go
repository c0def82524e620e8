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

// The layers of the server, from the ground up. A package may import those below its own layer; why each
// rule stands is said where it is checked.
var (
	leaves   = []string{"money", "fault", "fairness", "spec"}
	plumbing = []string{
		"rest", "db", "events", "jobs", "blob", "config", "webui", "control",
		"secret", "tally", "jwe", "outgoing", "notify", "validation", "region", "conformance",
	}
	domains = []string{
		"ledger",
		"member", "session", "signin", "captcha", "verification", "kyc", "limits",
		"catalogue", "favourite", "vendor",
		"house", "jackpot", "lottery",
		"cashier", "promo", "agent",
		"content", "message", "merchant",
		"ops",
	}
	seeds = []string{"demo"} // puts content into domains; only the command may call it
)

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

// part is the top package of a path in internal: "db" for internal/db/query. Empty outside internal.
func part(path string) string {
	path = strings.TrimPrefix(path, "fairground/")
	rest, ok := strings.CutPrefix(path, "internal/")
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return name
}

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
	known := slices.Concat(leaves, plumbing, domains, seeds, []string{"rules"})
	for _, f := range goFiles(t) {
		if p := part(f.folder()); p != "" && !slices.Contains(known, p) {
			t.Errorf("%s: package %q is on no layer: add it to the map in ARCHITECTURE.md and to layers_test.go", f.path, p)
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
	in := slices.Contains[[]string]
	switch {
	case from == "": // a command, a tool or a benchmark wires what it needs
		return ""
	case to == "rules":
		return "the house rules are for no one to import"
	case in(seeds, to):
		return "demo content is only for the command to ask for: without --demo nothing of it exists"
	case in(leaves, from) && to != "fault":
		return "money, fault, fairness and spec stand on nothing else of ours"
	case in(plumbing, from) && in(domains, to):
		return "plumbing knows no domain, so that every domain can stand on it"
	case from == "house" && in(domains, to) && !test:
		return "the House plays by the vendor protocol and knows no more than any vendor does"
	}
	return ""
}

// A domain sees another through an interface of its own. What it may name of the other are id types and
// the faults that it passes on. The ledger is the exception: its transfer is the word for money moving.
func TestADomainNamesOnlyIDsOfAnother(t *testing.T) {
	t.Parallel()
	idOrFault := regexp.MustCompile(`^(\w*ID|Err[A-Z]\w*)$`)
	for _, f := range goFiles(t) {
		from := part(f.folder())
		if f.isTest() || !slices.Contains(domains, from) {
			continue
		}
		names := map[string]string{} // local name of an imported domain → its path
		for _, spec := range f.ast.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			to := part(path)
			if !strings.HasPrefix(path, "fairground/") || to == from || to == "ledger" || !slices.Contains(domains, to) {
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
	for _, f := range files(t, under("internal/db/queries/", ".sql")) {
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
	return f.isTest() && (strings.HasPrefix(f.path, "internal/db/") || strings.HasPrefix(f.path, "cmd/"))
}

// ledgerWriters are the generated functions of ledger.sql that change a table.
func ledgerWriters(t *testing.T) map[string]bool {
	t.Helper()
	writers := map[string]bool{}
	name := regexp.MustCompile(`(?m)^-- name: (\w+) :\w+`)
	for _, f := range files(t, under("internal/db/queries/", ".sql")) {
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
