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

// cheap lets tests make many hashes; what those cost for real is none of what they show.
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

// hashers are the passwords of each site, for tests that count what they do.
var hashers sync.Map

func passwords(site *merchanttest.Site) *member.Passwords {
	p, _ := hashers.LoadOrStore(site, member.NewPasswords(2, cheap))
	return p.(*member.Passwords)
}

func draft(site *merchanttest.Site, username, password string) member.Draft {
	return member.Draft{
		MerchantID: site.ID, Username: username, Password: password, Type: member.Player, Currency: "VND", Language: "vi",
	}
}

func TestCreateAndVerify(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		ctx := t.Context()
		id, err := members.Create(ctx, draft(site, "MinhAnh92", "tr0ng-vườn"))
		if err != nil {
			t.Fatal(err)
		}
		for name, password := range map[string]string{
			"MinhAnh92": "tr0ng-vườn", "MINHANH92": "tr0ng-vườn",
			"minhanh92": "tr0ng-vu\u031bo\u031b\u0300n", // the same, as another keyboard composes it
		} {
			if got, _, err := members.Verify(ctx, site.ID, name, password); got != id || err != nil {
				t.Errorf("%s %+q: %d %v", name, password, got, err)
			}
			if _, err := members.Create(ctx, draft(site, name, "khac-han1")); !errors.Is(err, member.ErrUsernameTaken) {
				t.Errorf("%s a second time: %v", name, err)
			}
		}
		for _, c := range [][2]string{{"minhanh92", "tr0ng-vuon"}, {"minhanh92", ""}, {"nobody123", "tr0ng-vườn"}, {"", ""}} {
			if _, _, err := members.Verify(ctx, site.ID, c[0], c[1]); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("%q: %v", c, err)
			}
		}
		if _, _, err := members.Verify(ctx, site.ID+1, "minhanh92", "tr0ng-vườn"); !errors.Is(err, member.ErrIncorrect) {
			t.Errorf("at another merchant: %v", err)
		}
		var stored string
		if err := store.Reader.QueryRowContext(ctx, "SELECT password_hash FROM member").Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(stored, "$argon2id$v=19$m=64,t=1,p=1$") {
			t.Errorf("argon2id: stored as %q", stored)
		}
	})
}

// The Kelvin sign's lower case is the letter k; U+0000 is a fault to one of the databases.
func TestNamesThatNoAccountCanHave(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		if _, err := members.Create(t.Context(), draft(site, "kimchi92", "qua-xanh7")); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"\u212aimchi92", "kimchi92\x00", "kimchi92 ", "kim\xff", "9kimchi", ""} {
			if _, _, err := members.Verify(t.Context(), site.ID, name, "qua-xanh7"); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("%q: %v", name, err)
			}
		}
	})
}

func TestWhoMayLogIn(t *testing.T) {
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
			d := draft(site, username, "qua-xanh7")
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
			// A stranger without the password learns nothing of the kind.
			if _, _, err := members.Verify(ctx, site.ID, username, "qua-xanh8"); !errors.Is(err, member.ErrIncorrect) {
				t.Errorf("%s with a wrong password: %v", username, err)
			}
		}
		d := draft(site, "strange1", "qua-xanh7")
		d.Type = 7
		if _, err := members.Create(ctx, d); !errors.Is(err, member.ErrTypeUnknown) {
			t.Errorf("unknown type: %v", err)
		}
	})
}

// codeOf is the code of a refusal, empty when there is none.
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
		_, err := members.Create(t.Context(), draft(site, c.username, c.password))
		if codeOf(err) != c.want || c.want == "" && err != nil {
			t.Errorf("%q %q: %v, want %q", c.username, c.password, err, c.want)
		}
		if err != nil && c.password != "" && strings.Contains(err.Error(), c.password) {
			t.Errorf("errors carry no password: %v", err)
		}
	}
}

// Whoever is made by an operator is judged by the very rules that the registration's form is, bounds and all.
func TestRulesOfAMadeMemberAreThoseOfTheForm(t *testing.T) {
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
		judge := func(field, value string, d member.Draft) {
			t.Helper()
			want := rules.Refuse(field, value, nil)
			_, err := members.Create(ctx, d)
			if diff := cmp.Diff(reachable(want), reachable(err), cmpopts.IgnoreUnexported(fault.Fault{})); diff != "" {
				t.Errorf("%s %.30q (-rule +made):\n%s", field, value, diff)
			}
		}
		for _, username := range []string{"abc", "abcd", " Spaced7\u3000", "1bcd", "ab\u202ecd", "ａｂｃｄ", strings.Repeat("b", 20), strings.Repeat("b", 21)} {
			judge("username", username, draft(site, username, good))
		}
		for i, password := range []string{"", "abcdefgh1", "abcdefghi1", " abcdefgh1", strings.Repeat("a1", 25), strings.Repeat("a1", 25) + "a", "a\u0000bcdefghi1"} {
			judge("password", password, draft(site, fmt.Sprintf("player%d", i), password))
		}
		if _, err := members.Find(ctx, site.ID, "spaced7"); err != nil {
			t.Errorf("outer spaces are no part of a name: %v", err)
		}
	})
}

// reachable is what of a fault reaches a form.
func reachable(err error) fault.Fault {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return fault.Fault{}
	}
	return fault.Fault{Kind: f.Kind, Code: f.Code, Field: f.Field, Args: f.Args}
}

// unlucky fails to open accounts once.
type unlucky struct {
	member.Ledger
	err error
}

func (u *unlucky) EnsureMemberIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, currency string) error {
	if err := u.err; err != nil {
		u.err = nil
		return err
	}
	return u.Ledger.EnsureMemberIn(ctx, tx, merchantID, memberID, currency)
}

// A member without accounts could not be paid, and the name would be taken for good.
func TestMemberAndAccountsAreMadeTogether(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		books := ledger.New(store, ledger.Options{})
		t.Cleanup(books.Close)
		sorry := errors.New("sorry")
		members := membersWith(site, &unlucky{books, sorry})
		if _, err := members.Create(t.Context(), draft(site, "minhanh92", "qua-xanh7")); !errors.Is(err, sorry) {
			t.Fatalf("%v", err)
		}
		if _, err := members.Find(t.Context(), site.ID, "minhanh92"); !errors.Is(err, member.ErrUnknown) {
			t.Errorf("left behind: %v", err)
		}
		id, err := members.Create(t.Context(), draft(site, "minhanh92", "qua-xanh7"))
		if err != nil {
			t.Fatal(err)
		}
		accounts, err := books.Balances(t.Context(), id)
		if err != nil || len(accounts) != 2 || accounts[0].Currency != "VND" || accounts[1].Currency != "VND" {
			t.Errorf("%+v %v", accounts, err)
		}
	})
}

func TestFind(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		members := newMembers(t, site)
		d := draft(site, "MinhAnh92", "qua-xanh7")
		id, err := members.Create(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := members.Find(t.Context(), site.ID, "minhANH92"); got.ID != id || got.Currency != "VND" || err != nil {
			t.Errorf("find: %+v %v", got, err)
		}
		if _, err := members.Find(t.Context(), site.ID, "nobody1"); !errors.Is(err, member.ErrUnknown) {
			t.Errorf("find nobody: %v", err)
		}
	})
}

// Play money and real money never meet in one member.
func TestTrialMembersHavePlayMoneyOnly(t *testing.T) {
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
			d := draft(site, username, "qua-xanh7")
			d.Type = c.kind
			id, err := members.Create(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			var currency string
			if err := db.Bind(store.Engine, store.Reader).QueryRowContext(t.Context(), "SELECT currency FROM member WHERE id = $1", id).Scan(&currency); err != nil || currency != c.want {
				t.Errorf("%s counts in %s, not %s (%v)", username, currency, c.want, err)
			}
			accounts, err := books.Balances(t.Context(), id)
			if err != nil || len(accounts) != 2 {
				t.Errorf("%s: %+v %v", username, accounts, err)
			}
			for _, a := range accounts {
				if a.Currency != c.want {
					t.Errorf("%s has an account in %s", username, a.Currency)
				}
			}
		}
	})
}

func TestUnknownAccountsCostTheSame(t *testing.T) {
	t.Parallel()
	passwords := member.NewPasswords(1, cheap)
	stored, err := passwords.Hash(t.Context(), "qua-xanh7")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{stored, ""} {
		before := passwords.HashCount()
		if right, err := passwords.Matches(t.Context(), s, "qua-xanh8"); right || err != nil || passwords.HashCount() != before+1 {
			t.Errorf("%.10q: %v %v, %d hashes", s, right, err, passwords.HashCount()-before)
		}
	}
	if ok, err := passwords.Matches(t.Context(), "", "qua-xanh7"); ok || err != nil {
		t.Errorf("an account that does not exist matched: %v %v", ok, err)
	}
	for _, damaged := range []string{"plain", "$argon2id$v=19$m=19456,t=2,p=1$", "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA", "$2a$10$abc"} {
		if ok, err := passwords.Matches(t.Context(), damaged, "x"); ok || err == nil || fault.KindOf(err) != fault.Internal {
			t.Errorf("%q: %v %v", damaged, ok, err)
		}
	}
}

func TestHashesAreBoundedAndSalted(t *testing.T) {
	t.Parallel()
	passwords := member.NewPasswords(2, cheap)
	var mu sync.Mutex
	seen := map[string]bool{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			h, err := passwords.Hash(t.Context(), "qua-xanh7")
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			seen[h] = true
		})
	}
	all.Wait()
	if len(seen) != 4 {
		t.Errorf("%d different hashes of 4", len(seen))
	}
}
