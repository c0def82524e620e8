package vendor

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/secret"
)

// maxActiveKeys allows the key in use and its replacement.
const maxActiveKeys = 2

// houseKeyID is the ID of the House's key, which is not stored.
const houseKeyID = "house"

type internalKey struct{}

// MarkInternal marks requests that the House sends inside this process. The House's key is valid only for marked
// requests, so a leaked key is useless.
func MarkInternal(ctx context.Context) context.Context {
	return context.WithValue(ctx, internalKey{}, true)
}

const ticketPlaceholder = "{ticket}"

// How games open.
const (
	ModeFrame  = "frame"
	ModeWindow = "window"
)

// A vendor is a game vendor of one merchant.
type vendor struct {
	id, merchantID int64
	code           string
	launchURL      string // empty for the House and for vendors without a connection
	launchMode     string
	house          bool // the House runs its games
	ownWallet      bool // members must move money to a wallet for this vendor before they play
}

// A directory is an immutable snapshot of all vendors and active keys.
type directory struct {
	byID    map[int64]*vendor
	byCode  map[vendorCode]*vendor
	byKeyID map[string]signer
}

// A signer is a vendor with one of its encrypted signing keys.
type signer struct {
	*vendor

	wrapped []byte
}

type vendorCode struct {
	merchantID int64
	code       string
}

// A Key signs a vendor's calls.
type Key struct {
	Code  string
	KeyID string
	Key   string // hexadecimal; the HMAC key is this text, not the decoded bytes
}

// RegistryOptions configure a Registry.
type RegistryOptions struct {
	Store *db.Store
	Bus   *events.Bus
	Keys  *secret.Keys
	Now   func() time.Time
}

// A Registry holds the vendors and their signing keys.
type Registry struct {
	o     RegistryOptions
	cache *events.Cache[struct{}, *directory]
}

// NewRegistry returns a Registry that reloads when another replica changes vendors.
func NewRegistry(o RegistryOptions) (*Registry, error) {
	cache, err := events.NewCache[struct{}, *directory](events.CacheOptions{Bus: o.Bus, Subject: subjectChanged, FreshFor: directoryTTL, Now: o.Now})
	if err != nil {
		return nil, fmt.Errorf("vendors: %w", err)
	}
	return &Registry{o, cache}, nil
}

// Close cancels the subscription.
func (r *Registry) Close() { r.cache.Close() }

func (r *Registry) directory(ctx context.Context) (*directory, error) {
	return r.cache.Get(ctx, struct{}{}, func(ctx context.Context) (*directory, error) {
		q := r.o.Store.Q()
		rows, err := q.LaunchVendors(ctx)
		if err != nil {
			return nil, fmt.Errorf("read vendors: %w", err)
		}
		keys, err := q.ActiveVendorKeys(ctx)
		if err != nil {
			return nil, fmt.Errorf("read vendors' keys: %w", err)
		}
		d := &directory{byID: map[int64]*vendor{}, byCode: map[vendorCode]*vendor{}, byKeyID: map[string]signer{}}
		for _, row := range rows {
			v := &vendor{row.ID, row.MerchantID, row.Code, row.LaunchUrl, row.LaunchMode, row.House, row.OwnWallet}
			d.byID[v.id], d.byCode[vendorCode{v.merchantID, v.code}] = v, v
		}
		for _, k := range keys {
			d.byKeyID[k.KeyID] = signer{d.byID[k.VendorID], k.Wrapped}
		}
		return d, nil
	})
}

// vendorByID reloads the directory if it lacks the vendor, which another replica may have just created.
func (r *Registry) vendorByID(ctx context.Context, id int64) (*vendor, error) {
	d, err := r.directory(ctx)
	if err == nil && d.byID[id] == nil {
		r.cache.Drop()
		d, err = r.directory(ctx)
	}
	if err != nil {
		return nil, err
	}
	if d.byID[id] == nil {
		return nil, ErrUnknown
	}
	return d.byID[id], nil
}

// Vendors returns the sorted codes of a merchant's vendors. It never returns nil.
func (r *Registry) Vendors(ctx context.Context, merchantID int64) ([]string, error) {
	return r.codesOf(ctx, merchantID, func(*vendor) bool { return true })
}

// HouseVendors returns the sorted codes of the vendors whose games the House runs. It never returns nil.
func (r *Registry) HouseVendors(ctx context.Context, merchantID int64) ([]string, error) {
	return r.codesOf(ctx, merchantID, func(v *vendor) bool { return v.house })
}

func (r *Registry) codesOf(ctx context.Context, merchantID int64, include func(*vendor) bool) ([]string, error) {
	d, err := r.directory(ctx)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, v := range d.byID {
		if v.merchantID == merchantID && include(v) {
			out = append(out, v.code)
		}
	}
	slices.Sort(out)
	return out, nil
}

// signer returns the vendor with a signing key, and the key. It returns nil if the vendor and the key do not match.
func (r *Registry) signer(ctx context.Context, merchantID int64, code, keyID string) (*vendor, []byte, error) {
	d, err := r.directory(ctx)
	if err != nil {
		return nil, nil, err
	}
	if keyID == houseKeyID {
		v := d.byCode[vendorCode{merchantID, code}]
		// A vendor whose games the House no longer runs may still have rounds to settle.
		if v == nil || v.launchURL != "" || ctx.Value(internalKey{}) == nil {
			return nil, nil, nil
		}
		return v, r.HouseKey(code), nil
	}
	found := d.byKeyID[keyID]
	if found.vendor == nil || found.code != code {
		return nil, nil, nil
	}
	key, err := r.o.Keys.Unwrap(keyPurpose+keyID, found.wrapped)
	if err != nil {
		return nil, nil, fmt.Errorf("open key of vendor %s: %w", code, err)
	}
	return found.vendor, key, nil
}

const (
	keyPurpose     = "vendor.key/"
	signingKeySize = 32
)

// HouseKey returns the key with which the House signs calls for a vendor. It is valid only if the House runs the vendor's games.
func (r *Registry) HouseKey(code string) []byte {
	return r.o.Keys.Bytes("vendor.house/"+code, signingKeySize)
}

// A Launch configures where a vendor's games open.
type Launch struct{ URL, Mode string }

var validHost = regexp.MustCompile(`^[A-Za-z0-9.:\[\]-]+$`)

// Check returns an error if the URL is not valid or does not contain the ticket's placeholder.
func (l Launch) Check() error {
	if l.Mode != ModeFrame && l.Mode != ModeWindow {
		return ErrMalformed.On("mode").Because(errors.New("the mode must be frame or window"))
	}
	u, err := url.Parse(strings.ReplaceAll(l.URL, ticketPlaceholder, "t"))
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || len(l.URL) > 500:
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL must be absolute, at most 500 bytes, without user information or a fragment"))
	case !validHost.MatchString(u.Host): // the host is written into the content security policy
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL's host may have letters, digits, dots and hyphens only"))
	case strings.Count(l.URL, ticketPlaceholder) != 1 || !afterHost(l.URL):
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL must contain {ticket} once, in the path or the query"))
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL must start with https://, or http:// for localhost"))
	}
	return nil
}

// afterHost reports whether the ticket is in the path or the query.
func afterHost(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host := strings.IndexAny(rest, "/?")
	return host > 0 && strings.Index(rest, ticketPlaceholder) > host
}

func loopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Create sets the launch address of a vendor in the catalogue and returns its first key.
func (r *Registry) Create(ctx context.Context, merchantID int64, code string, l Launch) (key Key, err error) {
	defer r.NotifyChanged()
	defer r.o.Bus.Notify(subjectCatalogue, nil)
	err = r.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		if err := tx.Q.BumpCatalogueVersion(ctx, merchantID); err != nil { // the lists show what is open
			return err
		}
		if key, err = r.CreateIn(ctx, tx, merchantID, code, l); err != nil {
			return err
		}
		return r.o.Bus.AddIn(ctx, tx, subjectCatalogue, nil)
	})
	return key, err
}

// CreateIn is Create in the caller's transaction. The caller must call NotifyChanged after the commit.
func (r *Registry) CreateIn(ctx context.Context, tx *db.Tx, merchantID int64, code string, l Launch) (Key, error) {
	if err := l.Check(); err != nil {
		return Key{}, err
	}
	_, err := tx.Q.SetLaunch(ctx, query.SetLaunchParams{LaunchUrl: l.URL, LaunchMode: l.Mode, MerchantID: merchantID, Code: code})
	if errors.Is(err, sql.ErrNoRows) {
		return Key{}, ErrUnknown
	}
	if err != nil {
		return Key{}, fmt.Errorf("set launch of vendor %s: %w", code, err)
	}
	return r.addKey(ctx, tx, merchantID, code)
}

// MakeHouse marks a vendor of the catalogue as one whose games the House runs. It fails if the vendor has a launch
// address.
func (r *Registry) MakeHouse(ctx context.Context, merchantID int64, code string) error {
	yes := true
	return r.Change(ctx, merchantID, code, Changes{House: &yes})
}

// Changes are changes of a vendor. Empty and nil fields stay unchanged.
type Changes struct {
	Name   string
	Launch Launch
	House  *bool // the House runs its games
}

// Change changes a vendor of the catalogue.
func (r *Registry) Change(ctx context.Context, merchantID int64, code string, to Changes) error {
	defer r.NotifyChanged()
	err := r.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.BumpCatalogueVersion(ctx, merchantID); err != nil { // the lists show names and what is open
			return err
		}
		v, err := tx.Q.VendorRunner(ctx, merchantID, code)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrUnknown
		}
		if err != nil {
			return err
		}
		if err := changeIn(ctx, tx, merchantID, code, v, to); err != nil {
			return err
		}
		if err := r.o.Bus.AddIn(ctx, tx, subjectCatalogue, nil); err != nil {
			return err
		}
		return r.cache.ChangeIn(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("change vendor %s: %w", code, err)
	}
	return nil
}

func changeIn(ctx context.Context, tx *db.Tx, merchantID int64, code string, v query.VendorRunnerRow, to Changes) error {
	if to.Name != "" {
		if err := tx.Q.SetVendorName(ctx, to.Name, v.ID); err != nil {
			return err
		}
	}
	if to.House != nil {
		if *to.House && v.LaunchUrl != "" {
			return ErrExists.With("code", code)
		}
		if err := tx.Q.SetVendorHouse(ctx, *to.House, v.ID); err != nil {
			return err
		}
	}
	if to.Launch == (Launch{}) {
		return nil
	}
	to.Launch.URL, to.Launch.Mode = cmp.Or(to.Launch.URL, v.LaunchUrl), cmp.Or(to.Launch.Mode, v.LaunchMode)
	if v.LaunchUrl == "" { // it has no key
		return ErrUnknown
	}
	if err := to.Launch.Check(); err != nil {
		return err
	}
	_, err := tx.Q.SetLaunch(ctx, query.SetLaunchParams{LaunchUrl: to.Launch.URL, LaunchMode: to.Launch.Mode, MerchantID: merchantID, Code: code})
	return err
}

// NotifyChanged makes every replica reload the vendors.
func (r *Registry) NotifyChanged() { r.cache.Committed() }

// Rotate adds a key. The previous key stays valid until the next rotation or until it is retired.
func (r *Registry) Rotate(ctx context.Context, merchantID int64, code string) (key Key, err error) {
	defer r.NotifyChanged()
	err = r.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		key, err = r.addKey(ctx, tx, merchantID, code)
		return err
	})
	return key, err
}

func (r *Registry) addKey(ctx context.Context, tx *db.Tx, merchantID int64, code string) (Key, error) {
	id := strings.ToLower(rand.Text()[:16])
	key := make([]byte, signingKeySize)
	_, _ = rand.Read(key) // never returns an error
	wrapped, err := r.o.Keys.Wrap(keyPurpose+id, key)
	if err != nil {
		return Key{}, err
	}
	add := func() error {
		vendorID, err := lockVendor(ctx, tx, merchantID, code)
		if err != nil {
			return err
		}
		last, err := tx.Q.LastVendorKey(ctx, vendorID)
		if err != nil {
			return err
		}
		// Keys need distinct, increasing times: rotation retires the oldest.
		at := max(db.Millis(r.o.Now()), last+1)
		if err := tx.Q.AddVendorKey(ctx, query.AddVendorKeyParams{KeyID: id, VendorID: vendorID, CreatedAt: at, Wrapped: wrapped}); err != nil {
			return err
		}
		if _, err = tx.Q.RetireVendorKeys(ctx, sql.NullInt64{Int64: db.Millis(r.o.Now()), Valid: true}, vendorID, maxActiveKeys); err != nil {
			return err
		}
		return r.cache.ChangeIn(ctx, tx)
	}
	if err := add(); err != nil {
		return Key{}, fmt.Errorf("add key of vendor %s: %w", code, err)
	}
	return Key{Code: code, KeyID: id, Key: hex.EncodeToString(key)}, nil
}

// Retire revokes a key, for example one that has leaked.
func (r *Registry) Retire(ctx context.Context, merchantID int64, code, keyID string) error {
	defer r.NotifyChanged()
	err := r.o.Store.Write(ctx, func(tx *db.Tx) error {
		vendorID, err := lockVendor(ctx, tx, merchantID, code)
		if err != nil {
			return err
		}
		n, err := tx.Q.RetireVendorKey(ctx, sql.NullInt64{Int64: db.Millis(r.o.Now()), Valid: true}, keyID, vendorID)
		if err == nil && n == 0 {
			return ErrUnknown.On("key")
		}
		if err != nil {
			return err
		}
		return r.cache.ChangeIn(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("retire key of vendor %s: %w", code, err)
	}
	return nil
}

// lockVendor returns the ID of a vendor that serves its own games. It locks the row so that concurrent rotations
// cannot exceed the maximum.
func lockVendor(ctx context.Context, tx *db.Tx, merchantID int64, code string) (int64, error) {
	row, err := tx.Q.LockVendor(ctx, merchantID, code)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.LaunchUrl == "" {
		return 0, ErrUnknown
	}
	return row.ID, err
}
