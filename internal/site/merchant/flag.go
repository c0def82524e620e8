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

// ErrUnknownFlag refuses a switch that the product does not have.
var ErrUnknownFlag = fault.ForOperators(fault.Invalid, "flag.unknown")

// Flags holds the state of every switch of one merchant.
type Flags struct {
	Flags      map[spec.Flag]bool      `json:"flags"`
	Modules    map[spec.Module]bool    `json:"modules"`
	Promotions map[spec.Promotion]bool `json:"promotions"`
}

func defaultFlags() Flags {
	return Flags{Flags: initial(spec.Flags), Modules: initial(spec.Modules), Promotions: initial(spec.Promotions)}
}

func initial[C ~string](switches []spec.Switch[C]) map[C]bool {
	states := make(map[C]bool, len(switches))
	for _, s := range switches {
		states[s.Code] = s.On
	}
	return states
}

// set changes the state of a switch; false where there is none of that kind and code.
func (f Flags) set(change Switch) bool {
	switch change.Kind {
	case Module:
		return put(f.Modules, change)
	case Promotion:
		return put(f.Promotions, change)
	case Whitelabel:
		return put(f.Flags, change)
	default:
		return false
	}
}

func put[C ~string](states map[C]bool, change Switch) bool {
	code := C(change.Code)
	if _, known := states[code]; !known {
		return false
	}
	states[code] = change.On
	return true
}

// Switch is one switch and its state.
type Switch struct {
	Kind Kind
	Code string
	On   bool
}

// SwitchOf gives the switch of a code, whose type says its kind.
func SwitchOf[C spec.Flag | spec.Module | spec.Promotion](code C, on bool) Switch {
	kind := Whitelabel
	switch any(code).(type) {
	case spec.Module:
		kind = Module
	case spec.Promotion:
		kind = Promotion
	}
	return Switch{Kind: kind, Code: string(code), On: on}
}

func (s Switch) check() error {
	if !defaultFlags().set(s) {
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
func (s *Service) ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return m.flags.Modules[code], nil
}

// FlagEnabled tells whether a whitelabel flag is switched on; one that does not exist is off.
func (s *Service) FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error) {
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
