package member_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// cheap keeps the tests fast.
var cheap = member.Cost{Memory: 64, Time: 1, Lanes: 1}

func newMembers(t *testing.T, site *merchanttest.Site) *member.Service {
	t.Helper()
	books := ledger.New(site.Store, ledger.Options{})
	t.Cleanup(books.Close)
	return membersWith(site, books)
}

func membersWith(site *merchanttest.Site, books member.Ledger) *member.Service {
	return member.New(member.Options{
		Store: site.Store, Settings: site.Merchants, Ledger: books, Passwords: passwords(site), IDs: site.IDs, Now: site.Clock.Now,
	})
}

// hashers holds the Passwords of each site, for tests that count hashes.
var hashers sync.Map

func passwords(site *merchanttest.Site) *member.Passwords {
	p, _ := hashers.LoadOrStore(site, member.NewPasswords(2, cheap))
	return p.(*member.Passwords)
}

func newMember(site *merchanttest.Site, username, password string) member.NewMember {
	return member.NewMember{
		MerchantID: site.ID, Username: username, Password: password, Type: member.Player, Currency: "VND", Language: "vi",
	}
}

func TestCreateAndVerify(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		ctx := t.Context()
		id, err := members.Create(ctx, newMember(site, "MinhAnh92", "tr0ng-vườn"))
		if err != nil {
			t.Fatal(err)
		}
		for name, password := range map[string]string{
			"MinhAnh92": "tr0ng-vườn", "MINHANH92": "tr0ng-vườn",
			"minhanh92": "tr0ng-vu\u031bo\u031b\u0300n", // composed by another keyboard
		} {
			if got, _, err := members.Verify(ctx, site.ID, name, password); got != id || err != nil {
				t.Errorf("verify %s %+q = %d, %v, want %d", name, password, got, err, id)
			}
			if _, err := members.Create(ctx, newMember(site, name, "khac-han1")); !errors.Is(err, member.ErrUsernameTaken) {
				t.Errorf("create %s again: %v, want ErrUsernameTaken", name, err)
			}
		}
		for _, c := range [][2]string{{"minhanh92", "tr0ng-vuon"}, {"minhanh92", ""}, {"nobody123", "tr0ng-vườn"}, {"", ""}} {
			if _, _, err := members.Verify(ctx, site.ID, c[0], c[1]); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("verify %q: %v, want ErrIncorrect", c, err)
			}
		}
		if _, _, err := members.Verify(ctx, site.ID+1, "minhanh92", "tr0ng-vườn"); !errors.Is(err, member.ErrIncorrect) {
			t.Errorf("verify at another merchant: %v, want ErrIncorrect", err)
		}
		var stored string
		if err := store.Reader.QueryRowContext(ctx, "SELECT password_hash FROM member").Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(stored, "$argon2id$v=19$m=64,t=1,p=1$") {
			t.Errorf("stored hash = %q, want argon2id with the given cost", stored)
		}
	})
}

// The lower case of the Kelvin sign is the letter k. PostgreSQL rejects U+0000.
func TestInvalidUsernamesAreUnknown(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		if _, err := members.Create(t.Context(), newMember(site, "kimchi92", "qua-xanh7")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"\u212aimchi92", "kimchi92\x00", "kimchi92 ", "kim\xff", "9kimchi", ""} {
			if _, _, err := members.Verify(t.Context(), site.ID, name, "qua-xanh7"); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("verify %q: %v, want ErrIncorrect", name, err)
			}
		}
	})
}

func TestLoginByTypeAndStatus(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		ctx := t.Context()
		for username, c := range map[string]struct {
			kind     member.Type
			disabled bool
			want     error
		}{
			"head001": {kind: member.HeadAgent},
			"trial01": {kind: member.Trial},
			"test001": {kind: member.Test, want: member.ErrNotMember},
			"robot01": {kind: member.Bot, want: member.ErrNotMember},
			"closed1": {kind: member.Player, disabled: true, want: member.ErrLocked},
		} {
			d := newMember(site, username, "qua-xanh7")
			d.Type = c.kind
			id, err := members.Create(ctx, d)
			if err != nil {
				t.Fatal(err)
			}
			if c.disabled {
				if _, err := store.Writer.ExecContext(ctx, "UPDATE member SET status = 'disabled' WHERE account = '"+username+"'"); err != nil {
					t.Fatal(err)
				}
			}
			got, _, err := members.Verify(ctx, site.ID, username, "qua-xanh7")
			if !errors.Is(err, c.want) || (err == nil && got != id) {
				t.Errorf("%s: %d %v, want %v", username, got, err, c.want)
			}
			if c.want == nil {
				continue
			}
			// Without the password, the fault reveals nothing.
			if _, _, err := members.Verify(ctx, site.ID, username, "qua-xanh8"); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("verify %s with a wrong password: %v, want ErrIncorrect", username, err)
			}
		}
		d := newMember(site, "strange1", "qua-xanh7")
		d.Type = 7
		if _, err := members.Create(ctx, d); !errors.Is(err, member.ErrTypeUnknown) {
			t.Errorf("create with an unknown type: %v, want ErrTypeUnknown", err)
		}
	})
}

func codeOf(err error) string {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return ""
	}
	return f.Code
}

func TestUsernameAndPasswordRules(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	members := newMembers(t, site)
	const good, name, password = "qua-xanh7", "member.username_format", "member.password_format"
	for _, c := range []struct{ username, password, want string }{
		{"abcde", good, name},
		{"abcdefghijklmnopq", good, name},
		{"1abcdef", good, name},
		{"abc def", good, name},
		{"abc-def", good, name},
		{"minhánh", good, name},
		{"abcdef٣", good, name},
		{"", good, "validation.required"},
		{"   ", good, "validation.required"},
		{"abcdef", good, ""},
		{"abcdefghijklmno1", good, ""},
		{"player1", "", "member.password_required"},
		{"player1", "short1a", password},
		{"player1", "onlyletters", password},
		{"player1", "1234567890", password},
		{"player1", "tab\there12", password},
		{"player1", "bad\xffutf8a", password},
		{"player1", strings.Repeat("a1", 32) + "x", password},
		{"player1", "Password1", "member.password_common"},
		{"player1", "QWERTY123", "member.password_common"},
		{"player1", "matkhau123", "member.password_common"},
		{"player2", strings.Repeat("a1", 32), ""}, // 64 characters
		{"player3", "mật khẩu dài 1", ""},
	} {
		_, err := members.Create(t.Context(), newMember(site, c.username, c.password))
		if codeOf(err) != c.want || c.want == "" && err != nil {
			t.Errorf("%q %q: %v, want %q", c.username, c.password, err, c.want)
		}
		if err != nil && c.password != "" && strings.Contains(err.Error(), c.password) {
			t.Errorf("the error contains the password: %v", err)
		}
	}
}

func TestCreateUsesTheRulesOfTheForm(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members, ctx := newMembers(t, site), t.Context()
		for setting, value := range map[merchant.Setting]string{"member.username": `{"min":4,"max":20}`, "member.password": `{"min":10,"max":50}`} {
			if err := site.Merchants.Set(ctx, site.ID, setting, json.RawMessage(value)); err != nil {
				t.Fatal(err)
			}
		}
		rules, err := site.Merchants.Rules(ctx, site.ID)
		if err != nil {
			t.Fatal(err)
		}
		const good = "qua-xanh-77"
		compare := func(field, value string, d member.NewMember) {
			t.Helper()
			want := rules.Refuse(field, value, nil)
			_, err := members.Create(ctx, d)
			if diff := cmp.Diff(visible(want), visible(err), cmpopts.IgnoreUnexported(fault.Fault{})); diff != "" {
				t.Errorf("%s %.30q (-rule +create):\n%s", field, value, diff)
			}
		}
		for _, username := range []string{"abc", "abcd", " Spaced7\u3000", "1bcd", "ab\u202ecd", "ａｂｃｄ", strings.Repeat("b", 20), strings.Repeat("b", 21)} {
			compare("username", username, newMember(site, username, good))
		}
		for i, password := range []string{"", "abcdefgh1", "abcdefghi1", " abcdefgh1", strings.Repeat("a1", 25), strings.Repeat("a1", 25) + "a", "a\u0000bcdefghi1"} {
			compare("password", password, newMember(site, fmt.Sprintf("player%d", i), password))
		}
		if _, err := members.Find(ctx, site.ID, "spaced7"); err != nil {
			t.Errorf("find a name created with outer spaces: %v", err)
		}
	})
}

// visible returns the parts of a fault that a form shows.
func visible(err error) fault.Fault {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return fault.Fault{}
	}
	return fault.Fault{Kind: f.Kind, Code: f.Code, Field: f.Field, Args: f.Args}
}

// A failingLedger fails to open accounts once.
type failingLedger struct {
	member.Ledger
	err error
}

func (f *failingLedger) EnsureMemberIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, currency string) error {
	if err := f.err; err != nil {
		f.err = nil
		return err
	}
	return f.Ledger.EnsureMemberIn(ctx, tx, merchantID, memberID, currency)
}

// Without the rollback, the username would stay taken by a member without accounts.
func TestCreateRollsBackWithoutAccounts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		books := ledger.New(store, ledger.Options{})
		t.Cleanup(books.Close)
		broken := errors.New("broken")
		members := membersWith(site, &failingLedger{books, broken})
		if _, err := members.Create(t.Context(), newMember(site, "minhanh92", "qua-xanh7")); !errors.Is(err, broken) {
			t.Fatalf("error = %v, want %v", err, broken)
		}
		if _, err := members.Find(t.Context(), site.ID, "minhanh92"); !errors.Is(err, member.ErrUnknown) {
			t.Errorf("find after the failure: %v, want ErrUnknown", err)
		}
		id, err := members.Create(t.Context(), newMember(site, "minhanh92", "qua-xanh7"))
		if err != nil {
			t.Fatal(err)
		}
		accounts, err := books.Balances(t.Context(), id)
		if err != nil || len(accounts) != 2 || accounts[0].Currency != "VND" || accounts[1].Currency != "VND" {
			t.Errorf("accounts = %+v, %v, want two in VND", accounts, err)
		}
	})
}

func TestFind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		d := newMember(site, "MinhAnh92", "qua-xanh7")
		id, err := members.Create(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := members.Find(t.Context(), site.ID, "minhANH92"); got.ID != id || got.Currency != "VND" || err != nil {
			t.Errorf("find: %+v %v, want id %v and currency VND", got, err, id)
		}
		if _, err := members.Find(t.Context(), site.ID, "nobody1"); !errors.Is(err, member.ErrUnknown) {
			t.Errorf("find an unknown name: %v, want ErrUnknown", err)
		}
	})
}

func TestTrialMembersOnlyHavePlayMoney(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		books := ledger.New(store, ledger.Options{})
		t.Cleanup(books.Close)
		members := membersWith(site, books)
		for username, c := range map[string]struct {
			kind member.Type
			want string
		}{"trial01": {member.Trial, "FUN"}, "player1": {member.Player, "VND"}, "test001": {member.Test, "VND"}, "staff01": {member.Staff, "VND"}, "robot01": {member.Bot, "VND"}} {
			d := newMember(site, username, "qua-xanh7")
			d.Type = c.kind
			id, err := members.Create(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			var currency string
			if err := db.Bind(store.Engine, store.Reader).QueryRowContext(t.Context(), "SELECT currency FROM member WHERE id = $1", id).Scan(&currency); err != nil || currency != c.want {
				t.Errorf("currency of %s = %s, want %s (%v)", username, currency, c.want, err)
			}
			accounts, err := books.Balances(t.Context(), id)
			if err != nil || len(accounts) != 2 {
				t.Errorf("accounts of %s = %+v, %v, want two", username, accounts, err)
			}
			for _, a := range accounts {
				if a.Currency != c.want {
					t.Errorf("%s has an account in %s, want %s", username, a.Currency, c.want)
				}
			}
		}
	})
}

func TestUnknownAccountCostsTheSame(t *testing.T) {
	t.Parallel()
	passwords := member.NewPasswords(1, cheap)
	stored, err := passwords.Hash(t.Context(), "qua-xanh7")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{stored, ""} {
		before := passwords.HashCount()
		if right, err := passwords.Matches(t.Context(), s, "qua-xanh8"); right || err != nil || passwords.HashCount() != before+1 {
			t.Errorf("match with %.10q = %v, %v after %d hashes, want false after 1", s, right, err, passwords.HashCount()-before)
		}
	}
	if ok, err := passwords.Matches(t.Context(), "", "qua-xanh7"); ok || err != nil {
		t.Errorf("match with an empty hash = %v, %v, want false", ok, err)
	}
	for _, damaged := range []string{"plain", "$argon2id$v=19$m=19456,t=2,p=1$", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA", "$2a$10$abc"} {
		if ok, err := passwords.Matches(t.Context(), damaged, "x"); ok || err == nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("match with %q = %v, %v, want an internal error", damaged, ok, err)
		}
	}
}

func TestHashesAreSalted(t *testing.T) {
	t.Parallel()
	passwords := member.NewPasswords(2, cheap)
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			h, err := passwords.Hash(t.Context(), "qua-xanh7")
			if err != nil {
				t.Errorf("got %v, want no error", err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[h] = true
		})
	}
	all.Wait()
	if len(seen) != 4 {
		t.Errorf("%d different hashes, want 4", len(seen))
	}
}
