package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
)

// Two kinds of token, of which none is good for the other's calls.
const securityScheme, frameScheme = "session", "frame"

// documentConfig prepares huma: JSON only, no pages of its own, schema names that say their domain.
func documentConfig(version string) huma.Config {
	c := huma.DefaultConfig("Fairground", version)
	c.CreateHooks = nil // no $schema links in answers
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Formats = map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}
	c.Info.Description = "Every /wps call answers {success, value} or {success: false, errorCode, message}. Besides the codes that a " +
		"call names, each may refuse with " + codes(ErrMerchantUnknown, ratelimit.ErrLimited, ErrTooLarge, ErrParam, ErrModuleOff, ErrCrossSite) +
		" and fail with " + codes(ErrSystem, ErrUnavailable, ErrTimeout) + ". While the site is closed, to all or to the " +
		"caller's address, every call refuses with " + codes(ErrMaintenance, ErrRestricted) + " unless it says otherwise."
	c.Components.Parameters = commonParameters()
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		securityScheme: {Type: "apiKey", In: "header", Name: "Authorization"},
		frameScheme:    {Type: "apiKey", In: "header", Name: "Authorization", Description: "What POST /house/v1/session gives a game's frame."},
	}
	return c
}

// What every call takes besides its own parameters, by the name under which the document keeps it.
func commonParameters() map[string]*huma.Param {
	text := &huma.Schema{Type: huma.TypeString}
	tongues := &huma.Schema{Type: huma.TypeString}
	for _, l := range languages {
		tongues.Enum = append(tongues.Enum, strings.ToUpper(l))
	}
	return map[string]*huma.Param{
		"Merchant": {Name: "Merchant", In: "header", Schema: text, Description: "Code of the merchant whose site is meant; the server's own when missing."},
		"Language": {Name: "Language", In: "header", Schema: tongues, Description: "In any case; an unknown one counts as VI."},
		"Device":   {Name: "Device", In: "header", Schema: text, Description: "What the client runs on, kept with the session."},
		"ModuleId": {Name: "ModuleId", In: "header", Schema: text, Description: "The module that the call is made for. One that is switched off or unknown is refused with `" + ErrModuleOff.Code + "`."},
		"Token":    {Name: "token", In: "query", Schema: text, Description: "The session's token, for clients that cannot send the header, which is preferred. It may also stand in a JSON body under this name."},
	}
}

// parameters are the common ones of one call. Servers that prove who they are themselves send none of them.
func parameters(op Op) []*huma.Param {
	if op.Refuse != nil {
		return nil
	}
	names := []string{"Merchant", "Language", "Device", "ModuleId"}
	if op.TokenInside {
		names = append(names, "Token")
	}
	out := make([]*huma.Param, len(names))
	for i, name := range names {
		out[i] = &huma.Param{Ref: "#/components/parameters/" + name}
	}
	return out
}

// describe says what a call can refuse with: what follows from its declaration, then its own.
func describe(op Op) string {
	var faults []*fault.Fault
	switch op.Access {
	case Public:
	case Frame:
		faults = append(faults, ErrNoSession)
	case Session:
		faults = append(faults, ErrNoSession, ErrTokenInvalid)
	case Real:
		faults = append(faults, ErrNoSession, ErrTokenInvalid, ErrTrial)
	}
	faults = append(faults, op.Faults...)
	said := map[string]bool{}
	faults = slices.DeleteFunc(faults, func(f *fault.Fault) bool {
		again := said[f.Code]
		said[f.Code] = true
		return again
	})
	var parts []string
	if op.Description != "" {
		parts = append(parts, op.Description)
	}
	if op.WhileClosed {
		parts = append(parts, "Answers while the site is closed, too.")
	}
	if op.Module != "" {
		parts = append(parts, "Belongs to the module "+string(op.Module)+".")
	}
	if len(faults) > 0 {
		parts = append(parts, "May refuse with "+codes(faults...)+".")
	}
	return strings.Join(parts, "\n\n")
}

func codes(faults ...*fault.Fault) string {
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = "`" + f.Code + "`"
	}
	return strings.Join(names, ", ")
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

// publishedAs are packages whose schemas keep the name under which they were published before the code moved.
var publishedAs = map[string]string{"account": "member", "round": "house", "table": "house"}

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
	pkg = cmp.Or(publishedAs[pkg], pkg)
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
