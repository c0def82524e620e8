package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// stopping lists the methods of testing.T that end the goroutine that calls them. In another goroutine than the test's they do not
// end the test.
var stopping = []string{"Fatal", "Fatalf", "FailNow", "Skip", "Skipf", "SkipNow"}

// A goroutine of a test reports failures with t.Error.
func TestGoroutinesOfTestsDoNotStopTheTest(t *testing.T) {
	t.Parallel()
	for _, f := range goFiles(t) {
		if !f.isTest() {
			continue
		}
		for _, position := range stopsInGoroutines(f.ast) {
			t.Errorf("%s: a goroutine ends the test: use t.Error and return", f.fileset.Position(position))
		}
	}
}

func TestStopsInGoroutinesAreFound(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`go func() { t.Fatal(1) }()`:                                         1,
		`group.Go(func() { if bad { h.t.FailNow() } })`:                      1,
		`go func() { require.NoError(t, err) }()`:                            1,
		`go func() { t.Errorf("x") }()`:                                      0,
		`t.Run("x", func(t *testing.T) { t.Fatal(1) })`:                      0,
		`go func() { t.Run("x", func(t *testing.T) { t.Fatal(1) }) }()`:      0,
		`group.Go(func() { inner.Go(func() { t.Fatal(1) }) }); t.Fatalf("")`: 1,
	} {
		if got := len(stopsInGoroutines(parseBody(t, body))); got != want {
			t.Errorf("%s: found %d, want %d", body, got, want)
		}
	}
}

func parseBody(t *testing.T, statements string) ast.Node {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() {\n"+statements+"\n}", 0)
	if err != nil {
		t.Fatalf("parse %s: %v", statements, err)
	}
	return tree
}

// stopsInGoroutines returns the positions of calls that end a test from a function that runs in another goroutine.
func stopsInGoroutines(tree ast.Node) (found []token.Pos) {
	ast.Inspect(tree, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if start, isGo := n.(*ast.GoStmt); isGo {
			call, isCall = start.Call, true
		} else if isCall {
			method, isMethod := call.Fun.(*ast.SelectorExpr)
			isCall = isMethod && method.Sel.Name == "Go"
		}
		if !isCall {
			return true
		}
		for _, part := range append([]ast.Expr{call.Fun}, call.Args...) {
			if body, isFunction := part.(*ast.FuncLit); isFunction {
				found = append(found, stops(body.Body)...)
			}
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// stops returns the positions of calls that end a test. It omits subtests, which run in their own goroutine.
func stops(body ast.Node) (found []token.Pos) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, isCall := n.(*ast.CallExpr)
		if !isCall {
			return true
		}
		method, isMethod := call.Fun.(*ast.SelectorExpr)
		if !isMethod {
			return true
		}
		receiver := lastName(method.X)
		if receiver == "require" || (receiver == "t" || receiver == "tb") && slices.Contains(stopping, method.Sel.Name) {
			found = append(found, call.Pos())
		}
		return receiver != "t" || method.Sel.Name != "Run"
	})
	return found
}

// lastName returns the name of an identifier or of a field: t for t and for h.t.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
