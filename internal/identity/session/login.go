package session

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// ErrNotAgent rejects a login to the agents' area by a member who is not an agent. It is returned only after correct credentials.
var ErrNotAgent = fault.New(fault.Forbidden, "login.not_agent")

// Members is the part of member.Service that a login needs.
type Members interface {
	// Verify returns the member with this username and password, and the member's epoch. A wrong pair is an Unauth fault.
	Verify(ctx context.Context, merchantID int64, username, password string) (memberID, epoch int64, err error)
	// ByMobile returns the member with a verified number. An unknown number is an Unauth fault.
	ByMobile(ctx context.Context, merchantID int64, e164 string) (memberID, epoch int64, err error)
	// Admit returns the type of a member, or a fault if the member may not log in.
	Admit(ctx context.Context, memberID int64) (rest.MemberType, error)
	// LockIn locks and returns the member. It fails if the member's epoch has changed.
	LockIn(ctx context.Context, tx *db.Tx, memberID, epoch int64, language string) (username string, kind rest.MemberType, firstTimeLogin bool, err error)
}

// Codes checks verification codes.
type Codes interface {
	Check(ctx context.Context, subject notify.Subject, network, code string) error
}

// External authenticates members by their accounts at other providers.
type External interface {
	// RedeemTicket returns the member of a ticket, and the member's epoch before the ticket was used. It registers a new member who agrees
	// and confirms their age.
	RedeemTicket(ctx context.Context, merchantID int64, ticket, browserSecret string, agreed, ofAge bool, from rest.Visitor) (memberID, epoch int64, err error)
	// ConsumePhoneToken verifies and uses up a token that verifies a number.
	ConsumePhoneToken(ctx context.Context, token, e164 string) error
}

// Breaks checks for members on a break from play.
type Breaks interface {
	// Admit fails if the person opened this account while another account of theirs was on a break.
	Admit(ctx context.Context, memberID int64) error
}

// Login types.
const (
	byUsername = "username"
	bySMS      = "sms"
	byFirebase = "firebase"
	byExternal = "outside"
)

const numberFlag = spec.FlagSMSLogin

// Credentials are the input of a login.
type Credentials struct {
	MerchantID  int64
	Type        string // a login type; empty means username
	Username    string // the mobile number for SMS and Firebase
	Password    string // the code for SMS
	DialingCode string
	IDToken     string // Firebase token
	Ticket      string // ticket of an external login
	Browser     string // cookie of the external login
	Agreed      bool   // agrees to register with the external account
	OfAge       bool   // confirms the minimum age for the registration
	Agent       bool   // login to the agents' area

	Captcha, CaptchaCookie string
	Challenge              string
	ProofOfWork            string
	DeviceCookie           string

	Address  string
	Device   string
	Language string
}

func (c Credentials) visitor() rest.Visitor {
	return rest.Visitor{Address: c.Address, Network: rest.NetworkOfAddress(c.Address), Language: c.Language, Device: c.Device}
}

// A proof authenticates a login: a password, a code, a Firebase token or a ticket.
type proof struct {
	loginName string // the username or number under which failures are counted; empty if the proof cannot be guessed
	mobile    bool   // loginName is a mobile number
	check     func(context.Context) (authenticated, error)
}

// authenticated is the result of a valid proof. The epoch is read before the proof is checked, so that a concurrent password change
// invalidates the login.
type authenticated struct{ memberID, epoch int64 }

func (p proof) accountKey(merchantID int64) string {
	return fmt.Sprintf("%d/%s", merchantID, p.loginName)
}

// Login authenticates a member and opens a session.
func (s *Service) Login(ctx context.Context, c Credentials) (Grant, error) {
	p, err := s.newProof(ctx, c)
	if err != nil {
		return Grant{}, err
	}
	check := s.checkExternal
	if p.loginName != "" {
		check = s.checkGuessable
	}
	who, err := check(ctx, c, p)
	if err != nil {
		return Grant{}, err
	}
	kind, err := s.o.Members.Admit(ctx, who.memberID)
	if err != nil {
		return Grant{}, err
	}
	if c.Agent && kind != rest.Agent && kind != rest.HeadAgent {
		return Grant{}, ErrNotAgent
	}
	if err := s.o.Breaks.Admit(ctx, who.memberID); err != nil { // like the faults above, only after correct credentials
		return Grant{}, err
	}
	if p.loginName == "" { // checkGuessable has already counted the other logins
		if err := s.o.Limiter.Take(ctx, "session/open/"+formatID(who.memberID), loginLimit); err != nil {
			return Grant{}, err
		}
	}
	return s.open(ctx, openParams{c.MerchantID, who.memberID, who.epoch, c.visitor()})
}

func (s *Service) newProof(ctx context.Context, c Credentials) (proof, error) {
	switch c.Type {
	case "", byUsername:
		return proof{loginName: validation.FoldUsername(c.Username), check: func(ctx context.Context) (authenticated, error) {
			id, epoch, err := s.o.Members.Verify(ctx, c.MerchantID, c.Username, c.Password)
			return authenticated{id, epoch}, err
		}}, nil
	case bySMS:
		e164, err := s.mobileNumber(ctx, c, "username")
		return proof{loginName: e164, mobile: true, check: func(ctx context.Context) (authenticated, error) {
			return s.memberByNumber(ctx, c.MerchantID, e164, func() error {
				return s.o.Codes.Check(ctx, notify.Subject{MerchantID: c.MerchantID, Channel: notify.SMS, Target: e164, Purpose: notify.ForLogin}, rest.NetworkOfAddress(c.Address), c.Password)
			})
		}}, err
	case byFirebase:
		e164, err := s.mobileNumber(ctx, c, "firebaseMobileNo")
		return proof{check: func(ctx context.Context) (authenticated, error) {
			return s.memberByNumber(ctx, c.MerchantID, e164, func() error { return s.o.External.ConsumePhoneToken(ctx, c.IDToken, e164) })
		}}, err
	case byExternal:
		return proof{check: func(ctx context.Context) (authenticated, error) {
			id, epoch, err := s.o.External.RedeemTicket(ctx, c.MerchantID, c.Ticket, c.Browser, c.Agreed, c.OfAge, c.visitor())
			return authenticated{id, epoch}, err
		}}, nil
	default:
		return proof{}, rest.ErrParam.On("type")
	}
}

// memberByNumber returns the member with a number. It reports an unknown number only after verify succeeds.
func (s *Service) memberByNumber(ctx context.Context, merchantID int64, e164 string, verify func() error) (authenticated, error) {
	id, epoch, lookupErr := s.o.Members.ByMobile(ctx, merchantID, e164)
	if lookupErr != nil && !isWrongProof(lookupErr) {
		return authenticated{}, lookupErr
	}
	if err := verify(); err != nil {
		return authenticated{}, err
	}
	return authenticated{id, epoch}, lookupErr
}

// mobileNumber returns the E.164 number of a login, if the merchant allows logins by number.
func (s *Service) mobileNumber(ctx context.Context, c Credentials, field string) (string, error) {
	on, err := s.o.Settings.FlagEnabled(ctx, c.MerchantID, numberFlag)
	if err != nil {
		return "", err
	}
	if !on {
		return "", rest.ErrDenied
	}
	e164, err := validation.Mobile(c.DialingCode, c.Username)
	if errors.Is(err, validation.ErrMobile) {
		return "", validation.ErrMobile.On(field)
	}
	if err != nil {
		return "", err
	}
	accepted, err := s.o.Settings.AcceptsNumber(ctx, c.MerchantID, e164)
	if err == nil && !accepted {
		err = validation.ErrMobile.On(field)
	}
	return e164, err
}
