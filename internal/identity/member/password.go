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

// Cost is what one hash takes. A stored one keeps what it was made with.
type Cost struct {
	Memory uint32 // KiB
	Time   uint32
	Lanes  uint8
}

// Today is the least that current advice accepts for argon2id, about 30 ms and 19 MiB.
var Today = Cost{Memory: 19 * 1024, Time: 2, Lanes: 1}

// highest is what a stored hash may ask for: a row that was tampered with must not take the server's memory.
var highest = Cost{Memory: 64 * 1024, Time: 8, Lanes: 4}

const (
	saltBytes = 16
	hashBytes = 32
)

// waitersPerSlot is how many may wait for a slot: about a second's worth. More are told to come back.
const waitersPerSlot = 32

// Passwords hashes and checks passwords, only so many at once that the memory stays bounded, with only so many
// waiting that the last is still served in time.
type Passwords struct {
	slots chan struct{}
	queue chan struct{} // those being served and those waiting
	cost  Cost          // of new ones
	made  atomic.Int64
	// decoy is what an unknown account's password is checked against, so that it costs the same.
	decoy string
}

// NewPasswords allows this many hashes at the same time, and makes new ones at this cost.
func NewPasswords(atOnce int, cost Cost) *Passwords {
	atOnce = max(1, atOnce)
	p := &Passwords{slots: make(chan struct{}, atOnce), queue: make(chan struct{}, atOnce*(1+waitersPerSlot)), cost: cost}
	p.decoy = encode(cost, random(saltBytes), random(hashBytes))
	return p
}

// Made is how many hashes were made, to store them or to compare.
func (p *Passwords) Made() int64 { return p.made.Load() }

// Hash gives the stored form of a password.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltBytes)
	key, err := p.derive(ctx, password, p.cost, salt)
	if err != nil {
		return "", err
	}
	return encode(p.cost, salt, key), nil
}

// Matches tells whether the password belongs to the stored form. An empty stored form costs the same and
// never matches.
func (p *Passwords) Matches(ctx context.Context, stored, password string) (bool, error) {
	against := stored
	if against == "" {
		against = p.decoy
	}
	made, salt, want, err := parse(against)
	if err != nil {
		return false, err
	}
	got, err := p.derive(ctx, password, made, salt)
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
	p.made.Add(1)
	// Keyboards compose 'ườ' in different ways; it is the same password.
	return argon2.IDKey(norm.NFKC.Bytes([]byte(password)), salt, c.Time, c.Memory, c.Lanes, hashBytes), nil
}

// Stale tells whether a stored form was made at another cost than new ones are.
func (p *Passwords) Stale(stored string) bool {
	made, _, _, err := parse(stored)
	return err == nil && made != p.cost
}

const form = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

func encode(c Cost, salt, key []byte) string {
	b := base64.RawStdEncoding
	return fmt.Sprintf(form, argon2.Version, c.Memory, c.Time, c.Lanes) + b.EncodeToString(salt) + "$" + b.EncodeToString(key)
}

func parse(stored string) (made Cost, salt, key []byte, err error) {
	var version int
	if _, err := fmt.Sscanf(stored, form, &version, &made.Memory, &made.Time, &made.Lanes); err != nil || version != argon2.Version {
		return Cost{}, nil, nil, errors.New("stored password is of an unknown form")
	}
	if made.Memory > highest.Memory || made.Time > highest.Time || made.Lanes > highest.Lanes ||
		made.Time == 0 || made.Lanes == 0 || made.Memory < 8*uint32(made.Lanes) {
		return Cost{}, nil, nil, errors.New("stored password asks for a cost out of bounds")
	}
	parts := strings.Split(stored, "$") // as many as the form has, and two more
	if len(parts) != 6 {
		return Cost{}, nil, nil, errors.New("stored password is of an unknown form")
	}
	b := base64.RawStdEncoding
	salt, err1 := b.DecodeString(parts[4])
	key, err2 := b.DecodeString(parts[5])
	if err := errors.Join(err1, err2); err != nil || len(key) != hashBytes || len(salt) < 8 {
		return Cost{}, nil, nil, errors.New("stored password is damaged")
	}
	return made, salt, key, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails (it aborts the program instead)
	return b
}

//go:embed common_passwords.txt
var commonList string

// common holds passwords that are guessed first, in lower case.
var common = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(commonList)); lines.Scan(); {
		set[lines.Text()] = true
	}
	return set
})

// Common tells whether a password is among those that are guessed first.
func (p *Passwords) Common(password string) bool { return common()[strings.ToLower(password)] }
