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

// openID is a service that speaks OpenID Connect: it signs who somebody is.
type openID struct {
	o      Options
	client Client
	back   string

	mu     sync.Mutex
	issuer *oidc.Provider // known once it could be asked
}

func newGoogle(o Options) *openID {
	p := &openID{o: o, client: o.Google, back: callbackOf(o, google)}
	if p.client.URL == "" {
		p.client.URL = googleIssuer
	}
	return p
}

// discover asks the issuer where its endpoints and keys are, once it answers: the server starts without it.
func (p *openID) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.issuer != nil {
		return p.issuer, nil
	}
	issuer, err := oidc.NewProvider(oidc.ClientContext(ctx, p.o.Client), p.client.URL)
	if err != nil {
		return nil, fmt.Errorf("ask the issuer: %w", err)
	}
	p.issuer = issuer
	return issuer, nil
}

func (p *openID) config(issuer *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.client.ID, ClientSecret: p.client.Secret, Endpoint: issuer.Endpoint(),
		RedirectURL: p.back, Scopes: []string{oidc.ScopeOpenID, "email"},
	}
}

func (p *openID) address(ctx context.Context, f flow) (string, error) {
	issuer, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)}
	if f.MemberID != 0 {
		// The standard has max_age=0 mean prompt=login, which Google refuses; and Google tells the time only when it is asked to.
		options = append(options, oauth2.SetAuthURLParam("max_age", "0"), oauth2.SetAuthURLParam("claims", `{"id_token":{"auth_time":{"essential":true}}}`))
	}
	return p.config(issuer).AuthCodeURL(f.State, options...), nil
}

func (p *openID) subject(ctx context.Context, f flow, code string) (person, error) {
	issuer, err := p.discover(ctx)
	if err != nil {
		return person{}, err
	}
	ctx = oidc.ClientContext(ctx, p.o.Client)
	token, err := p.config(issuer).Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		return person{}, fmt.Errorf("change the code: %w", err)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := issuer.Verifier(&oidc.Config{ClientID: p.client.ID, Now: p.o.Now}).Verify(ctx, raw)
	if err != nil {
		return person{}, fmt.Errorf("check the signature: %w", err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(f.Nonce)) != 1 {
		return person{}, errors.New("the answer is to another question")
	}
	if f.MemberID != 0 {
		if err := p.lately(id); err != nil {
			return person{}, err
		}
	}
	who := person{Subject: id.Subject}
	var told struct {
		Email    string `json:"email"`
		Verified bool   `json:"email_verified"`
	}
	if err := id.Claims(&told); err == nil && told.Verified { // told in another way, it is as if it were not told
		who.Email = told.Email
	}
	return who, nil
}

// againFor is how long ago somebody may have logged in over there who was to log in again.
const againFor = 5 * time.Minute

// lately refuses whom the service knows by an older login: a phone that was found unlocked is logged in there as well.
func (p *openID) lately(id *oidc.IDToken) error {
	var told struct {
		LoggedIn int64 `json:"auth_time"` // in seconds
	}
	if err := id.Claims(&told); err != nil {
		return fmt.Errorf("read when they logged in: %w", err)
	}
	if age := p.o.Now().Sub(time.Unix(told.LoggedIn, 0)); age > againFor || age < -clockSlack {
		return fmt.Errorf("they logged in there %s ago", age)
	}
	return nil
}
