package merchant

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// A Kind is a kind of switch.
type Kind string

// The kinds of switches.
const (
	Flag      Kind = "flag"
	Module    Kind = "module"
	Promotion Kind = "promotion"
)

// ErrUnknownSwitch rejects a switch that does not exist.
var ErrUnknownSwitch = fault.ForOperators(fault.Invalid, "flag.unknown")

// Switches holds the state of every switch of one merchant.
type Switches struct {
	Flags      map[spec.Flag]bool      `json:"flags"`
	Modules    map[spec.Module]bool    `json:"modules"`
	Promotions map[spec.Promotion]bool `json:"promotions"`
}

func defaultSwitches() Switches {
	return Switches{Flags: initial(spec.Flags), Modules: initial(spec.Modules), Promotions: initial(spec.Promotions)}
}

func initial[C ~string](switches []spec.SwitchDefinition[C]) map[C]bool {
	states := make(map[C]bool, len(switches))
	for _, s := range switches {
		states[s.Code] = s.On
	}
	return states
}

// set changes a switch. It returns false if there is no switch of that kind and code.
func (s Switches) set(change Switch) bool {
	switch change.Kind {
	case Module:
		return put(s.Modules, change)
	case Promotion:
		return put(s.Promotions, change)
	case Flag:
		return put(s.Flags, change)
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

// A Switch is a switch with its state.
type Switch struct {
	Kind Kind
	Code string
	On   bool
}

// SwitchOf returns a switch whose kind follows from the type of the code.
func SwitchOf[C spec.Flag | spec.Module | spec.Promotion](code C, on bool) Switch {
	kind := Flag
	switch any(code).(type) {
	case spec.Module:
		kind = Module
	case spec.Promotion:
		kind = Promotion
	}
	return Switch{Kind: kind, Code: string(code), On: on}
}

func (s Switch) check() error {
	if !defaultSwitches().set(s) {
		return ErrUnknownSwitch.With("code", s.Code)
	}
	return nil
}

// SetSwitch stores the state of a flag, module or promotion.
func (s *Service) SetSwitch(ctx context.Context, merchantID int64, change Switch) error {
	return s.setSwitch(ctx, merchantID, change, anyVersion, nil)
}

func (s *Service) setSwitch(ctx context.Context, merchantID int64, change Switch, version int64, record recordFunc) error {
	if err := change.check(); err != nil {
		return err
	}
	return s.change(ctx, func(tx *db.Tx) error {
		locked, err := tx.Q.LockMerchant(ctx, merchantID)
		if err != nil {
			return fmt.Errorf("lock merchant: %w", err)
		}
		if locked == 0 {
			return rest.ErrMerchantUnknown
		}
		rows, err := tx.Q.Switches(ctx)
		if err != nil {
			return fmt.Errorf("read switches: %w", err)
		}
		before := defaultSwitches()
		for _, row := range rows {
			if row.MerchantID == merchantID {
				before.set(Switch{Kind: Kind(row.Kind), Code: row.Code, On: row.Enabled})
			}
		}
		c := settingChange{merchantID, "switches", change.name(), stateText(before.on(change)), stateText(change.On), version}
		if err := s.recordChange(ctx, tx, c, record); err != nil {
			return err
		}
		return tx.Q.PutSwitch(ctx, query.PutSwitchParams{
			MerchantID: merchantID, Kind: string(change.Kind), Code: change.Code, Enabled: change.On,
		})
	})
}

// name returns the name of a switch in the history and in the operator's API.
func (s Switch) name() string { return string(s.Kind) + "." + s.Code }

func (s Switches) on(target Switch) bool {
	switch target.Kind {
	case Module:
		return s.Modules[spec.Module(target.Code)]
	case Promotion:
		return s.Promotions[spec.Promotion(target.Code)]
	case Flag:
		return s.Flags[spec.Flag(target.Code)]
	default:
		return false
	}
}

func stateText(on bool) json.RawMessage { return json.RawMessage(strconv.FormatBool(on)) }

// ModuleEnabled reports whether a module is on. Unknown modules are off.
func (s *Service) ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return m.switches.Modules[code], nil
}

// PromotionEnabled reports whether a promotion is on. Unknown promotions are off.
func (s *Service) PromotionEnabled(ctx context.Context, merchantID int64, code spec.Promotion) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return m.switches.Promotions[code], nil
}

// FlagEnabled reports whether a flag is on. Unknown flags are off.
func (s *Service) FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return m.switches.Flags[code], nil
}

// Categories lists the game categories and views of the specification.
var Categories = []string{
	spec.ViewAll, spec.Lottery, spec.FastLottery, spec.Live, spec.Slots, spec.Fishing, spec.Sports, spec.Esports, spec.Cards,
	spec.ViewHot, spec.ViewLivestream, spec.ViewHome, spec.ViewPromotions, spec.ViewFavourites, spec.JadeLantern,
}
