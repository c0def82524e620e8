package main

import (
	"context"
	"net/http"
	"time"

	"fairground/internal/identity/captcha"
	"fairground/internal/identity/member"
	"fairground/internal/identity/signin"
	"fairground/internal/identity/verification"
	"fairground/internal/platform/db"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/outgoing"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/site/merchant"
)

// doors are what people are let in by and known again: keys, counters, captchas, messages and codes.
type doors struct {
	keys     *secret.Keys
	limiter  *ratelimit.Limiter
	queue    *jobs.Queue
	messages *notify.Service
	captchas *captcha.Service
	codes    *verification.Service
	signin   *signin.Service
	client   *http.Client // to services of others
	box      *jwe.Box
}

// openDoors makes what needs neither merchants nor members.
func (p *parts) openDoors(ctx context.Context, o partOptions, ids db.IDs) (err error) {
	if p.keys, err = secret.Open(ctx, p.store, o.now); err != nil {
		return err
	}
	p.limiter = ratelimit.New(p.store, p.keys, o.now)
	if p.queue, err = jobs.NewQueue(p.store); err != nil {
		return err
	}
	p.client = outgoing.New(o.outside.OutgoingNetworks())
	p.messages, err = notify.New(notify.Options{
		Store: p.store, Queue: p.queue, IDs: ids, Now: o.now, Log: o.log, Local: o.demo, Client: p.client,
		SMSURL: o.outside.SMSURL, SMSKey: o.outside.SMSKey, SMTP: o.outside.SMTP, MailFrom: o.outside.MailFrom,
	})
	return err
}

// outside tells the merchants what registering can count on.
func (p *parts) outside(o partOptions) merchant.Outside {
	return merchant.Outside{
		FirebaseProject: o.outside.FirebaseProject, FirebaseKey: o.outside.FirebaseAPIKey, FirebaseURL: o.outside.FirebaseAPI(),
		FirebaseScript: o.outside.ReCAPTCHAScript(), GeetestScript: o.outside.GeetestScript(),
		Google: func() bool {
			google, _, _ := p.signin.Offers()
			return google
		},
		Facebook: func() bool {
			_, facebook, _ := p.signin.Offers()
			return facebook
		},
		SMS:   func() bool { return p.messages.Can(notify.SMS) },
		Email: func() bool { return p.messages.Can(notify.Email) },
		Firebase: func() bool {
			_, _, firebase := p.signin.Offers()
			return firebase
		},
		Challenge: func() (name, id string) { return p.captchas.Provider() },
	}
}

// hangDoors makes the rest.
func (p *parts) hangDoors(o partOptions) {
	p.captchas = captcha.New(captcha.Options{
		Store: p.store, Keys: p.keys, Limiter: p.limiter, Settings: p.merchants, Now: o.now, Client: p.client, Patience: o.slack,
		GeetestID: o.outside.GeetestID, GeetestKey: o.outside.GeetestKey, GeetestURL: o.outside.GeetestURL,
	})
	p.onClose(p.captchas.Close)
	p.codes = verification.New(verification.Options{
		Store: p.store, Keys: p.keys, Sender: p.messages, Limiter: p.limiter, Merchants: p.merchants, Owners: p.members,
		Captchas: p.captchas, Now: o.now,
	})
	p.signin = signin.New(signin.Options{
		Store: p.store, Keys: p.keys, Settings: p.merchants, Members: p.members, HTTP: p.client, Now: o.now, Log: o.log,
		Site:     o.site,
		Google:   signin.Client{ID: o.outside.GoogleClientID, Secret: o.outside.GoogleClientSecret, URL: o.outside.GoogleIssuer},
		Facebook: signin.Client{ID: o.outside.FacebookAppID, Secret: o.outside.FacebookAppSecret, URL: o.outside.FacebookURL},
		Firebase: signin.Firebase{Project: o.outside.FirebaseProject, KeysURL: o.outside.FirebaseJWKS},
	})
}

// giveDoors gives the members what they are let in by.
func (p *parts) giveDoors(o partOptions) {
	p.members.Attach(member.Doors{
		Captchas: p.captchas, Codes: p.codes, Phones: p.signin, Sessions: p.sessions, Messages: p.messages, Limiter: p.limiter, Keys: p.keys,
		Box: p.box, Blobs: o.blobs, Books: p.ledger, Breaks: p.limits,
	})
}

// registerDoors declares their calls.
func (p *parts) registerDoors(a *rest.API) {
	notify.Register(a, p.messages)
	captcha.Register(a, p.captchas)
	verification.Register(a, p.codes, refusals().Picture...)
	signin.Register(a, p.signin)
}

// sweepDoors forgets what has run out.
func (p *parts) sweepDoors() []jobs.Periodic {
	return []jobs.Periodic{
		{Name: "secret.sweep", Every: time.Hour, Run: p.keys.Sweep},
		{Name: "tally.sweep", Every: time.Hour, Run: p.limiter.Sweep},
		{Name: "verification.sweep", Every: time.Hour, Run: p.codes.Sweep},
		{Name: "notify.sweep", Every: time.Hour, Run: p.messages.Sweep},
		{Name: "member.trials", Every: time.Hour, Run: p.members.SweepTrials},
		{Name: "member.pictures", Every: time.Hour, Run: p.members.SweepPictures},
	}
}
