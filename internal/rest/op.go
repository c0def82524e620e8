package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"fairground/internal/fault"
)

// Access says who may make a call.
type Access uint8

// Public is anyone; Session is any session, a trial one too; Real is a session of member type 0, 1 or 2.
const (
	Public Access = iota
	Session
	Real
)

// Op declares a call.
type Op struct {
	Method, Path string
	ID           string // operation id of the document, in camel case
	Summary      string
	Tag          string
	Access       Access
	MaxBody      int64          // bytes; 0 means 64 KiB
	Timeout      time.Duration  // 0 means the API's
	Stream       bool           // goes on for ever, once it has called Endless
	Rate         *Rate          // per address, for this call alone
	Module       string         // module id that must be switched on
	TokenInside  bool           // the token may also stand in the query or the JSON body (part 7 of the specification)
	Faults       []*fault.Fault // what its own code can refuse with, for the document; what the border refuses with follows from the above
	Description  string         // more for the document than the summary says
	ContentType  string         // of an answer that is not the envelope
}

const defaultMaxBody = 64 << 10

// Wps declares a typed call. I is a huma input struct (path, query, header and Body fields); the reply is
// the envelope {success: true, value: O}. Fields that I does not name are refused.
func Wps[I, O any](a *API, op Op, h func(context.Context, *I) (O, error)) {
	type reply struct{ Body Envelope[O] }
	huma.Register(a.huma, a.document(op, nil), func(ctx context.Context, in *I) (*reply, error) {
		value, err := h(ctx, in)
		if err != nil {
			return nil, failWith(ctx, err)
		}
		return &reply{Envelope[O]{Success: true, Value: value}}, nil
	})
}

// Raw declares a call that writes its own answer, mostly pre-encoded bytes, but whose parameters I and value
// O are documented. The handler reads its parameters itself.
func Raw[I, O any](a *API, op Op, h http.Handler) {
	type reply struct{ Body Envelope[O] }
	doc := a.document(op, h)
	huma.Register(a.huma, doc, func(context.Context, *I) (*reply, error) {
		return nil, ErrSystem // never reached: the adapter mounts h instead
	})
}

// Handle declares a call that writes its own answer of any form: event streams, images.
func Handle(a *API, op Op, h http.Handler) {
	doc := a.document(op, h)
	doc.Responses = map[string]*huma.Response{"200": {
		Description: op.Summary,
		Content:     map[string]*huma.MediaType{op.ContentType: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	doc.DefaultStatus = http.StatusOK
	for _, part := range strings.Split(op.Path, "/") {
		if name, given := strings.CutPrefix(part, "{"); given {
			doc.Parameters = append(doc.Parameters, &huma.Param{
				Name: strings.TrimSuffix(name, "}"), In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString},
			})
		}
	}
	huma.Register(a.huma, doc, func(context.Context, *struct{}) (*struct{}, error) {
		return nil, ErrSystem // never reached: the adapter mounts h instead
	})
}

const opKey, rawKey = "op", "raw"

// document makes huma's view of a call. raw, when given, is mounted in place of huma's own handler.
func (a *API) document(op Op, raw http.Handler) huma.Operation {
	if op.MaxBody == 0 {
		op.MaxBody = defaultMaxBody
	}
	doc := huma.Operation{
		Method:       op.Method,
		Path:         op.Path,
		OperationID:  op.ID,
		Summary:      op.Summary,
		MaxBodyBytes: op.MaxBody + 1, // huma refuses a body of exactly its limit
		// Whoever may take long may send for long too.
		BodyReadTimeout: op.Timeout,
		Metadata:        map[string]any{opKey: op, rawKey: raw},
		Description:     describe(op),
		Parameters:      parameters(op),
	}
	if op.Tag != "" {
		doc.Tags = []string{op.Tag}
	}
	if op.Access != Public {
		doc.Security = []map[string][]string{{securityScheme: {}}}
	}
	return doc
}

// adapter mounts huma's handlers as routes of the API.
type adapter struct{ api *API }

// Handle is called by huma once per declared call.
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

// ServeHTTP completes huma's adapter.
func (x adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) { x.api.Handler().ServeHTTP(w, r) }
