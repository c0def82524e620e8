package ops

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base32"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// RFC 6238 with SHA-1, 6 digits and 30 seconds, which all authenticator apps support.
const (
	totpPeriod    = 30 * time.Second
	totpDigits    = 6
	totpTolerance = 1 // time steps before and after
	secretSize    = 20
	recoveryCodes = 10
)

var base32Text = base32.StdEncoding.WithPadding(base32.NoPadding)

func totpPurpose(operatorID int64) string { return "ops.totp/" + strconv.FormatInt(operatorID, 10) }

// newSecret returns a TOTP secret in base32.
func newSecret() string {
	b := make([]byte, secretSize)
	_, _ = rand.Read(b) // never fails
	return base32Text.EncodeToString(b)
}

// otpauth returns the URL that authenticator apps read from a QR code.
func otpauth(issuer, name, secret string) string {
	values := url.Values{"secret": {secret}, "issuer": {issuer}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	u := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + name, RawQuery: strings.ReplaceAll(values.Encode(), "+", "%20")}
	return u.String()
}

// matchStep returns the time step of a valid code, or 0. A code is valid one step before and after its own.
func matchStep(secret, code string, now time.Time) int64 {
	if len(code) != totpDigits {
		return 0
	}
	current := now.Unix() / int64(totpPeriod/time.Second)
	match := int64(0)
	for step := current - totpTolerance; step <= current+totpTolerance; step++ {
		want, err := hotp.GenerateCodeCustom(secret, uint64(step), hotp.ValidateOpts{Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			match = step
		}
	}
	return match
}

// useCode reports whether an operator's code is valid, and uses it up. A recovery code works in place of a TOTP code.
func (s *Service) useCode(ctx context.Context, tx *db.Tx, row query.Operator, code string) (bool, error) {
	secret, err := s.o.Keys.Unwrap(totpPurpose(row.ID), row.Totp)
	if err != nil {
		return false, err
	}
	now := s.o.Now()
	if step := matchStep(string(secret), code, now); step != 0 {
		n, err := tx.Q.UseOperatorStep(ctx, step, row.ID)
		return n == 1, err
	}
	n, err := tx.Q.UseRecoveryCode(ctx, row.ID, recoveryHash(row.ID, code), sql.NullInt64{Int64: db.Millis(now), Valid: true})
	return n == 1, err
}

// newRecoveryCodes replaces an operator's recovery codes.
func newRecoveryCodes(ctx context.Context, tx *db.Tx, operatorID int64) ([]string, error) {
	if err := tx.Q.DropRecoveryCodes(ctx, operatorID); err != nil {
		return nil, err
	}
	codes := make([]string, recoveryCodes)
	for i := range codes {
		var b [10]byte
		_, _ = rand.Read(b[:]) // never fails
		text := strings.ToLower(base32Text.EncodeToString(b[:]))
		codes[i] = text[:4] + "-" + text[4:8] + "-" + text[8:12] + "-" + text[12:]
		if err := tx.Q.AddRecoveryCode(ctx, operatorID, recoveryHash(operatorID, codes[i])); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// recoveryHash needs no salt: a code has 80 random bits.
func recoveryHash(operatorID int64, code string) []byte {
	normalized := strings.ToLower(strings.NewReplacer("-", "", " ", "").Replace(code))
	sum := sha256.Sum256([]byte(strconv.FormatInt(operatorID, 10) + "/" + normalized))
	return sum[:]
}
