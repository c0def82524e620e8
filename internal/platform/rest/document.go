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
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
)

// Security schemes. A token of one scheme is not valid for calls of another.
const securityScheme, frameScheme, operatorScheme = "session", "frame", "operator"

// documentConfig configures huma: JSON only, no documentation pages, schema names with the package name.
func documentConfig(version string) huma.Config {
	c := huma.DefaultConfig("Fairground", version)
	c.CreateHooks = nil // no $schema links in responses
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Formats = map[string]huma.Format{"application/json": strictJSON, "json": strictJSON}
	c.Info.Description = "Every /wps call returns {success, value} or {success: false, errorCode, message}. In addition to its listed " +
		"error codes, every call can return " + codes(ErrMerchantUnknown, ratelimit.ErrLimited, ErrTooLarge, ErrParam, ErrModuleOff, ErrCrossSite) +
		" for a rejected request and " + codes(ErrSystem, ErrUnavailable, ErrTimeout) + " for a failure. While the site is closed, for everyone or for " +
		"the caller's address, every call returns " + codes(ErrMaintenance, ErrRestricted) + " unless its description says otherwise. " +
		"While the password is one that an operator set, calls with a session return " + codes(ErrChangePassword) + ", except those that the change of the password needs."
	c.Components.Parameters = commonParameters()
	c.Components.Schemas = huma.NewMapRegistry("#/components/schemas/", schemaName)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		securityScheme: {Type: "apiKey", In: "header", Name: "Authorization"},
		operatorScheme: {Type: "apiKey", In: "cookie", Name: OperatorCookie, Description: "Session of an operator, from POST /ops/v1/session."},
		frameScheme:    {Type: "apiKey", In: "header", Name: "Authorization", Description: "Token of a game frame, from POST /house/v1/session or /lgw/session."},
	}
	return c
}

// commonParameters returns the parameters that all calls accept, by component name.
func commonParameters() map[string]*huma.Param {
	text := &huma.Schema{Type: huma.TypeString}
	language := &huma.Schema{Type: huma.TypeString}
	for _, l := range languages {
		language.Enum = append(language.Enum, strings.ToUpper(l))
	}
	return map[string]*huma.Param{
		"Merchant": {Name: "Merchant", In: "header", Schema: text, Description: "Merchant code. Defaults to the merchant of the server."},
		"Language": {Name: "Language", In: "header", Schema: language, Description: "Not case-sensitive. An unknown language means VI."},
		"Device":   {Name: "Device", In: "header", Schema: text, Description: "Device of the client. It is stored with the session."},
		"ModuleId": {Name: "ModuleId", In: "header", Schema: text, Description: "Module of the client that makes the call. A disabled or unknown module fails with `" + ErrModuleOff.Code + "`."},
		"Token":    {Name: "token", In: "query", Schema: text, Description: "Session token, for clients that cannot send the Authorization header. A JSON body may contain it under the same name. The header takes precedence."},
	}
}

// parameters returns the common parameters of one call. Calls that servers make have none.
func parameters(op Op) []*huma.Param {
	if op.OnReject != nil {
		return nil
	}
	names := []string{"Merchant", "Language", "Device", "ModuleId"}
	if op.tokenInQuery() {
		names = append(names, "Token")
	}
	out := make([]*huma.Param, len(names))
	for i, name := range names {
		out[i] = &huma.Param{Ref: "#/components/parameters/" + name}
	}
	return out
}

// describe returns the call's description with its error codes: those that follow from its declaration, then op.Faults.
func describe(op Op) string {
	var faults []*fault.Fault
	switch op.Access {
	case Public:
	case Frame:
		faults = append(faults, ErrNoSession)
	case Session:
		faults = append(faults, ErrNoSession, ErrTokenInvalid)
	case Operators:
		faults = append(faults, ErrNoSession, ErrForbidden)
		if op.Dangerous {
			faults = append(faults, ErrConfirm)
		}
	case Real:
		faults = append(faults, ErrNoSession, ErrTokenInvalid, ErrTrial)
	}
	faults = append(faults, op.Faults...)
	seen := map[string]bool{}
	faults = slices.DeleteFunc(faults, func(f *fault.Fault) bool {
		duplicate := seen[f.Code]
		seen[f.Code] = true
		return duplicate
	})
	var parts []string
	if op.Description != "" {
		parts = append(parts, op.Description)
	}
	if op.WhileClosed {
		parts = append(parts, "Available while the site is closed.")
	}
	if op.Permission != "" && op.Permission != permission.OwnSession {
		parts = append(parts, "Needs the permission "+string(op.Permission)+".")
	}
	if op.Module != "" {
		parts = append(parts, "Belongs to the module "+string(op.Module)+".")
	}
	if len(faults) > 0 {
		parts = append(parts, "Error codes: "+codes(faults...)+".")
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

// OpenAPI returns the OpenAPI 3.1 document, indented.
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

// publishedAs maps a package to the prefix of its schema names, if it is not the package name. Published schema names must
// not change.
var publishedAs = map[string]string{"account": "member"}

// schemaName prefixes a type's name with its package, so that names are unique.
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
		return capitalize(name)
	}
	return capitalize(pkg) + capitalize(name)
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

func capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
