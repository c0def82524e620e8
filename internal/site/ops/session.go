package ops

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

// Steps of a login.
const (
	stepEnrol = "enrol"
	stepCode  = "code"
	stepDone  = "done"

	// stageFull is the stage of a session with access. Until then, the stage of a session is the next step.
	stageFull = "full"
)

const (
	loginLifetime    = 10 * time.Minute // between the password and the code
	idleLifetime     = 30 * time.Minute
	absoluteLifetime = 12 * time.Hour
	confirmLifetime  = 5 * time.Minute
	seenInterval     = time.Minute // minimum time between updates of the session's last use
	maxTries         = 5           // wrong codes per session
	sessionRetention = 90 * 24 * time.Hour
	issuer           = "Fairground"
)

// Limits for wrong passwords and codes.
var (
	limitNetwork  = ratelimit.Limit{Every: 20 * time.Second, Burst: 10}
	limitPair     = ratelimit.Limit{Every: 2 * time.Minute, Burst: 5}
	limitOperator = ratelimit.Limit{Every: time.Minute, Burst: 30} // for all networks together that the operator has not used recently

	// Codes have only six digits, so their limits are lower than those of passwords. A right password does not reset them.
	limitCodeNetwork  = ratelimit.Limit{Every: time.Minute, Burst: 20}
	limitCodePair     = ratelimit.Limit{Every: 5 * time.Minute, Burst: 10}
	limitCodeOperator = ratelimit.Limit{Every: 5 * time.Minute, Burst: 10} // for all networks together that the operator has not used recently
)

// dummyPassword is hashed for unknown names, so that their logins take as long as others.
const dummyPassword = "no operator has this password"

// A Login is the state of a login after a step.
type Login struct {
	Step          string
	Token         string // for the cookie
	Secret        string // only during the enrolment
	OTPAuth       string
	RecoveryCodes []string
	Operator      rest.Operator
}

// Login checks the name and the password. It returns the next step and the token of a session without access.
func (s *Service) Login(ctx context.Context, client netip.Addr, from rest.Visitor, name, password string) (Login, error) {
	name = strings.ToLower(strings.TrimSpace(name))
	row, err := s.o.Store.Q().OperatorByName(ctx, name)
	found := err == nil
	if err != nil && !isNotFound(err) {
		return Login{}, fmt.Errorf("find operator: %w", err)
	}
	if err := s.checkNetwork(ctx, row.MerchantID, client); err != nil {
		return Login{}, err
	}
	limits, err := s.takeAttempt(ctx, from.Network, name, row.ID, found)
	if err != nil {
		return Login{}, err
	}
	hash := row.PasswordHash
	if !found {
		if hash, err = s.o.Passwords.Hash(ctx, dummyPassword); err != nil {
			return Login{}, err
		}
	}
	matches, err := s.o.Passwords.Matches(ctx, hash, password)
	if err != nil {
		return Login{}, err
	}
	if !matches || !found || row.DisabledAt.Valid {
		return Login{}, ErrLogin
	}
	if err := s.o.Limiter.ReturnAll(ctx, limits); err != nil {
		return Login{}, err
	}
	return s.addSession(ctx, from, row)
}

// takeAttempt counts an attempt before its result is known. Attempts from other networks do not limit a network that the
// operator has used recently, so that strangers cannot lock an operator out.
func (s *Service) takeAttempt(ctx context.Context, network, name string, id int64, found bool) ([]ratelimit.Bucket, error) {
	limits := []ratelimit.Bucket{{Key: "ops.network/" + network, Limit: limitNetwork}, {Key: "ops.pair/" + name + "/" + network, Limit: limitPair}}
	known := false
	if found {
		var err error
		if known, err = s.knowsNetwork(ctx, id, network); err != nil {
			return nil, err
		}
	}
	if !known {
		limits = append(limits, ratelimit.Bucket{Key: "ops.operator/" + name, Limit: limitOperator})
	}
	return limits, s.o.Limiter.TakeAll(ctx, limits)
}

// takeCodeAttempt is takeAttempt for a code.
func (s *Service) takeCodeAttempt(ctx context.Context, network string, id int64) ([]ratelimit.Bucket, error) {
	operator := strconv.FormatInt(id, 10)
	limits := []ratelimit.Bucket{{Key: "ops.code.network/" + network, Limit: limitCodeNetwork}, {Key: "ops.code.pair/" + operator + "/" + network, Limit: limitCodePair}}
	known, err := s.knowsNetwork(ctx, id, network)
	if err != nil {
		return nil, err
	}
	if !known {
		limits = append(limits, ratelimit.Bucket{Key: "ops.code/" + operator, Limit: limitCodeOperator})
	}
	return limits, s.o.Limiter.TakeAll(ctx, limits)
}

// knowsNetwork reports whether the operator has recently worked from a network.
func (s *Service) knowsNetwork(ctx context.Context, id int64, network string) (bool, error) {
	known, err := s.o.Store.Q().OperatorKnownIn(ctx, id, network, db.Millis(s.o.Now().Add(-sessionRetention)))
	if err != nil {
		return false, fmt.Errorf("look up networks: %w", err)
	}
	return known, nil
}

// addSession creates a session that waits for the code.
func (s *Service) addSession(ctx context.Context, from rest.Visitor, row query.Operator) (Login, error) {
	out := Login{Step: stepCode}
	var pending []byte
	if row.Totp == nil {
		out.Step, out.Secret = stepEnrol, newSecret()
		out.OTPAuth = otpauth(issuer, row.Name, out.Secret)
		var err error
		if pending, err = s.o.Keys.Wrap(totpPurpose(row.ID), []byte(out.Secret)); err != nil {
			return Login{}, err
		}
	}
	token, hash := newToken()
	out.Token = token
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.AddOperatorSession(ctx, query.AddOperatorSessionParams{
			ID: s.o.IDs(), OperatorID: row.ID, TokenHash: hash, Stage: out.Step, Pending: pending,
			Address: from.Address, Network: from.Network, Now: db.Millis(s.o.Now()),
		})
	})
	if err != nil {
		return Login{}, fmt.Errorf("add operator session: %w", err)
	}
	return out, nil
}

func newToken() (token string, hash []byte) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	token = base64.RawURLEncoding.EncodeToString(b[:])
	return token, tokenHash(token)
}

func tokenHash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// EnterCode completes a login with a TOTP or recovery code, and an enrolment with the first TOTP code. It renews the token.
func (s *Service) EnterCode(ctx context.Context, client netip.Addr, from rest.Visitor, token, code string) (out Login, err error) {
	row, err := s.session(ctx, token)
	if err != nil {
		return out, err
	}
	if row.Stage == stageFull || !s.o.Now().Before(time.UnixMilli(row.CreatedAt).Add(loginLifetime)) {
		return out, rest.ErrNoSession
	}
	limits, err := s.takeCodeAttempt(ctx, from.Network, row.OperatorID)
	if err != nil {
		return out, err
	}
	valid := false
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		operator, err := tx.Q.OperatorByID(ctx, row.OperatorID)
		if err != nil || operator.DisabledAt.Valid {
			return rest.ErrNoSession
		}
		if row.Stage == stepEnrol {
			valid, err = s.enrol(ctx, tx, operator, row.Pending, code, &out)
		} else {
			valid, err = s.useCode(ctx, tx, operator, code)
		}
		if err != nil {
			return err
		}
		if !valid {
			return tx.Q.CountWrongCode(ctx, maxTries, db.Millis(s.o.Now()), row.ID)
		}
		var hash []byte
		out.Token, hash = newToken()
		n, err := tx.Q.OpenOperatorSession(ctx, hash, db.Millis(s.o.Now()), row.ID)
		if err == nil && n == 0 {
			return rest.ErrNoSession
		}
		return err
	})
	if err != nil {
		return Login{}, fmt.Errorf("enter code: %w", err)
	}
	if !valid {
		return Login{}, ErrCode.On("code")
	}
	if err := s.o.Limiter.ReturnAll(ctx, limits); err != nil {
		return Login{}, err
	}
	out.Step = stepDone
	out.Operator, err = s.Operator(ctx, out.Token, client)
	return out, err
}

// enrol makes the session's secret the operator's second factor if the code matches it. It fails if the operator has enrolled in another
// session meanwhile.
func (s *Service) enrol(ctx context.Context, tx *db.Tx, operator query.Operator, pending []byte, code string, out *Login) (bool, error) {
	if operator.Totp != nil {
		return false, rest.ErrNoSession
	}
	secret, err := s.o.Keys.Unwrap(totpPurpose(operator.ID), pending)
	if err != nil {
		return false, err
	}
	step := matchStep(string(secret), code, s.o.Now())
	if step == 0 {
		return false, nil
	}
	if err := tx.Q.SetOperatorTOTP(ctx, operator.ID, pending, step); err != nil {
		return false, err
	}
	if out.RecoveryCodes, err = newRecoveryCodes(ctx, tx, operator.ID); err != nil {
		return false, err
	}
	return true, s.audit(audit.As(ctx, operator.Name), tx, "operator.enrol", Operator{Name: operator.Name, MerchantID: operator.MerchantID}, nil, nil)
}

// session returns the session of a token, or rest.ErrNoSession.
func (s *Service) session(ctx context.Context, token string) (query.OperatorSession, error) {
	if token == "" {
		return query.OperatorSession{}, rest.ErrNoSession
	}
	row, err := s.o.Store.Q().OperatorSession(ctx, tokenHash(token))
	if isNotFound(err) {
		return row, rest.ErrNoSession
	}
	if err != nil {
		return row, fmt.Errorf("find operator session: %w", err)
	}
	return row, nil
}

// Operator implements rest.OperatorSessions. It reads the database for each request, so that role changes and disabled
// operators take effect immediately.
func (s *Service) Operator(ctx context.Context, token string, client netip.Addr) (rest.Operator, error) {
	row, err := s.session(ctx, token)
	if err != nil {
		return rest.Operator{}, err
	}
	now := s.o.Now()
	if row.Stage != stageFull || !now.Before(time.UnixMilli(row.SeenAt).Add(idleLifetime)) || !now.Before(time.UnixMilli(row.CreatedAt).Add(absoluteLifetime)) {
		return rest.Operator{}, rest.ErrNoSession
	}
	q := s.o.Store.Q()
	operator, err := q.OperatorByID(ctx, row.OperatorID)
	if err != nil {
		return rest.Operator{}, fmt.Errorf("find operator: %w", err)
	}
	if operator.DisabledAt.Valid {
		return rest.Operator{}, rest.ErrNoSession
	}
	out := rest.Operator{ID: operator.ID, SessionID: row.ID, Name: operator.Name, GivenPassword: operator.PasswordGiven != 0, ConfirmedUntil: time.UnixMilli(row.ConfirmedUntil)}
	out.Confirmed = now.Before(out.ConfirmedUntil)
	if out.Roles, err = q.RolesOfOperator(ctx, operator.ID); err != nil {
		return rest.Operator{}, fmt.Errorf("read roles: %w", err)
	}
	permissions, err := s.roles(ctx, q)
	if err != nil {
		return rest.Operator{}, err
	}
	out.Permissions = permissions.forRoles(out.Roles)
	if operator.MerchantID != 0 {
		if out.Merchant, err = s.o.Merchants.FindByID(ctx, operator.MerchantID); err != nil {
			return rest.Operator{}, err
		}
	}
	if err := s.checkNetwork(ctx, operator.MerchantID, client); err != nil {
		return rest.Operator{}, err
	}
	if now.After(time.UnixMilli(row.SeenAt).Add(seenInterval)) {
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.SeeOperatorSession(ctx, row.ID, db.Millis(now)) })
		if err != nil {
			return rest.Operator{}, fmt.Errorf("update operator session: %w", err)
		}
	}
	return out, nil
}

// Alive reports whether a session still has access. It implements events.Sessions.
func (s *Service) Alive(ctx context.Context, sessionID int64) (bool, error) {
	row, err := s.o.Store.Q().OperatorSessionByID(ctx, sessionID)
	if isNotFound(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("find operator session: %w", err)
	}
	now := s.o.Now()
	return row.Stage == stageFull && !row.DisabledAt.Valid && now.Before(time.UnixMilli(row.SeenAt).Add(idleLifetime)) &&
		now.Before(time.UnixMilli(row.CreatedAt).Add(absoluteLifetime)), nil
}

// checkNetwork refuses clients outside the networks that a merchant allows for its operators. Operators of the whole
// installation, with the merchant 0, have the networks of the default merchant.
func (s *Service) checkNetwork(ctx context.Context, merchantID int64, client netip.Addr) error {
	if merchantID == 0 {
		standard, err := s.o.Merchants.Find(ctx, "")
		if err != nil {
			return err
		}
		merchantID = standard.ID
	}
	allowed, err := s.allows(ctx, merchantID, client)
	if err == nil && !allowed {
		err = rest.ErrForbidden.With("permission", "network")
	}
	return err
}

func (s *Service) allows(ctx context.Context, merchantID int64, client netip.Addr) (bool, error) {
	networks, err := s.o.Merchants.OperatorNetworks(ctx, merchantID)
	return len(networks) == 0 || slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(client.Unmap()) }), err
}

// reaches reports whether operators of any merchant may work from an address.
func (s *Service) reaches(ctx context.Context, client netip.Addr) (bool, error) {
	all, err := s.o.Merchants.IDs(ctx)
	for _, id := range all {
		allowed, err := s.allows(ctx, id, client)
		if allowed || err != nil {
			return allowed, err
		}
	}
	return false, err
}

// Confirm checks a code. After that, the session accepts dangerous requests for confirmLifetime.
func (s *Service) Confirm(ctx context.Context, by rest.Operator, from rest.Visitor, code string) (until time.Time, err error) {
	limits, err := s.takeCodeAttempt(ctx, from.Network, by.ID)
	if err != nil {
		return time.Time{}, err
	}
	valid := false
	until = s.o.Now().Add(confirmLifetime)
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		operator, err := tx.Q.OperatorByID(ctx, by.ID)
		if err != nil {
			return err
		}
		if valid, err = s.useCode(ctx, tx, operator, code); err != nil {
			return err
		}
		if !valid {
			return tx.Q.CountWrongCode(ctx, maxTries, db.Millis(s.o.Now()), by.SessionID)
		}
		return tx.Q.ConfirmOperatorSession(ctx, by.SessionID, db.Millis(until))
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("confirm: %w", err)
	}
	if !valid {
		return time.Time{}, ErrCode.On("code")
	}
	return until, s.o.Limiter.ReturnAll(ctx, limits)
}

// Logout ends a session, including one that still waits for its code.
func (s *Service) Logout(ctx context.Context, token string) error {
	row, err := s.session(ctx, token)
	if err != nil {
		return nil //nolint:nilerr // there is nothing to end
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.EndOperatorSession(ctx, row.ID, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true})
	})
}

// Sweep deletes old sessions in batches. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	cutoff := db.Millis(s.o.Now().Add(-sessionRetention))
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropOldOperatorSessions(ctx, cutoff)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop operator sessions: %w", err)
		}
	}
	return nil
}

// Rekey encrypts the operators' second factors with a new root key and ends their sessions.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys, now int64) error {
	rows, err := tx.Q.OperatorSecrets(ctx)
	if err != nil {
		return fmt.Errorf("read operators' secrets: %w", err)
	}
	for _, row := range rows {
		value, err := old.Unwrap(totpPurpose(row.ID), row.Totp)
		if err != nil {
			return err
		}
		sealed, err := next.Wrap(totpPurpose(row.ID), value)
		if err != nil {
			return err
		}
		operator, err := tx.Q.OperatorByID(ctx, row.ID)
		if err != nil {
			return err
		}
		if err := tx.Q.SetOperatorTOTP(ctx, row.ID, sealed, operator.TotpStep); err != nil {
			return fmt.Errorf("seal operator's secret: %w", err)
		}
	}
	return tx.Q.EndAllOperatorSessions(ctx, sql.NullInt64{Int64: now, Valid: true})
}
