package member

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"fairground/internal/platform/rest"
)

// A Cost holds the parameters of argon2id. Each stored hash includes its own Cost.
type Cost struct {
	Memory uint32 // KiB
	Time   uint32
	Lanes  uint8
}

// DefaultCost is the minimum that OWASP recommends for argon2id: about 30 ms and 19 MiB.
var DefaultCost = Cost{Memory: 19 * 1024, Time: 2, Lanes: 1}

// maxCost limits the cost of a stored hash, so that a tampered row cannot exhaust the memory.
var maxCost = Cost{Memory: 64 * 1024, Time: 8, Lanes: 4}

const (
	saltBytes = 16
	hashBytes = 32
)

// waitersPerSlot limits the queue to about one second of work. Further callers get ErrUnavailable.
const waitersPerSlot = 32

// Passwords hashes and checks passwords. It limits the hashes in progress, to save memory. It limits the queue, to avoid long waits.
type Passwords struct {
	slots  chan struct{}
	queue  chan struct{} // one item per caller, in progress or waiting
	cost   Cost          // of new hashes
	hashes atomic.Int64
	// decoy is the hash for unknown accounts, so that checking them takes the same time.
	decoy string
}

// NewPasswords returns a Passwords that computes at most maxConcurrent hashes concurrently. New hashes have this cost.
func NewPasswords(maxConcurrent int, cost Cost) *Passwords {
	maxConcurrent = max(1, maxConcurrent)
	p := &Passwords{slots: make(chan struct{}, maxConcurrent), queue: make(chan struct{}, maxConcurrent*(1+waitersPerSlot)), cost: cost}
	p.decoy = encode(cost, random(saltBytes), random(hashBytes))
	return p
}

// HashCount returns how many hashes were computed.
func (p *Passwords) HashCount() int64 { return p.hashes.Load() }

// Hash returns the stored form of a password.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltBytes)
	key, err := p.derive(ctx, password, p.cost, salt)
	if err != nil {
		return "", err
	}
	return encode(p.cost, salt, key), nil
}

// Matches reports whether the password belongs to the stored hash. An empty hash takes the same time and never matches.
func (p *Passwords) Matches(ctx context.Context, stored, password string) (bool, error) {
	compared := stored
	if compared == "" {
		compared = p.decoy
	}
	storedCost, salt, want, err := parse(compared)
	if err != nil {
		return false, err
	}
	got, err := p.derive(ctx, password, storedCost, salt)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(got, want) == 1 && stored != "", nil
}

func (p *Passwords) derive(ctx context.Context, password string, c Cost, salt []byte) ([]byte, error) {
	select {
	case p.queue <- struct{}{}:
		defer func() { <-p.queue }()
	default:
		return nil, fmt.Errorf("wait to hash a password: %w", rest.ErrUnavailable)
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
	p.hashes.Add(1)
	// Normalize, because keyboards encode characters like 'ườ' in different ways.
	return argon2.IDKey(norm.NFKC.Bytes([]byte(password)), salt, c.Time, c.Memory, c.Lanes, hashBytes), nil
}

// NeedsRehash reports whether the cost of a stored hash differs from the cost of new hashes.
func (p *Passwords) NeedsRehash(stored string) bool {
	storedCost, _, _, err := parse(stored)
	return err == nil && storedCost != p.cost
}

const hashFormat = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

func encode(c Cost, salt, key []byte) string {
	b := base64.RawStdEncoding
	return fmt.Sprintf(hashFormat, argon2.Version, c.Memory, c.Time, c.Lanes) + b.EncodeToString(salt) + "$" + b.EncodeToString(key)
}

func parse(stored string) (storedCost Cost, salt, key []byte, err error) {
	var version int
	if _, err := fmt.Sscanf(stored, hashFormat, &version, &storedCost.Memory, &storedCost.Time, &storedCost.Lanes); err != nil || version != argon2.Version {
		return Cost{}, nil, nil, errors.New("stored password has an unknown format")
	}
	if storedCost.Memory > maxCost.Memory || storedCost.Time > maxCost.Time || storedCost.Lanes > maxCost.Lanes ||
		storedCost.Time == 0 || storedCost.Lanes == 0 || storedCost.Memory < 8*uint32(storedCost.Lanes) {
		return Cost{}, nil, nil, errors.New("stored password has a cost out of bounds")
	}
	parts := strings.Split(stored, "$") // hashFormat has four parts; salt and key follow
	if len(parts) != 6 {
		return Cost{}, nil, nil, errors.New("stored password has an unknown format")
	}
	b := base64.RawStdEncoding
	salt, err1 := b.DecodeString(parts[4])
	key, err2 := b.DecodeString(parts[5])
	if err := errors.Join(err1, err2); err != nil || len(key) != hashBytes || len(salt) < 8 {
		return Cost{}, nil, nil, errors.New("stored password is damaged")
	}
	return storedCost, salt, key, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never returns an error
	return b
}

//go:embed common_passwords.txt
var commonList string

var commonPasswords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(commonList)); lines.Scan(); {
		set[lines.Text()] = true
	}
	return set
})

// IsCommon reports whether a password is on the list of common passwords.
func (p *Passwords) IsCommon(password string) bool {
	return commonPasswords()[strings.ToLower(password)]
}
