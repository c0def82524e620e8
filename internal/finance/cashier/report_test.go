package cashier_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/finance/cashier"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

type reportReply struct {
	Value struct {
		List []struct {
			Kind, Wallet, Reference string
			Amount, Balance         int64
		}
		Next   string
		Totals *struct{ Movements, Deposits, Withdrawals, Staked, Won, Result int64 }

		Lifetime *struct{ Deposits, Withdrawals, Net int64 }
	}
}

func TestTransactions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		const member, other = 601, 602
		site := servertest.New(t, store, servertest.Member(member, "wealthy", 1_000_000))
		site.AddMember(t, other, "newcomer")
		l := site.Server.Ledger
		cash, err := l.EnsureMember(t.Context(), site.ID, member, "VND")
		if err != nil {
			t.Fatal(err)
		}
		post := func(key, kind string, isCredit bool, house string, amount money.Minor) {
			t.Helper()
			houseAccount, err := l.House(t.Context(), site.ID, house, "VND")
			if err != nil {
				t.Fatal(err)
			}
			transfer := ledger.Transfer{Key: key, Debit: houseAccount.ID, Credit: cash.ID, Amount: amount, Kind: kind, RefType: "test", RefID: key}
			if !isCredit {
				transfer.Debit, transfer.Credit = transfer.Credit, transfer.Debit
			}
			if _, err := l.Post(t.Context(), transfer); err != nil {
				t.Fatal(err)
			}
		}
		post("D1", "deposit", true, ledger.Deposits, 500_000)
		post("B1", "vendor.bet", false, ledger.Vendor("JL"), 300_000)
		post("W1", "vendor.win", true, ledger.Vendor("JL"), 100_000)
		callers := merchanttest.Tokens{
			"member": {MemberID: member, MerchantID: site.ID, Currency: "VND"},
			"other":  {MemberID: other, MerchantID: site.ID, Currency: "VND"},
		}
		site.Serve(t, callers, func(a *rest.API) { cashier.ReportRoutes(a, l) })
		getReport := func(query, who string) (out reportReply) {
			t.Helper()
			r := site.Call(t, "GET", "/wps/report/transaction"+query, nil, "Authorization", who)
			if r.Status != http.StatusOK {
				t.Fatalf("%s: got %d %s", query, r.Status, r.Body)
			}
			if err := json.Unmarshal(r.Body, &out); err != nil {
				t.Fatal(err)
			}
			return out
		}

		t.Run("PP-02 part: won and lost totals, and lifetime net deposits", func(t *testing.T) {
			got := getReport("", "member").Value
			if len(got.List) != 4 || got.List[0].Kind != "win" || got.List[0].Balance != 1_300_000 || got.List[0].Reference != "W1" {
				t.Errorf("got %+v, want 4 movements, the win first", got.List)
			}
			if got.Totals.Staked != 300_000 || got.Totals.Won != 100_000 || got.Totals.Result != -200_000 {
				t.Errorf("got totals %+v, want 300000 staked, 100000 won, -200000", got.Totals)
			}
			if got.Lifetime.Net != got.Lifetime.Deposits || got.Lifetime.Deposits < 500_000 {
				t.Errorf("got lifetime %+v, want deposits only", got.Lifetime)
			}
		})
		t.Run("pages contain every movement once", func(t *testing.T) {
			var found []string
			for cursor := ""; ; {
				got := getReport("?pageSize=3&cursor="+cursor, "member").Value
				for _, m := range got.List {
					found = append(found, m.Reference)
				}
				if (got.Totals == nil) != (cursor != "") {
					t.Errorf("got totals %v on the page after %q, want them on the first only", got.Totals, cursor)
				}
				if cursor = got.Next; cursor == "" {
					break
				}
			}
			if len(found) != 4 || strings.Join(found[:3], " ") != "W1 B1 D1" {
				t.Errorf("got %q, want W1 B1 D1 and the first deposit", found)
			}
		})
		t.Run("filters", func(t *testing.T) {
			if got := getReport("?kind=bet", "member").Value.List; len(got) != 1 || got[0].Amount != -300_000 {
				t.Errorf("got %+v, want the bet", got)
			}
			if got := getReport("?to=1", "member").Value; len(got.List) != 0 || got.Totals.Movements != 0 {
				t.Errorf("got %+v, want nothing in 1970", got)
			}
			if got := getReport("", "other").Value.List; len(got) != 0 {
				t.Errorf("got %+v, want no movements of the other member", got)
			}
		})
		t.Run("CSV has all rows", func(t *testing.T) {
			r := site.Call(t, "GET", "/wps/report/transaction?format=csv", nil, "Authorization", "member")
			if lines := strings.Count(string(r.Body), "\n"); lines != 5 || !strings.Contains(string(r.Body), ",bet,main,-300000,1200000,VND,B1") {
				t.Errorf("got %d lines of %s, want a header and 4 rows", lines, r.Body)
			}
		})
		t.Run("CA-31 part: a bad cursor is refused", func(t *testing.T) {
			r := site.Call(t, "GET", "/wps/report/transaction?cursor=!", nil, "Authorization", "member")
			if r.Status != http.StatusBadRequest {
				t.Errorf("got %d %s, want 400", r.Status, r.Body)
			}
		})
		t.Run("PP-02 part: bets and wins of the lottery count", func(t *testing.T) {
			post("L1", "lottery.bet", false, ledger.Vendor("JL"), 20_000)
			post("L2", "lottery.win", true, ledger.Vendor("JL"), 19_100)
			post("L3", "lottery.rebate", true, ledger.Vendor("JL"), 300)
			if got := getReport("", "member").Value.Totals; got.Staked != 320_000 || got.Won != 119_400 {
				t.Errorf("got totals %+v, want 320000 staked and 119400 won", got)
			}
			if got := getReport("?kind=bet", "member").Value.List; len(got) != 2 {
				t.Errorf("got %+v, want both bets", got)
			}
		})
	})
}
