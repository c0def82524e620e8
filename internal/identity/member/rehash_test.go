package member_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestLoginRehashesAnOldPassword(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		ctx := t.Context()
		first := newMember(site, "minhanh92", "qua-xanh7")
		first.FirstTimeLogin = true
		id, err := members.Create(ctx, first)
		if err != nil {
			t.Fatal(err)
		}
		salt := []byte("0123456789abcdef")
		text := base64.RawStdEncoding.EncodeToString
		old := "$argon2id$v=19$m=8192,t=1,p=1$" + text(salt) + "$" + text(argon2.IDKey([]byte("qua-xanh7"), salt, 1, 8192, 1, 32))
		stored := func() string {
			row, err := store.Q().MemberByID(ctx, id)
			if err != nil || !row.FirstTimeLogin {
				t.Fatalf("firstTimeLogin = %v, %v, want true", row.FirstTimeLogin, err)
			}
			return row.PasswordHash
		}
		now := stored()
		err = store.Write(ctx, func(tx *db.Tx) error { return tx.Q.RehashPassword(ctx, old, id, now) })
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := members.Verify(ctx, site.ID, "minhanh92", "qua-xanh8"); !errors.Is(err, member.ErrIncorrect) || stored() != old {
			t.Errorf("verify a wrong password: %v, want ErrIncorrect and the old hash", err)
		}
		for range 2 {
			if got, _, err := members.Verify(ctx, site.ID, "minhanh92", "qua-xanh7"); got != id || err != nil {
				t.Fatalf("verify = %d, %v, want %d", got, err, id)
			}
			if after := stored(); after == old || after == now || !strings.HasPrefix(after, now[:strings.Index(now, ",p=")]) {
				t.Errorf("stored hash = %s, want a new one at the current cost", after)
			}
		}
	})
}

// PostgreSQL does not store U+0000.
func TestInvalidNicknames(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		for _, wrong := range []string{strings.Repeat("x", 9000), "a\x00b", "a\x1b[2J"} {
			d := newMember(site, "minhanh92", "qua-xanh7")
			d.Nickname = wrong
			if _, err := members.Create(t.Context(), d); codeOf(err) != "member.nickname_format" {
				t.Errorf("create with nickname %.20q: %v, want member.nickname_format", wrong, err)
			}
		}
	})
}
