package captcha

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/secret"
)

// ErrProofRequired asks for a proof of work. Its argument is the minimum cost. The app solves it and repeats the call.
var ErrProofRequired = fault.New(fault.Refused, "proof.required")

const (
	workAlgorithm = "SHA-256"
	workLifetime  = 10 * time.Minute
	workPurpose   = "captcha.work"
	// maxProof is the maximum length of a proof, in bytes.
	maxProof = 2048

	deviceLifetime = 30 * 24 * time.Hour
	devicePurpose  = "captcha.device"
)

// newWork returns a proof of work to solve. Its cost is at least requestedCost, which the client learned from ErrProofRequired: the
// failures of the account also count, but only the attempt names the account.
func (s *Service) newWork(ctx context.Context, a humancheck.Attempt, requestedCost int) (work, error) {
	when, base, err := s.o.Settings.ProofOfWork(ctx, a.MerchantID)
	if err != nil {
		return work{}, err
	}
	required, err := s.requiredCost(ctx, a, when, base)
	if err != nil {
		return work{}, err
	}
	cost := min(max(required, requestedCost, base), base<<(maxLevel-1))
	randomBytes := make([]byte, 16)
	_, _ = rand.Read(randomBytes) // never returns an error
	// The salt ends with a delimiter, so that digits cannot move from the number to the salt.
	salt := fmt.Sprintf("%x?expires=%d&cost=%d&", randomBytes[:12], s.o.Now().Add(workLifetime).Unix(), cost)
	challenge := workDigest(salt, randomBelow(int64(cost)+1))
	return work{
		Algorithm: workAlgorithm, Challenge: challenge, MaxNumber: cost, Salt: salt, Signature: s.signWork(a, challenge),
		Required: required > 0, ExpiresIn: int(workLifetime.Seconds()),
	}, nil
}

func workDigest(salt string, number int) string {
	sum := sha256.Sum256([]byte(salt + strconv.Itoa(number)))
	return hex.EncodeToString(sum[:])
}

// signWork returns a signature that makes a challenge valid only for the purpose and the network of an attempt.
func (s *Service) signWork(a humancheck.Attempt, challenge string) string {
	return hex.EncodeToString(s.o.Keys.MAC(workPurpose, a.Purpose, a.Network, challenge))
}

// A workProof is a solved proof of work, in ALTCHA's format.
type workProof struct {
	Algorithm string `json:"algorithm"`
	Challenge string `json:"challenge"`
	Number    int    `json:"number"`
	Salt      string `json:"salt"`
	Signature string `json:"signature"`
	Took      int    `json:"took"` // milliseconds; ignored

	expires time.Time
	cost    int
}

// parseProof reads a proof and checks that its number solves its challenge. It does not check the signature.
func parseProof(text string) (workProof, bool) {
	var p workProof
	if text == "" || len(text) > maxProof {
		return p, false
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return p, false
	}
	if err := json.Unmarshal(raw, &p); err != nil || p.Algorithm != workAlgorithm {
		return p, false
	}
	_, query, found := strings.Cut(p.Salt, "?")
	if !found || !strings.HasSuffix(query, "&") {
		return p, false
	}
	saltValues, err := url.ParseQuery(query)
	if err != nil {
		return p, false
	}
	expires, err := strconv.ParseInt(saltValues.Get("expires"), 10, 64)
	if err != nil {
		return p, false
	}
	p.expires = time.Unix(expires, 0)
	if p.cost, err = strconv.Atoi(saltValues.Get("cost")); err != nil {
		return p, false
	}
	return p, p.Number >= 0 && p.Number <= p.cost && hmac.Equal([]byte(workDigest(p.Salt, p.Number)), []byte(p.Challenge))
}

// CheckProof requires a proof of work if the network, the device or the account of an attempt has too many failures, or if the merchant
// always requires one. A proof works once. A proof that was not required stays usable.
func (s *Service) CheckProof(ctx context.Context, a humancheck.Attempt) error {
	when, base, err := s.o.Settings.ProofOfWork(ctx, a.MerchantID)
	if err != nil {
		return err
	}
	cost, err := s.requiredCost(ctx, a, when, base)
	if err != nil || cost == 0 {
		return err
	}
	required := ErrProofRequired.With("cost", cost)
	p, ok := parseProof(a.Proof)
	if !ok || !hmac.Equal([]byte(s.signWork(a, p.Challenge)), []byte(p.Signature)) || !s.o.Now().Before(p.expires) || p.cost < cost {
		return required
	}
	firstUse, err := s.markUsed(ctx, workPurpose, secret.TokenInfo{ID: p.Challenge, Expires: p.expires})
	if err == nil && !firstUse {
		err = required
	}
	return err
}

func (s *Service) newDevice() (string, error) {
	return s.o.Keys.Seal(devicePurpose, rand.Text(), deviceLifetime)
}

// deviceID returns the id in a device's cookie, or "" if the cookie is missing or not valid.
func (s *Service) deviceID(cookie string) string {
	id := ""
	if cookie == "" {
		return id
	}
	if _, err := s.o.Keys.Unseal(devicePurpose, cookie, &id); err != nil {
		return ""
	}
	return id
}
