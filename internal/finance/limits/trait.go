package limits

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

// traitKeyName names the key of the traits' digests. A trait is something that identifies a person: a device, a name, or a
// name with a birth date. Older versions derived this key from the root key.
const traitKeyName = "limits.trait"

// A Digester computes keyed digests, so that a copy of the database does not reveal traits.
type Digester struct{ key []byte }

// NewDigester returns a Digester whose key stays the same when the root key changes. So excluded persons are still recognized.
func NewDigester(ctx context.Context, store *db.Store, keys *secret.Keys) (*Digester, error) {
	err := store.Write(ctx, func(tx *db.Tx) error { return keys.Store(ctx, tx, traitKeyName, keys.MACKey(traitKeyName)) })
	if err != nil {
		return nil, fmt.Errorf("store the key of traits: %w", err)
	}
	key, err := keys.Stored(ctx, traitKeyName)
	return &Digester{key}, err
}

// KeepTraitKey keeps the key of the traits' digests when the root key changes.
func KeepTraitKey(ctx context.Context, tx *db.Tx, old, next *secret.Keys) error {
	return next.Store(ctx, tx, traitKeyName, old.MACKey(traitKeyName)) // unless it is stored already
}

func (d *Digester) digest(kind, value string) []byte { return secret.MAC(d.key, kind, value) }

// Kinds of traits. The database stores these strings, so do not change them.
const (
	traitDevice = "device" // random id that the app keeps
	traitName   = "name"   // real name; matches only with the same network address
	traitPerson = "person" // real name and birth date
)

// traitsOf returns the values that identify a person, by kind of trait. Unknown values are empty.
func traitsOf(identity map[string]string) map[string]string {
	name := foldName(identity["payeeName"])
	traits := map[string]string{traitDevice: identity["device"], traitName: name}
	if birth := identity["birthDate"]; name != "" && birth != "" {
		traits[traitPerson] = name + "\n" + birth
	}
	return traits
}

// foldName returns the letters and digits of a name in lower case without accents, so that "NGUYEN VAN DO" equals "Nguyễn Văn Đỗ".
func foldName(name string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r == 'đ':
			out.WriteRune('d')
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			out.WriteRune(r)
		}
	}
	return out.String()
}

// storeAndMatchTraitsIn stores an account's traits and reports whether another member on a break has one of them.
func (s *Service) storeAndMatchTraitsIn(ctx context.Context, tx *db.Tx, merchantID, memberID, now int64, identity map[string]string) (bool, error) {
	if s.o.Digester == nil {
		return false, nil
	}
	matches := false
	for kind, value := range traitsOf(identity) {
		address := ""
		if kind == traitName {
			address = identity["address"]
		}
		if value == "" || kind == traitName && address == "" {
			continue
		}
		digest := s.o.Digester.digest(kind, value)
		n, err := tx.Q.CountMembersOnBreakWithTrait(ctx, query.CountMembersOnBreakWithTraitParams{
			MerchantID: merchantID, Kind: kind, Digest: digest, MemberID: memberID, Now: now, Address: address,
		})
		if err != nil {
			return false, fmt.Errorf("look for breaks with the same %s: %w", kind, err)
		}
		matches = matches || n > 0
		err = tx.Q.AddMemberTrait(ctx, query.AddMemberTraitParams{MemberID: memberID, Kind: kind, Digest: digest, MerchantID: merchantID, CreatedAt: now})
		if err != nil {
			return false, fmt.Errorf("store trait: %w", err)
		}
	}
	return matches, nil
}
