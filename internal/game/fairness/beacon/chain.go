// Package beacon reads a public randomness beacon that uses the drand protocol. The operator configures the chain's hash,
// which determines the beacon's key. So a relay server cannot forge a value.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cloudflare/circl/sign/bls"
)

// Schemes of drand that this package can verify.
const (
	Chained     = "pedersen-bls-chained"     // key in G1, signature in G2; each signature covers the previous one
	Unchained   = "pedersen-bls-unchained"   // key in G1, signature in G2
	UnchainedG1 = "bls-unchained-g1-rfc9380" // key in G2, signature in G1
)

var (
	// ErrChain means that a description does not match the configured chain.
	ErrChain = errors.New("beacon: not the configured chain")
	// ErrSignature means that a value was not signed by the chain for this round.
	ErrSignature = errors.New("beacon: the signature is wrong")
	// ErrUnavailable means that no server returned a valid response.
	ErrUnavailable = errors.New("beacon: no server returned a valid response")
)

const (
	maxPeriod   = 24 * 60 * 60 // seconds
	maxRound    = 1 << 48
	groupSize   = sha256.Size
	sizeG1      = 48
	sizeG2      = 96
	defaultName = "default"
)

// A Chain describes a beacon.
type Chain struct {
	Hash    string // in hexadecimal
	Scheme  string
	Period  int64 // seconds between rounds
	Genesis int64 // time of round 1, in Unix seconds
	Key     []byte
	Group   []byte // hash of the chain's first group; the previous signature of round 1
	ID      string
}

type chainInfo struct {
	PublicKey string `json:"public_key"`
	Period    int64  `json:"period"`
	Genesis   int64  `json:"genesis_time"`
	GroupHash string `json:"groupHash"`
	Scheme    string `json:"schemeID"`
	Metadata  struct {
		BeaconID string `json:"beaconID"`
	} `json:"metadata"`
}

// ParseChain parses a chain's description, as /{hash}/info returns it. It fails if the description has another hash.
func ParseChain(hash string, data []byte) (Chain, error) {
	var in chainInfo
	if err := json.Unmarshal(data, &in); err != nil {
		return Chain{}, fmt.Errorf("%w: %w", ErrChain, err)
	}
	key, keyErr := hex.DecodeString(in.PublicKey)
	group, groupErr := hex.DecodeString(in.GroupHash)
	c := Chain{Hash: strings.ToLower(hash), Scheme: in.Scheme, Period: in.Period, Genesis: in.Genesis, Key: key, Group: group, ID: in.Metadata.BeaconID}
	size := map[string]int{Chained: sizeG1, Unchained: sizeG1, UnchainedG1: sizeG2}[c.Scheme]
	switch {
	case keyErr != nil || groupErr != nil:
		return Chain{}, fmt.Errorf("%w: %w", ErrChain, errors.Join(keyErr, groupErr))
	case size == 0:
		return Chain{}, fmt.Errorf("%w: unknown scheme %.40q", ErrChain, c.Scheme)
	case len(c.Key) != size || len(c.Group) != groupSize:
		return Chain{}, fmt.Errorf("%w: the key has %d bytes, want %d; the group's hash has %d, want %d", ErrChain, len(c.Key), size, len(c.Group), groupSize)
	case c.Period < 1 || c.Period > maxPeriod || c.Genesis < 1 || c.Genesis > 1<<40:
		return Chain{}, fmt.Errorf("%w: period %d, genesis %d", ErrChain, c.Period, c.Genesis)
	}
	if got := c.computeHash(); got != c.Hash {
		return Chain{}, fmt.Errorf("%w: the description has the hash %s, want %s", ErrChain, got, c.Hash)
	}
	return c, nil
}

// computeHash returns the chain's hash as defined by drand. The hash does not cover the scheme, because a key signs with
// only one scheme.
func (c Chain) computeHash() string {
	text := binary.BigEndian.AppendUint32(nil, uint32(c.Period))
	text = binary.BigEndian.AppendUint64(text, uint64(c.Genesis))
	text = append(append(text, c.Key...), c.Group...)
	if c.ID != defaultName {
		text = append(text, c.ID...)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Time returns the time at which a round becomes public.
func (c Chain) Time(round int64) time.Time {
	return time.Unix(c.Genesis+(round-1)*c.Period, 0).UTC()
}

// RoundAt returns the first round that becomes public at t or later.
func (c Chain) RoundAt(t time.Time) int64 {
	elapsed := t.Sub(time.Unix(c.Genesis, 0))
	if elapsed <= 0 {
		return 1
	}
	period := time.Duration(c.Period) * time.Second
	return int64((elapsed+period-1)/period) + 1
}

// A Value is the published result of a round.
type Value struct {
	Round      int64
	Randomness string // SHA-256 of the signature, in hexadecimal
	Signature  string // in hexadecimal; for a chained beacon followed by a colon and the previous signature
}

type roundReply struct {
	Round     int64  `json:"round"`
	Signature string `json:"signature"`
	Previous  string `json:"previous_signature"`
}

// ParseValue parses and verifies a round, as /{hash}/public/{round} returns it.
func (c Chain) ParseValue(round int64, data []byte) (Value, error) {
	var in roundReply
	if err := json.Unmarshal(data, &in); err != nil {
		return Value{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	if in.Round != round {
		return Value{}, fmt.Errorf("%w: got round %d, want %d", ErrSignature, in.Round, round)
	}
	text := strings.ToLower(in.Signature)
	if c.Scheme == Chained {
		text += ":" + strings.ToLower(in.Previous)
	}
	return c.Verify(round, text)
}

// Verify verifies the signature of a round, in the form of Value.Signature, and returns the round's value.
func (c Chain) Verify(round int64, signature string) (Value, error) {
	if round < 1 || round > maxRound {
		return Value{}, fmt.Errorf("%w: round %d", ErrSignature, round)
	}
	text, previousText, chained := strings.Cut(signature, ":")
	if chained != (c.Scheme == Chained) {
		return Value{}, fmt.Errorf("%w: with the previous signature: %t, want %t", ErrSignature, chained, c.Scheme == Chained)
	}
	signatureBytes, err := hex.DecodeString(text)
	if err != nil {
		return Value{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	previous, err := hex.DecodeString(previousText)
	if err != nil {
		return Value{}, fmt.Errorf("%w: %w", ErrSignature, err)
	}
	want := sizeG2
	if round == 1 {
		want = groupSize
	}
	if chained && len(previous) != want {
		return Value{}, fmt.Errorf("%w: the previous signature has %d bytes, want %d", ErrSignature, len(previous), want)
	}
	message := sha256.Sum256(binary.BigEndian.AppendUint64(previous, uint64(round)))
	if !c.verifySignature(message[:], signatureBytes) {
		return Value{}, ErrSignature
	}
	sum := sha256.Sum256(signatureBytes)
	return Value{Round: round, Randomness: hex.EncodeToString(sum[:]), Signature: signature}, nil
}

func (c Chain) verifySignature(message, signature []byte) bool {
	if c.Scheme == UnchainedG1 {
		return len(signature) == sizeG1 && verify[bls.KeyG2SigG1](c.Key, message, signature)
	}
	return len(signature) == sizeG2 && verify[bls.KeyG1SigG2](c.Key, message, signature)
}

func verify[K bls.KeyGroup](key, message, signature []byte) bool {
	public := new(bls.PublicKey[K])
	return public.UnmarshalBinary(key) == nil && bls.Verify(public, message, signature)
}

// Detail returns the name of a chain's round, as in the announcement of a series.
func Detail(hash string, round int64) string { return hash + "/" + strconv.FormatInt(round, 10) }

// ParseDetail parses the result of Detail.
func ParseDetail(text string) (hash string, round int64, err error) {
	hash, number, found := strings.Cut(text, "/")
	if round, err = strconv.ParseInt(number, 10, 64); !found || err != nil || !IsHash(hash) || round < 1 || round > maxRound {
		return "", 0, fmt.Errorf("beacon: %.100q names no round, want HASH/ROUND", text)
	}
	return hash, round, nil
}

// IsHash reports whether text has the format of a chain's hash.
func IsHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size && text == strings.ToLower(text)
}
