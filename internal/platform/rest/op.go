package rest

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"fairground/internal/fault"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/spec"
)

// Access defines who may make a call.
type Access uint8

// Access levels.
const (
	Public    Access = iota
	Session          // any session, including trial sessions
	Real             // a session of member type 0, 1 or 2
	Frame            // any token of a game frame; the handler verifies it
	Operators        // an operator's session with the call's permission
)

// An Op declares a call.
type Op struct {
	Method, Path  string
	ID            string // operation id in the OpenAPI document, in camel case
	Summary       string
	Tag           string
	Access        Access
	MaxBody       int64            // bytes; 0 means 64 KiB
	Timeout       time.Duration    // 0 means the default of the API
	Stream        bool             // the handler calls ServeEvents
	Rate          *ratelimit.Limit // for this call: per member if Access is Session or Real, else per network
	Module        spec.Module      // module that must be enabled
	Permission    permission.Name  // required permission, for Access Operators
	Dangerous     bool             // for Access Operators: the operator must have confirmed with a code within the last minutes
	WhileClosed   bool             // available while the site is closed
	HandlesModule spec.Module      // module from the ModuleId header that the handler checks itself
	Unrestricted  bool             // available to a member who must change the password first
	TokenAnywhere bool             // the token may also be in the JSON body, or in the query of a GET or DELETE (specification, part 7)
	Faults        []*fault.Fault   // faults of the handler, for the OpenAPI document; those of this package are added
	Description   string           // details for the OpenAPI document
	ContentType   string           // content type of a response without an envelope

	// OnReject writes the response when this package rejects a request. It is for calls that servers make. Servers
	// authenticate with signatures, so the limit per network does not apply to them.
	OnReject func(http.ResponseWriter, *http.Request, error)
}

const defaultMaxBody = 64 << 10

// Typed declares a typed call. I is a huma input struct (path, query, header and Body fields). The response is the envelope
// {success: true, value: O}. Fields that are not in I are rejected.
func Typed[I, O any](a *API, op Op, h func(context.Context, *I) (O, error)) {
	type reply struct{ Body Envelope[O] }
	huma.Register(a.huma, a.document(op, nil), func(ctx context.Context, in *I) (*reply, error) {
		value, err := h(ctx, in)
		if err != nil {
			return nil, failWith(ctx, err)
		}
		return &reply{Envelope[O]{Success: true, Value: value}}, nil
	})
}

// Lgw declares a typed call under /lgw. Its response is the bare value, and a failure has the short form.
func Lgw[I, O any](a *API, op Op, h func(context.Context, *I) (O, error)) {
	type reply struct{ Body O }
	doc := a.document(op, nil)
	failed := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[ShortFailure](), true, "")
	doc.Responses = map[string]*huma.Response{"default": {
		Description: "Error", Content: map[string]*huma.MediaType{"application/json": {Schema: failed}},
	}}
	huma.Register(a.huma, doc, func(ctx context.Context, in *I) (*reply, error) {
		value, err := h(ctx, in)
		if err != nil {
			return nil, failWith(ctx, err)
		}
		return &reply{value}, nil
	})
}

// Raw declares a call whose handler reads its parameters and writes its response itself. I and O document the parameters
// and the value in the envelope.
func Raw[I, O any](a *API, op Op, h http.Handler) {
	type reply struct{ Body Envelope[O] }
	doc := a.document(op, h)
	huma.Register(a.huma, doc, func(context.Context, *I) (*reply, error) {
		return nil, ErrSystem // unreachable: the adapter mounts h instead
	})
}

// Plain declares a call without an envelope whose handler reads its parameters and writes its response itself. I documents
// the input, O the response, and F the response with one of the failure statuses.
func Plain[I, O, F any](a *API, op Op, h http.Handler, failureStatuses ...int) {
	type reply struct{ Body O }
	doc := a.document(op, h)
	failure := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[F](), true, "")
	doc.Responses = map[string]*huma.Response{}
	for _, status := range failureStatuses {
		doc.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: map[string]*huma.MediaType{"application/json": {Schema: failure}},
		}
	}
	huma.Register(a.huma, doc, func(context.Context, *I) (*reply, error) {
		return nil, ErrSystem // unreachable: the adapter mounts h instead
	})
}

// Handle declares a call whose handler writes a response of type op.ContentType, such as an event stream or an image.
func Handle(a *API, op Op, h http.Handler) {
	doc := a.document(op, h)
	doc.Responses = map[string]*huma.Response{"200": {
		Description: op.Summary,
		Content:     map[string]*huma.MediaType{op.ContentType: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	doc.DefaultStatus = http.StatusOK
	for _, part := range strings.Split(op.Path, "/") {
		if name, isParam := strings.CutPrefix(part, "{"); isParam {
			doc.Parameters = append(doc.Parameters, &huma.Param{
				Name: strings.TrimSuffix(name, "}"), In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString},
			})
		}
	}
	huma.Register(a.huma, doc, func(context.Context, *struct{}) (*struct{}, error) {
		return nil, ErrSystem // unreachable: the adapter mounts h instead
	})
}

const opKey, rawKey = "op", "raw"

// document returns huma's description of a call. The adapter mounts raw, if not nil, instead of huma's handler.
func (a *API) document(op Op, raw http.Handler) huma.Operation {
	if op.MaxBody == 0 {
		op.MaxBody = defaultMaxBody
	}
	doc := huma.Operation{
		Method:       op.Method,
		Path:         op.Path,
		OperationID:  op.ID,
		Summary:      op.Summary,
		MaxBodyBytes: op.MaxBody + 1, // huma rejects a body of exactly its limit
		// A call with a long timeout may also upload for that long.
		BodyReadTimeout: op.Timeout,
		Metadata:        map[string]any{opKey: op, rawKey: raw},
		Description:     describe(op),
		Parameters:      parameters(op),
	}
	if op.Tag != "" {
		doc.Tags = []string{op.Tag}
	}
	switch op.Access {
	case Public:
	case Frame:
		doc.Security = []map[string][]string{{frameScheme: {}}}
	case Operators:
		doc.Security = []map[string][]string{{operatorScheme: {}}}
	default:
		doc.Security = []map[string][]string{{securityScheme: {}}}
	}
	return doc
}

// adapter implements huma.Adapter. It mounts huma's handlers as routes of the API.
type adapter struct{ api *API }

// Handle mounts a call. huma calls it once per declared call.
func (x adapter) Handle(doc *huma.Operation, typed func(huma.Context)) {
	op := doc.Metadata[opKey].(Op)
	h, raw := doc.Metadata[rawKey].(http.Handler)
	if !raw {
		h = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			typed(humago.NewContext(doc, r, w))
		})
	}
	x.api.routes = append(x.api.routes, op)
	rt := x.api.newRoute(op, op.Path, h)
	rt.takesBody = doc.RequestBody != nil || raw && op.Method != http.MethodGet
	rt.namesMerchant = slices.ContainsFunc(doc.Parameters, func(p *huma.Param) bool {
		return p.In == "query" && p.Name == "merchantCode"
	})
	x.api.mux.Handle(op.Method+" "+op.Path, rt)
}

// ServeHTTP serves all calls.
func (x adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) { x.api.Handler().ServeHTTP(w, r) }

// tokenInQuery reports whether the query may contain the session token.
func (op Op) tokenInQuery() bool {
	return op.TokenAnywhere && (op.Method == http.MethodGet || op.Method == http.MethodDelete)
}
