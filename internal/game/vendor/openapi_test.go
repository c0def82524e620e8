package vendor

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/rest"
)

// The OpenAPI document and parseRequest must accept the same requests.
func TestGL07OpenAPIMatchesRequestParser(t *testing.T) {
	t.Parallel()
	api, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ProtocolRoutes(api, &Service{})
	raw, err := api.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	type schema struct {
		Ref                  string `json:"$ref"`
		AdditionalProperties *bool
		Properties           map[string]struct{ Type, Pattern, Description string }
		Required             []string
	}
	type content struct {
		Content map[string]struct{ Schema schema }
	}
	var doc struct {
		Paths map[string]struct {
			Post struct {
				Parameters  []struct{ Name string }
				RequestBody content
				Responses   map[string]content
			}
		}
		Components struct{ Schemas map[string]schema }
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	find := func(c content) schema {
		s := c.Content["application/json"].Schema
		return doc.Components.Schemas[s.Ref[len("#/components/schemas/"):]]
	}
	good := map[string]any{
		"requestId": "q-1", "sessionId": "s", "ticket": "t", "currency": "VND", "gameCode": "G1", "roundId": "r:1", "txId": "t:1", "refTxId": "t:2",
		"amount": "12", "reason": "Tết 2026", "endRound": true,
	}
	bad := map[string]any{
		"requestId": "two words", "sessionId": "", "ticket": "đ", "currency": "vnd", "gameCode": "G/1", "roundId": "table/7#12", "txId": "t 1", "refTxId": "t#1",
		"amount": "-1", "reason": "one\ntwo", "endRound": "true",
	}
	for c, must := range requiredFields {
		t.Run("GL-07 "+string(c), func(t *testing.T) {
			t.Parallel()
			op := doc.Paths["/vendor/v1/"+string(c)].Post
			body := find(op.RequestBody)
			if body.AdditionalProperties == nil || *body.AdditionalProperties {
				t.Error("the document allows additional fields")
			}
			if documented, want := slices.Sorted(slices.Values(body.Required)), slices.Sorted(slices.Values(must)); !slices.Equal(documented, want) {
				t.Errorf("the document requires %v, want %v as the parser", documented, want)
			}
			full := map[string]any{}
			for name := range body.Properties {
				full[name] = good[name]
			}
			send := func(change string, value any) *malformedError {
				sent := map[string]any{}
				for name, v := range full {
					sent[name] = v
				}
				if sent[change] = value; value == nil {
					delete(sent, change)
				}
				raw, err := json.Marshal(sent)
				if err != nil {
					t.Fatal(err)
				}
				var invalid *malformedError
				if _, err := parseRequest(c, raw); err != nil && !errors.As(err, &invalid) {
					t.Fatal(err)
				}
				return invalid
			}
			for name, property := range body.Properties {
				if invalid := send(name, good[name]); invalid != nil {
					t.Errorf("a request with all documented fields was rejected: %v, want nil", invalid)
				}
				if invalid := send(name, nil); (invalid != nil) != slices.Contains(body.Required, name) || invalid != nil && invalid.field != name {
					t.Errorf("without %s: %v", name, invalid)
				}
				if invalid := send(name, bad[name]); invalid == nil || invalid.field != name {
					t.Errorf("%s %q: error %v, want one of field %s", name, bad[name], invalid, name)
				}
				if property.Type == "boolean" {
					continue
				}
				form := regexp.MustCompile(property.Pattern)
				if property.Pattern == "" || !form.MatchString(good[name].(string)) || form.MatchString(bad[name].(string)) {
					t.Errorf("%s has the pattern %q, want one that only the good example matches", name, property.Pattern)
				}
			}
			if invalid := send("noSuchField", "x"); invalid == nil || invalid.field != "noSuchField" {
				t.Errorf("unknown field: error = %v, want one on noSuchField", invalid)
			}
			for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable} {
				refused, known := op.Responses[formatID(int64(status))]
				if !known || len(find(refused).Properties) != 2 || find(refused).Properties["code"].Type != "string" || find(refused).Properties["field"].Type != "string" {
					t.Errorf("%d is documented as %+v, want the texts code and field", status, refused)
				}
			}
			if _, usual := op.Responses["default"]; usual {
				t.Error("errors are documented in the app's format")
			}
			var headers []string
			for _, p := range op.Parameters {
				headers = append(headers, p.Name)
			}
			if want := []string{headerVendor, headerKey, headerTime, headerSignature}; !slices.Equal(headers, want) {
				t.Errorf("documented headers = %v, want %v", headers, want)
			}
		})
	}
}

func TestGL07GuideListsEveryCode(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/vendor-guide.md")
	if err != nil {
		t.Fatal(err)
	}
	all := map[code]bool{invalidSignature: false, invalidRequest: false, invalidAmount: false, sessionExpired: false, accountDisabled: false, gameUnavailable: false, unknownOutcome: false}
	for _, c := range codes {
		all[c] = c != duplicateConflict
	}
	for c, remembered := range all {
		row := regexp.MustCompile("(?m)^\\| [0-9]{3} \\| `" + string(c) + "` \\|.*\\| ([^|]*) \\|$").FindSubmatch(guide)
		if row == nil || strings.HasPrefix(string(row[1]), "yes") != remembered {
			t.Errorf("%s: the guide has %q, want remembered = %v", c, row, remembered)
		}
	}
}
