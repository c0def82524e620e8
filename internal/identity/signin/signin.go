// Package signin logs people in through an external account: Google, Facebook, or a phone number that Firebase verified. It identifies the
// person and finds the member. It opens no session, and stores no token of the provider.
package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
)

// Faults of this package.
var (
	// ErrFailed refuses an invalid, expired or used ticket.
	ErrFailed = fault.New(fault.Refused, "outside.failed")
	// ErrRegister asks a person who is not a member to agree to register. Its "ticket" value continues the login.
	ErrRegister = fault.New(fault.Conflict, "outside.register")
	// ErrUnproved refuses a phone token that is invalid or for another number.
	ErrUnproved = fault.New(fault.Refused, "outside.unproved")
)

// Names of the providers in URLs and in the database.
const (
	google   = "google"
	facebook = "facebook"
)

var flags = map[string]spec.Flag{google: googleFlag, facebook: facebookFlag}

const (
	googleFlag   = spec.FlagGoogleLogin
	facebookFlag = spec.FlagFacebookLogin
)

const (
	flowLifetime      = 10 * time.Minute // to log in at the provider
	ticketLifetime    = time.Minute      // for the page to redeem it
	agreementLifetime = 15 * time.Minute // to read the terms

	flowPurpose   = "signin.flow"
	ticketPurpose = "signin.ticket"
	phonePurpose  = "signin.phone"
)

// Settings are the merchant's settings that this package reads.
type Settings interface {
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
}

// Members registers people who are not members yet.
type Members interface {
	Epoch(ctx context.Context, memberID int64) (int64, error)
	CanRegisterExternal(ctx context.Context, merchantID int64) error
	// RegisterExternal creates a member without a password. link runs in the same transaction.
	RegisterExternal(ctx context.Context, merchantID int64, ofAge bool, email string, from rest.Visitor, link func(tx *db.Tx, memberID int64) error) (int64, error)
}

// A Client holds this site's credentials at a provider.
type Client struct {
	ID     string // empty: the provider is off
	Secret string
	URL    string // of the provider; empty: the real one
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Keys     *secret.Keys
	Settings Settings
	Members  Members
	Client   *http.Client // for requests to the providers
	Now      func() time.Time
	Log      *slog.Logger

	Site     string // origin of the site, like https://play.example
	Google   Client // its URL is the issuer
	Facebook Client
	Firebase Firebase
}

// A provider is a service where people log in and return with a code.
type provider interface {
	// authURL returns where to send the browser. For a reauthentication it requests a new login.
	authURL(ctx context.Context, f flow) (string, error)
	// identify exchanges the code. For a reauthentication it refuses an old login, if the provider reports its time.
	identify(ctx context.Context, f flow, code string) (identity, error)
}

// An identity is a person's account at a provider.
type identity struct {
	Subject string // permanent id
	Email   string // verified by the provider, or empty
}

// A Service identifies people through their external accounts.
type Service struct {
	o         Options
	providers map[string]provider
	phones    phones
}

// New returns a Service.
func New(o Options) *Service {
	s := &Service{o: o, providers: map[string]provider{}}
	if o.Google.ID != "" {
		s.providers[google] = newGoogle(o)
	}
	if o.Facebook.ID != "" {
		s.providers[facebook] = newFacebook(o)
	}
	if o.Firebase.Project != "" {
		s.phones = newPhones(o)
	}
	return s
}

func callbackURL(o Options, name string) string {
	return o.Site + "/wps/session/outside/" + name + "/callback"
}

// A flow is one login at a provider. The browser stores it, sealed, in a cookie.
type flow struct {
	Provider   string `json:"p"`
	MerchantID int64  `json:"m"`
	State      string `json:"s"`
	Nonce      string `json:"n"`
	Verifier   string `json:"v"`
	Return     string `json:"r,omitempty"`
	MemberID   int64  `json:"a,omitempty"` // the member who reauthenticates; 0 for a login
}

// A ticket identifies the person who returned from a provider. Only the browser that started the flow can redeem it.
type ticket struct {
	Provider   string `json:"p"`
	Subject    string `json:"s"`
	Email      string `json:"e,omitempty"`
	MerchantID int64  `json:"m"`
	Browser    []byte `json:"b"`           // digest of the browser's cookie
	MemberID   int64  `json:"a,omitempty"` // only this member may redeem it, if not 0
}

func randomText() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never returns an error
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Enter redeems a ticket and returns the member. It reads the epoch before it spends the ticket, so that ending all sessions also ends this
// login. Without agreement or age, a new person gets ErrRegister or the age fault, with another ticket.
func (s *Service) Enter(ctx context.Context, merchantID int64, token, browser string, agreed, ofAge bool, from rest.Visitor) (memberID, epoch int64, err error) {
	var t ticket
	mark, err := s.o.Keys.Unseal(ticketPurpose, token, &t)
	digest := sha256.Sum256([]byte(browser))
	if errors.Is(err, secret.ErrStale) || err == nil && (t.MerchantID != merchantID || subtle.ConstantTimeCompare(digest[:], t.Browser) != 1) {
		return 0, 0, ErrFailed.On("ticket")
	}
	if err != nil {
		return 0, 0, err
	}
	id, epoch, err := s.member(ctx, t)
	if err != nil {
		return 0, 0, err
	}
	if t.MemberID != 0 && id != t.MemberID {
		return 0, 0, ErrFailed.On("ticket")
	}
	var first bool
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = s.o.Keys.Spend(ctx, tx.Q, ticketPurpose, mark.ID, mark.Expires)
		if err != nil || !first || t.Email == "" {
			return err
		}
		return tx.Q.SetIdentityEmail(ctx, query.SetIdentityEmailParams{ // the address may have changed
			Email: t.Email, MerchantID: t.MerchantID, Provider: t.Provider, Subject: t.Subject,
		})
	})
	if err != nil {
		return 0, 0, err
	}
	if !first {
		return 0, 0, ErrFailed.On("ticket")
	}
	if id != 0 {
		return id, epoch, nil
	}
	if err := s.o.Members.CanRegisterExternal(ctx, merchantID); err != nil {
		return 0, 0, err
	}
	refused := error(ErrRegister)
	if agreed {
		id, epoch, refused = s.register(ctx, t, ofAge, from)
		if ofAge || refused == nil {
			return id, epoch, refused
		}
	}
	next, err := s.o.Keys.Seal(ticketPurpose, t, agreementLifetime)
	if err != nil {
		return 0, 0, err
	}
	var f *fault.Fault
	if !errors.As(refused, &f) {
		return 0, 0, refused
	}
	return 0, 0, f.With("ticket", next)
}

func (s *Service) member(ctx context.Context, t ticket) (id, epoch int64, err error) {
	id, err = s.o.Store.Q().MemberByIdentity(ctx, t.MerchantID, t.Provider, t.Subject)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find member by identity: %w", err)
	}
	epoch, err = s.o.Members.Epoch(ctx, id)
	return id, epoch, err
}

// register creates a member. Concurrent tickets of one identity create only one.
func (s *Service) register(ctx context.Context, t ticket, ofAge bool, from rest.Visitor) (id, epoch int64, err error) {
	errAlreadyRegistered := errors.New("the identity is already registered")
	id, err = s.o.Members.RegisterExternal(ctx, t.MerchantID, ofAge, t.Email, from, func(tx *db.Tx, memberID int64) error {
		n, err := tx.Q.AddIdentity(ctx, query.AddIdentityParams{
			MerchantID: t.MerchantID, Provider: t.Provider, Subject: t.Subject, MemberID: memberID, CreatedAt: db.Millis(s.o.Now()), Email: db.Text(t.Email),
		})
		if err == nil && n == 0 {
			return errAlreadyRegistered
		}
		return err
	})
	if errors.Is(err, errAlreadyRegistered) {
		return s.member(ctx, t)
	}
	return id, 0, err
}
