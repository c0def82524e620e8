package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2/queryparam"

	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/spec"
)

// A route serves one declared call or mounted handler.
type route struct {
	api     *API
	op      Op
	index   uint32 // key of the call's rate limit
	timeout time.Duration
	mounted bool // added by Mount: no merchant, no session
	handler http.Handler
	metrics routeMetrics

	namesMerchant bool // has a merchantCode parameter in the query
	takesBody     bool // the handler reads the body
}

func (a *API) newRoute(op Op, label string, h http.Handler) *route {
	a.lastIndex++ // starts at 1: limitKey uses 0 for all calls
	rt := &route{api: a, op: op, index: a.lastIndex, timeout: op.Timeout, handler: h, metrics: a.metrics.route(label)}
	if rt.timeout == 0 {
		rt.timeout = a.options.Timeout
	}
	if rt.op.MaxBody == 0 {
		rt.op.MaxBody = defaultMaxBody
	}
	return rt
}

func (rt *route) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	x := exchangeOf(r.Context())
	x.route = rt
	w := &x.recorder
	if rt.mounted {
		rt.handler.ServeHTTP(w, r)
		return
	}
	if rt.op.Stream && r.Method == http.MethodHead {
		w.Header().Set("Allow", http.MethodGet) // the mux routes HEAD to GET, but a stream never ends
		writeFailure(w, r, failureOf(ErrRouteUnknown, http.StatusMethodNotAllowed))
		return
	}
	ctx, cancel := context.WithDeadline(r.Context(), x.start.Add(rt.timeout))
	defer cancel()
	r = r.WithContext(ctx)
	if err := rt.admit(w, r, x); err != nil {
		if rt.op.OnReject != nil {
			x.err = err
			rt.op.OnReject(w, r, err)
			return
		}
		WriteError(w, r, err)
		return
	}
	rt.handler.ServeHTTP(w, r)
}

// admit runs all checks before the handler, the cheapest first.
func (rt *route) admit(w http.ResponseWriter, r *http.Request, x *exchange) error {
	if err := rt.limitRate(w, x); err != nil {
		return err
	}
	if err := checkURL(r); err != nil {
		return err
	}
	if err := rt.limitBody(w, r); err != nil {
		return err
	}
	x.language = Language(first(r.Header, "Language"))
	x.device = printable(first(r.Header, "Device"), 32)
	if err := rt.findMerchant(r, x); err != nil {
		return err
	}
	if gate := rt.api.options.Gate; gate != nil && !rt.op.WhileClosed && rt.op.Access != Operators {
		if err := gate.Open(r.Context(), x.merchant.ID, x.address); err != nil {
			return err
		}
	}
	if err := rt.findToken(r, x); err != nil {
		return err
	}
	if err := rt.checkModule(r, x); err != nil {
		return err
	}
	if err := rt.checkAccess(r, x); err != nil {
		return err
	}
	return rt.limitMember(w, x)
}

const limiterSize = 1 << 16

// A limitKey identifies a rate limit bucket. A bucket belongs to a network or block, or to a member, and counts one call or
// all calls.
type limitKey struct {
	route   uint32 // 0 means all calls
	network netip.Prefix
	member  int64 // instead of the network
}

// limitRate enforces the limits per network: one for all calls together, and one for this call. The limit for all calls
// does not apply to calls from servers, which sign their requests. A server may share its address with other clients, and
// rejecting an unsigned request is cheap.
func (rt *route) limitRate(w http.ResponseWriter, x *exchange) error {
	wait := time.Duration(0)
	if all := rt.api.options.Rate; all != nil && rt.op.OnReject == nil {
		wait = rt.take(x, 0, *all)
	}
	if rt.op.Rate != nil && !rt.membersOnly() && wait == 0 {
		wait = rt.take(x, rt.index, *rt.op.Rate)
	}
	return limitError(w, wait)
}

// take takes a token from the bucket of the client's network and, for IPv6, from the bucket of its block. If either is
// empty, it takes none.
func (rt *route) take(x *exchange, route uint32, limit ratelimit.Limit) time.Duration {
	network := Network(x.address)
	bucket := ratelimit.MemoryBucket[limitKey]{Key: limitKey{route: route, network: netip.PrefixFrom(network, network.BitLen())}, Limit: limit}
	block, ok := ratelimit.IPv6Block(x.address)
	if !ok {
		return rt.api.limiter.TakeAll(x.start, bucket)
	}
	return rt.api.limiter.TakeAll(x.start, bucket, ratelimit.MemoryBucket[limitKey]{Key: limitKey{route: route, network: block}, Limit: limit.Times(ratelimit.BlockFactor)})
}

// limitMember enforces the call's limit per member. A limit per network would let one member block all others behind the
// same address.
func (rt *route) limitMember(w http.ResponseWriter, x *exchange) error {
	if rt.op.Rate == nil || !rt.membersOnly() {
		return nil
	}
	return limitError(w, rt.api.limiter.Take(x.start, limitKey{route: rt.index, member: x.caller.MemberID}, *rt.op.Rate))
}

func (rt *route) membersOnly() bool { return rt.op.Access == Session || rt.op.Access == Real }

func limitError(w http.ResponseWriter, wait time.Duration) error {
	if wait == 0 {
		return nil
	}
	w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	return ratelimit.ErrLimited
}

// limitBody rejects a body whose Content-Length is too large, and limits the size of any other.
func (rt *route) limitBody(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength > rt.op.MaxBody {
		return ErrTooLarge
	}
	if r.Body != nil && r.Body != http.NoBody && rt != rt.api.unknown {
		if !rt.takesBody && !rt.op.TokenAnywhere {
			return requireEmpty(r.Body)
		}
		r.Body = http.MaxBytesReader(w, r.Body, rt.op.MaxBody+1)
		normalizeContentType(r.Header)
	}
	return nil
}

// requireEmpty rejects a body that the call would ignore. An empty object is accepted, because some clients always send JSON.
func requireEmpty(body io.Reader) error {
	const longest = 16
	text, err := io.ReadAll(io.LimitReader(body, longest))
	if err != nil {
		return readError(err)
	}
	if content := strings.Join(strings.Fields(string(text)), ""); len(text) == longest || content != "" && content != "{}" {
		return ErrParam.Because(errors.New("this call does not accept a body"))
	}
	return nil
}

// normalizeContentType converts the media type to lower case. Parameters may be case-sensitive and stay unchanged.
func normalizeContentType(h http.Header) {
	media, parameters, hasParameters := strings.Cut(first(h, "Content-Type"), ";")
	normalized := strings.ToLower(strings.TrimSpace(media))
	if normalized == media {
		return
	}
	if hasParameters {
		normalized += ";" + parameters
	}
	h.Set("Content-Type", normalized)
}

func (rt *route) findMerchant(r *http.Request, x *exchange) error {
	if rt.api.options.Merchants == nil {
		return nil
	}
	m, err := rt.api.options.Merchants.Find(r.Context(), first(r.Header, "Merchant"))
	if err != nil {
		return err
	}
	if rt.namesMerchant {
		// The header and the query must name the same merchant.
		if code := queryparam.Get(r.URL.RawQuery, "merchantCode"); code != "" && code != m.Code {
			return ErrMerchantUnknown.On("merchantCode")
		}
		if strings.Count(r.URL.RawQuery, "merchantCode") > 1 {
			return ErrParam.On("merchantCode")
		}
	}
	x.merchant, x.merchantNamed = m, first(r.Header, "Merchant") != ""
	return nil
}

// findToken reads the session token from the header, with or without "Bearer". With TokenAnywhere it also reads the body
// and, for calls whose payload is the query, the query.
func (rt *route) findToken(r *http.Request, x *exchange) error {
	x.token = first(r.Header, "Authorization")
	if scheme, token, found := strings.Cut(x.token, " "); found && strings.EqualFold(scheme, "Bearer") {
		x.token = strings.TrimSpace(token)
	}
	queryToken := queryparam.Get(r.URL.RawQuery, "token")
	if queryToken != "" && !rt.op.tokenInQuery() { // URLs end up in logs and browser histories
		return ErrParam.On("token")
	}
	if !rt.op.TokenAnywhere {
		return nil
	}
	if x.token == "" {
		x.token = queryToken
	}
	if r.Body == nil || r.Body == http.NoBody || x.token != "" && rt.takesBody {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return readError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	token, err := tokenInBody(body, rt.takesBody)
	if err != nil {
		return err
	}
	if x.token == "" {
		x.token = token
	}
	return nil
}

// tokenInBody reads the token from a body. It rejects other fields unless allowOthers is true.
func tokenInBody(body []byte, allowOthers bool) (string, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return "", nil
	}
	if err := CheckJSON(body); err != nil {
		return "", ErrParam.Because(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return "", ErrParam.Because(err)
	}
	var token string
	for name, value := range fields {
		if name != "token" {
			if allowOthers {
				continue
			}
			return "", ErrParam // without the name, which may be a misplaced secret
		}
		if err := json.Unmarshal(value, &token); err != nil {
			return "", ErrParam.On("token").Because(err)
		}
	}
	return token, nil
}

// checkModule rejects a call if its module, or the module in the client's ModuleId header, is switched off or unknown.
func (rt *route) checkModule(r *http.Request, x *exchange) error {
	if rt.api.options.Modules == nil {
		return nil
	}
	for _, module := range [...]spec.Module{rt.op.Module, spec.Module(first(r.Header, moduleHeader))} {
		if module == "" || module == rt.op.HandlesModule {
			continue
		}
		on, err := rt.api.options.Modules.ModuleEnabled(r.Context(), x.merchant.ID, module)
		if err != nil {
			return err
		}
		if !on {
			return ErrModuleOff.With("module", printable(string(module), 32))
		}
	}
	return nil
}

// moduleHeader is the canonical form of the header name ModuleId.
const moduleHeader = "Moduleid"

func (rt *route) checkAccess(r *http.Request, x *exchange) error {
	switch {
	case rt.op.Access == Public:
		return nil
	case rt.op.Access == Frame && x.token == "":
		return ErrNoSession
	case rt.op.Access == Frame:
		return nil
	case rt.op.Access == Operators:
		return rt.admitOperator(r, x)
	}
	if err := x.authenticate(r.Context()); err != nil {
		return err
	}
	if rt.op.Access == Real && !x.caller.Type.Real() {
		return ErrTrial
	}
	return rt.checkPassword(r, x)
}

// checkPassword rejects a member whose password was set by an operator, except for calls that are needed to change the
// password. The rule applies only while members can change their password.
func (rt *route) checkPassword(r *http.Request, x *exchange) error {
	if !x.caller.TemporaryPassword || rt.op.Unrestricted || rt.api.options.Modules == nil {
		return nil
	}
	on, err := rt.api.options.Modules.ModuleEnabled(r.Context(), x.merchant.ID, spec.ModuleChangePassword)
	if err == nil && on {
		err = ErrChangePassword
	}
	return err
}

// first is Header.Get for a canonical name.
func first(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// printable truncates s to limit bytes and returns "" if it is not printable ASCII.
func printable(s string, limit int) string {
	if len(s) > limit {
		s = s[:limit]
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return ""
		}
	}
	return s
}
