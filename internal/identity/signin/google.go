package signin

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const googleIssuer = "https://accounts.google.com"

type openIDProvider struct {
	o           Options
	client      Client
	redirectURL string

	mu     sync.Mutex
	issuer *oidc.Provider // nil until the first discovery succeeds
}

func newGoogle(o Options) *openIDProvider {
	p := &openIDProvider{o: o, client: o.Google, redirectURL: callbackURL(o, google)}
	if p.client.URL == "" {
		p.client.URL = googleIssuer
	}
	return p
}

// discover fetches the issuer's endpoints on first use, so that the server can start while the issuer is down.
func (p *openIDProvider) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.issuer != nil {
		return p.issuer, nil
	}
	issuer, err := oidc.NewProvider(oidc.ClientContext(ctx, p.o.Client), p.client.URL)
	if err != nil {
		return nil, fmt.Errorf("discover the issuer: %w", err)
	}
	p.issuer = issuer
	return issuer, nil
}

func (p *openIDProvider) config(issuer *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.client.ID, ClientSecret: p.client.Secret, Endpoint: issuer.Endpoint(),
		RedirectURL: p.redirectURL, Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

func (p *openIDProvider) authURL(ctx context.Context, f flow) (string, error) {
	issuer, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if f.MemberID != 0 {
		// In the standard, max_age=0 means prompt=login, which Google rejects. Google reports auth_time only on request.
		options = append(options, oauth2.SetAuthURLParam("max_age", "0"), oauth2.SetAuthURLParam("claims", `{"id_token":{"auth_time":{"essential":true}}}`))
	}
	return p.config(issuer).AuthCodeURL(f.State, options...), nil
}

func (p *openIDProvider) identify(ctx context.Context, f flow, code string) (identity, error) {
	issuer, err := p.discover(ctx)
	if err != nil {
		return identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.o.Client)
	token, err := p.config(issuer).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return identity{}, fmt.Errorf("exchange the code: %w", err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := issuer.Verifier(&oidc.Config{ClientID: p.client.ID, Now: p.o.Now}).Verify(ctx, raw)
	if err != nil {
		return identity{}, fmt.Errorf("check the signature: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(f.Nonce)) != 1 {
		return identity{}, errors.New("the nonce belongs to another flow")
	}
	if f.MemberID != 0 {
		if err := p.checkLoginAge(id); err != nil {
			return identity{}, err
		}
	}
	who := identity{Subject: id.Subject}
	var claims struct {
		Email    string `json:"email"`
		Verified bool   `json:"email_verified"`
	}
	if err := id.Claims(&claims); err == nil && claims.Verified { // an unverified address is ignored
		who.Email = claims.Email
	}
	return who, nil
}

// maxLoginAge is the maximum age of a login at the provider that reauthenticates a member.
const maxLoginAge = 5 * time.Minute

// checkLoginAge rejects an old login, because someone who holds the member's unlocked phone may be logged in at the provider as well.
func (p *openIDProvider) checkLoginAge(id *oidc.IDToken) error {
	var claims struct {
		LoggedIn int64 `json:"auth_time"` // in seconds
	}
	if err := id.Claims(&claims); err != nil {
		return fmt.Errorf("read auth_time: %w", err)
	}
	if age := p.o.Now().Sub(time.Unix(claims.LoggedIn, 0)); age > maxLoginAge || age < -clockSkew {
		return fmt.Errorf("auth_time is %s ago", age)
	}
	return nil
}
