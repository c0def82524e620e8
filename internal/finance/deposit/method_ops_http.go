package deposit

import (
	"context"
	"math/big"
	"net/http"
	"slices"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// MethodFields are the fields of a method that operators edit.
type MethodFields struct {
	Scheme   string      `json:"scheme,omitempty" enum:",vietqr,pix,raast" doc:"Payment code of mt and qr methods: vietqr for VND, pix for BRL, raast for PKR."`
	Name     string      `json:"name" minLength:"1" maxLength:"100"`
	Min      rest.Amount `json:"min"`
	Max      rest.Amount `json:"max"`
	Fee      rest.Amount `json:"fee"`
	FeeRate  rest.Amount `json:"feeRate" doc:"A fraction below 1 with at most six decimals."`
	OpensAt  string      `json:"opensAt" pattern:"^[0-9]{2}:[0-9]{2}$" doc:"HH:mm in the time of the currency's country. Equal to closesAt: always open."`
	ClosesAt string      `json:"closesAt" pattern:"^[0-9]{2}:[0-9]{2}$"`
	Minutes  int64       `json:"minutes" minimum:"1" maximum:"10080" doc:"Until an unpaid deposit expires."`
	Accounts []Account   `json:"accounts" maxItems:"20" doc:"Accounts that receive the money."`
	Sorting  int64       `json:"sorting" minimum:"0" maximum:"1000000"`
	Enabled  bool        `json:"enabled"`
}

type opsMethod struct {
	MethodFields

	ID       string `json:"id"`
	Code     string `json:"code"`
	Kind     string `json:"kind" enum:"mt,qr,pg"`
	Currency string `json:"currency"`
	Status   string `json:"status" enum:"active,disabled"`
	Version  int64  `json:"version"`

	index int // in the list
}

func opsMethodOf(m Method) opsMethod {
	c, err := money.Find(m.Currency)
	if err != nil {
		c = money.Currency{Code: m.Currency}
	}
	out := opsMethod{
		MethodFields: MethodFields{
			Scheme: m.Scheme, Name: m.Name, Min: rest.AmountOf(c, m.Min), Max: rest.AmountOf(c, m.Max), Fee: rest.AmountOf(c, m.Fee), FeeRate: rateText(m.FeeRate),
			OpensAt: m.Opens, ClosesAt: m.Closes, Minutes: m.Minutes, Accounts: m.Accounts, Sorting: m.Sorting, Enabled: m.Enabled,
		},
		ID: formatID(m.ID), Code: m.Code, Kind: m.Kind, Currency: m.Currency, Status: "active", Version: m.Version,
	}
	if !m.Enabled {
		out.Status = "disabled"
	}
	return out
}

// apply returns the method with the values of the fields.
func (b MethodFields) apply(m Method) (Method, error) {
	c, err := money.Find(m.Currency)
	if err != nil {
		return m, ErrMethodMalformed.On("currency")
	}
	for _, f := range []struct {
		name   string
		text   rest.Amount
		amount *money.Minor
	}{{"min", b.Min, &m.Min}, {"max", b.Max, &m.Max}, {"fee", b.Fee, &m.Fee}} {
		if *f.amount, err = c.Parse(string(f.text)); err != nil {
			return m, ErrMethodMalformed.On(f.name)
		}
	}
	rate, ok := new(big.Rat).SetString(string(b.FeeRate))
	if !ok {
		return m, ErrMethodMalformed.On("feeRate")
	}
	rate.Mul(rate, big.NewRat(rateUnit, 1))
	if !rate.IsInt() || !rate.Num().IsInt64() {
		return m, ErrMethodMalformed.On("feeRate")
	}
	m.FeeRate = rate.Num().Int64()
	m.Scheme, m.Name, m.Opens, m.Closes, m.Minutes, m.Accounts, m.Sorting, m.Enabled = b.Scheme, b.Name, b.OpensAt, b.ClosesAt, b.Minutes, b.Accounts, b.Sorting, b.Enabled
	return m, nil
}

type methodsInput struct {
	oplist.Params
	Kind     string `query:"kind" enum:",mt,qr,pg"`
	Currency string `query:"currency" maxLength:"3"`
}

// Sort orders of the lists of methods and gateways.
const (
	sortOrder = "order"
	sortName  = "name"
)

var settingStates = []string{"active", "disabled"}

func (s *Service) opsMethods(ctx context.Context, in *methodsInput, after page.Key, limit int) ([]opsMethod, error) {
	all, err := s.AllMethods(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	if in.Sort == sortName {
		slices.SortStableFunc(all, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	}
	list := []opsMethod{}
	for _, m := range all {
		row := opsMethodOf(m)
		if hasText(in.Q, row.ID, row.Code, row.Name) && (in.State == "" || in.State == row.Status) && (in.Kind == "" || in.Kind == row.Kind) && (in.Currency == "" || in.Currency == row.Currency) {
			row.index = len(list)
			list = append(list, row)
		}
	}
	return oplist.Slice(list, after, limit), nil
}

// hasText reports whether a text is the id, or a part of another field. An empty text matches.
func hasText(text, id string, fields ...string) bool {
	text = strings.ToLower(text)
	return text == id || slices.ContainsFunc(fields, func(field string) bool { return strings.Contains(strings.ToLower(field), text) })
}

func methodOps(a *rest.API, s *Service) {
	op := rest.Op{Tag: opsTag, Access: rest.Operators, Permission: permission.SettingEdit}
	listOp := op
	listOp.Path, listOp.ID, listOp.Summary, listOp.Description = "/ops/v1/methods", "opsMethods", "Ways to deposit", "q finds an id, or a part of a code or a name."
	column := func(name string, text func(opsMethod) string) oplist.Column[opsMethod] {
		return oplist.Column[opsMethod]{Name: name, Text: text}
	}
	oplist.Register(a, hasPermission, oplist.List[methodsInput, opsMethod]{
		Op: listOp, Permission: string(permission.SettingEdit), Sorts: []string{sortOrder, sortName}, States: settingStates, File: "methods.csv",
		Columns: []oplist.Column[opsMethod]{
			column("id", func(m opsMethod) string { return m.ID }), column("code", func(m opsMethod) string { return m.Code }),
			column("name", func(m opsMethod) string { return m.Name }), column("kind", func(m opsMethod) string { return m.Kind }),
			column("currency", func(m opsMethod) string { return m.Currency }), column("min", func(m opsMethod) string { return string(m.Min) }),
			column("max", func(m opsMethod) string { return string(m.Max) }), column("fee", func(m opsMethod) string { return string(m.Fee) }),
			column("feeRate", func(m opsMethod) string { return string(m.FeeRate) }), column("opensAt", func(m opsMethod) string { return m.OpensAt }),
			column("closesAt", func(m opsMethod) string { return m.ClosesAt }), column("status", func(m opsMethod) string { return m.Status }),
		},
		Select: s.opsMethods, Key: func(m opsMethod, _ string) page.Key { return oplist.IndexKey(m.index) },
	})
	createOp := op
	createOp.Method, createOp.Path, createOp.ID, createOp.Summary = http.MethodPost, "/ops/v1/methods", "opsCreateMethod", "Create a way to deposit"
	createOp.Dangerous, createOp.Faults = true, []*fault.Fault{ErrMethodMalformed, ErrMethodExists}
	createOp.Description = "Creating a gateway makes its pg method."
	type methodCreateBody struct {
		MethodFields

		Code     string `json:"code" minLength:"1" maxLength:"40"`
		Kind     string `json:"kind" enum:"mt,qr"`
		Currency string `json:"currency"`
	}
	rest.Typed(a, createOp, func(ctx context.Context, in *struct{ Body methodCreateBody }) (out opsMethod, err error) {
		m, err := in.Body.apply(Method{MerchantID: rest.MerchantOf(ctx).ID, Code: in.Body.Code, Kind: in.Body.Kind, Currency: in.Body.Currency})
		if err != nil {
			return out, err
		}
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			if m, err = s.CreateMethodIn(ctx, tx, m); err != nil {
				return err
			}
			out = opsMethodOf(m)
			return s.auditSetting(ctx, tx, "method.create", "method/"+m.Code, nil, out)
		})
		return out, err
	})
	editOp := op
	editOp.Method, editOp.Path, editOp.ID, editOp.Summary = http.MethodPut, "/ops/v1/methods/{id}", "opsEditMethod", "Change a way to deposit"
	editOp.Dangerous, editOp.Faults = true, []*fault.Fault{ErrMethodMalformed, ErrMethodUnknown, ErrStale}
	type editMethodInput struct {
		ID   int64 `path:"id"`
		Body struct {
			MethodFields

			Version int64 `json:"version" minimum:"1"`
		}
	}
	rest.Typed(a, editOp, func(ctx context.Context, in *editMethodInput) (out opsMethod, err error) {
		before, err := s.MethodByID(ctx, rest.MerchantOf(ctx).ID, in.ID)
		if err != nil {
			return out, err
		}
		m, err := in.Body.apply(before)
		if err != nil {
			return out, err
		}
		m.Version = in.Body.Version
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			if err := s.EditMethodIn(ctx, tx, m); err != nil {
				return err
			}
			after := m
			after.Version++
			out = opsMethodOf(after)
			return s.auditSetting(ctx, tx, "method.edit", "method/"+m.Code, opsMethodOf(before), out)
		})
		return out, err
	})
}

func (s *Service) auditSetting(ctx context.Context, tx *db.Tx, action, object string, before, after any) error {
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: rest.MerchantOf(ctx).ID, Permission: string(permission.SettingEdit), Action: action, Object: object, Before: before, After: after,
	})
}
