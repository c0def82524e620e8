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

// keyName is the name of the random key that encrypts documents. The database stores this key encrypted with the installation's key, so
// that a new installation key does not require encrypting the files again.
const keyName = "kyc"

// Details are the personal details that a member sends.
type Details struct {
	Name           string `json:"name"`
	BirthDate      string `json:"birthDate"` // YYYY-MM-DD
	DocumentNumber string `json:"documentNumber,omitempty"`
}

// A documentCipher encrypts pictures and details. The result can be decrypted only for the same identity check.
type documentCipher struct {
	aead   cipher.AEAD
	macKey []byte // key for keyed hashes of document numbers
}

// documentCipher returns the cipher of the installation. It must not be called within a transaction, because the first call stores the key.
func (s *Service) documentCipher(ctx context.Context) (*documentCipher, error) {
	root, err := s.o.Keys.Stored(ctx, keyName)
	if err != nil {
		return nil, err
	}
	derive := func(use string) ([]byte, error) { return hkdf.Key(sha256.New, root, nil, keyName+"/"+use, sha256.Size) }
	key, err := derive("seal")
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	macKey, err := derive("number")
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
	return &documentCipher{aead, macKey}, nil
}

// place returns the data that binds ciphertext to a check and to the number of a picture. Details have the number -1.
func place(id int64, picture int) []byte { return fmt.Appendf(nil, "%d/%d", id, picture) }

func (c *documentCipher) seal(id int64, picture int, data []byte) []byte {
	return c.aead.Seal(nil, nil, data, place(id, picture)) //nolint:gosec // the AEAD generates a random nonce
}

func (c *documentCipher) open(id int64, picture int, sealed []byte) ([]byte, error) {
	data, err := c.aead.Open(nil, nil, sealed, place(id, picture))
	if err != nil {
		return nil, fmt.Errorf("decrypt identity check %d: %w", id, err)
	}
	return data, nil
}

func (c *documentCipher) sealDetails(id int64, d Details) ([]byte, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode details: %w", err)
	}
	return c.seal(id, -1, text), nil
}

// openDetails returns empty details if they were deleted.
func (c *documentCipher) openDetails(id int64, sealed []byte) (d Details, err error) {
	if len(sealed) == 0 {
		return d, nil
	}
	text, err := c.open(id, -1, sealed)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(text, &d); err != nil {
		return d, fmt.Errorf("decode details: %w", err)
	}
	return d, nil
}

// mac returns a keyed hash of a text for one merchant. Equal document numbers have equal hashes.
func (c *documentCipher) mac(merchantID int64, text string) []byte {
	return secret.MAC(c.macKey, strconv.FormatInt(merchantID, 10), strings.ToUpper(text))
}
