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
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/spec"
)

// Access says who may make a call.
type Access uint8

// Public is anyone; Session is any session, a trial one too; Real is a session of member type 0, 1 or 2. Frame is the
// holder of a token that is no member's: the border sees that there is one, the call's own code knows whose.
const (
	Public Access = iota
	Session
	Real
	Frame
)

// Op declares a call.
type Op struct {
	Method, Path string
	ID           string // operation id of the document, in camel case
	Summary      string
	Tag          string
	Access       Access
	MaxBody      int64            // bytes; 0 means 64 KiB
	Timeout      time.Duration    // 0 means the API's
	Stream       bool             // has no time limit, once it has called WithoutTimeout
	Rate         *ratelimit.Limit // for this call alone: per member where only members may make it, else per address
	Module       spec.Module      // module id that must be switched on
	WhileClosed  bool             // answers though the site is closed, so that the app can say why, and a member leave
	AnswersFor   spec.Module      // module id whose being off the call itself answers for, though the client names it
	TokenInside  bool             // the token may also stand in the query or the JSON body (part 7 of the specification)
	Faults       []*fault.Fault   // what its own code can refuse with, for the document; what the border refuses with follows from the above
	Description  string           // more for the document than the summary says
	ContentType  string           // of an answer that is not the envelope

	// Refuse answers what the border refuses of a call with a shape of its own. Such a call is made by servers, which prove who
	// they are themselves: the limit per address is not for them.
	Refuse func(http.ResponseWriter, *http.Request, error)
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

// Own declares a call that writes its own answer, whose body is O without an envelope, and refuses with F under the statuses
// that are named; its input I is documented. The handler reads what it needs itself.
func Own[I, O, F any](a *API, op Op, h http.Handler, refused ...int) {
	type reply struct{ Body O }
	doc := a.document(op, h)
	failure := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[F](), true, "")
	doc.Responses = map[string]*huma.Response{}
	for _, status := range refused {
		doc.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: map[string]*huma.MediaType{"application/json": {Schema: failure}},
		}
	}
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
	switch op.Access {
	case Public:
	case Frame:
		doc.Security = []map[string][]string{{frameScheme: {}}}
	default:
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
