package signin

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"

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
	return p.config(issuer).AuthCodeURL(f.State, oidc.Nonce(f.Nonce), oauth2.S256ChallengeOption(f.Verifier)), nil
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
