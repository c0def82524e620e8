package rest

import (
	"context"
	"net/http"
	"net/netip"
	"time"

	"fairground/internal/fault"
)

// Caller is the one whose session a request carries.
type Caller struct {
	SessionID  int64
	MemberID   int64
	MerchantID int64
	Type       MemberType
	Username   string
	Currency   string
}

// Merchant is whose site a request is for.
type Merchant struct {
	ID   int64
	Code string
}

// exchange is all that the border knows about one request. The request's context carries it.
type exchange struct {
	recorder
	serverContext context.Context // without the limit of the call's time
	request       *http.Request   // as it came
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
	named         bool // by the request itself
	route         *route
	err           error // for the log
	panicked      bool

	bareFaults bool // the path is one of /lgw, which knows no envelope

	caller   Caller
	callerOK bool
	asked    bool  // the authenticator has been asked
	unknown  error // what it answered, when it knew no caller
}

type exchangeKey struct{}

// WithoutTimeout lifts the call's time limit from a stream's context once the stream was let in. What the stream asks before
// that is bound like any other call, because a database that hangs must not keep it.
func WithoutTimeout(ctx context.Context) context.Context {
	x := exchangeOf(ctx)
	if x == nil || x.route == nil || !x.route.op.Stream {
		return ctx
	}
	return context.WithValue(x.serverContext, exchangeKey{}, x)
}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// CallerOf gives the one who calls. In a public call the session is looked up only here, when it is asked
// for; a token that is no longer good counts as none there.
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

// authenticate asks once per request who holds the token.
func (x *exchange) authenticate(ctx context.Context) error {
	if !x.asked {
		x.asked = true
		x.caller, x.unknown = x.lookUp(ctx)
		x.callerOK = x.unknown == nil
	}
	return x.unknown
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
		return Caller{}, ErrTokenInvalid // another merchant's session is none here
	}
	return caller, nil
}

// MerchantOf gives the merchant whose site the request is for.
func MerchantOf(ctx context.Context) Merchant {
	if x := exchangeOf(ctx); x != nil {
		return x.merchant
	}
	return Merchant{}
}

// NamedMerchant gives the code of the merchant that the request itself names; empty where it leaves that to the server.
func NamedMerchant(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil && x.named {
		return x.merchant.Code
	}
	return ""
}

// LanguageOf gives the request's language: vi, en, ur or pt.
func LanguageOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil && x.language != "" {
		return x.language
	}
	return defaultLanguage
}

// AddressOf gives the client's address, as told by configured proxies only; empty where it is unknown.
func AddressOf(ctx context.Context) string {
	if address := ClientOf(ctx); address.IsValid() {
		return address.String()
	}
	return ""
}

// ClientOf gives the same address for comparing, not valid where it is unknown.
func ClientOf(ctx context.Context) netip.Addr {
	if x := exchangeOf(ctx); x != nil {
		return x.address
	}
	return netip.Addr{}
}

// NetworkOf is what limits count a request by.
func NetworkOf(ctx context.Context) string { return NetworkOfAddress(AddressOf(ctx)) }

// NetworkOfAddress is what limits count an address by. Over a unix socket there is no address: all of those count as one.
func NetworkOfAddress(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return "unknown"
	}
	return Network(a).String()
}

// DeviceOf gives what the client says it runs on.
func DeviceOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.device
	}
	return ""
}

// TokenOf gives the session token the request came with, for the calls that end or renew a session.
func TokenOf(ctx context.Context) string {
	if x := exchangeOf(ctx); x != nil {
		return x.token
	}
	return ""
}

// Visitor is who sends a request, as far as the border knows without a session.
type Visitor struct {
	Address  string // empty where it is unknown
	Network  string // what limits count by
	Language string // vi, en, ur or pt
	Device   string // what the client says it runs on
}

// VisitorOf gives the request's. Handlers read it once and hand it to the services.
func VisitorOf(ctx context.Context) Visitor {
	return Visitor{Address: AddressOf(ctx), Network: NetworkOf(ctx), Language: LanguageOf(ctx), Device: DeviceOf(ctx)}
}

// recorder notes what was sent, for the log and the metrics.
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

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
