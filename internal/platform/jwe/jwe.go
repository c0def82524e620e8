// Package jwe decrypts request bodies that browsers encrypt for this installation (JWE, ECDH-ES with A256GCM). Each body is
// accepted once and only while it is recent. The encryption protects bodies from proxies that log them. It does not replace
// TLS.
package jwe

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-jose/go-jose/v4"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

var (
	// ErrInvalid reports that a body cannot be decrypted or was used before.
	ErrInvalid = fault.New(fault.Invalid, "jwe.invalid")
	// ErrTime reports that the time of a body is outside Window. Its argument "now" is the server's time, for a retry.
	ErrTime = fault.New(fault.Invalid, "jwe.time")
)

const (
	// Window is the maximum difference between the time of a body and the server's time.
	Window = 5 * time.Minute
	// MaxLength is the maximum length of an encrypted body, in bytes.
	MaxLength = 8 << 10

	minNonce, maxNonce = 16, 64

	purpose = "jwe"
)

// Key is the public key for browsers, as a JSON Web Key.
type Key struct {
	Kty string `json:"kty" enum:"EC"`
	Crv string `json:"crv" enum:"P-256"`
	X   string `json:"x"`
	Y   string `json:"y"`
	Kid string `json:"kid"`
	Alg string `json:"alg" enum:"ECDH-ES"`
	Use string `json:"use" enum:"enc"`
}

// A Box decrypts request bodies with the installation's private key.
type Box struct {
	store   *db.Store
	keys    *secret.Keys
	now     func() time.Time
	private *ecdsa.PrivateKey
	public  Key
}

// New derives the key pair from keys, so that it is the same on every replica.
func New(store *db.Store, keys *secret.Keys, now func() time.Time) (*Box, error) {
	b := &Box{store: store, keys: keys, now: now}
	var err error
	for i := 0; b.private == nil; i++ { // one in 2^32 values is not a valid key of the curve
		b.private, err = ecdsa.ParseRawPrivateKey(elliptic.P256(), keys.Bytes(purpose+"/"+strconv.Itoa(i), 32))
		if err != nil && i > 8 {
			return nil, fmt.Errorf("derive the key for encrypted bodies: %w", err)
		}
	}
	publicJWK := jose.JSONWebKey{Key: &b.private.PublicKey}
	id, err := publicJWK.Thumbprint(crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("compute the id of the key for encrypted bodies: %w", err)
	}
	point, err := b.private.PublicKey.Bytes() // 0x04, x, y
	if err != nil {
		return nil, fmt.Errorf("encode the key for encrypted bodies: %w", err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	b.public = Key{
		Kty: "EC", Crv: "P-256", X: encode(point[1:33]), Y: encode(point[33:]), Kid: encode(id), Alg: string(jose.ECDH_ES), Use: "enc",
	}
	return b, nil
}

// Public returns the public key.
func (b *Box) Public() Key { return b.public }

// Open decrypts a body into *into. The body must also contain the fields nonce and time (Unix milliseconds), and no unknown
// fields. A body can be opened once.
func (b *Box) Open(ctx context.Context, data string, into any) error {
	plain, err := b.decrypt(data)
	if err != nil {
		return ErrInvalid.On("data").Because(err)
	}
	if err := rest.CheckJSON(plain); err != nil {
		return rest.ErrParam.Because(err) // as for an unencrypted body
	}
	var fields map[string]json.RawMessage
	var nonce string
	var sentMillis int64
	if json.Unmarshal(plain, &fields) != nil || json.Unmarshal(fields["nonce"], &nonce) != nil || json.Unmarshal(fields["time"], &sentMillis) != nil ||
		len(nonce) < minNonce || len(nonce) > maxNonce {
		return ErrInvalid.On("data")
	}
	now := b.now()
	sentAt := time.UnixMilli(sentMillis)
	if age := now.Sub(sentAt); age > Window || age < -Window {
		return ErrTime.With("now", db.Millis(now))
	}
	delete(fields, "nonce")
	delete(fields, "time")
	if err := decode(fields, into); err != nil {
		return rest.ErrParam.Because(err)
	}
	var first bool
	err = b.store.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = b.keys.Spend(ctx, tx.Q, purpose, nonce, sentAt.Add(2*Window))
		return err
	})
	if err == nil && !first {
		err = ErrInvalid.On("data")
	}
	return err
}

func (b *Box) decrypt(data string) ([]byte, error) {
	if len(data) > MaxLength {
		return nil, fmt.Errorf("body has %d bytes, maximum %d", len(data), MaxLength)
	}
	// Accept only these algorithms: an attacker can choose the header.
	object, err := jose.ParseEncryptedCompact(data, []jose.KeyAlgorithm{jose.ECDH_ES}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return nil, err
	}
	if _, compressed := object.Header.ExtraHeaders["zip"]; compressed {
		return nil, errors.New("compressed bodies are not accepted")
	}
	return object.Decrypt(b.private)
}

func decode(fields map[string]json.RawMessage, into any) error {
	raw, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
