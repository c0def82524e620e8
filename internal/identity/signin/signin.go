// Package signin identifies people by an external account: Google, Facebook, or a phone number that Firebase verified. It also finds the
// member who belongs to the account. It opens no session and stores no provider token.
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

// Faults of this package. In the API, an external account is called "outside".
var (
	// ErrFailed rejects an invalid, expired or used ticket.
	ErrFailed = fault.New(fault.Refused, "outside.failed")
	// ErrRegister asks a person who is not a member to agree to the registration. Its "ticket" value is a new ticket for the next request.
	ErrRegister = fault.New(fault.Conflict, "outside.register")
	// ErrInvalidPhoneToken rejects a phone token that is invalid, was used before, or is for another number.
	ErrInvalidPhoneToken = fault.New(fault.Refused, "outside.unproved")
)

// Provider names in URLs and in the database.
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
	flowLifetime      = 10 * time.Minute // time to log in at the provider
	ticketLifetime    = time.Minute      // time for the login page to redeem the ticket
	agreementLifetime = 15 * time.Minute // time for a new person to read the terms

	flowPurpose   = "signin.flow"
	ticketPurpose = "signin.ticket"
	phonePurpose  = "signin.phone"
)

// Settings are the merchant's settings that this package reads.
type Settings interface {
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
}

// Members looks up members and registers new ones.
type Members interface {
	// Epoch returns a number that increases when all sessions of the member are ended.
	Epoch(ctx context.Context, memberID int64) (int64, error)
	CanRegisterExternal(ctx context.Context, merchantID int64) error
	// RegisterExternal creates a member without a password. link runs in the same transaction.
	RegisterExternal(ctx context.Context, merchantID int64, ofAge bool, email string, from rest.Visitor, link func(tx *db.Tx, memberID int64) error) (int64, error)
}

// A Client holds this site's credentials at a provider.
type Client struct {
	ID     string // empty if the provider is off
	Secret string
	URL    string // base URL of the provider; empty for the real one
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

// A provider is a service where people log in. It sends the browser back with a code.
type provider interface {
	// authURL returns the provider's login page. For a reauthentication, the page asks for a new login.
	authURL(ctx context.Context, f flow) (string, error)
	// identify exchanges the code for the person's identity. For a reauthentication, it rejects an old login if the provider reports the
	// login time.
	identify(ctx context.Context, f flow, code string) (identity, error)
}

// An identity is a person's account at a provider.
type identity struct {
	Subject string // permanent id
	Email   string // verified by the provider, or empty
}

// A Service identifies people through their external accounts.
type Service struct {
	o             Options
	providers     map[string]provider
	phoneVerifier phoneVerifier
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
		s.phoneVerifier = newPhoneVerifier(o)
	}
	return s
}

func callbackURL(o Options, name string) string {
	return o.Site + "/wps/session/outside/" + name + "/callback"
}

// A flow is one login at a provider. It is stored in an encrypted cookie. Both JSON names "a" mean account.
type flow struct {
	Provider   string `json:"p"`
	MerchantID int64  `json:"m"`
	State      string `json:"s"`
	Nonce      string `json:"n"`
	Verifier   string `json:"v"`
	Return     string `json:"r,omitempty"`
	MemberID   int64  `json:"a,omitempty"` // the member who reauthenticates; 0 for a login
}

// A ticket identifies the person who returned from a provider. It works only in the browser that started the flow.
type ticket struct {
	Provider   string `json:"p"`
	Subject    string `json:"s"`
	Email      string `json:"e,omitempty"`
	MerchantID int64  `json:"m"`
	Browser    []byte `json:"b"`           // digest of the cookie's browserSecret
	MemberID   int64  `json:"a,omitempty"` // if not 0, only this member may redeem the ticket
}

func randomText() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never returns an error
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// RedeemTicket marks a ticket as used and returns the member. It reads the epoch first: if all sessions are ended in between, this login
// ends too. A new person who has not agreed gets ErrRegister. One who has not confirmed their age gets the fault of RegisterExternal. Both
// faults carry a new ticket.
func (s *Service) RedeemTicket(ctx context.Context, merchantID int64, token, browserSecret string, agreed, ofAge bool, from rest.Visitor) (memberID, epoch int64, err error) {
	var t ticket
	tokenInfo, err := s.o.Keys.Unseal(ticketPurpose, token, &t)
	digest := sha256.Sum256([]byte(browserSecret))
	if errors.Is(err, secret.ErrInvalid) || err == nil && (t.MerchantID != merchantID || subtle.ConstantTimeCompare(digest[:], t.Browser) != 1) {
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
	var firstUse bool
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		firstUse, err = s.o.Keys.Spend(ctx, tx.Q, ticketPurpose, tokenInfo.ID, tokenInfo.Expires)
		if err != nil || !firstUse || t.Email == "" {
			return err
		}
		return tx.Q.SetIdentityEmail(ctx, query.SetIdentityEmailParams{ // the address may have changed
			Email: t.Email, MerchantID: t.MerchantID, Provider: t.Provider, Subject: t.Subject,
		})
	})
	if err != nil {
		return 0, 0, err
	}
	if !firstUse {
		return 0, 0, ErrFailed.On("ticket")
	}
	if id != 0 {
		return id, epoch, nil
	}
	if err := s.o.Members.CanRegisterExternal(ctx, merchantID); err != nil {
		return 0, 0, err
	}
	refusal := error(ErrRegister)
	if agreed {
		id, epoch, refusal = s.register(ctx, t, ofAge, from)
		if ofAge || refusal == nil {
			return id, epoch, refusal
		}
	}
	newTicket, err := s.o.Keys.Seal(ticketPurpose, t, agreementLifetime)
	if err != nil {
		return 0, 0, err
	}
	var f *fault.Fault
	if !errors.As(refusal, &f) {
		return 0, 0, refusal
	}
	return 0, 0, f.With("ticket", newTicket)
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

// register creates a member. Concurrent registrations of one identity create one member.
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
