package signin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// cookieName is where the browser keeps the flow while it is away, and afterwards what its ticket is bound to.
const cookieName = "outside"

const (
	loginPage  = "/m/login"
	mostReturn = 512
)

// Routes adds the calls that browsers are led through. They answer with pages to go to, never with an envelope; only who logs in
// again asks for the first page by a call, because that takes their session.
func Routes(a *rest.API, s *Service) {
	for _, name := range []string{google, facebook} {
		limit := &ratelimit.Limit{Burst: 20, Every: 3 * time.Second}
		op := rest.Op{Method: http.MethodGet, Tag: "session", Access: rest.Public, ContentType: "text/html", Rate: limit}
		op.Path, op.ID = "/wps/session/outside/"+name+"/start", name+"Start"
		op.Summary = "Lead the browser to the service where it logs in"
		op.Description = "Answers 302; to " + loginPage + " where another site leads here. Query: return, a path of this site to come back to."
		rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.start(w, r, name) }))
		op.Path, op.ID = "/wps/session/outside/"+name+"/callback", name+"Callback"
		op.Summary = "Where the service leads the browser back to"
		op.Description = "Answers 302 to " + loginPage + " with ticket, for a login of type outside within a minute, or with outside=failed."
		rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.callback(w, r, name) }))
		rest.Wps(a, rest.Op{
			Method: http.MethodPost, Path: "/wps/session/outside/" + name + "/again", ID: name + "Again", Tag: "session",
			Summary: "Let the member log in again at the service, to prove a change", Access: rest.Real, Rate: limit,
			Faults: []*fault.Fault{ErrFailed},
		}, func(ctx context.Context, in *againInput) (leading, error) { return s.again(ctx, in, name) })
	}
}

type againInput struct {
	Body struct {
		Return string `json:"return,omitempty" maxLength:"512" doc:"A path of this site to come back to."`
	}
}

type leading struct {
	Address string `json:"address" doc:"Where the browser goes. It comes back as after a login, with a ticket that is good for this member alone."`
}

// start sends the browser away, unless another site has sent it here: nobody is logged in who did not ask for it.
func (s *Service) start(w http.ResponseWriter, r *http.Request, name string) {
	ctx := r.Context()
	back := ownPath(r.URL.Query().Get("return"))
	if ledHere(r) {
		to := loginPage
		if back != "" {
			to += "?" + url.Values{"return": {back}}.Encode()
		}
		http.Redirect(w, r, to, http.StatusFound)
		return
	}
	address, err := s.leave(ctx, name, back, 0)
	if err != nil {
		s.fail(w, r, name, back, err)
		return
	}
	http.Redirect(w, r, address, http.StatusFound) //nolint:gosec // the operator names the service
}

// ledHere tells whether another site leads the browser here. Browsers that do not say are let pass.
func ledHere(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	default:
		return true
	}
}

// again begins a login that only the caller's member can end.
func (s *Service) again(ctx context.Context, in *againInput, name string) (leading, error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return leading{}, rest.ErrNoSession
	}
	address, err := s.leave(ctx, name, ownPath(in.Body.Return), caller.MemberID)
	return leading{address}, err
}

// leave gives where the browser is sent. It keeps the flow, so nobody else can come back in its place.
func (s *Service) leave(ctx context.Context, name, back string, memberID int64) (string, error) {
	f := flow{
		Provider: name, MerchantID: rest.MerchantOf(ctx).ID, State: random(), Nonce: random(),
		Verifier: oauth2.GenerateVerifier(), Return: back, MemberID: memberID,
	}
	p, ok := s.providers[name]
	on, err := s.o.Settings.FlagEnabled(ctx, f.MerchantID, flags[name])
	if err != nil {
		return "", err
	}
	if !ok || !on {
		return "", ErrFailed
	}
	address, err := p.address(ctx, f)
	if err != nil {
		return "", ErrFailed.Because(err)
	}
	sealed, err := s.o.Keys.Seal(flowPurpose, f, flowFor)
	if err != nil {
		return "", err
	}
	// Lax: the way back begins on another site.
	setCookie(ctx, sealed, flowFor, http.SameSiteLaxMode)
	return address, nil
}

// callback receives the browser. It writes nothing: what it gives is used up by the login.
func (s *Service) callback(w http.ResponseWriter, r *http.Request, name string) {
	ctx := r.Context()
	query := r.URL.Query()
	var f flow
	cookie, err := r.Cookie(cookieName)
	if err == nil {
		_, err = s.o.Keys.Unseal(flowPurpose, cookie.Value, &f)
	}
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	same := subtle.ConstantTimeCompare([]byte(f.State), []byte(query.Get("state"))) == 1
	p, ok := s.providers[name]
	if !ok || !same || f.Provider != name || query.Get("code") == "" {
		s.fail(w, r, name, f.Return, nil)
		return
	}
	who, err := p.subject(ctx, f, query.Get("code"))
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	browser := random()
	digest := sha256.Sum256([]byte(browser))
	token, err := s.o.Keys.Seal(ticketPurpose, ticket{
		Provider: name, Subject: who.Subject, Email: who.Email, MerchantID: f.MerchantID, Browser: digest[:], MemberID: f.MemberID,
	}, ticketFor)
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	setCookie(ctx, browser, agreeFor, http.SameSiteStrictMode)
	to := url.Values{"ticket": {token}}
	if f.Return != "" {
		to.Set("return", f.Return)
	}
	http.Redirect(w, r, loginPage+"?"+to.Encode(), http.StatusFound)
}

// fail leads back to the login, where it is said that this way did not work; from there the way back is still open.
func (s *Service) fail(w http.ResponseWriter, r *http.Request, name, back string, err error) {
	var known *fault.Fault
	if errors.As(err, &known) {
		err = errors.Unwrap(known) // that a service is switched off is nothing to warn of
	}
	if err != nil {
		s.o.Log.WarnContext(r.Context(), "log in by another service", "service", name, "error", err)
	}
	setCookie(r.Context(), "", -time.Second, http.SameSiteLaxMode)
	to := url.Values{"outside": {"failed"}}
	if back != "" {
		to.Set("return", back)
	}
	http.Redirect(w, r, loginPage+"?"+to.Encode(), http.StatusFound)
}

func setCookie(ctx context.Context, value string, keep time.Duration, site http.SameSite) {
	rest.SetCookie(ctx, &http.Cookie{ //nolint:gosec // SameSite is lax or strict; both are the callers' constants
		Name: cookieName, Value: value, Path: "/wps/session", MaxAge: int(keep.Seconds()),
		SameSite: site, HttpOnly: true, Secure: true,
	})
}

// ownPath gives a path of the app, or nothing: no way back leads off the site.
func ownPath(path string) string {
	if len(path) > mostReturn || !strings.HasPrefix(path, "/m/") || strings.ContainsAny(path, "\\\r\n\t") {
		return ""
	}
	return path
}
