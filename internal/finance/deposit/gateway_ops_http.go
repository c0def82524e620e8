package deposit

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/finance/gateway"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

type opsGateway struct {
	ID         string      `json:"id"`
	Code       string      `json:"code"`
	Name       string      `json:"name"`
	URL        string      `json:"url"`
	Currencies []string    `json:"currencies"`
	Min        rest.Amount `json:"min" doc:"In the unit of the first currency."`
	Max        rest.Amount `json:"max" doc:"0: no maximum."`
	Keys       int64       `json:"keys" doc:"Active keys."`
	Status     string      `json:"status" enum:"active,disabled"`
	CreatedAt  int64       `json:"createdAt"`
	Version    int64       `json:"version"`

	Reconciliation *Reconciliation `json:"reconciliation" doc:"The last one, or null."`

	index int // in the list
}

type gatewaysInput struct{ oplist.Params }

// GatewayFields are the fields of a gateway that operators edit.
type GatewayFields struct {
	Name string       `json:"name" minLength:"1" maxLength:"100"`
	URL  string       `json:"url" maxLength:"500" doc:"Base of the gateway's calls."`
	Min  *rest.Amount `json:"min,omitempty"`
	Max  *rest.Amount `json:"max,omitempty" doc:"0 or absent: no maximum."`
}

func (b GatewayFields) limits(currency string) (lowest, highest money.Minor, err error) {
	c, err := money.Find(currency)
	if err != nil {
		return 0, 0, gateway.ErrMalformed.On("currencies")
	}
	if b.Min != nil {
		if lowest, err = c.Parse(string(*b.Min)); err != nil || lowest > ledger.MaxAmount {
			return 0, 0, gateway.ErrMalformed.On("min")
		}
	}
	if b.Max != nil {
		if highest, err = c.Parse(string(*b.Max)); err != nil || highest > ledger.MaxAmount {
			return 0, 0, gateway.ErrMalformed.On("max")
		}
	}
	return lowest, highest, nil
}

func (s *Service) opsGateways(ctx context.Context, in *gatewaysInput, after page.Key, limit int) ([]opsGateway, error) {
	all, err := s.o.Gateways.List(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	if in.Sort == sortName {
		slices.SortStableFunc(all, func(a, b gateway.Gateway) int { return strings.Compare(a.Name, b.Name) })
	}
	list := []opsGateway{}
	for _, g := range all {
		c, err := money.Find(g.Currencies[0])
		if err != nil {
			return nil, rest.ErrSystem.Because(err)
		}
		row := opsGateway{
			ID: formatID(g.ID), Code: g.Code, Name: g.Name, URL: g.URL, Currencies: g.Currencies, Min: rest.AmountOf(c, g.Min), Max: rest.AmountOf(c, g.Max),
			Keys: g.Keys, Status: "active", CreatedAt: g.CreatedAt, Version: g.Version,
		}
		if !g.Enabled {
			row.Status = "disabled"
		}
		if hasText(in.Q, row.ID, row.Code, row.Name) && (in.State == "" || in.State == row.Status) {
			row.index = len(list)
			list = append(list, row)
		}
	}
	shown := oplist.Slice(list, after, limit)
	for i := range shown {
		id, err := strconv.ParseInt(shown[i].ID, 10, 64)
		if err != nil {
			return nil, err
		}
		if shown[i].Reconciliation, err = s.LastReconciliation(ctx, id); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

func gatewayOps(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.SettingEdit}
	listOp := op
	listOp.Path, listOp.ID, listOp.Summary = "/ops/v1/gateways", "opsGateways", "Payment gateways with their last reconciliation"
	listOp.Description = "q finds an id, or a part of a code or a name."
	column := func(name string, text func(opsGateway) string) oplist.Column[opsGateway] {
		return oplist.Column[opsGateway]{Name: name, Text: text}
	}
	oplist.Register(a, hasPermission, oplist.List[gatewaysInput, opsGateway]{
		Op: listOp, Permission: string(permission.SettingEdit), Sorts: []string{sortOrder, sortName}, States: settingStates, File: "gateways.csv",
		Columns: []oplist.Column[opsGateway]{
			column("id", func(g opsGateway) string { return g.ID }), column("code", func(g opsGateway) string { return g.Code }),
			column("name", func(g opsGateway) string { return g.Name }), column("url", func(g opsGateway) string { return g.URL }),
			column("currencies", func(g opsGateway) string { return strings.Join(g.Currencies, " ") }), column("keys", func(g opsGateway) string { return formatID(g.Keys) }),
			column("status", func(g opsGateway) string { return g.Status }),
		},
		Select: s.opsGateways, Key: func(g opsGateway, _ string) page.Key { return oplist.IndexKey(g.index) },
	})
	createOp := op
	createOp.Method, createOp.Path, createOp.ID, createOp.Summary = http.MethodPost, "/ops/v1/gateways", "opsCreateGateway", "Create a payment gateway with its first key"
	createOp.Dangerous, createOp.Faults = true, []*fault.Fault{gateway.ErrMalformed, gateway.ErrExists, ErrMethodExists}
	createOp.Description = "Also makes a pg method with its code. The key is shown once."
	type gatewayCreateBody struct {
		GatewayFields

		Code       string   `json:"code" minLength:"1" maxLength:"32"`
		Currencies []string `json:"currencies" minItems:"1" maxItems:"8"`
	}
	rest.Typed(a, createOp, func(ctx context.Context, in *struct{ Body gatewayCreateBody }) (key gateway.Key, err error) {
		b := in.Body
		lowest, highest, err := b.limits(b.Currencies[0])
		if err != nil {
			return key, err
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			var g gateway.Gateway
			draft := gateway.Draft{Code: b.Code, Name: b.Name, URL: b.URL, Currencies: b.Currencies, Min: lowest, Max: highest}
			if g, key, err = s.o.Gateways.CreateIn(ctx, tx, rest.MerchantOf(ctx).ID, draft); err != nil {
				return err
			}
			return s.auditSetting(ctx, tx, "gateway.create", "gateway/"+g.Code, nil, b)
		})
		return key, err
	})
	type changeGatewayInput struct {
		ID     int64  `path:"id"`
		Action string `path:"action" enum:"rotate,retire,edit,disable,enable,reconcile"`
		Body   struct {
			Version int64          `json:"version" minimum:"1"`
			Reason  string         `json:"reason,omitempty" maxLength:"500"`
			Change  *GatewayFields `json:"change,omitempty" doc:"With edit."`
		}
	}
	type gatewayChanged struct {
		Key            *gateway.Key    `json:"key,omitempty" doc:"After rotate, once."`
		Reconciliation *Reconciliation `json:"reconciliation,omitempty" doc:"After reconcile."`
	}
	changeOp := op
	changeOp.Method, changeOp.Path, changeOp.ID, changeOp.Summary = http.MethodPost, "/ops/v1/gateways/{id}/{action}", "opsChangeGateway", "Change a payment gateway, or compare it with the deposits"
	changeOp.Dangerous, changeOp.Faults = true, []*fault.Fault{gateway.ErrUnknown, gateway.ErrMalformed, gateway.ErrStale}
	changeOp.Description = "rotate makes a new key; the previous one stays valid until the next rotation or retire, which ends all keys but the newest. reconcile moves no money."
	rest.Typed(a, changeOp, func(ctx context.Context, in *changeGatewayInput) (out gatewayChanged, err error) {
		g, err := s.o.Gateways.ByID(ctx, in.ID)
		if err == nil && g.MerchantID != rest.MerchantOf(ctx).ID {
			err = gateway.ErrUnknown
		}
		if err != nil {
			return out, err
		}
		if g.Version != in.Body.Version {
			return out, gateway.ErrStale
		}
		if in.Action == "reconcile" {
			result, err := s.Reconcile(ctx, g)
			if err != nil {
				return out, err
			}
			out.Reconciliation = &result
			return out, s.o.Store.Write(ctx, func(tx *db.Tx) error {
				return s.auditSetting(ctx, tx, "gateway.reconcile", "gateway/"+g.Code, nil, map[string]int{"differences": len(result.Differences)})
			})
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			var after any
			changes := gateway.Changes{Name: g.Name, URL: g.URL, Min: g.Min, Max: g.Max, Enabled: in.Action == "enable" || in.Action == "edit" && g.Enabled}
			switch {
			case in.Action == "rotate":
				key, err := s.o.Gateways.RotateIn(ctx, tx, g)
				if err != nil {
					return err
				}
				out.Key, after = &key, map[string]string{"keyId": key.KeyID}
			case in.Action == "retire":
				retired, err := s.o.Gateways.RetireIn(ctx, tx, g)
				if err != nil {
					return err
				}
				after = map[string]any{"retired": retired}
			case in.Action == "edit" && in.Body.Change == nil:
				return rest.ErrParam.On("change")
			default:
				if c := in.Body.Change; in.Action == "edit" {
					changes.Name, changes.URL = c.Name, c.URL
					if changes.Min, changes.Max, err = c.limits(g.Currencies[0]); err != nil {
						return err
					}
				}
				if err := s.o.Gateways.ChangeIn(ctx, tx, g, changes); err != nil {
					return err
				}
				after = changes
			}
			return s.auditSetting(ctx, tx, "gateway."+in.Action, "gateway/"+g.Code, map[string]any{"name": g.Name, "url": g.URL, "enabled": g.Enabled}, after)
		})
		return out, err
	})
}
