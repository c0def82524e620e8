package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	addEcho(a, Op{Path: "/wps/echo", Access: Real})
	type item struct {
		Name string `json:"name"`
	}
	type input struct {
		Language string `query:"language" enum:"VI,EN"`
	}
	Raw[input, []item](a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list", Tag: "lists", Summary: "All"},
		http.NotFoundHandler())
	Typed(a, Op{Method: http.MethodDelete, Path: "/wps/nothing", ID: "nothing"},
		func(context.Context, *struct{}) (struct{}, error) { return struct{}{}, nil })
	raw, err := a.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			OperationID string
			Security    []map[string][]string
			Parameters  []struct{ Name, In string }
			Responses   map[string]struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					}
				}
			}
		}
		Components struct {
			Schemas map[string]struct {
				AdditionalProperties any
				Properties           map[string]any
			}
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("version = %s, want 3.1.0", doc.OpenAPI)
	}
	echo := doc.Paths["/wps/echo"]["post"]
	if len(echo.Security) != 1 {
		t.Error("a call with access Real has no security scheme")
	}
	for status, want := range map[string]string{"200": "EnvelopeRestEchoed", "default": "Failure"} {
		if got := echo.Responses[status].Content["application/json"].Schema.Ref; got != "#/components/schemas/"+want {
			t.Errorf("schema of %s = %q, want %s", status, got, want)
		}
	}
	list := doc.Paths["/wps/list"]["get"]
	if len(list.Security) != 0 || len(list.Parameters) != 5 || list.Parameters[4].Name != "language" {
		t.Errorf("list: %+v, want no entries, 5 parameters and name language", list)
	}
	if got := list.Responses["200"].Content["application/json"].Schema.Ref; got != "#/components/schemas/EnvelopeListRestItem" {
		t.Errorf("schema of list = %q, want EnvelopeListRestItem", got)
	}
	for _, name := range []string{"EnvelopeEmpty", "Failure", "RestItem"} {
		if _, ok := doc.Components.Schemas[name]; !ok {
			t.Errorf("no schema %s", name)
		}
	}
	if again, err := a.OpenAPI(); err != nil || string(again) != string(raw) {
		t.Error("two calls of OpenAPI return different documents")
	}
}
