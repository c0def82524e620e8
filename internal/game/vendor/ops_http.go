package vendor

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

type opsVendor struct {
	ID          string   `json:"id"`
	Code        string   `json:"code"`
	Name        string   `json:"name"`
	LaunchURL   string   `json:"launchUrl" doc:"Empty for the House and for vendors without a connection."`
	LaunchMode  string   `json:"launchMode" enum:"frame,window"`
	House       bool     `json:"house" doc:"The platform's own game server, the House, runs the games, not an external vendor."`
	OwnWallet   bool     `json:"ownWallet" doc:"Members must transfer money to a separate wallet for this vendor before they play."`
	Enabled     bool     `json:"enabled"`
	Maintenance bool     `json:"maintenance"`
	Games       int64    `json:"games"`
	Status      string   `json:"status" enum:"enabled,disabled,maintenance"`
	Version     int64    `json:"version"`
	Keys        []opsKey `json:"keys,omitempty" doc:"Only in the response for a single vendor. Newest first, without the secret keys."`

	index int
}

type opsKey struct {
	KeyID     string `json:"keyId"`
	CreatedAt int64  `json:"createdAt"`
	RetiredAt int64  `json:"retiredAt" doc:"0 if the key is in use."`
}

func opsVendorOf(v query.OpsVendorsRow, index int) opsVendor {
	status := "enabled"
	switch {
	case !v.Enabled:
		status = "disabled"
	case v.Maintenance:
		status = "maintenance"
	}
	return opsVendor{
		ID: formatID(v.ID), Code: v.Code, Name: v.DisplayName, LaunchURL: v.LaunchUrl, LaunchMode: v.LaunchMode, House: v.House, OwnWallet: v.OwnWallet,
		Enabled: v.Enabled, Maintenance: v.Maintenance, Games: v.Games, Status: status, Version: v.Version, index: index,
	}
}

type opsNewVendor struct {
	Code      string `json:"code" minLength:"1" maxLength:"32"`
	Name      string `json:"name" minLength:"1" maxLength:"64"`
	LaunchURL string `json:"launchUrl" maxLength:"500" doc:"Contains {ticket}, which is replaced by the launch ticket."`
	Mode      string `json:"launchMode" enum:"frame,window"`
	Games     []struct {
		Code     string `json:"code" maxLength:"64"`
		Category string `json:"category" maxLength:"32"`
	} `json:"games" maxItems:"500" doc:"Required unless the vendor was imported with its games."`
	Reason string `json:"reason,omitempty" maxLength:"500"`
}

type opsNewKey struct {
	Code  string `json:"code"`
	KeyID string `json:"keyId"`
	Key   string `json:"key" doc:"The secret key. No later response contains it."`
}

type opsEditVendorInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version   int64  `json:"version"`
		Name      string `json:"name" maxLength:"64"`
		LaunchURL string `json:"launchUrl" maxLength:"500"`
		Mode      string `json:"launchMode" enum:"frame,window"`
		Enabled   bool   `json:"enabled"`
		OwnWallet bool   `json:"ownWallet"`
		Reason    string `json:"reason,omitempty" maxLength:"500"`
	}
}

type opsKeyInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version int64  `json:"version"`
		KeyID   string `json:"keyId,omitempty" maxLength:"64"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

type opsProbe struct {
	Reached bool   `json:"reached" doc:"The vendor's server responded with a status below 500."`
	Status  int    `json:"httpStatus" doc:"0 if there was no response."`
	Millis  int64  `json:"millis" doc:"Duration of the test."`
	Problem string `json:"problem" doc:"Why there was no response."`
}

// OpsRoutes adds the operator calls for vendors.
func OpsRoutes(a *rest.API, s *Service, creator Creator) {
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: method, Path: path, ID: id, Tag: "vendor", Access: rest.Operators, Permission: permission.VendorEdit, Summary: summary, Faults: faults}
	}
	dangerous := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		o := op(method, path, id, summary, faults...)
		o.Dangerous = true
		return o
	}
	type listInput struct{ oplist.Params }
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[listInput, opsVendor]{
		Op: op(http.MethodGet, "/ops/v1/vendors", "opsVendors", "All vendors in display order"), Permission: string(permission.VendorEdit),
		Sorts: []string{"order"}, States: []string{"enabled", "disabled", "maintenance"}, File: "vendors.csv",
		Columns: []oplist.Column[opsVendor]{
			{Name: "id", Text: func(v opsVendor) string { return v.ID }}, {Name: "code", Text: func(v opsVendor) string { return v.Code }},
			{Name: "name", Text: func(v opsVendor) string { return v.Name }}, {Name: "launchUrl", Text: func(v opsVendor) string { return v.LaunchURL }},
			{Name: "games", Text: func(v opsVendor) string { return strconv.FormatInt(v.Games, 10) }}, {Name: "status", Text: func(v opsVendor) string { return v.Status }},
		},
		Select: func(ctx context.Context, in *listInput, after page.Key, limit int) ([]opsVendor, error) {
			rows, err := s.All(ctx, rest.MerchantOf(ctx).ID)
			found, search := []opsVendor{}, strings.ToLower(in.Q)
			for _, v := range rows {
				row := opsVendorOf(v, len(found))
				if strings.Contains(strings.ToLower(v.Code+" "+v.DisplayName), search) && (in.State == "" || in.State == row.Status) {
					found = append(found, row)
				}
			}
			return oplist.Slice(found, after, limit), err
		},
		Key: func(v opsVendor, _ string) page.Key { return oplist.IndexKey(v.index) },
	})
	type oneInput struct {
		ID int64 `path:"id"`
	}
	rest.Typed(a, op(http.MethodGet, "/ops/v1/vendors/{id}", "opsVendor", "One vendor with its keys", ErrVendorNotFound), func(ctx context.Context, in *oneInput) (opsVendor, error) {
		v, err := s.One(ctx, rest.MerchantOf(ctx).ID, in.ID)
		if err != nil {
			return opsVendor{}, err
		}
		keys, err := s.KeysOf(ctx, v.ID)
		out := opsVendorOf(v, 0)
		for _, k := range keys {
			out.Keys = append(out.Keys, opsKey{k.KeyID, k.CreatedAt, k.RetiredAt.Int64})
		}
		return out, err
	})
	type createInput struct{ Body opsNewVendor }
	rest.Typed(a, dangerous(http.MethodPost, "/ops/v1/vendors", "opsCreateVendor", "Create a vendor, or connect an imported one; returns its first key", ErrExists, ErrMalformed), func(ctx context.Context, in *createInput) (opsNewKey, error) {
		b := in.Body
		d := Draft{Code: b.Code, Name: b.Name, Launch: Launch{b.LaunchURL, b.Mode}}
		for _, g := range b.Games {
			d.Games = append(d.Games, DraftGame(g))
		}
		merchantID := rest.MerchantOf(ctx).ID
		ctx = audit.With(ctx, s.Registry.o.Now, audit.Entry{
			MerchantID: merchantID, Permission: string(permission.VendorEdit), Action: "vendor.create", Object: "vendor/" + b.Code, After: b,
		}, nil)
		key, err := creator.CreateVendor(ctx, merchantID, d)
		return opsNewKey(key), err
	})
	rest.Typed(a, dangerous(http.MethodPut, "/ops/v1/vendors/{id}", "opsEditVendor", "Change a vendor's name, address and switches", ErrVendorNotFound, ErrMalformed, ErrExists, rest.ErrStale), func(ctx context.Context, in *opsEditVendorInput) (struct{}, error) {
		b := in.Body
		return struct{}{}, s.EditVendor(ctx, rest.MerchantOf(ctx).ID, Edit{in.ID, b.Version, b.Name, Launch{b.LaunchURL, b.Mode}, b.Enabled, b.OwnWallet, b.Reason})
	})
	rest.Typed(a, dangerous(http.MethodPost, "/ops/v1/vendors/{id}/rotate", "opsRotateVendorKey", "Create a new key of a vendor", ErrVendorNotFound, ErrUnknown, rest.ErrStale), func(ctx context.Context, in *opsKeyInput) (opsNewKey, error) {
		key, err := s.RotateKey(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Body.Version, in.Body.Reason)
		return opsNewKey(key), err
	})
	rest.Typed(a, dangerous(http.MethodPost, "/ops/v1/vendors/{id}/retire", "opsRetireVendorKey", "Revoke a key of a vendor", ErrVendorNotFound, ErrUnknown, rest.ErrStale), func(ctx context.Context, in *opsKeyInput) (struct{}, error) {
		return struct{}{}, s.RetireKey(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Body.Version, in.Body.KeyID, in.Body.Reason)
	})
	rest.Typed(a, op(http.MethodPost, "/ops/v1/vendors/{id}/test", "opsTestVendor", "Call the vendor's launch address", ErrVendorNotFound), func(ctx context.Context, in *oneInput) (opsProbe, error) {
		p, err := s.Test(ctx, rest.MerchantOf(ctx).ID, in.ID)
		return opsProbe{p.Reached, p.Status, p.Took.Milliseconds(), p.Problem}, err
	})
}
