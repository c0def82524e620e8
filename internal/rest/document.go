package rest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const securityScheme = "session"

// documentConfig prepares huma: JSON only, no pages of its own, schema names that say their domain.
func documentConfig(version string) huma.Config {
	c := huma.DefaultConfig("Fairground", version)
	c.CreateHooks = nil // no $schema links in answers
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Formats = map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}
	c.Info.Description = "Every /wps call answers {success, value} or {success: false, errorCode, message}. " +
		"Headers: Merchant, Language (VI, EN, UR, PT), Device, ModuleId, Authorization (the raw token)."
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		securityScheme: {Type: "apiKey", In: "header", Name: "Authorization"},
	}
	return c
}

// OpenAPI is the API's document, version 3.1, indented for reading and comparing.
func (a *API) OpenAPI() ([]byte, error) {
	raw, err := json.Marshal(a.huma.OpenAPI())
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// schemaName puts the package before a type's name, so that two domains may both have an Info.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[failure]() {
		return "Failure"
	}
	if strings.HasPrefix(t.Name(), "Envelope[") {
		value, _ := t.FieldByName("Value")
		return "Envelope" + valueName(value.Type)
	}
	if t.Kind() == reflect.Struct && t.NumField() == 0 {
		return "Empty"
	}
	name := t.Name()
	if name == "" || strings.ContainsRune(name, '[') {
		return huma.DefaultSchemaNamer(t, hint)
	}
	pkg := t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:]
	if len(name) >= len(pkg) && strings.EqualFold(name[:len(pkg)], pkg) {
		return title(name)
	}
	return title(pkg) + title(name)
}

func valueName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Slice:
		return "List" + valueName(t.Elem())
	case t.Kind() == reflect.Pointer:
		return valueName(t.Elem())
	default:
		return schemaName(t, "")
	}
}

func title(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
