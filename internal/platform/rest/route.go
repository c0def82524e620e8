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

// route is one declared call with everything about it that can be worked out before the first request.
type route struct {
	api     *API
	op      Op
	index   uint32 // tells the call's own rate limit from others
	timeout time.Duration
	bare    bool // no merchant, no session: files, health, metrics
	handler http.Handler
	metrics routeMetrics

	namesMerchant bool // takes merchantCode in its query
	takesBody     bool // its own code reads the body, and refuses names it does not know
}

func (a *API) newRoute(op Op, label string, h http.Handler) *route {
	a.numbered++ // from 1, for 0 means all of them
	rt := &route{api: a, op: op, index: a.numbered, timeout: op.Timeout, handler: h, metrics: a.metrics.route(label)}
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
	if rt.bare {
		rt.handler.ServeHTTP(w, r)
		return
	}
	if rt.op.Stream && r.Method == http.MethodHead {
		w.Header().Set("Allow", http.MethodGet) // the mux takes one for the other, but a stream has no end to tell of
		writeFailure(w, r, failureOf(ErrRouteUnknown, http.StatusMethodNotAllowed))
		return
	}
	ctx, cancel := context.WithDeadline(r.Context(), x.start.Add(rt.timeout))
	defer cancel()
	r = r.WithContext(ctx)
	if err := rt.admit(w, r, x); err != nil {
		if rt.op.Refuse != nil {
			x.err = err
			rt.op.Refuse(w, r, err)
			return
		}
		WriteError(w, r, err)
		return
	}
	rt.handler.ServeHTTP(w, r)
}

// admit checks all that can be checked before the call's own code runs, cheapest first.
func (rt *route) admit(w http.ResponseWriter, r *http.Request, x *exchange) error {
	if err := rt.limitRate(w, x); err != nil {
		return err
	}
	if err := checkAddress(r); err != nil {
		return err
	}
	if err := rt.limitBody(w, r); err != nil {
		return err
	}
	x.language = Language(first(r.Header, "Language"))
	x.device = plain(first(r.Header, "Device"), 32)
	if err := rt.findMerchant(r, x); err != nil {
		return err
	}
	if gate := rt.api.options.Gate; gate != nil && !rt.op.WhileClosed {
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

// limitKey names a bucket of calls: a network, the site around it or a member on one call, or a network or site on all of them
// (route 0).
type limitKey struct {
	route   uint32
	network netip.Prefix
	member  int64 // instead of the address
}

// limitRate holds back an address that calls too often, over all calls and on this one. Servers, who sign their calls, are not counted over all: the
// House and others share an address with strangers, and what is not signed is refused at the cost of one digest.
func (rt *route) limitRate(w http.ResponseWriter, x *exchange) error {
	wait := time.Duration(0)
	if all := rt.api.options.Rate; all != nil && rt.op.Refuse == nil {
		wait = rt.take(x, 0, *all)
	}
	if rt.op.Rate != nil && !rt.membersOnly() && wait == 0 {
		wait = rt.take(x, rt.index, *rt.op.Rate)
	}
	return held(w, wait)
}

// take counts a call by the caller's network, and by the site around it where there is one: by both or, where one refuses, by neither.
func (rt *route) take(x *exchange, route uint32, limit ratelimit.Limit) time.Duration {
	network := Network(x.address)
	own := ratelimit.MemoryBucket[limitKey]{Key: limitKey{route: route, network: netip.PrefixFrom(network, network.BitLen())}, Limit: limit}
	site, ok := ratelimit.IPv6Block(x.address)
	if !ok {
		return rt.api.limiter.TakeAll(x.start, own)
	}
	return rt.api.limiter.TakeAll(x.start, own, ratelimit.MemoryBucket[limitKey]{Key: limitKey{route: route, network: site}, Limit: limit.Times(ratelimit.BlockFactor)})
}

// limitMember holds back a member who makes this call too often. By the address alone, one caller could keep everybody behind
// the same one from it.
func (rt *route) limitMember(w http.ResponseWriter, x *exchange) error {
	if rt.op.Rate == nil || !rt.membersOnly() {
		return nil
	}
	return held(w, rt.api.limiter.Take(x.start, limitKey{route: rt.index, member: x.caller.MemberID}, *rt.op.Rate))
}

func (rt *route) membersOnly() bool { return rt.op.Access == Session || rt.op.Access == Real }

func held(w http.ResponseWriter, wait time.Duration) error {
	if wait == 0 {
		return nil
	}
	w.Header().Set("Retry-After", strconv.Itoa(int((wait+time.Second-1)/time.Second)))
	return ratelimit.ErrLimited
}

// limitBody refuses a body announced as too large without reading it, and stops an unannounced one.
func (rt *route) limitBody(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength > rt.op.MaxBody {
		return ErrTooLarge
	}
	if r.Body != nil && r.Body != http.NoBody {
		if !rt.takesBody && !rt.op.TokenInside {
			return noBody(r.Body)
		}
		r.Body = http.MaxBytesReader(w, r.Body, rt.op.MaxBody+1)
		foldKind(r.Header)
	}
	return nil
}

// noBody refuses what a call does not take: it would be ignored, and whoever sent it believe that it counts.
func noBody(body io.Reader) error {
	n, err := io.ReadFull(body, make([]byte, 1))
	switch {
	case n > 0:
		return ErrParam.Because(errors.New("this call takes no body"))
	case errors.Is(err, io.EOF):
		return nil
	default:
		return readError(err)
	}
}

// foldKind writes a body's media type in lower case: it means the same in any. Its parameters need not.
func foldKind(h http.Header) {
	kind := first(h, "Content-Type")
	media, parameters, more := strings.Cut(kind, ";")
	folded := strings.ToLower(strings.TrimSpace(media))
	if folded == media {
		return
	}
	if more {
		folded += ";" + parameters
	}
	h.Set("Content-Type", folded)
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
		// One request for two merchants is a mistake or an attempt at one of them.
		if code := queryparam.Get(r.URL.RawQuery, "merchantCode"); code != "" && code != m.Code {
			return ErrMerchantUnknown.On("merchantCode")
		}
		if strings.Count(r.URL.RawQuery, "merchantCode") > 1 {
			return ErrParam.On("merchantCode")
		}
	}
	x.merchant, x.named = m, first(r.Header, "Merchant") != ""
	return nil
}

// findToken takes the session token from the header, raw or as Bearer, and where the specification puts it
// inside the request from there.
func (rt *route) findToken(r *http.Request, x *exchange) error {
	x.token = first(r.Header, "Authorization")
	if scheme, token, found := strings.Cut(x.token, " "); found && strings.EqualFold(scheme, "Bearer") {
		x.token = strings.TrimSpace(token)
	}
	if !rt.op.TokenInside {
		return nil
	}
	if x.token == "" {
		x.token = queryparam.Get(r.URL.RawQuery, "token")
	}
	if r.Body == nil || r.Body == http.NoBody || x.token != "" && rt.takesBody {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return readError(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	token, err := tokenInside(body, rt.takesBody)
	if err != nil {
		return err
	}
	if x.token == "" {
		x.token = token
	}
	return nil
}

// tokenInside finds the token in a body. Where nobody reads the body after this, it may hold nothing else.
func tokenInside(body []byte, others bool) (string, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return "", nil
	}
	if err := CheckJSON(body); err != nil {
		return "", ErrParam.Because(err)
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(body, &names); err != nil {
		return "", ErrParam.Because(err)
	}
	var token string
	for name, value := range names {
		if name != "token" {
			if others {
				continue
			}
			return "", ErrParam // which one is not said: it may be a secret that was put in the wrong place
		}
		if err := json.Unmarshal(value, &token); err != nil {
			return "", ErrParam.On("token").Because(err)
		}
	}
	return token, nil
}

// checkModule refuses what belongs to a part of the product that the merchant has switched off: by the call itself,
// and by what the client says it is calling for. One that does not exist is off.
func (rt *route) checkModule(r *http.Request, x *exchange) error {
	if rt.api.options.Modules == nil {
		return nil
	}
	for _, module := range [...]spec.Module{rt.op.Module, spec.Module(first(r.Header, moduleHeader))} {
		if module == "" || module == rt.op.AnswersFor {
			continue
		}
		on, err := rt.api.options.Modules.ModuleEnabled(r.Context(), x.merchant.ID, module)
		if err != nil {
			return err
		}
		if !on {
			return ErrModuleOff.With("module", plain(string(module), 32))
		}
	}
	return nil
}

// moduleHeader is ModuleId in the form in which the server keeps names.
const moduleHeader = "Moduleid"

func (rt *route) checkAccess(r *http.Request, x *exchange) error {
	switch {
	case rt.op.Access == Public:
		return nil
	case rt.op.Access == Frame && x.token == "":
		return ErrNoSession
	case rt.op.Access == Frame:
		return nil
	}
	if err := x.authenticate(r.Context()); err != nil {
		return err
	}
	if rt.op.Access == Real && !x.caller.Type.Real() {
		return ErrTrial
	}
	return nil
}

// first is Header.Get for a name that is already in its canonical form.
func first(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// plain keeps a header's value fit for logs and tables: short, printable ASCII.
func plain(s string, limit int) string {
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
