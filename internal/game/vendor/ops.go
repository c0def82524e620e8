package vendor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// ErrVendorNotFound is returned for a vendor that the operator's merchant does not have.
var ErrVendorNotFound = fault.ForOperators(fault.NotFound, "vendor.missing")

// A Draft holds the fields of a vendor to create.
type Draft struct {
	Code, Name string
	Launch     Launch
	Games      []DraftGame
}

// A DraftGame is a game to create with a vendor.
type DraftGame struct{ Code, Category string }

// A Creator adds a vendor with its games to the catalogue and returns its first key.
type Creator interface {
	CreateVendor(ctx context.Context, merchantID int64, d Draft) (Key, error)
}

// An Edit is an operator's change to a version of a vendor.
type Edit struct {
	ID, Version        int64
	Name               string
	Launch             Launch
	Enabled, OwnWallet bool
	Reason             string
}

// A vendorState holds the fields of a vendor that operators change, for the audit log.
type vendorState struct {
	Name       string `json:"name"`
	LaunchURL  string `json:"launchUrl"`
	LaunchMode string `json:"launchMode"`
	Enabled    bool   `json:"enabled"`
	OwnWallet  bool   `json:"ownWallet"`
	Reason     string `json:"reason,omitempty"`
}

// All returns the vendors of a merchant in display order.
func (r *Registry) All(ctx context.Context, merchantID int64) ([]query.OpsVendorsRow, error) {
	rows, err := r.o.Store.Q().OpsVendors(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read vendors: %w", err)
	}
	return rows, nil
}

// One returns a vendor of a merchant.
func (r *Registry) One(ctx context.Context, merchantID, id int64) (query.OpsVendorsRow, error) {
	rows, err := r.All(ctx, merchantID)
	if err != nil {
		return query.OpsVendorsRow{}, err
	}
	i := slices.IndexFunc(rows, func(v query.OpsVendorsRow) bool { return v.ID == id })
	if i < 0 {
		return query.OpsVendorsRow{}, ErrVendorNotFound
	}
	return rows[i], nil
}

// KeysOf returns the keys of a vendor without their secrets, newest first.
func (r *Registry) KeysOf(ctx context.Context, id int64) ([]query.OpsVendorKeysRow, error) {
	rows, err := r.o.Store.Q().OpsVendorKeys(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read a vendor's keys: %w", err)
	}
	return rows, nil
}

// EditVendor changes the name, launch URL and switches of a vendor.
func (r *Registry) EditVendor(ctx context.Context, merchantID int64, e Edit) error {
	v, err := r.One(ctx, merchantID, e.ID)
	if err != nil {
		return err
	}
	e.Launch.Mode = cmp.Or(e.Launch.Mode, v.LaunchMode)
	switch {
	case v.Version != e.Version:
		return rest.ErrStale
	case !validName(e.Name):
		return ErrMalformed.On("name")
	case e.Launch.URL == "" && v.LaunchUrl != "":
		return ErrMalformed.On("launchUrl").Because(errors.New("a launch URL can be changed, but not removed"))
	case e.Launch.URL != "" && v.House:
		return ErrExists.With("code", v.Code)
	}
	if e.Launch.URL != "" {
		if err := e.Launch.Check(); err != nil {
			return err
		}
	}
	defer r.NotifyChanged()
	defer r.o.Bus.Notify(subjectCatalogue, nil)
	err = r.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.BumpCatalogueVersion(ctx, merchantID); err != nil { // because game lists contain vendor names and say which games are open
			return err
		}
		n, err := tx.Q.ChangeVendor(ctx, query.ChangeVendorParams{
			DisplayName: e.Name, LaunchUrl: e.Launch.URL, LaunchMode: e.Launch.Mode, Enabled: e.Enabled, OwnWallet: e.OwnWallet,
			ID: e.ID, MerchantID: merchantID, Version: e.Version,
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return rest.ErrStale
		}
		if err := r.o.Bus.AddIn(ctx, tx, subjectCatalogue, nil); err != nil {
			return err
		}
		if err := r.cache.ChangeIn(ctx, tx); err != nil {
			return err
		}
		return audit.Append(ctx, tx, r.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.VendorEdit), Action: "vendor.edit", Object: objectOf(v),
			Before: vendorState{v.DisplayName, v.LaunchUrl, v.LaunchMode, v.Enabled, v.OwnWallet, ""},
			After:  vendorState{e.Name, e.Launch.URL, e.Launch.Mode, e.Enabled, e.OwnWallet, e.Reason},
		})
	})
	if err != nil {
		return fmt.Errorf("edit vendor: %w", err)
	}
	return nil
}

func validName(name string) bool {
	return strings.TrimSpace(name) != "" && len([]rune(name)) <= 64 && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func objectOf(v query.OpsVendorsRow) string { return "vendor/" + strconv.FormatInt(v.ID, 10) }

// audited returns a context for a change. The change's transaction then checks the version and appends to the audit log.
func (r *Registry) audited(ctx context.Context, merchantID int64, v query.OpsVendorsRow, version int64, action string, after any) context.Context {
	return audit.With(ctx, r.o.Now, audit.Entry{
		MerchantID: merchantID, Permission: string(permission.VendorEdit), Action: "vendor." + action, Object: objectOf(v), After: after,
	}, func(ctx context.Context, tx *db.Tx) error {
		n, err := tx.Q.BumpVendor(ctx, v.ID, merchantID, version)
		if err == nil && n == 0 {
			err = rest.ErrStale
		}
		return err
	})
}

// RotateKey adds a key for an operator. No later call returns the secret key.
func (r *Registry) RotateKey(ctx context.Context, merchantID, id, version int64, reason string) (Key, error) {
	v, err := r.One(ctx, merchantID, id)
	if err != nil {
		return Key{}, err
	}
	return r.Rotate(r.audited(ctx, merchantID, v, version, "rotate", map[string]string{"reason": reason}), merchantID, v.Code)
}

// RetireKey revokes a key for an operator.
func (r *Registry) RetireKey(ctx context.Context, merchantID, id, version int64, keyID, reason string) error {
	v, err := r.One(ctx, merchantID, id)
	if err != nil {
		return err
	}
	return r.Retire(r.audited(ctx, merchantID, v, version, "retire", map[string]string{"keyId": keyID, "reason": reason}), merchantID, v.Code, keyID)
}

// A Probe is the result of a connection test.
type Probe struct {
	Reached bool
	Status  int // HTTP status; 0 if there was no response
	Took    time.Duration
	Problem string
}

// testTicket is not a valid ticket. The vendor's server responds as for an unknown player.
const testTicket = "connection-test"

// Test requests the launch URL of a vendor. Any status below 500 shows that the server is reachable.
func (s *Service) Test(ctx context.Context, merchantID, id int64) (Probe, error) {
	v, err := s.One(ctx, merchantID, id)
	if err != nil {
		return Probe{}, err
	}
	if v.LaunchUrl == "" {
		return Probe{Reached: v.House, Problem: "no_address"}, nil
	}
	if s.o.Client == nil {
		return Probe{Problem: "no_client"}, nil
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.ReplaceAll(v.LaunchUrl, ticketPlaceholder, testTicket), http.NoBody)
	if err != nil {
		return Probe{}, ErrMalformed.On("launchUrl").Because(err)
	}
	start := time.Now()
	response, err := s.o.Client.Do(request)
	p := Probe{Took: time.Since(start)}
	if err != nil {
		p.Problem = err.Error()
		return p, nil //nolint:nilerr // the failure is the result of the test
	}
	_ = response.Body.Close() // only the status matters
	p.Status, p.Reached = response.StatusCode, response.StatusCode < http.StatusInternalServerError
	return p, nil
}
