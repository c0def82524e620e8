package rest

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// A Download writes a file as the response. It writes its own headers.
type Download func(http.ResponseWriter) error

// TypedOrFile declares a typed call whose handler can also return a file of type op.ContentType, such as a list as CSV. If
// the handler returns no Download, the response is the envelope.
func TypedOrFile[I, O any](a *API, op Op, h func(context.Context, *I) (O, Download, error)) {
	type reply struct{ Body func(huma.Context) }
	doc := a.document(op, nil)
	schema := a.huma.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Envelope[O]](), true, "")
	doc.Responses = map[string]*huma.Response{"200": {
		Description: http.StatusText(http.StatusOK),
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}, op.ContentType: {Schema: &huma.Schema{Type: huma.TypeString}}},
	}}
	huma.Register(a.huma, doc, func(ctx context.Context, in *I) (*reply, error) {
		value, file, err := h(ctx, in)
		if err != nil {
			return nil, failWith(ctx, err)
		}
		return &reply{func(c huma.Context) {
			_, w := humago.Unwrap(c)
			if file == nil {
				c.SetHeader("Content-Type", jsonType[0])
				err = a.huma.Marshal(w, jsonType[0], Envelope[O]{Success: true, Value: value})
			} else {
				err = file(w)
			}
			if err != nil {
				exchangeOf(ctx).err = err
				panic(http.ErrAbortHandler) // so that the client does not accept an incomplete file
			}
		}}, nil
	})
}
