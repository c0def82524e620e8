// Package jwe reads request bodies that browsers encrypt to this installation (JWE, ECDH-ES with A256GCM), each once and
// only while it is fresh. It adds to TLS for whoever logs bodies on the way, and takes its place nowhere. It does not
// know what is inside.
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

// Faults of this package.
var (
	// ErrInvalid is all that is said of a body that cannot be read, or that has been read before.
	ErrInvalid = fault.New(fault.Invalid, "jwe.invalid")
	// ErrTime refuses a body whose time is too far off. It carries the server's own, to try again with.
	ErrTime = fault.New(fault.Invalid, "jwe.time")
)

const (
	// Window is how far a body's time may be off.
	Window = 5 * time.Minute
	// Longest is more than any body of ours.
	Longest = 8 << 10

	leastNonce, mostNonce = 16, 64

	purpose = "jwe"
)

// Key is the public key that browsers encrypt to, as a JSON Web Key.
type Key struct {
	Kty string `json:"kty" enum:"EC"`
	Crv string `json:"crv" enum:"P-256"`
	X   string `json:"x"`
	Y   string `json:"y"`
	Kid string `json:"kid"`
	Alg string `json:"alg" enum:"ECDH-ES"`
	Use string `json:"use" enum:"enc"`
}

// Box opens what is encrypted to the installation's key.
type Box struct {
	store   *db.Store
	keys    *secret.Keys
	now     func() time.Time
	private *ecdsa.PrivateKey
	public  Key
}

// New derives the key from the installation's own, so that it is the same on every replica.
func New(store *db.Store, keys *secret.Keys, now func() time.Time) (*Box, error) {
	b := &Box{store: store, keys: keys, now: now}
	var err error
	for i := 0; b.private == nil; i++ { // one draw in four thousand million is no key of the curve
		b.private, err = ecdsa.ParseRawPrivateKey(elliptic.P256(), keys.Bytes(purpose+"/"+strconv.Itoa(i), 32))
		if err != nil && i > 8 {
			return nil, fmt.Errorf("derive the key for encrypted bodies: %w", err)
		}
	}
	web := jose.JSONWebKey{Key: &b.private.PublicKey}
	id, err := web.Thumbprint(crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("name the key for encrypted bodies: %w", err)
	}
	point, err := b.private.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil, fmt.Errorf("encode the key for encrypted bodies: %w", err)
	}
	text := base64.RawURLEncoding.EncodeToString
	b.public = Key{
		Kty: "EC", Crv: "P-256", X: text(point[1:33]), Y: text(point[33:]), Kid: text(id), Alg: string(jose.ECDH_ES), Use: "enc",
	}
	return b, nil
}

// Public is the key to encrypt to.
func (b *Box) Public() Key { return b.public }

// Open reads a body into a value whose fields must be all that is in it, besides nonce and time (unix milliseconds). A
// body can be opened once.
func (b *Box) Open(ctx context.Context, data string, into any) error {
	plain, err := b.decrypt(data)
	if err != nil {
		return ErrInvalid.On("data").Because(err)
	}
	if err := rest.CheckJSON(plain); err != nil {
		return rest.ErrParam.Because(err) // as of a body that came as it is
	}
	var fields map[string]json.RawMessage
	var nonce string
	var sent int64
	if json.Unmarshal(plain, &fields) != nil || json.Unmarshal(fields["nonce"], &nonce) != nil || json.Unmarshal(fields["time"], &sent) != nil ||
		len(nonce) < leastNonce || len(nonce) > mostNonce {
		return ErrInvalid.On("data")
	}
	now := b.now()
	at := time.UnixMilli(sent)
	if off := now.Sub(at); off > Window || off < -Window {
		return ErrTime.With("now", db.Millis(now))
	}
	delete(fields, "nonce")
	delete(fields, "time")
	if err := decode(fields, into); err != nil {
		return rest.ErrParam.Because(err)
	}
	var first bool
	err = b.store.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = b.keys.Spend(ctx, tx.Q, purpose, nonce, at.Add(2*Window))
		return err
	})
	if err == nil && !first {
		err = ErrInvalid.On("data")
	}
	return err
}

func (b *Box) decrypt(data string) ([]byte, error) {
	if len(data) > Longest {
		return nil, fmt.Errorf("%d bytes", len(data))
	}
	// These and no others: what a sender may choose, an attacker chooses.
	object, err := jose.ParseEncryptedCompact(data, []jose.KeyAlgorithm{jose.ECDH_ES}, []jose.ContentEncryption{jose.A256GCM})
	if err != nil {
		return nil, err
	}
	if _, zipped := object.Header.ExtraHeaders["zip"]; zipped {
		return nil, errors.New("zipped")
	}
	return object.Decrypt(b.private)
}

// decode reads fields into a value, and refuses those that it does not have.
func decode(fields map[string]json.RawMessage, into any) error {
	rest, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(rest))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
