package deposit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/paycode"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Faults for operators.
var (
	ErrMethodMalformed = fault.ForOperators(fault.Invalid, "deposit.method_malformed")
	ErrMethodExists    = fault.ForOperators(fault.Conflict, "deposit.method_exists")
	ErrMethodUnknown   = fault.ForOperators(fault.NotFound, "deposit.method_unknown")
)

// Schemes of payment codes.
const (
	VietQR = "vietqr"
	PIX    = "pix"
	Raast  = "raast"
)

var schemeCurrencies = map[string]string{VietQR: "VND", PIX: "BRL", Raast: "PKR"}

// rateUnit is the rate of 100 %. Rates are in millionths.
const rateUnit = 1_000_000

// An Account is a bank account that receives deposits.
type Account struct {
	Code   string `json:"code" maxLength:"32" doc:"Code of the bank."`
	Name   string `json:"name" maxLength:"100" doc:"Name of the bank."`
	BIN    string `json:"bin,omitempty" pattern:"^[0-9]{6}$" doc:"The bank's number in VietQR codes."`
	Number string `json:"number" maxLength:"77" doc:"Account number, IBAN (Raast) or key (PIX)."`
	Holder string `json:"holder" maxLength:"100" doc:"Name of the account's holder."`
	City   string `json:"city,omitempty" maxLength:"15" doc:"City of the holder, for PIX codes."`
}

// A Method is a deposit method.
type Method struct {
	ID, MerchantID int64
	Code           string
	Kind           string
	Scheme         string
	Name           string
	Currency       string
	Min, Max, Fee  money.Minor
	FeeRate        int64  // millionths of the amount
	Opens, Closes  string // HH:mm in the currency's time zone; equal: always open
	Minutes        int64  // until an unpaid deposit expires
	Accounts       []Account
	GatewayID      int64
	Sorting        int64
	Enabled        bool
	Version        int64
}

func methodOf(r query.DepositMethod) (Method, error) {
	m := Method{
		ID: r.ID, MerchantID: r.MerchantID, Code: r.Code, Kind: r.Kind, Scheme: r.Scheme, Name: r.Name, Currency: r.Currency, Min: money.Minor(r.MinAmount),
		Max: money.Minor(r.MaxAmount), Fee: money.Minor(r.Fee), FeeRate: r.FeeRate, Opens: r.OpensAt, Closes: r.ClosesAt, Minutes: r.Minutes,
		GatewayID: r.GatewayID.Int64, Sorting: r.Sorting, Enabled: r.Enabled, Version: r.Version,
	}
	if err := json.Unmarshal([]byte(r.Accounts), &m.Accounts); err != nil {
		return Method{}, fmt.Errorf("decode accounts of method %s: %w", r.Code, err)
	}
	return m, nil
}

// FeeOf returns the fee of an amount, rounded down.
func (m Method) FeeOf(amount money.Minor) money.Minor {
	share := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(m.FeeRate))
	return m.Fee + money.Minor(share.Quo(share, big.NewInt(rateUnit)).Int64()) // does not overflow, because the rate is below 1
}

// Open reports whether the method is open at the given time.
func (m Method) Open(now time.Time) bool {
	if m.Opens == m.Closes {
		return true
	}
	clock := now.In(money.Zone(m.Currency)).Format("15:04")
	if m.Opens < m.Closes {
		return m.Opens <= clock && clock < m.Closes
	}
	return m.Opens <= clock || clock < m.Closes // open past midnight
}

// account returns the account of the chosen bank, or the first account without a choice.
func (m Method) account(bank string) (Account, error) {
	if bank == "" {
		return m.Accounts[0], nil
	}
	i := slices.IndexFunc(m.Accounts, func(a Account) bool { return a.Code == bank })
	if i < 0 {
		return Account{}, ErrMethod.On("bank")
	}
	return m.Accounts[i], nil
}

// paymentCode returns the text of a deposit's payment code.
func (m Method) paymentCode(a Account, c money.Currency, amount money.Minor, d query.Deposit) (string, error) {
	switch m.Scheme {
	case VietQR:
		return paycode.VietQR{BIN: a.BIN, Account: a.Number, Amount: c.Format(amount), Memo: d.Reference}.Text()
	case PIX:
		return paycode.PIX{Key: a.Number, Amount: c.Format(amount), Name: a.Holder, City: a.City, TxID: d.Reference}.Text()
	case Raast:
		return paycode.Raast{IBAN: a.Number, Amount: c.Format(amount), Expires: time.UnixMilli(d.ExpiresAt)}.Text()
	default:
		return "", nil
	}
}

// methodIn returns the method of a request, with its limits narrowed to those of its gateway.
func (s *Service) methodIn(ctx context.Context, tx *db.Tx, who Member, in Request, now time.Time) (Method, error) {
	row, err := tx.Q.DepositMethodByCode(ctx, who.MerchantID, in.Method)
	if errors.Is(err, sql.ErrNoRows) {
		return Method{}, ErrMethod.On("method")
	}
	if err != nil {
		return Method{}, fmt.Errorf("find method: %w", err)
	}
	m, err := methodOf(row)
	if err != nil {
		return Method{}, err
	}
	if m.Kind != in.Kind || !m.Enabled || m.Currency != who.Currency || !m.Open(now) {
		return Method{}, ErrMethod.On("method")
	}
	if m.Kind != Pay {
		return m, nil
	}
	g, err := tx.Q.GatewayByID(ctx, m.GatewayID)
	if err != nil {
		return Method{}, fmt.Errorf("find gateway: %w", err)
	}
	if !g.Enabled {
		return Method{}, ErrMethod.On("method")
	}
	return m.withGatewayLimits(g.MinAmount, g.MaxAmount), nil
}

// withGatewayLimits narrows the limits of a method to those of its gateway.
func (m Method) withGatewayLimits(lowest, highest int64) Method {
	m.Min = max(m.Min, money.Minor(lowest))
	if highest > 0 {
		m.Max = min(m.Max, money.Minor(highest))
	}
	return m
}

// Methods returns the methods that a member can use, including those that are closed now.
func (s *Service) Methods(ctx context.Context, who Member) ([]Method, error) {
	all, err := s.AllMethods(ctx, who.MerchantID)
	if err != nil {
		return nil, err
	}
	gateways, err := s.o.Gateways.List(ctx, who.MerchantID)
	if err != nil {
		return nil, err
	}
	out := []Method{}
	for _, m := range all {
		if !m.Enabled || m.Currency != who.Currency {
			continue
		}
		if m.Kind == Pay {
			i := slices.IndexFunc(gateways, func(g gateway.Gateway) bool { return g.ID == m.GatewayID })
			if i < 0 || !gateways[i].Enabled {
				continue
			}
			m = m.withGatewayLimits(int64(gateways[i].Min), int64(gateways[i].Max))
		}
		out = append(out, m)
	}
	return out, nil
}

// AllMethods returns all methods of a merchant, including disabled ones.
func (s *Service) AllMethods(ctx context.Context, merchantID int64) ([]Method, error) {
	rows, err := s.o.Store.Q().DepositMethods(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read methods: %w", err)
	}
	out := make([]Method, len(rows))
	for i, row := range rows {
		if out[i], err = methodOf(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// MethodByID returns a method of a merchant.
func (s *Service) MethodByID(ctx context.Context, merchantID, id int64) (Method, error) {
	row, err := s.o.Store.Q().DepositMethodByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.MerchantID != merchantID {
		return Method{}, ErrMethodUnknown
	}
	if err != nil {
		return Method{}, fmt.Errorf("find method: %w", err)
	}
	return methodOf(row)
}

var (
	codeFormat = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)
	hourFormat = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
)

func (m Method) check() error {
	malformed := func(field, reason string) error { return ErrMethodMalformed.On(field).Because(errors.New(reason)) }
	currency, err := money.Find(m.Currency)
	switch {
	case !codeFormat.MatchString(m.Code):
		return malformed("code", "the code must have 1 to 40 letters, digits, dashes or underscores")
	case m.Kind != Transfer && m.Kind != QR && m.Kind != Pay:
		return malformed("kind", "the kind must be mt, qr or pg")
	case m.Name == "" || len(m.Name) > 100 || strings.ContainsFunc(m.Name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return malformed("name", "the name must have 1 to 100 bytes")
	case err != nil || currency.Trial:
		return malformed("currency", "unknown currency")
	case m.Min < 1 || m.Max < m.Min || m.Max > ledger.MaxAmount:
		return malformed("max", "the limits must be positive, and the maximum not below the minimum")
	case m.FeeRate < 0 || m.FeeRate >= rateUnit:
		return malformed("feeRate", "the rate must be a fraction below 1")
	case m.Fee < 0 || m.FeeOf(m.Min) >= m.Min:
		return malformed("fee", "the fee must be less than the smallest amount")
	case !hourFormat.MatchString(m.Opens) || !hourFormat.MatchString(m.Closes):
		return malformed("opensAt", "hours must be written as HH:mm")
	case m.Minutes < 1 || m.Minutes > 7*24*60:
		return malformed("minutes", "a deposit must expire after 1 minute to 7 days")
	case (m.Kind == Pay) != (m.GatewayID != 0):
		return malformed("kind", "creating a gateway makes its method")
	case m.Kind == QR && m.Scheme == "" || m.Kind == Pay && m.Scheme != "":
		return malformed("scheme", "a qr method needs vietqr, pix or raast")
	case m.Scheme != "" && schemeCurrencies[m.Scheme] != m.Currency:
		return malformed("scheme", "vietqr needs VND, pix BRL and raast PKR")
	case m.Kind != Pay && len(m.Accounts) == 0:
		return malformed("banks", "a method needs an account that receives the money")
	}
	for i, a := range m.Accounts {
		if a.Code == "" || a.Name == "" || a.Number == "" || a.Holder == "" || slices.ContainsFunc(m.Accounts[:i], func(b Account) bool { return b.Code == a.Code }) {
			return malformed("banks", "each account needs its own code, a name, a number and a holder")
		}
		example := query.Deposit{Reference: strings.Repeat("A", 12)}
		if _, err := m.paymentCode(a, currency, m.Max, example); err != nil {
			return malformed("banks", err.Error())
		}
	}
	return nil
}

// CreateMethodIn adds a method.
func (s *Service) CreateMethodIn(ctx context.Context, tx *db.Tx, m Method) (Method, error) {
	if m.Accounts == nil {
		m.Accounts = []Account{}
	}
	if err := m.check(); err != nil {
		return Method{}, err
	}
	if _, err := tx.Q.LockMerchant(ctx, m.MerchantID); err != nil { // so that two requests cannot use the same code
		return Method{}, fmt.Errorf("lock merchant: %w", err)
	}
	_, err := tx.Q.DepositMethodByCode(ctx, m.MerchantID, m.Code)
	if err == nil {
		return Method{}, ErrMethodExists.With("code", m.Code)
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return Method{}, fmt.Errorf("find method: %w", err)
	}
	accounts, err := json.Marshal(m.Accounts)
	if err != nil {
		return Method{}, fmt.Errorf("encode accounts: %w", err)
	}
	m.ID, m.Version = s.o.IDs(), 1
	return m, tx.Q.AddDepositMethod(ctx, query.AddDepositMethodParams{
		ID: m.ID, MerchantID: m.MerchantID, Code: m.Code, Kind: m.Kind, Scheme: m.Scheme, Name: m.Name, Currency: m.Currency, MinAmount: int64(m.Min),
		MaxAmount: int64(m.Max), Fee: int64(m.Fee), FeeRate: m.FeeRate, OpensAt: m.Opens, ClosesAt: m.Closes, Minutes: m.Minutes, Accounts: string(accounts),
		GatewayID: sql.NullInt64{Int64: m.GatewayID, Valid: m.GatewayID != 0}, Sorting: m.Sorting, Enabled: m.Enabled, CreatedAt: db.Millis(s.o.Now()),
	})
}

// EditMethodIn changes a method. Its code, kind, currency and gateway cannot change. It fails with ErrStale if m.Version is not the
// current version.
func (s *Service) EditMethodIn(ctx context.Context, tx *db.Tx, m Method) error {
	if m.Accounts == nil {
		m.Accounts = []Account{}
	}
	if err := m.check(); err != nil {
		return err
	}
	accounts, err := json.Marshal(m.Accounts)
	if err != nil {
		return fmt.Errorf("encode accounts: %w", err)
	}
	changed, err := tx.Q.SetDepositMethod(ctx, query.SetDepositMethodParams{
		ID: m.ID, Version: m.Version, Scheme: m.Scheme, Name: m.Name, MinAmount: int64(m.Min), MaxAmount: int64(m.Max), Fee: int64(m.Fee), FeeRate: m.FeeRate,
		OpensAt: m.Opens, ClosesAt: m.Closes, Minutes: m.Minutes, Accounts: string(accounts), Sorting: m.Sorting, Enabled: m.Enabled,
	})
	if err == nil && changed == 0 {
		err = ErrStale
	}
	return err
}

// Defaults of a gateway's method. An operator can change them.
const (
	gatewayMinutes = 30
	gatewaySorting = 100
)

// AddGatewayIn implements gateway.Methods. It adds a method for each currency of a gateway. The first method has the gateway's code.
func (s *Service) AddGatewayIn(ctx context.Context, tx *db.Tx, g gateway.Gateway) error {
	for i, code := range g.Currencies {
		m := Method{
			MerchantID: g.MerchantID, Code: g.Code, Kind: Pay, Name: g.Name, Currency: code, Min: max(1, g.Min), Max: ledger.MaxAmount, Opens: "00:00", Closes: "00:00",
			Minutes: gatewayMinutes, GatewayID: g.ID, Sorting: gatewaySorting, Enabled: true,
		}
		if g.Max > 0 {
			m.Max = g.Max
		}
		if i > 0 {
			m.Code += "-" + code
		}
		if _, err := s.CreateMethodIn(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}
