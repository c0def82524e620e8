package rest

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"fairground/internal/fault"
)

// A Caller is the member who makes a request, known from the session.
type Caller struct {
	SessionID  int64
	MemberID   int64
	MerchantID int64
	Type       MemberType
	Username   string
	Currency   string

	TemporaryPassword bool // an operator set the password, and the member must change it first
}

// A Merchant identifies the merchant of a request.
type Merchant struct {
	ID   int64
	Code string
}

// An exchange is the state of one request. It is stored in the request's context.
type exchange struct {
	recorder
	serverContext context.Context // without the timeout of the call
	request       *http.Request   // the original request
	api           *API
	start         time.Time
	id            string
	idHeader      [1]string
	address       netip.Addr
	secure        bool
	token         string
	device        string
	language      string
	merchant      Merchant
	merchantNamed bool // the request contains the merchant's code
	route         *route
	err           error // for the log
	panicked      bool
	shortFailures bool // the path is in /lgw, which has no envelope

	operator      Operator
	operatorOK    bool
	caller        Caller
	callerOK      bool
	authenticated bool  // the authenticator was called
	authErr       error // result of the authenticator
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// CallerOf returns the caller. A public call has a caller if the request contains a valid session token.
func CallerOf(ctx context.Context) (Caller, bool) {
	x := exchangeOf(ctx)
	if x == nil {
		return Caller{}, false
	}
	if err := x.authenticate(ctx); err != nil && fault.KindOf(err) == fault.Internal {
		x.api.log.ErrorContext(ctx, "look up session", "error", err, "request", x.id)
	}
	return x.caller, x.callerOK
}

// authenticate looks up the session once per request.
func (x *exchange) authenticate(ctx context.Context) error {
	if !x.authenticated {
		x.authenticated = true
		x.caller, x.authErr = x.lookUp(ctx)
		x.callerOK = x.authErr == nil
	}
	return x.authErr
}

func (x *exchange) lookUp(ctx context.Context) (Caller, error) {
	if x.token == "" || x.api.options.Authenticator == nil {
		return Caller{}, ErrNoSession
	}
	caller, err := x.api.options.Authenticator.Authenticate(ctx, x.token)
	if err != nil {
		return Caller{}, err
	}
	if x.merchant.ID != 0 && caller.MerchantID != x.merchant.ID {
		return Caller{}, ErrTokenInvalid // a session of another merchant
	}
	return caller, nil
}

// MerchantOf returns the merchant of the request.
func MerchantOf(ctx context.Context) Merchant {
	if x := exchangeOf(ctx); x != nil {
		return x.merchant
	}
	return Merchant{}
}

// NamedMerchant returns the merchant code in the request, or "" if the request uses the default merchant.
func NamedMerchant(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil && x.merchantNamed {
		return x.merchant.Code
	}
	return ""
}

// LanguageOf returns the request's language: vi, en, ur or pt.
func LanguageOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil && x.language != "" {
		return x.language
	}
	return defaultLanguage
}

// AddressOf returns the client's address as a string, or "" if it is unknown.
func AddressOf(ctx context.Context) string {
	if address := ClientOf(ctx); address.IsValid() {
		return address.String()
	}
	return ""
}

// ClientOf returns the client's address. It is invalid if unknown.
func ClientOf(ctx context.Context) netip.Addr {
	if x := exchangeOf(ctx); x != nil {
		return x.address
	}
	return netip.Addr{}
}

// NetworkOf returns the key of the client's network for rate limits.
func NetworkOf(ctx context.Context) string { return NetworkOfAddress(AddressOf(ctx)) }

// NetworkOfAddress returns the key of an address's network for rate limits. All unknown addresses share one key.
func NetworkOfAddress(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	return Network(a).String()
}

// DeviceOf returns the device that the client reports.
func DeviceOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.device
	}
	return ""
}

// deviceHintOf returns the random id of the device. It is stored only as a keyed digest.
func deviceHintOf(ctx context.Context) string {
	x := exchangeOf(ctx)
	if x == nil {
		return ""
	}
	if hint := first(x.request.Header, "Device-Hint"); len(hint) >= 16 && len(hint) <= 64 {
		return hint
	}
	return ""
}

// TokenOf returns the session token of the request. It is for calls that end or renew the session.
func TokenOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.token
	}
	return ""
}

// RequestIDOf returns the id of the request in the log.
func RequestIDOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.id
	}
	return ""
}

// A Visitor describes the client of a request, with or without a session.
type Visitor struct {
	Address  string // "" if unknown
	Network  string // key for rate limits
	Language string // vi, en, ur or pt
	Device   string // as reported by the client
	Hint     string // random id that the app stores on the device; "" if unknown
}

// VisitorOf returns the visitor of the request.
func VisitorOf(ctx context.Context) Visitor {
	return Visitor{Address: AddressOf(ctx), Network: NetworkOf(ctx), Language: LanguageOf(ctx), Device: DeviceOf(ctx), Hint: deviceHintOf(ctx)}
}

// recorder records the status and size of the response, for the log and the metrics.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap returns the underlying writer for http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
