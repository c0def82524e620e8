package kyc

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"fairground/internal/platform/secret"
)

// keyName is the name of the random key under which documents are encrypted. The database holds it encrypted with the
// installation's key, so that a change of that key leaves the stored files unchanged.
const keyName = "kyc"

// Details are what a member says about themselves.
type Details struct {
	Name           string `json:"name"`
	BirthDate      string `json:"birthDate"` // YYYY-MM-DD
	DocumentNumber string `json:"documentNumber,omitempty"`
}

// A box encrypts documents and details. What it encrypts is bound to one identity check.
type box struct {
	aead   cipher.AEAD
	digest []byte // key of the digests of document numbers
}

// box must not be called within a transaction: the first call stores the key.
func (s *Service) box(ctx context.Context) (*box, error) {
	root, err := s.o.Keys.Stored(ctx, keyName)
	if err != nil {
		return nil, err
	}
	derive := func(use string) ([]byte, error) { return hkdf.Key(sha256.New, root, nil, keyName+"/"+use, sha256.Size) }
	key, err := derive("seal")
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	digest, err := derive("number")
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	return &box{aead, digest}, nil
}

// place binds encrypted bytes to their place: the check and the number of the picture. Details have the number -1.
func place(id int64, picture int) []byte { return fmt.Appendf(nil, "%d/%d", id, picture) }

func (b *box) seal(id int64, picture int, data []byte) []byte {
	return b.aead.Seal(nil, nil, data, place(id, picture)) //nolint:gosec // the AEAD generates a random nonce
}

func (b *box) open(id int64, picture int, sealed []byte) ([]byte, error) {
	data, err := b.aead.Open(nil, nil, sealed, place(id, picture))
	if err != nil {
		return nil, fmt.Errorf("decrypt identity check %d: %w", id, err)
	}
	return data, nil
}

func (b *box) sealDetails(id int64, d Details) ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode details: %w", err)
	}
	return b.seal(id, -1, text), nil
}

// openDetails returns empty details if they were deleted.
func (b *box) openDetails(id int64, sealed []byte) (d Details, err error) {
	if len(sealed) == 0 {
		return d, nil
	}
	text, err := b.open(id, -1, sealed)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("decode details: %w", err)
	}
	return d, nil
}

// numberMAC returns the digest by which the same document number is found again at a merchant.
func (b *box) numberMAC(merchantID int64, number string) []byte {
	return secret.MAC(b.digest, strconv.FormatInt(merchantID, 10), strings.ToUpper(number))
}
