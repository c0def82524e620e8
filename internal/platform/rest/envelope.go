package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"fairground/internal/fault"
)

// Faults of the HTTP layer. Other packages also return some of them.
var (
	ErrNoSession       = fault.New(fault.Unauth, "login.not.session")
	ErrTokenInvalid    = fault.New(fault.Unauth, "user.or.token.invalid")
	ErrParam           = fault.New(fault.Invalid, "request_param_err")
	ErrSystem          = fault.New(fault.Internal, "system.error")
	ErrUnavailable     = fault.New(fault.Unavailable, "system.unavailable")
	ErrMerchantUnknown = fault.New(fault.Forbidden, "merchant.unknown")
	ErrTooLarge        = fault.New(fault.TooLarge, "request.too_large")
	ErrTimeout         = fault.New(fault.Timeout, "request.timeout")
	ErrRouteUnknown    = fault.New(fault.NotFound, "route.unknown")
	ErrCrossSite       = fault.New(fault.Forbidden, "csrf.refused")
	ErrDenied          = fault.New(fault.Forbidden, "access.denied")
	ErrTrial           = fault.New(fault.Forbidden, "member.trial_refused")
	ErrChangePassword  = fault.New(fault.Forbidden, "member.password_change_required") // an operator set the password
	ErrModuleOff       = fault.New(fault.Forbidden, "module.off")
	ErrMaintenance     = fault.New(fault.Unavailable, "system.maintenance")
	ErrRestricted      = fault.New(fault.Forbidden, "system.restricted")
)

// An Envelope is the response of every successful /wps call.
type Envelope[O any] struct {
	Success bool `json:"success" doc:"Always true."`
	Value   O    `json:"value"`
}

// A failure is the response of every failed call. The client translates errorCode, not the message.
type failure struct {
	Success   bool              `json:"success" doc:"Always false."`
	Message   string            `json:"message" doc:"For developers. Never shown to members."`
	ErrorCode string            `json:"errorCode" doc:"Stable dotted name, also the key of the translation."`
	RequestID string            `json:"requestId,omitempty" doc:"Id of the request in the server's log."`
	Field     string            `json:"field,omitempty" doc:"Name of the invalid input."`
	Args      map[string]string `json:"args,omitempty" doc:"Values for placeholders of the translation."`
	status    int
	short     bool // for an /lgw call: omit success and requestId
}

// A ShortFailure is the response of a failed /lgw call.
type ShortFailure struct {
	ErrorCode string            `json:"errorCode" doc:"Stable dotted name, also the key of the translation."`
	Message   string            `json:"message" doc:"For developers. Never shown to members."`
	Field     string            `json:"field,omitempty" doc:"Name of the invalid input."`
	Args      map[string]string `json:"args,omitempty" doc:"Values for placeholders of the translation."`
}

// MarshalJSON returns the envelope of a failure, or the short form for /lgw.
func (f *failure) MarshalJSON() ([]byte, error) {
	if f.short {
		return json.Marshal(ShortFailure{f.ErrorCode, f.Message, f.Field, f.Args})
	}
	type enveloped failure
	return json.Marshal((*enveloped)(f))
}

func (f *failure) Error() string { return f.ErrorCode }

// GetStatus returns the HTTP status. huma calls it.
func (f *failure) GetStatus() int { return f.status }

// statuses maps the kind of a fault to the HTTP status.
var statuses = map[fault.Kind]int{
	fault.Internal:    http.StatusInternalServerError,
	fault.Invalid:     http.StatusBadRequest,
	fault.Unauth:      http.StatusUnauthorized,
	fault.Forbidden:   http.StatusForbidden,
	fault.NotFound:    http.StatusNotFound,
	fault.Conflict:    http.StatusConflict,
	fault.Refused:     http.StatusUnprocessableEntity,
	fault.TooMany:     http.StatusTooManyRequests,
	fault.TooLarge:    http.StatusRequestEntityTooLarge,
	fault.Unavailable: http.StatusServiceUnavailable,
	fault.Timeout:     http.StatusGatewayTimeout,
}

// messages are for developers who read raw responses.
var messages = map[fault.Kind]string{
	fault.Internal:    "system error",
	fault.Invalid:     "the request is not valid",
	fault.Unauth:      "a valid session is needed",
	fault.Forbidden:   "not allowed",
	fault.NotFound:    "not found",
	fault.Conflict:    "conflicts with the current state",
	fault.Refused:     "the request was refused",
	fault.TooMany:     "too many requests",
	fault.TooLarge:    "the request is too large",
	fault.Unavailable: "unavailable, try again later",
	fault.Timeout:     "the request timed out",
}

// failureOf converts an error to a failure. An error that is not a fault becomes a system error without details. A status
// of 0 means the default of the fault's kind.
func failureOf(err error, status int) *failure {
	var f *fault.Fault
	switch {
	case errors.As(err, &f):
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		f = ErrTimeout
	default:
		f = ErrSystem
	}
	if status == 0 {
		status = statuses[f.Kind]
	}
	out := &failure{Message: messages[f.Kind], ErrorCode: f.Code, Field: f.Field, Args: f.Args, status: status}
	if f.Kind == fault.Internal {
		out.ErrorCode, out.Field, out.Args = ErrSystem.Code, "", nil
	}
	return out
}

// failWith records the error for the log and converts it to a failure.
func failWith(ctx context.Context, err error) *failure {
	x := exchangeOf(ctx)
	if unavailable := x != nil && x.api.options.Unavailable != nil && fault.KindOf(err) == fault.Internal && x.api.options.Unavailable(err); unavailable {
		err = ErrUnavailable.Because(err)
	}
	f := failureOf(err, 0)
	if x != nil {
		x.err = err
		if f.status == http.StatusServiceUnavailable {
			x.api.metrics.refused.WithLabelValues(f.ErrorCode).Inc()
		}
		f.short = x.shortFailures
		canRetry := f.status == http.StatusTooManyRequests || f.status == http.StatusServiceUnavailable
		if seconds := f.Args["seconds"]; canRetry && seconds != "" {
			x.Header().Set("Retry-After", seconds)
		}
		if f.status >= http.StatusInternalServerError {
			f.RequestID = x.id
		}
	}
	return f
}

// WriteError sends err in the envelope. Handlers that write their own responses use it.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	writeFailure(w, r, failWith(r.Context(), err))
}

func writeFailure(w http.ResponseWriter, r *http.Request, f *failure) {
	if x := exchangeOf(r.Context()); x != nil {
		f.short = x.shortFailures
	}
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Cache-Control"] = noStore
	h.Del("Content-Encoding")
	h.Del("ETag")
	w.WriteHeader(f.status)
	body, _ := json.Marshal(f) // cannot fail: the fields are strings
	_, _ = w.Write(append(body, '\n'))
}

var (
	jsonType = []string{"application/json"}
	noStore  = []string{"no-store"}
)

// init configures huma, which has only package variables for this.
func init() {
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		return humaFailure(status, msg, errs...)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		f := humaFailure(status, msg, errs...)
		x := exchangeOf(ctx.Context())
		if x == nil {
			return f
		}
		f.short = x.shortFailures
		if f.status >= http.StatusInternalServerError {
			f.RequestID = x.id
			x.err = errors.Join(append([]error{errors.New(msg)}, errs...)...)
		}
		return f
	}
}

// humaReadFailed is huma's message for a body that it cannot read.
const humaReadFailed = "cannot read request body"

// humaFailure converts an error that huma reports about a request.
func humaFailure(status int, msg string, errs ...error) *failure {
	switch status {
	case http.StatusRequestEntityTooLarge:
		return failureOf(ErrTooLarge, status)
	case http.StatusRequestTimeout:
		return failureOf(ErrTimeout, status)
	case http.StatusUnsupportedMediaType, http.StatusNotAcceptable:
		return failureOf(ErrParam, status)
	case http.StatusUnprocessableEntity, http.StatusBadRequest:
	case http.StatusInternalServerError:
		if msg == humaReadFailed { // the client sent malformed chunks, or disconnected
			return failureOf(ErrParam, http.StatusBadRequest)
		}
		return failureOf(ErrSystem, 0)
	default:
		return failureOf(ErrSystem, 0)
	}
	f := failureOf(ErrParam, http.StatusBadRequest)
	for _, err := range errs {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return failureOf(ErrTooLarge, 0)
		}
		var detail huma.ErrorDetailer
		if errors.As(err, &detail) {
			d := detail.ErrorDetail()
			f.Field = field(d.Location, d.Message)
			f.Message = d.Message // describes the schema and does not contain the value
			break
		}
	}
	if f.Field == "" && len(errs) == 0 && msg != "" {
		f.Message = msg
	}
	return f
}

// field returns the input's name from huma's location (body.username, query.limit). For a missing property huma reports
// the parent, and only the message contains the name.
func field(location, message string) string {
	_, name, _ := strings.Cut(location, ".")
	var missing string
	if n, err := fmt.Sscanf(message, validation.MsgExpectedRequiredProperty, &missing); err == nil && n == 1 {
		if name != "" {
			name += "."
		}
		name += missing
	}
	return name
}
