package rules

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/security.md lists the calls whose JSON body may contain the session token. No other call declares that it accepts one.
func TestSE15PartCallsWithTokensInBodiesAreListed(t *testing.T) {
	t.Parallel()
	var accepting []string
	for _, f := range goFiles(t) {
		if f.isTest() || !strings.Contains(f.text, "TokenAnywhere: true") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			op, isLiteral := n.(*ast.CompositeLit)
			if !isLiteral {
				return true
			}
			fields := map[string]string{}
			for _, element := range op.Elts {
				if field, isField := element.(*ast.KeyValueExpr); isField {
					fields[lastName(field.Key)] = strings.Trim(f.text[field.Value.Pos()-1:field.Value.End()-1], `"`)
				}
			}
			if fields["TokenAnywhere"] == "true" && fields["Method"] != "http.MethodGet" && fields["Method"] != "http.MethodDelete" {
				accepting = append(accepting, fields["Path"])
			}
			return true
		})
	}
	page := files(t, func(f file) bool { return f.path == "docs/security.md" })[0]
	var listed []string
	for line := range strings.Lines(page.text) {
		if strings.Contains(line, "in the JSON body") {
			for _, m := range regexp.MustCompile("`POST (/[^`]+)`").FindAllStringSubmatch(line, -1) {
				listed = append(listed, m[1])
			}
		}
	}
	slices.Sort(accepting)
	slices.Sort(listed)
	if !slices.Equal(accepting, listed) || len(listed) == 0 {
		t.Errorf("calls with a token in the body = %q, docs/security.md lists %q", accepting, listed)
	}
}
