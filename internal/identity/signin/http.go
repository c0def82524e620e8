package signin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"fairground/internal/platform/rate"
	"fairground/internal/platform/rest"
)

// cookieName is where the browser keeps the flow while it is away, and afterwards what its ticket is bound to.
const cookieName = "outside"

const (
	loginPage  = "/m/login"
	mostReturn = 512
)

// Routes adds the calls that browsers are led through. They answer with pages to go to, never with an envelope.
func Routes(a *rest.API, s *Service) {
	for _, name := range []string{google, facebook} {
		op := rest.Op{
			Method: http.MethodGet, Tag: "session", Access: rest.Public, ContentType: "text/html",
			Rate: &rate.Limit{Burst: 20, Every: 3 * time.Second},
		}
		op.Path, op.ID = "/wps/session/outside/"+name+"/start", name+"Start"
		op.Summary = "Lead the browser to the service where it logs in"
		op.Description = "Answers 302; to " + loginPage + " where another site leads here. Query: return, a path of this site to come back to."
		rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.start(w, r, name) }))
		op.Path, op.ID = "/wps/session/outside/"+name+"/callback", name+"Callback"
		op.Summary = "Where the service leads the browser back to"
		op.Description = "Answers 302 to " + loginPage + " with ticket, for a login of type outside within a minute, or with outside=failed."
		rest.Handle(a, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.callback(w, r, name) }))
	}
}

// start sends the browser away, unless another site has sent it here: nobody is logged in who did not ask for it. The browser
// keeps the flow, so nobody else can come back in its place.
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
	f := flow{
		Provider: name, MerchantID: rest.MerchantOf(ctx).ID, State: random(), Nonce: random(),
		Verifier: oauth2.GenerateVerifier(), Return: back,
	}
	p, ok := s.providers[name]
	on, err := s.o.Settings.FlagEnabled(ctx, f.MerchantID, flags[name])
	if err != nil || !ok || !on {
		s.fail(w, r, name, f.Return, err)
		return
	}
	address, err := p.address(ctx, f)
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	sealed, err := s.o.Keys.Seal(flowPurpose, f, flowFor)
	if err != nil {
		s.fail(w, r, name, f.Return, err)
		return
	}
	// Lax: the way back begins on another site.
	setCookie(ctx, sealed, flowFor, http.SameSiteLaxMode)
	http.Redirect(w, r, address, http.StatusFound)
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
		Provider: name, Subject: who.Subject, Email: who.Email, MerchantID: f.MerchantID, Browser: digest[:],
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
