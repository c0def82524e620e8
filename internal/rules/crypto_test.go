package rules

import (
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// Games must take random numbers only from crypto/rand. Packages for tests are exempt.
func TestPP16GamesUseOnlyCryptoRand(t *testing.T) {
	t.Parallel()
	sources := 0
	for _, f := range goFiles(t) {
		if !strings.HasPrefix(f.path, "internal/game/") || f.isTest() || strings.HasSuffix(f.folder(), "test") {
			continue
		}
		for _, imported := range f.ast.Imports {
			switch path := strings.Trim(imported.Path.Value, `"`); {
			case path == "crypto/rand":
				sources++
			case strings.HasPrefix(path, "math/rand"):
				t.Errorf("%s imports %s: use crypto/rand", f.path, path)
			}
		}
	}
	if sources == 0 {
		t.Error("no game imports crypto/rand: this test looks in the wrong place")
	}
}

// The duration of a comparison must not reveal how much of a signature is correct.
func TestSE11SignaturesAreComparedInConstantTime(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`(?i)(signature|mac|digest|hash)$`)
	name := func(e ast.Expr) string {
		for {
			switch x := e.(type) {
			case *ast.Ident:
				return x.Name
			case *ast.SelectorExpr:
				return x.Sel.Name
			case *ast.CallExpr:
				if e = x.Fun; len(x.Args) == 1 { // a conversion
					if _, ok := x.Fun.(*ast.ArrayType); ok {
						e = x.Args[0]
					}
				}
			default:
				return ""
			}
		}
	}
	comparisons := 0
	for _, f := range goFiles(t) {
		if f.isTest() || !strings.Contains(f.text, `"crypto/hmac"`) {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			var compared []ast.Expr
			switch x := n.(type) {
			case *ast.BinaryExpr:
				if x.Op == token.EQL || x.Op == token.NEQ {
					compared = []ast.Expr{x.X, x.Y}
				}
			case *ast.CallExpr:
				if called, ok := x.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Equal" {
					if pkg, ok := called.X.(*ast.Ident); ok && pkg.Name == "hmac" {
						comparisons++
					} else {
						compared = x.Args
					}
				}
			}
			for _, e := range compared {
				if secret.MatchString(name(e)) || name(e) == "Sign" {
					t.Errorf("%s: compare %s with hmac.Equal", f.fileset.Position(n.Pos()), name(e))
				}
			}
			return true
		})
	}
	if comparisons == 0 {
		t.Error("no use of hmac.Equal found: this test looks in the wrong place")
	}
}
