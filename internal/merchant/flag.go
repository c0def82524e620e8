package merchant

import (
	"context"

	"fairground/internal/db"
	"fairground/internal/db/query"
	"fairground/internal/fault"
)

// Kind tells the three families of switches apart.
type Kind string

// The kinds of switches.
const (
	Whitelabel Kind = "flag"
	Module     Kind = "module"
	Promotion  Kind = "promotion"
)

// Module ids: the client names one in its ModuleId header, and the server refuses a module that is off.
const (
	ModuleFreePlay          = "FREEPLAY3"
	ModuleRegisterFree      = "REGISTER_REE3"
	ModuleMobileRegister    = "MOBILENUMREG3"
	ModuleChangePassword    = "CHNGPASSVERIF3"
	ModuleRegisterMobile    = "REGMOBVERF3"
	ModuleValidCaptcha      = "VALID_CAPTCHA3"
	ModuleAffiliate         = "AFFMAN3"
	ModuleAvatar            = "PROFPIC3"
	ModuleInbox             = "INBOX3"
	ModuleCommission        = "COMM3"
	ModuleTransfer          = "FUNDTRANS3"
	ModuleAgentNotice       = "AGEANNOUNCE3"
	ModuleMemberTransaction = "MEMTRANS3"
	ModulePersonal          = "PERSPNL3"
	ModuleAgent             = "AGEINFO3"
	ModuleDownline          = "AGEDOWNMAN3"
	ModuleRegister          = "REG3"
	ModuleCaptcha           = "CAPTCHA3"
	ModuleChat              = "CBS3"
)

// Whitelabel flags: what a merchant's front end offers.
const (
	FlagFacebookLogin = "FACEBOOKLOGIN3"
	FlagGoogleLogin   = "GOOGLELOGIN3"
	FlagSMSLogin      = "MOBILEVERCODELOGIN3"
	FlagChat          = "CBS3"
	FlagCashBack      = "MANPLAYREB3"
)

// PromotionReferral lets members invite friends.
const PromotionReferral = "REFERRAL"

// switches lists every switch with its state until the operator says otherwise. Modules are parts of the
// product and start on; flags show something that needs setting up first and start off.
var switches = map[Kind]map[string]bool{
	Module: {
		ModuleFreePlay: true, ModuleRegisterFree: true, ModuleMobileRegister: true, ModuleChangePassword: true,
		ModuleRegisterMobile: true, ModuleValidCaptcha: true, ModuleAffiliate: true, ModuleAvatar: true,
		ModuleInbox: true, ModuleCommission: true, ModuleTransfer: true, ModuleAgentNotice: true,
		ModuleMemberTransaction: true, ModulePersonal: true, ModuleAgent: true, ModuleDownline: true,
		ModuleRegister: true, ModuleCaptcha: true, ModuleChat: true,
	},
	Whitelabel: {
		FlagFacebookLogin: false, FlagGoogleLogin: false, FlagSMSLogin: false, FlagChat: false, FlagCashBack: false,
	},
	Promotion: {PromotionReferral: false},
}

// ErrUnknownFlag refuses a switch that the product does not have.
var ErrUnknownFlag = fault.New(fault.Invalid, "flag.unknown")

// Flags holds the state of every switch of one merchant.
type Flags struct {
	Flags      map[string]bool `json:"flags"`
	Modules    map[string]bool `json:"modules"`
	Promotions map[string]bool `json:"promotions"`
}

func defaultFlags() Flags {
	f := Flags{Flags: map[string]bool{}, Modules: map[string]bool{}, Promotions: map[string]bool{}}
	for kind, codes := range switches {
		for code, on := range codes {
			f.of(kind)[code] = on
		}
	}
	return f
}

func (f Flags) of(kind Kind) map[string]bool {
	switch kind {
	case Module:
		return f.Modules
	case Promotion:
		return f.Promotions
	default:
		return f.Flags
	}
}

// Switch is one switch and its state.
type Switch struct {
	Kind Kind
	Code string
	On   bool
}

func (s Switch) check() error {
	if _, ok := switches[s.Kind][s.Code]; !ok {
		return ErrUnknownFlag.With("code", s.Code)
	}
	return nil
}

// SetFlag switches a flag, module or promotion of a merchant on or off.
func (s *Service) SetFlag(ctx context.Context, merchantID int64, change Switch) error {
	if err := change.check(); err != nil {
		return err
	}
	return s.change(ctx, func(tx *db.Tx) error {
		return tx.Q.PutFlag(ctx, query.PutFlagParams{
			MerchantID: merchantID, Kind: string(change.Kind), Code: change.Code, Enabled: change.On,
		})
	})
}

// ModuleEnabled tells whether a module of the product is switched on; one that does not exist is off.
func (s *Service) ModuleEnabled(ctx context.Context, merchantID int64, code string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return m.flags.Modules[code], nil
}

// FlagEnabled tells whether a whitelabel flag is switched on; one that does not exist is off.
func (s *Service) FlagEnabled(ctx context.Context, merchantID int64, code string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return m.flags.Flags[code], nil
}

// Categories of games, as the specification names them.
var Categories = []string{
	"ALL", "LOTT", "ELOTT", "LIVE", "RNG", "FISH", "SPORTS", "ESPORTS", "PVP", "HOT", "LIVESTREAM", "HOME", "PROMO",
	"FAV", "JL",
}
