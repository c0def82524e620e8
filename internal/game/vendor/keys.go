package vendor

import (
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

// keysMost is how many keys of a vendor are active at most: the one in use and the one that follows it.
const keysMost = 2

// houseKey is the id of the key that the House signs with. It is no vendor's, and stands in no table.
const houseKey = "house"

type within struct{}

// Within marks requests of the House in this program. Its key is taken from nobody else: it is worth nothing to whoever has read it
// somewhere, such as in a copy of the database.
func Within(ctx context.Context) context.Context { return context.WithValue(ctx, within{}, true) }

// ticketPlace stands in a launch address where the ticket goes.
const ticketPlace = "{ticket}"

// Where games open.
const (
	ModeFrame  = "frame"
	ModeWindow = "window"
)

// maker is a vendor as calls need it.
type maker struct {
	id, merchantID int64
	code           string
	launchURL      string // '': the House
	launchMode     string
}

// directory is who may call. It never changes; a new one is read.
type directory struct {
	makers map[int64]*maker
	codes  map[makerCode]*maker
	keys   map[string]*maker // by key id
}

type makerCode struct {
	merchantID int64
	code       string
}

// Key is what a vendor signs with.
type Key struct {
	Code  string
	KeyID string
	Key   string // the text itself is the HMAC's key
}

// RegistryOptions of the registry.
type RegistryOptions struct {
	Store *db.Store
	Bus   *events.Bus
	Keys  *secret.Keys
	Now   func() time.Time
}

// Registry knows the vendors and the keys that they sign with.
type Registry struct {
	o     RegistryOptions
	cache *events.Cache[struct{}, *directory]
}

// NewRegistry makes the registry and listens for changes made elsewhere.
func NewRegistry(o RegistryOptions) (*Registry, error) {
	cache, err := events.NewCache[struct{}, *directory](events.CacheOptions{Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now})
	if err != nil {
		return nil, fmt.Errorf("vendors: %w", err)
	}
	return &Registry{o, cache}, nil
}

// Close stops listening.
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
		d := &directory{makers: map[int64]*maker{}, codes: map[makerCode]*maker{}, keys: map[string]*maker{}}
		for _, row := range rows {
			m := &maker{row.ID, row.MerchantID, row.Code, row.LaunchUrl, row.LaunchMode}
			d.makers[m.id], d.codes[makerCode{m.merchantID, m.code}] = m, m
		}
		for _, k := range keys {
			d.keys[k.KeyID] = d.makers[k.VendorID]
		}
		return d, nil
	})
}

// maker finds a vendor by its id. One that was made a moment ago, elsewhere, is read anew.
func (r *Registry) maker(ctx context.Context, id int64) (*maker, error) {
	d, err := r.directory(ctx)
	if err == nil && d.makers[id] == nil {
		r.cache.Changed()
		d, err = r.directory(ctx)
	}
	if err != nil {
		return nil, err
	}
	if d.makers[id] == nil {
		return nil, ErrUnknown
	}
	return d.makers[id], nil
}

// Vendors are the codes of all of a merchant's, in order; never nil.
func (r *Registry) Vendors(ctx context.Context, merchantID int64) ([]string, error) {
	return r.codesOf(ctx, merchantID, func(*maker) bool { return true })
}

// HouseVendors are the codes of those whose games are the House's, in order; never nil.
func (r *Registry) HouseVendors(ctx context.Context, merchantID int64) ([]string, error) {
	return r.codesOf(ctx, merchantID, func(m *maker) bool { return m.launchURL == "" })
}

func (r *Registry) codesOf(ctx context.Context, merchantID int64, meant func(*maker) bool) ([]string, error) {
	d, err := r.directory(ctx)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for _, m := range d.makers {
		if m.merchantID == merchantID && meant(m) {
			out = append(out, m.code)
		}
	}
	slices.Sort(out)
	return out, nil
}

// signer finds who signs with a key, and the bytes of it. nil is nobody.
func (r *Registry) signer(ctx context.Context, merchantID int64, code, keyID string) (*maker, []byte, error) {
	d, err := r.directory(ctx)
	if err != nil {
		return nil, nil, err
	}
	if keyID == houseKey {
		m := d.codes[makerCode{merchantID, code}]
		if m == nil || m.launchURL != "" || ctx.Value(within{}) == nil {
			return nil, nil, nil
		}
		return m, r.HouseKey(code), nil
	}
	m := d.keys[keyID]
	if m == nil || m.code != code {
		return nil, nil, nil
	}
	return m, r.key(keyID), nil
}

func (r *Registry) key(id string) []byte { return r.o.Keys.Bytes("vendor.key/"+id, 32) }

// HouseKey is what the House signs with as the vendor of a code: only where that vendor's games are the House's.
func (r *Registry) HouseKey(code string) []byte { return r.o.Keys.Bytes("vendor.house/"+code, 32) }

// Launch says where a vendor's games open.
type Launch struct{ URL, Mode string }

var plainHost = regexp.MustCompile(`^[A-Za-z0-9.:\[\]-]+$`)

// Check refuses an address that could not be opened, or would not carry the ticket.
func (l Launch) Check() error {
	if l.Mode != ModeFrame && l.Mode != ModeWindow {
		return ErrMalformed.On("mode").Because(errors.New("the mode is frame or window"))
	}
	u, err := url.Parse(strings.ReplaceAll(l.URL, ticketPlace, "t"))
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || len(l.URL) > 500:
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL is a whole address without a name, a password or a fragment"))
	case !plainHost.MatchString(u.Host): // it stands in the page's content policy
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL's host is letters, digits, dots and dashes"))
	case strings.Count(l.URL, ticketPlace) != 1 || !afterHost(l.URL):
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL holds {ticket} once, after the host"))
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return ErrMalformed.On("launchUrl").Because(errors.New("the launch URL begins with https://, or with http:// on this machine"))
	}
	return nil
}

// afterHost tells whether the ticket stands in the path or the query of an address.
func afterHost(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	host := strings.IndexAny(rest, "/?")
	return host > 0 && strings.Index(rest, ticketPlace) > host
}

func loopback(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// Create gives a vendor of the catalogue its launch address and its first key.
func (r *Registry) Create(ctx context.Context, merchantID int64, code string, l Launch) (key Key, err error) {
	defer r.Changed()
	err = r.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		key, err = r.CreateIn(ctx, tx, merchantID, code, l)
		return err
	})
	return key, err
}

// CreateIn does it in the caller's transaction: the one that adds the vendor. Changed is to be called once it is committed.
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

// Changed has every server read the vendors anew.
func (r *Registry) Changed() { r.cache.Changed() }

// Rotate gives a vendor another key. The one before stays good until the next rotation, or until it is retired.
func (r *Registry) Rotate(ctx context.Context, merchantID int64, code string) (key Key, err error) {
	defer r.Changed()
	err = r.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		key, err = r.addKey(ctx, tx, merchantID, code)
		return err
	})
	return key, err
}

func (r *Registry) addKey(ctx context.Context, tx *db.Tx, merchantID int64, code string) (Key, error) {
	id := strings.ToLower(rand.Text()[:16])
	add := func() error {
		vendorID, err := vendorIn(ctx, tx, merchantID, code)
		if err != nil {
			return err
		}
		last, err := tx.Q.LastVendorKey(ctx, vendorID)
		if err != nil {
			return err
		}
		// Always later than the one before: which of two is the older decides which one goes.
		if err := tx.Q.AddVendorKey(ctx, id, vendorID, max(db.Millis(r.o.Now()), last+1)); err != nil {
			return err
		}
		_, err = tx.Q.RetireVendorKeys(ctx, sql.NullInt64{Int64: db.Millis(r.o.Now()), Valid: true}, vendorID, keysMost)
		return err
	}
	if err := add(); err != nil {
		return Key{}, fmt.Errorf("add key of vendor %s: %w", code, err)
	}
	return Key{Code: code, KeyID: id, Key: hex.EncodeToString(r.key(id))}, nil
}

// Retire ends a key before its time: one that got into wrong hands.
func (r *Registry) Retire(ctx context.Context, merchantID int64, code, keyID string) error {
	defer r.cache.Changed()
	err := r.o.Store.Write(ctx, func(tx *db.Tx) error {
		vendorID, err := vendorIn(ctx, tx, merchantID, code)
		if err != nil {
			return err
		}
		n, err := tx.Q.RetireVendorKey(ctx, sql.NullInt64{Int64: db.Millis(r.o.Now()), Valid: true}, keyID, vendorID)
		if err == nil && n == 0 {
			return ErrUnknown.On("key")
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("retire key of vendor %s: %w", code, err)
	}
	return nil
}

// vendorIn finds a vendor that has a launch address of its own, and holds its row so that keys are counted one after another.
func vendorIn(ctx context.Context, tx *db.Tx, merchantID int64, code string) (int64, error) {
	row, err := tx.Q.HoldVendor(ctx, merchantID, code)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.LaunchUrl == "" {
		return 0, ErrUnknown
	}
	return row.ID, err
}
