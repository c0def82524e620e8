package session

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// ErrNotAgent keeps others than agents out of the agents' area. It is said only after a right proof.
var ErrNotAgent = fault.New(fault.Forbidden, "login.not_agent")

// Members is the part of the members' package that a login needs.
type Members interface {
	// Verify gives the member whose username and password these are, and in which epoch they were; a wrong pair is an
	// Unauth fault.
	Verify(ctx context.Context, merchantID int64, username, password string) (memberID, epoch int64, err error)
	// ByMobile gives whose number it is that somebody has proved; nobody's is an Unauth fault.
	ByMobile(ctx context.Context, merchantID int64, e164 string) (memberID, epoch int64, err error)
	// Admit refuses a member who may not enter, and gives the type of one who may.
	Admit(ctx context.Context, memberID int64) (rest.MemberType, error)
	// LockIn gives the member, who comes in a language, and locks the row until the transaction ends. A member whose epoch is another by
	// now is refused.
	LockIn(ctx context.Context, tx *db.Tx, memberID, epoch int64, language string) (username string, kind rest.MemberType, firstTimeLogin bool, err error)
}

// Codes proves that somebody reads what is sent to a number.
type Codes interface {
	Check(ctx context.Context, of notify.Subject, network, code string) error
}

// External knows people by their accounts at providers.
type External interface {
	// Enter gives the member that a ticket stands for, and the epoch before the ticket was used up. Whoever agrees and confirms
	// their age becomes one.
	Enter(ctx context.Context, merchantID int64, ticket, browser string, agreed, ofAge bool, from rest.Visitor) (memberID, epoch int64, err error)
	// Prove uses up a token that shows that somebody holds a number.
	Prove(ctx context.Context, token, e164 string) error
}

// Breaks knows who takes a break from play.
type Breaks interface {
	// Admit refuses an account that somebody opened while they were on a break in another. Their own stays open to them.
	Admit(ctx context.Context, memberID int64) error
}

// Plays are the games that members have open.
type Plays interface {
	// SessionEnded says that the plays of a session, or of a member's sessions, are over.
	SessionEnded(e events.SessionEnded)
}

// The ways to log in.
const (
	byUsername = "username"
	bySMS      = "sms"
	byFirebase = "firebase"
	byExternal = "outside"
)

// numberFlag is the merchant's switch for logging in by a number that is proved.
const numberFlag = spec.FlagSMSLogin

// Credentials are what somebody logs in with, and from where.
type Credentials struct {
	MerchantID  int64
	Type        string // one of the ways; empty is by username
	Username    string // by SMS and Firebase a mobile number
	Password    string // by SMS the code
	DialingCode string
	IDToken     string // Firebase's
	Ticket      string // of an external account, with what the browser keeps for it
	Browser     string
	Agreed      bool // to become a member by that account
	OfAge       bool // confirms to be old enough for that
	Agent       bool // logs in to the agents' area

	Captcha, CaptchaCookie string
	Challenge              string

	Address  string
	Device   string
	Language string
}

func (c Credentials) visitor() rest.Visitor {
	return rest.Visitor{Address: c.Address, Network: rest.NetworkOfAddress(c.Address), Language: c.Language, Device: c.Device}
}

// proof is how a login shows who somebody is.
type proof struct {
	loginName string // a username or a number, under which wrong ones are counted; empty where there is nothing to guess
	mobile    bool   // loginName is a number
	check     func(context.Context) (proved, error)
}

// proved is whom a proof was of, and in which epoch of the member's. The epoch is read before the proof is looked at, so that
// a password changed meanwhile makes it out of date.
type proved struct{ memberID, epoch int64 }

// name tells the login name from those of other merchants.
func (p proof) name(merchantID int64) string { return fmt.Sprintf("%d/%s", merchantID, p.loginName) }

// Login opens a session for whoever proves to be a member. Opening many ends the oldest.
func (s *Service) Login(ctx context.Context, c Credentials) (Grant, error) {
	p, err := s.proofOf(ctx, c)
	if err != nil {
		return Grant{}, err
	}
	try := func(ctx context.Context) (proved, error) { return s.vouched(ctx, c, p) }
	if p.loginName != "" {
		try = func(ctx context.Context) (proved, error) { return s.attempt(ctx, c, p) }
	}
	who, err := try(ctx)
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
	if err := s.o.Breaks.Admit(ctx, who.memberID); err != nil { // said, like the others, only after a right proof
		return Grant{}, err
	}
	if p.loginName == "" { // what can be guessed was counted when it was looked at
		if err := s.o.Limiter.Take(ctx, "session/open/"+text(who.memberID), openLimit); err != nil {
			return Grant{}, err
		}
	}
	return s.open(ctx, opening{c.MerchantID, who.memberID, who.epoch, c.visitor()})
}

func (s *Service) proofOf(ctx context.Context, c Credentials) (proof, error) {
	switch c.Type {
	case "", byUsername:
		return proof{loginName: validation.FoldUsername(c.Username), check: func(ctx context.Context) (proved, error) {
			id, epoch, err := s.o.Members.Verify(ctx, c.MerchantID, c.Username, c.Password)
			return proved{id, epoch}, err
		}}, nil
	case bySMS:
		e164, err := s.number(ctx, c, "username")
		return proof{loginName: e164, mobile: true, check: func(ctx context.Context) (proved, error) {
			return s.holder(ctx, c.MerchantID, e164, func() error {
				return s.o.Codes.Check(ctx, notify.Subject{MerchantID: c.MerchantID, Channel: notify.SMS, Target: e164, Purpose: notify.ForLogin}, rest.NetworkOfAddress(c.Address), c.Password)
			})
		}}, err
	case byFirebase:
		e164, err := s.number(ctx, c, "firebaseMobileNo")
		return proof{check: func(ctx context.Context) (proved, error) {
			return s.holder(ctx, c.MerchantID, e164, func() error { return s.o.External.Prove(ctx, c.IDToken, e164) })
		}}, err
	case byExternal:
		return proof{check: func(ctx context.Context) (proved, error) {
			id, epoch, err := s.o.External.Enter(ctx, c.MerchantID, c.Ticket, c.Browser, c.Agreed, c.OfAge, c.visitor())
			return proved{id, epoch}, err
		}}, nil
	default:
		return proof{}, rest.ErrParam.On("type")
	}
}

// holder gives whose number it is that prove shows somebody to hold. That it is nobody's is told only after the proof.
func (s *Service) holder(ctx context.Context, merchantID int64, e164 string, prove func() error) (proved, error) {
	id, epoch, unknown := s.o.Members.ByMobile(ctx, merchantID, e164)
	if unknown != nil && !wrong(unknown) {
		return proved{}, unknown
	}
	if err := prove(); err != nil {
		return proved{}, err
	}
	return proved{id, epoch}, unknown
}

// number gives the number that a login names, where one may log in by it.
func (s *Service) number(ctx context.Context, c Credentials, field string) (string, error) {
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
