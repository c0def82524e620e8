// Package gateway connects payment gateways. It stores them with their signing keys, calls them, and receives their signed
// notices. It never moves money: a Receiver decides about each notice.
package gateway

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

// Faults for operators.
var (
	ErrUnknown   = fault.ForOperators(fault.NotFound, "gateway.unknown")
	ErrExists    = fault.ForOperators(fault.Conflict, "gateway.exists")
	ErrMalformed = fault.ForOperators(fault.Invalid, "gateway.malformed")
	ErrStale     = rest.ErrStale
)

// maxActiveKeys allows the key in use and its replacement.
const maxActiveKeys = 2

const (
	keyPurpose = "gateway.key/"
	keyBytes   = 32
)

// A Gateway is a payment gateway of one merchant.
type Gateway struct {
	ID         int64
	MerchantID int64
	Code       string
	Name       string
	URL        string
	Currencies []string
	Min, Max   money.Minor // of one payment
	Enabled    bool
	Version    int64
	CreatedAt  int64
	Keys       int64 // number of active keys; set by List only
}

// A Key signs requests in both directions. The bytes of the text Key.Key are the HMAC key.
type Key struct {
	Code  string `json:"code"`
	KeyID string `json:"keyId"`
	Key   string `json:"key" doc:"Shown once. The HMAC key is the UTF-8 bytes of this text."`
}

// A Writer runs a function in a transaction. *ledger.Ledger implements it.
type Writer interface {
	Write(ctx context.Context, fn func(*db.Tx) error) error
}

// Methods adds the deposit methods that a new gateway offers.
type Methods interface {
	AddGatewayIn(ctx context.Context, tx *db.Tx, g Gateway) error
}

// Options configures a Service.
type Options struct {
	Store  *db.Store
	Writer Writer
	Keys   *secret.Keys
	Client *http.Client
	IDs    db.IDs
	Now    func() time.Time // for stored times
	Clock  func() time.Time // for signatures
	Log    *slog.Logger
}

// A Service stores gateways, calls them and receives their notices.
type Service struct {
	o          Options
	client     *http.Client
	payments   Receiver
	payouts    Receiver
	methods    Methods
	deliveries *batch.Batcher[*delivery]
}

// New returns a Service. Until Connect is called, it answers every notice with UNKNOWN. Close it before the database.
func New(o Options) *Service {
	client := *o.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the signature covers the path
	s := &Service{o: o, client: &client}
	s.startReceiving()
	return s
}

// Connect sets the receivers that decide about notices, and the service that adds deposit methods. If payouts is nil, every
// payout is unknown.
func (s *Service) Connect(payments, payouts Receiver, methods Methods) {
	s.payments, s.payouts, s.methods = payments, payouts, methods
}

// A Draft describes a new gateway. Max 0 means no maximum.
type Draft struct {
	Code, Name, URL string
	Currencies      []string
	Min, Max        money.Minor
}

var codeFormat = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

func (d *Draft) check() error {
	if !codeFormat.MatchString(d.Code) {
		return ErrMalformed.On("code").Because(errors.New("the code must have 1 to 32 letters, digits, dashes or underscores"))
	}
	if err := checkName(d.Name); err != nil {
		return err
	}
	if err := CheckURL(d.URL); err != nil {
		return err
	}
	if len(d.Currencies) == 0 {
		return ErrMalformed.On("currencies")
	}
	slices.Sort(d.Currencies)
	d.Currencies = slices.Compact(d.Currencies)
	for _, code := range d.Currencies {
		if c, err := money.Find(code); err != nil || c.Trial {
			return ErrMalformed.On("currencies").Because(fmt.Errorf("unknown currency %s", code))
		}
	}
	return checkLimits(d.Min, d.Max)
}

func checkName(name string) error {
	if name == "" || len(name) > 100 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return ErrMalformed.On("name")
	}
	return nil
}

func checkLimits(lowest, highest money.Minor) error {
	if lowest < 0 || highest < 0 || highest > 0 && highest < lowest {
		return ErrMalformed.On("max")
	}
	return nil
}

// CheckURL returns an error if the URL cannot be the base URL of a gateway.
func CheckURL(base string) error {
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || len(base) > 500 {
		return ErrMalformed.On("url").Because(errors.New("the base URL must be absolute, at most 500 bytes, without user information, query or fragment"))
	}
	return nil
}

// CreateIn adds a gateway with its first key and its deposit methods.
func (s *Service) CreateIn(ctx context.Context, tx *db.Tx, merchantID int64, d Draft) (Gateway, Key, error) {
	if err := d.check(); err != nil {
		return Gateway{}, Key{}, err
	}
	d.URL = strings.TrimRight(d.URL, "/")
	_, err := tx.Q.GatewayByCode(ctx, merchantID, d.Code)
	if err == nil {
		return Gateway{}, Key{}, ErrExists.With("code", d.Code)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return Gateway{}, Key{}, fmt.Errorf("find gateway: %w", err)
	}
	g := Gateway{
		ID: s.o.IDs(), MerchantID: merchantID, Code: d.Code, Name: d.Name, URL: d.URL, Currencies: d.Currencies, Min: d.Min, Max: d.Max,
		Enabled: true, Version: 1, CreatedAt: db.Millis(s.o.Now()),
	}
	err = tx.Q.AddGateway(ctx, query.AddGatewayParams{
		ID: g.ID, MerchantID: merchantID, Code: g.Code, Name: g.Name, BaseUrl: g.URL, Currency: strings.Join(g.Currencies, ","),
		MinAmount: int64(g.Min), MaxAmount: int64(g.Max), CreatedAt: g.CreatedAt,
	})
	if err != nil {
		return Gateway{}, Key{}, fmt.Errorf("add gateway: %w", err)
	}
	if s.methods != nil {
		if err := s.methods.AddGatewayIn(ctx, tx, g); err != nil {
			return Gateway{}, Key{}, err
		}
	}
	key, err := s.addKey(ctx, tx, g)
	return g, key, err
}

// Create does the same as CreateIn in its own transaction.
func (s *Service) Create(ctx context.Context, merchantID int64, d Draft) (key Key, err error) {
	err = s.o.Writer.Write(ctx, func(tx *db.Tx) (err error) {
		_, key, err = s.CreateIn(ctx, tx, merchantID, d)
		return err
	})
	return key, err
}

// RotateIn adds a key. The previous one stays valid until the next rotation.
func (s *Service) RotateIn(ctx context.Context, tx *db.Tx, g Gateway) (Key, error) {
	return s.addKey(ctx, tx, g)
}

// Rotate does the same as RotateIn in its own transaction.
func (s *Service) Rotate(ctx context.Context, merchantID int64, code string) (key Key, err error) {
	g, err := s.Find(ctx, merchantID, code)
	if err != nil {
		return Key{}, err
	}
	err = s.o.Writer.Write(ctx, func(tx *db.Tx) (err error) {
		key, err = s.RotateIn(ctx, tx, g)
		return err
	})
	return key, err
}

func (s *Service) addKey(ctx context.Context, tx *db.Tx, g Gateway) (Key, error) {
	if _, err := tx.Q.LockGateway(ctx, g.ID); err != nil {
		return Key{}, fmt.Errorf("lock gateway: %w", err)
	}
	active, err := tx.Q.ActiveGatewayKeys(ctx, g.ID)
	if err != nil {
		return Key{}, fmt.Errorf("read gateway's keys: %w", err)
	}
	raw := make([]byte, keyBytes)
	_, _ = rand.Read(raw) // never fails
	key := Key{Code: g.Code, KeyID: strings.ToLower(rand.Text()[:16]), Key: hex.EncodeToString(raw)}
	wrapped, err := s.o.Keys.Wrap(keyPurpose+key.KeyID, []byte(key.Key))
	if err != nil {
		return Key{}, err
	}
	createdAt := db.Millis(s.o.Now())
	if len(active) > 0 {
		createdAt = max(createdAt, active[0].CreatedAt+1) // keys are ordered by their creation times
	}
	if err := tx.Q.AddGatewayKey(ctx, query.AddGatewayKeyParams{KeyID: key.KeyID, GatewayID: g.ID, Wrapped: wrapped, CreatedAt: createdAt}); err != nil {
		return Key{}, fmt.Errorf("add gateway's key: %w", err)
	}
	for _, old := range active[min(len(active), maxActiveKeys-1):] {
		if err := tx.Q.RetireGatewayKey(ctx, old.KeyID, sql.NullInt64{Int64: createdAt, Valid: true}); err != nil {
			return Key{}, fmt.Errorf("retire gateway's key: %w", err)
		}
	}
	return key, nil
}

// RetireIn retires all keys except the newest, and returns their ids.
func (s *Service) RetireIn(ctx context.Context, tx *db.Tx, g Gateway) (retired []string, err error) {
	version, err := tx.Q.LockGateway(ctx, g.ID)
	if err != nil {
		return nil, fmt.Errorf("lock gateway: %w", err)
	}
	if version != g.Version+1 {
		return nil, ErrStale
	}
	active, err := tx.Q.ActiveGatewayKeys(ctx, g.ID)
	if err != nil {
		return nil, fmt.Errorf("read gateway's keys: %w", err)
	}
	retiredAt := sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
	for _, old := range active[min(len(active), 1):] {
		if err := tx.Q.RetireGatewayKey(ctx, old.KeyID, retiredAt); err != nil {
			return nil, fmt.Errorf("retire gateway's key: %w", err)
		}
		retired = append(retired, old.KeyID)
	}
	return retired, nil
}

// Changes are the changeable properties of a gateway.
type Changes struct {
	Name, URL string
	Min, Max  money.Minor
	Enabled   bool
}

// ChangeIn changes a gateway. It fails if g is not the current version.
func (s *Service) ChangeIn(ctx context.Context, tx *db.Tx, g Gateway, changes Changes) error {
	changes.URL = strings.TrimRight(changes.URL, "/")
	if err := errors.Join(checkName(changes.Name), CheckURL(changes.URL), checkLimits(changes.Min, changes.Max)); err != nil {
		return err
	}
	version, err := tx.Q.LockGateway(ctx, g.ID)
	if err != nil {
		return fmt.Errorf("lock gateway: %w", err)
	}
	if version != g.Version+1 {
		return ErrStale
	}
	return tx.Q.SetGateway(ctx, query.SetGatewayParams{
		ID: g.ID, Name: changes.Name, BaseUrl: changes.URL, MinAmount: int64(changes.Min), MaxAmount: int64(changes.Max), Enabled: changes.Enabled,
	})
}

// Find returns a merchant's gateway by its code.
func (s *Service) Find(ctx context.Context, merchantID int64, code string) (Gateway, error) {
	row, err := s.o.Store.Q().GatewayByCode(ctx, merchantID, code)
	return gatewayOf(row, err)
}

// ByID returns a gateway.
func (s *Service) ByID(ctx context.Context, id int64) (Gateway, error) {
	row, err := s.o.Store.Q().GatewayByID(ctx, id)
	return gatewayOf(row, err)
}

// List returns a merchant's gateways, ordered by code.
func (s *Service) List(ctx context.Context, merchantID int64) ([]Gateway, error) {
	rows, err := s.o.Store.Q().GatewaysOfMerchant(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read gateways: %w", err)
	}
	out := make([]Gateway, len(rows))
	for i, r := range rows {
		out[i] = Gateway{
			ID: r.ID, MerchantID: merchantID, Code: r.Code, Name: r.Name, URL: r.BaseUrl, Currencies: strings.Split(r.Currency, ","),
			Min: money.Minor(r.MinAmount), Max: money.Minor(r.MaxAmount), Enabled: r.Enabled, Version: r.Version, CreatedAt: r.CreatedAt, Keys: r.Keys,
		}
	}
	return out, nil
}

// All returns the enabled gateways of all merchants.
func (s *Service) All(ctx context.Context) ([]Gateway, error) {
	rows, err := s.o.Store.Q().EnabledGateways(ctx)
	if err != nil {
		return nil, fmt.Errorf("read gateways: %w", err)
	}
	out := make([]Gateway, len(rows))
	for i, row := range rows {
		out[i], _ = gatewayOf(row, nil)
	}
	return out, nil
}

func gatewayOf(r query.Gateway, err error) (Gateway, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return Gateway{}, ErrUnknown
	}
	if err != nil {
		return Gateway{}, fmt.Errorf("find gateway: %w", err)
	}
	return Gateway{
		ID: r.ID, MerchantID: r.MerchantID, Code: r.Code, Name: r.Name, URL: r.BaseUrl, Currencies: strings.Split(r.Currency, ","),
		Min: money.Minor(r.MinAmount), Max: money.Minor(r.MaxAmount), Enabled: r.Enabled, Version: r.Version, CreatedAt: r.CreatedAt,
	}, nil
}

// Rekey encrypts the gateways' keys with a new root key.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys) error {
	keys, err := tx.Q.AllGatewayKeys(ctx)
	if err != nil {
		return fmt.Errorf("read gateways' keys: %w", err)
	}
	for _, row := range keys {
		key, err := old.Unwrap(keyPurpose+row.KeyID, row.Wrapped)
		if err != nil {
			return err
		}
		wrapped, err := next.Wrap(keyPurpose+row.KeyID, key)
		if err != nil {
			return err
		}
		if err := tx.Q.SetGatewayKey(ctx, wrapped, row.KeyID); err != nil {
			return fmt.Errorf("seal a gateway's key: %w", err)
		}
	}
	return tx.Q.DropRetiredGatewayKeys(ctx)
}

// NewestKey returns the newest key of a gateway, for the sandbox gateway that runs inside the demo.
func (s *Service) NewestKey(ctx context.Context, g Gateway) (Key, error) {
	keys, err := s.o.Store.Q().ActiveGatewayKeys(ctx, g.ID)
	if err != nil {
		return Key{}, fmt.Errorf("read gateway's keys: %w", err)
	}
	if len(keys) == 0 {
		return Key{}, ErrUnknown
	}
	key, err := s.o.Keys.Unwrap(keyPurpose+keys[0].KeyID, keys[0].Wrapped)
	return Key{Code: g.Code, KeyID: keys[0].KeyID, Key: string(key)}, err
}
