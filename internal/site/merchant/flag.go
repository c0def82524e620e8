package merchant

import (
	"context"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/spec"
)

// Kind tells the three families of switches apart.
type Kind string

// The kinds of switches.
const (
	Whitelabel Kind = "flag"
	Module     Kind = "module"
	Promotion  Kind = "promotion"
)

// switches lists every switch with its state until the operator says otherwise. Modules are parts of the
// product and start on; flags show something that needs setting up first and start off.
var switches = map[Kind]map[string]bool{
	Module: {
		spec.ModuleFreePlay: true, spec.ModuleRegisterFree: true, spec.ModuleMobileRegister: true, spec.ModuleChangePassword: true,
		spec.ModuleRegisterMobile: true, spec.ModuleValidCaptcha: true, spec.ModuleAffiliate: true, spec.ModuleAvatar: true,
		spec.ModuleInbox: true, spec.ModuleCommission: true, spec.ModuleTransfer: true, spec.ModuleAgentNotice: true,
		spec.ModuleMemberTransaction: true, spec.ModulePersonal: true, spec.ModuleAgent: true, spec.ModuleDownline: true,
		spec.ModuleRegister: true, spec.ModuleCaptcha: true, spec.ModuleChat: true,
	},
	Whitelabel: {
		spec.FlagFacebookLogin: false, spec.FlagGoogleLogin: false, spec.FlagSMSLogin: false, spec.FlagChat: false, spec.FlagCashBack: false,
	},
	Promotion: {spec.PromotionReferral: false},
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
	spec.ViewAll, spec.Lottery, spec.FastLottery, spec.Live, spec.Slots, spec.Fishing, spec.Sports, spec.Esports, spec.Cards,
	spec.ViewHot, spec.ViewLivestream, spec.ViewHome, spec.ViewPromotions, spec.ViewFavourites, spec.JadeLantern,
}
