package account_test

import (
	"errors"
	"regexp"
	"testing"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
)

func TestRegisterExternal(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		ctx := t.Context()
		var linked int64
		id, err := h.members.RegisterExternal(ctx, h.ID, true, "", rest.VisitorOf(t.Context()), func(_ *db.Tx, memberID int64) error {
			linked = memberID
			return nil
		})
		if err != nil || id == 0 || linked != id {
			t.Fatalf("ids = %d and %d, %v, want the same id", id, linked, err)
		}
		who, err := h.accounts.Info(ctx, id)
		if err != nil || who.Type != member.Player || who.Currency != "VND" || !regexp.MustCompile(`^u\d{9}$`).MatchString(who.Username) {
			t.Errorf("member = %+v, %v, want a player in VND with a random name", who, err)
		}
		for _, guess := range []string{"", " ", who.Username} {
			if _, _, err := h.members.Verify(ctx, h.ID, who.Username, guess); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("verify with password %q: %v, want ErrIncorrect", guess, err)
			}
		}
		count := func() (n int) {
			t.Helper()
			if err := store.Reader.QueryRowContext(ctx, "SELECT (SELECT COUNT(*) FROM member) * 1000 + (SELECT COUNT(*) FROM account)").Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		before := count()
		var f *fault.Fault
		_, err = h.members.RegisterExternal(ctx, h.ID, false, "", rest.VisitorOf(t.Context()), func(*db.Tx, int64) error { return nil })
		if !errors.Is(err, member.ErrAge) || !errors.As(err, &f) || f.Field != "ageConfirmed" || f.Args["age"] != "18" || count() != before {
			t.Errorf("PP-08 without the age: %v, want ErrAge and no member", err)
		}
		broken := errors.New("broken")
		if _, err := h.members.RegisterExternal(ctx, h.ID, true, "", rest.VisitorOf(t.Context()), func(*db.Tx, int64) error { return broken }); !errors.Is(err, broken) || count() != before {
			t.Errorf("failed link: %v, want %v and no member", err, broken)
		}
		if _, err := h.members.RegisterExternal(ctx, h.ID, true, "", rest.VisitorOf(t.Context()), func(*db.Tx, int64) error { return nil }); err != nil || count() <= before+1000 {
			t.Errorf("register again: %v, want a member with accounts", err)
		}
	})
}

func TestPP07RegisterExternalHoldsAPersonOnABreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		h := newServer(t, store)
		ctx := t.Context()
		h.AddMember(t, 3001, "onbreak1")
		if _, err := store.Writer.ExecContext(ctx, "UPDATE member SET email = 'An@Example.com' WHERE id = 3001"); err != nil {
			t.Fatal(err)
		}
		linked := func(*db.Tx, int64) error { return nil }
		if err := h.Server.Limits.BeginBreak(ctx, 3001, "24h"); err != nil {
			t.Fatal(err)
		}
		for email, want := range map[string]error{"an@example.COM": limits.ErrHeld, "": nil, "binh@example.com": nil} {
			id, err := h.members.RegisterExternal(ctx, h.ID, true, email, rest.VisitorOf(t.Context()), linked)
			if err != nil {
				t.Fatalf("address %q: %v, want success", email, err)
			}
			if err := h.Server.Limits.Check(ctx, id); !errors.Is(err, want) {
				t.Errorf("address %q: Check = %v, want %v", email, err, want)
			}
		}
	})
}
