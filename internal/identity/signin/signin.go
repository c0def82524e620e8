// Package signin lets people log in by an external account: Google, Facebook, or a phone number that
// Firebase has seen proved. It finds out who somebody is there, and which member that is here. It opens no session, keeps
// no token of theirs, and believes nothing that the browser says by itself.
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
	// ErrFailed is all that is said of a ticket that is not good, or no more.
	ErrFailed = fault.New(fault.Refused, "outside.failed")
	// ErrRegister asks somebody who is no member yet to agree to become one. It carries another ticket.
	ErrRegister = fault.New(fault.Conflict, "outside.register")
	// ErrUnproved is all that is said of a phone's token that is not good, or of another number.
	ErrUnproved = fault.New(fault.Refused, "outside.unproved")
)

// The services, by the name that they have in addresses and in the database.
const (
	google   = "google"
	facebook = "facebook"
)

// flags are the merchant's switches for them.
var flags = map[string]spec.Flag{google: googleFlag, facebook: facebookFlag}

const (
	googleFlag   = spec.FlagGoogleLogin
	facebookFlag = spec.FlagFacebookLogin
)

const (
	flowFor   = 10 * time.Minute // to log in over there
	ticketFor = time.Minute      // for the page to hand in what it was given
	agreeFor  = 15 * time.Minute // to read what is agreed to

	flowPurpose   = "signin.flow"
	ticketPurpose = "signin.ticket"
	phonePurpose  = "signin.phone"
)

// Settings is the part of the merchant's settings that this package follows.
type Settings interface {
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
}

// Members makes members of those who are none yet.
type Members interface {
	// Epoch gives how often all sessions of a member were ended.
	Epoch(ctx context.Context, memberID int64) (int64, error)
	// CanRegisterExternal refuses where nobody becomes a member by an external account.
	CanRegisterExternal(ctx context.Context, merchantID int64) error
	// RegisterExternal makes a member without a password, unless the age is not confirmed or the address is that of somebody on
	// a break; link runs in the same transaction.
	RegisterExternal(ctx context.Context, merchantID int64, ofAge bool, email string, from rest.Visitor, link func(tx *db.Tx, memberID int64) error) (int64, error)
}

// Client is how a service knows this site.
type Client struct {
	ID     string // empty: the service is not used
	Secret string
	URL    string // of the service; empty: its own
}

// Options of the service.
type Options struct {
	Store    *db.Store
	Keys     *secret.Keys
	Settings Settings
	Members  Members
	Client   *http.Client // to reach the services
	Now      func() time.Time
	Log      *slog.Logger

	Site     string // the site's own origin, https://play.example
	Google   Client // its URL is the issuer
	Facebook Client
	Firebase Firebase
}

// provider is a service where people log in and come back from.
type provider interface {
	// address is where the browser is sent. Of a member who logs in again the service asks for more than an open session there.
	address(ctx context.Context, f flow) (string, error)
	// subject says who came back with a code. Who was to log in again and has not is refused, where the service tells.
	subject(ctx context.Context, f flow, code string) (person, error)
}

// person is whom a provider knows.
type person struct {
	Subject string // who it is, for good
	Email   string // proved over there; empty where it is not, or not told
}

// Service finds out who somebody is at a provider.
type Service struct {
	o         Options
	providers map[string]provider
	phones    phones
}

// New makes the service.
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

// callbackOf is where a service sends the browser back to.
func callbackOf(o Options, name string) string {
	return o.Site + "/wps/session/outside/" + name + "/callback"
}

// flow is one way out and back. The browser keeps it, sealed.
type flow struct {
	Provider   string `json:"p"`
	MerchantID int64  `json:"m"`
	State      string `json:"s"`
	Nonce      string `json:"n"`
	Verifier   string `json:"v"`
	Return     string `json:"r,omitempty"`
	MemberID   int64  `json:"a,omitempty"` // who logs in again, to prove a change; 0: anybody logs in
}

// ticket says who came back. Only the browser that went may hand it in.
type ticket struct {
	Provider   string `json:"p"`
	Subject    string `json:"s"`
	Email      string `json:"e,omitempty"`
	MerchantID int64  `json:"m"`
	Browser    []byte `json:"b"`           // digest of what the browser's cookie holds
	MemberID   int64  `json:"a,omitempty"` // who logs in again: nobody else comes in by it
}

// random is a text that nobody can guess.
func random() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails (it aborts the program instead)
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Enter gives the member that a ticket stands for, and uses the ticket up. The epoch is read before: a ticket that was looked
// at before all sessions ended opens none after. Somebody who is no member yet becomes one, having agreed to it and confirmed
// their age; until then the answer is ErrRegister, or the age's refusal, with a ticket to come back with.
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
		return tx.Q.SetIdentityEmail(ctx, query.SetIdentityEmailParams{ // it may be another since, or was not kept then
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
	again, err := s.o.Keys.Seal(ticketPurpose, t, agreeFor)
	if err != nil {
		return 0, 0, err
	}
	var f *fault.Fault
	if !errors.As(refused, &f) {
		return 0, 0, refused
	}
	return 0, 0, f.With("ticket", again)
}

// member gives whose account this is and the member's epoch; 0 when it is nobody's.
func (s *Service) member(ctx context.Context, t ticket) (id, epoch int64, err error) {
	id, err = s.o.Store.Q().MemberByIdentity(ctx, t.MerchantID, t.Provider, t.Subject)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find who this is: %w", err)
	}
	epoch, err = s.o.Members.Epoch(ctx, id)
	return id, epoch, err
}

// register makes a member of somebody. Two tickets of one account make one.
func (s *Service) register(ctx context.Context, t ticket, ofAge bool, from rest.Visitor) (id, epoch int64, err error) {
	errFaster := errors.New("somebody was faster")
	id, err = s.o.Members.RegisterExternal(ctx, t.MerchantID, ofAge, t.Email, from, func(tx *db.Tx, memberID int64) error {
		n, err := tx.Q.AddIdentity(ctx, query.AddIdentityParams{
			MerchantID: t.MerchantID, Provider: t.Provider, Subject: t.Subject, MemberID: memberID, CreatedAt: db.Millis(s.o.Now()), Email: db.Text(t.Email),
		})
		if err == nil && n == 0 {
			return errFaster
		}
		return err
	})
	if errors.Is(err, errFaster) {
		return s.member(ctx, t)
	}
	return id, 0, err
}
