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

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"fairground/internal/rest"
)

// cost is what one hash takes. A stored one keeps what it was made with.
type cost struct {
	memory uint32 // KiB
	time   uint32
	lanes  uint8
}

// today's is the least that current advice accepts for argon2id, about 30 ms and 19 MiB.
var today = cost{memory: 19 * 1024, time: 2, lanes: 1}

// highest is what a stored hash may ask for: a row that was tampered with must not take the server's memory.
var highest = cost{memory: 64 * 1024, time: 8, lanes: 4}

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
	// decoy is what an unknown account's password is checked against, so that it costs the same.
	decoy string
}

// NewPasswords allows this many hashes at the same time.
func NewPasswords(atOnce int) *Passwords {
	atOnce = max(1, atOnce)
	p := &Passwords{slots: make(chan struct{}, atOnce), queue: make(chan struct{}, atOnce*(1+waitersPerSlot))}
	p.decoy = encode(today, random(saltBytes), random(hashBytes))
	return p
}

// Hash gives the stored form of a password.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	salt := random(saltBytes)
	key, err := p.derive(ctx, password, today, salt)
	if err != nil {
		return "", err
	}
	return encode(today, salt, key), nil
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

func (p *Passwords) derive(ctx context.Context, password string, c cost, salt []byte) ([]byte, error) {
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
	// Keyboards compose 'ườ' in different ways; it is the same password.
	return argon2.IDKey(norm.NFKC.Bytes([]byte(password)), salt, c.time, c.memory, c.lanes, hashBytes), nil
}

// Stale tells whether a stored form was made at another cost than today's.
func (p *Passwords) Stale(stored string) bool {
	made, _, _, err := parse(stored)
	return err == nil && made != today
}

const form = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

func encode(c cost, salt, key []byte) string {
	b := base64.RawStdEncoding
	return fmt.Sprintf(form, argon2.Version, c.memory, c.time, c.lanes) + b.EncodeToString(salt) + "$" + b.EncodeToString(key)
}

func parse(stored string) (made cost, salt, key []byte, err error) {
	var version int
	if _, err := fmt.Sscanf(stored, form, &version, &made.memory, &made.time, &made.lanes); err != nil || version != argon2.Version {
		return cost{}, nil, nil, errors.New("stored password is of an unknown form")
	}
	if made.memory > highest.memory || made.time > highest.time || made.lanes > highest.lanes ||
		made.time == 0 || made.lanes == 0 || made.memory < 8*uint32(made.lanes) {
		return cost{}, nil, nil, errors.New("stored password asks for a cost out of bounds")
	}
	parts := strings.Split(stored, "$") // as many as the form has, and two more
	if len(parts) != 6 {
		return cost{}, nil, nil, errors.New("stored password is of an unknown form")
	}
	b := base64.RawStdEncoding
	salt, err1 := b.DecodeString(parts[4])
	key, err2 := b.DecodeString(parts[5])
	if err := errors.Join(err1, err2); err != nil || len(key) != hashBytes || len(salt) < 8 {
		return cost{}, nil, nil, errors.New("stored password is damaged")
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
