package desk_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

type site struct {
	*servertest.Site

	t *testing.T
}

func newSite(t *testing.T, store *db.Store) *site {
	t.Helper()
	return &site{servertest.New(t, store, servertest.Options(func(o *server.Options) { o.Demo = false })), t}
}

// An operator is logged in and may make dangerous calls.
type operator struct {
	*site

	cookie string
}

func (s *site) operator(name string, merchantID int64, roles ...string) *operator {
	s.t.Helper()
	draft, password, err := s.Server.Operators.NewDraft(s.t.Context(), name, roles, merchantID)
	draft.Given = false // tests of the first login change the password, others do not
	if err == nil {
		err = s.Store.Write(s.t.Context(), func(tx *db.Tx) error { return s.Server.Operators.CreateIn(s.t.Context(), tx, draft) })
	}
	if err != nil {
		s.t.Fatal(err)
	}
	o := &operator{site: s}
	type step struct{ Secret string }
	secret := merchanttest.Value[step](s.t, o.post("/ops/v1/session", map[string]any{"name": name, "password": password})).Secret
	for _, path := range []string{"/ops/v1/session/code", "/ops/v1/session/confirm"} {
		s.Clock.Add(30 * time.Second)
		code, err := totp.GenerateCode(secret, s.Clock.Now())
		if err != nil {
			s.t.Fatal(err)
		}
		want(s.t, o.post(path, map[string]any{"code": code}), 200, "")
	}
	return o
}

func (o *operator) call(method, path string, body any) merchanttest.Reply {
	o.t.Helper()
	o.Refill()
	r := o.Call(o.t, method, path, body, "Cookie", "fairground_operator="+o.cookie)
	for _, c := range (&http.Response{Header: r.Header}).Cookies() {
		if c.Name == "fairground_operator" {
			o.cookie = c.Value
		}
	}
	return r
}

func (o *operator) get(path string) merchanttest.Reply { return o.call(http.MethodGet, path, nil) }

func (o *operator) post(path string, body any) merchanttest.Reply {
	return o.call(http.MethodPost, path, body)
}

func want(t *testing.T, r merchanttest.Reply, status int, text string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), text) {
		t.Errorf("reply = %d %s, want %d with %q", r.Status, r.Body, status, text)
	}
}

type members struct {
	List []struct {
		ID, Username, Mobile, Email, Status string
		Version                             int64
	}
}

func (o *operator) find(query string) (names string) {
	o.t.Helper()
	for _, m := range merchanttest.Value[members](o.t, o.get("/ops/v1/members?"+query)).List {
		names += m.Username + " "
	}
	return strings.TrimSpace(names)
}

func TestMembers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		lan := s.Register(t, member.NewMember{Username: "lan2024", Password: "Harbour77x", Nickname: "Nguyễn Thị Lan"})
		minh := s.Register(t, member.NewMember{Username: "minh99", Password: "Harbour77x"})
		s.Exec(t, "UPDATE member SET mobile = '+84912345678', email = 'Lan@Example.com', payee_name = '=cmd' WHERE id = $1", lan)
		if err := s.Server.MemberDesk.IndexNames(t.Context()); err != nil {
			t.Fatal(err)
		}
		support, auditor := s.operator("support", 0, "support"), s.operator("auditor", 0, "auditor")
		for query, names := range map[string]string{
			"q=lan": "lan2024", "q=thi": "lan2024", "q=nguyen+thi": "lan2024", "q=0912345": "lan2024", "q=lan%40ex": "lan2024", "q=zzz": "",
			fmt.Sprintf("q=%d", minh): "minh99", "state=disabled": "", "tag=vip": "",
		} {
			if got := support.find(query); got != names {
				t.Errorf("%s: %q, want %q", query, got, names)
			}
		}
		// Without member.edit, contacts are masked and cannot be found by a prefix.
		for query, names := range map[string]string{"q=0912345": "", "q=0912345678": "lan2024", "q=lan%40ex": "", "q=lan%40example.com": "lan2024"} {
			if got := auditor.find(query); got != names {
				t.Errorf("auditor, %s: %q, want %q", query, got, names)
			}
		}
		path := fmt.Sprintf("/ops/v1/members/%d", lan)
		want(t, auditor.get(path), 200, `"mobile":"***678","email":"L***@Example.com"`)
		want(t, support.get(path), 200, `"mobile":"+84912345678","email":"Lan@Example.com"`)
		want(t, support.get("/ops/v1/members?format=csv"), 200, ",'=cmd,")

		token := s.Login(t, "lan2024", "Harbour77x")
		want(t, s.Call(t, http.MethodGet, "/wps/session/list", nil, "Authorization", token), 200, "")
		want(t, support.get(path+"/sessions"), 200, `"status":"open"`)
		want(t, support.get(path+"/shared"), 200, `"list":[]`)
		for i, owner := range []int64{lan, minh} {
			s.Exec(t, "INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at) VALUES ($1, $2, $3, 'VCB', $4, '1234', $5, TRUE, 1)",
				i+1, s.ID, owner, []byte("sealed"), []byte("same account"))
		}
		want(t, support.get(path+"/shared"), 200, `"username":"minh99","status":"active","kind":"card","value":"VCB ***1234"`)
		want(t, auditor.post(path+"/disable", map[string]any{"version": 1}), 403, "ops.forbidden")
		want(t, support.post(path+"/disable", map[string]any{"version": 1, "reason": "asked"}), 200, "")
		want(t, support.post(path+"/enable", map[string]any{"version": 1}), 409, "ops.stale")
		want(t, s.Call(t, http.MethodGet, "/wps/session/list", nil, "Authorization", token), 401, "")
		want(t, support.post(path+"/enable", map[string]any{"version": 2}), 200, "")
		want(t, support.post(path+"/logout", map[string]any{"version": 3}), 200, "")
		want(t, support.post(path+"/approve", map[string]any{"version": 4}), 404, "limits.not_held")
		type reply struct{ Password string }
		password := merchanttest.Value[reply](t, support.post(path+"/reset-password", map[string]any{"version": 4})).Password
		s.Login(t, "lan2024", password)
		s.Exec(t, "UPDATE member SET payment_hash = 'set' WHERE id = $1", lan)
		want(t, support.post(path+"/reset-payment-password", map[string]any{"version": 5}), 200, "")
		if n := s.Count(t, "member WHERE payment_hash = 'set'"); n != 0 {
			t.Errorf("payment passwords after the reset: got %d, want 0", n)
		}
		want(t, support.get(path), 200, `"mustChangePassword":true`)

		note := "<script>alert(1)</script>"
		want(t, support.post(path+"/notes", map[string]any{"text": note}), 200, "")
		if got := merchanttest.Value[struct {
			List []struct{ Text, Operator string }
		}](t, support.get(path+"/notes")).List; len(got) != 1 || got[0].Text != note || got[0].Operator != "support" {
			t.Errorf("notes = %+v, want the text unchanged", got)
		}
		ids := []string{fmt.Sprint(lan), fmt.Sprint(minh)}
		want(t, support.post("/ops/v1/members/tag", map[string]any{"ids": ids, "tag": "vip"}), 200, `"changed":2`)
		if got := support.find("tag=vip"); got != "minh99 lan2024" {
			t.Errorf("tagged = %q, want both", got)
		}
		want(t, support.post("/ops/v1/members/disable", map[string]any{"ids": append(ids, "5")}), 404, "member.unknown")
		if got := support.find("state=disabled"); got != "" {
			t.Errorf("disabled = %q, want none, because one id is unknown", got)
		}
		if got := s.Count(t, "audit WHERE action = 'member.tag'"); got != 2 {
			t.Errorf("%d audit rows of the tag, want one for each member", got)
		}

		second, err := s.Merchants.Ensure(t.Context(), "second", "Second", "VND")
		if err != nil {
			t.Fatal(err)
		}
		other := s.operator("other", second, "owner")
		if got := other.find("q=lan") + other.find(""); got != "" {
			t.Errorf("another merchant's operator finds %q, want nobody", got)
		}
		for _, call := range []string{"", "/sessions", "/notes", "/shared", "/limits", "/wallets"} {
			want(t, other.get(path+call), 404, "member.unknown")
		}
		want(t, other.post(path+"/disable", map[string]any{"version": 5}), 404, "member.unknown")
		want(t, other.post(path+"/break", map[string]any{"version": 5, "period": "24h"}), 404, "member.unknown")
	})
}

func TestBreakAndCorrection(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		lan := s.Register(t, member.NewMember{Username: "lan2024", Password: "Harbour77x"})
		path := fmt.Sprintf("/ops/v1/members/%d", lan)
		one := s.operator("one", 0, "owner")
		want(t, one.post(path+"/break", map[string]any{"version": 1, "period": "1w", "reason": "asked"}), 200, "")
		want(t, one.post(path+"/break", map[string]any{"version": 2, "period": "24h"}), 422, "limits.break_stands")
		want(t, one.get(path+"/limits"), 200, `"period":"1w"`)

		adjust := map[string]any{"memberId": fmt.Sprint(lan), "amount": 500, "reason": "goodwill", "key": "k1"}
		want(t, one.post("/ops/v1/transfers", adjust), 200, `"value":{}`) // alone: at once
		two := s.operator("two", 0, "finance")
		adjust["key"], adjust["amount"] = "k2", -100
		first := one.post("/ops/v1/transfers", adjust)
		want(t, first, 200, `"state":"waiting"`)
		if again := one.post("/ops/v1/transfers", adjust); string(again.Body) != string(first.Body) {
			t.Errorf("repeated request = %s, want %s", again.Body, first.Body)
		}
		adjust["amount"] = -101
		want(t, one.post("/ops/v1/transfers", adjust), 409, "ledger.key_conflict")
		id := merchanttest.Value[struct{ Approval struct{ ID string } }](t, first).Approval.ID
		want(t, one.post("/ops/v1/approvals/"+id, map[string]any{"decision": "approve"}), 403, "ops.same_person")
		want(t, one.get(path+"/wallets"), 200, `"balance":500`)
		want(t, two.post("/ops/v1/approvals/"+id, map[string]any{"decision": "approve"}), 200, "approved")
		want(t, one.get(path+"/wallets"), 200, `"balance":400`)
		s.VerifyLedger(t)

		type transfers struct {
			List []struct{ ID, Kind, ToMember string }
		}
		for query, n := range map[string]int{"": 2, "q=k2": 1, "q=none": 0, "kind=adjustment": 2, "kind=bet": 0, fmt.Sprintf("member=%d", lan): 2, "pageSize=1": 1, "to=5": 0} {
			if got := merchanttest.Value[transfers](t, one.get("/ops/v1/transfers?"+query)).List; len(got) != n {
				t.Errorf("%s: %d transfers, want %d", query, len(got), n)
			}
		}
		all := merchanttest.Value[transfers](t, one.get("/ops/v1/transfers")).List
		want(t, one.get("/ops/v1/transfers/"+all[0].ID), 200, `"amount":-100,"after":400`)
		second, err := s.Merchants.Ensure(t.Context(), "second", "Second", "VND")
		if err != nil {
			t.Fatal(err)
		}
		other := s.operator("other", second, "owner")
		want(t, other.get("/ops/v1/transfers/"+all[0].ID), 404, "ledger.no_such_transfer")
		want(t, other.get("/ops/v1/transfers"), 200, `"list":[]`)
		want(t, other.get("/ops/v1/rounds"), 200, `"list":[]`)
		want(t, other.get("/ops/v1/rounds/1"), 404, "round.unknown")
		want(t, other.get("/ops/v1/protection"), 200, `"list":[]`)

		want(t, one.post("/ops/v1/ledger/verify", map[string]any{}), 200, "")
		want(t, one.post("/ops/v1/ledger/verify", map[string]any{}), 409, "ledger.check_running")
		want(t, one.get("/ops/v1/ledger"), 200, `"state":"waiting"`)
	})
}

// An operator's code must be confirmed before a password is reset. Other changes need no code.
func TestPasswordResetsNeedACode(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	path := fmt.Sprintf("/ops/v1/members/%d", s.Register(t, member.NewMember{Username: "lan2024", Password: "Harbour77x"}))
	support := s.operator("support", 0, "support")
	s.Clock.Add(6 * time.Minute) // a confirmed code counts for five minutes
	for _, action := range []string{"reset-password", "reset-payment-password"} {
		want(t, support.post(path+"/"+action, map[string]any{"version": 1}), 403, "ops.confirm")
	}
	want(t, support.post(path+"/logout", map[string]any{"version": 1}), 200, "")
}

func TestAccountsThatShareSomething(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		ids := map[string]int64{}
		for _, name := range []string{"lan2024", "minh99", "thao2024", "quang24", "hoa2024"} {
			ids[name] = s.Register(t, member.NewMember{Username: name, Password: "Harbour77x"})
		}
		second, err := s.Merchants.Ensure(t.Context(), "second", "Second", "VND")
		if err != nil {
			t.Fatal(err)
		}
		ids["elsewhere"] = s.Register(t, member.NewMember{MerchantID: second, Username: "elsewhere", Password: "Harbour77x"})
		login := func(name, device, address string) {
			id := s.IDs()
			s.Exec(t, "INSERT INTO session (id, member_id, token_hash, device, address, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, 1, 1, 1)", id, ids[name], fmt.Append(nil, id), device, address)
		}
		login("lan2024", "phone", "192.0.2.7")
		login("lan2024", "tablet", "192.0.2.7")
		login("minh99", "tablet", "192.0.2.8")
		login("thao2024", "", "192.0.2.7")
		login("quang24", "", "")
		login("elsewhere", "phone", "192.0.2.7")
		s.Exec(t, "UPDATE member SET mobile = '+84912345678' WHERE id IN ($1, $2)", ids["lan2024"], ids["elsewhere"])
		s.Exec(t, "INSERT INTO member_detail (member_id, name, value) VALUES ($1, 'mobileNum', '+84912345678')", ids["quang24"]) // not verified
		s.Exec(t, "UPDATE member SET status = 'disabled' WHERE id = $1", ids["quang24"])

		support, auditor := s.operator("support", 0, "support"), s.operator("auditor", 0, "auditor")
		type shared struct{ ID, Username, Status, Kind, Value string }
		read := func(o *operator, name string) []shared {
			t.Helper()
			return merchanttest.Value[struct{ List []shared }](t, o.get(fmt.Sprintf("/ops/v1/members/%d/shared", ids[name]))).List
		}
		account := func(name, status, kind, value string) shared {
			return shared{fmt.Sprint(ids[name]), name, status, kind, value}
		}
		for name, want := range map[string][]shared{
			"lan2024":  {account("minh99", "active", "device", "tablet"), account("thao2024", "active", "network", "192.0.2.7"), account("quang24", "disabled", "number", "+84912345678")},
			"minh99":   {account("lan2024", "active", "device", "tablet")},
			"thao2024": {account("lan2024", "active", "network", "192.0.2.7")},
			"quang24":  {account("lan2024", "active", "number", "+84912345678")},
			"hoa2024":  {},
		} {
			if got := read(support, name); !slices.Equal(got, want) {
				t.Errorf("accounts that share something with %s: got %+v, want %+v", name, got, want)
			}
		}
		if got, want := read(auditor, "quang24"), []shared{account("lan2024", "active", "number", "***678")}; !slices.Equal(got, want) {
			t.Errorf("number without member.edit: got %+v, want %+v", got, want)
		}
	})
}
