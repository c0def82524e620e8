package cashier_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// movements returns the owner's movements as WALLET AMOUNT BALANCE, and the number of all movements in the totals.
func (s walletSite) movements(t *testing.T, query string) (list string, all int64, next string) {
	t.Helper()
	s.Refill()
	r := s.Call(t, "GET", "/wps/report/transaction?"+query, nil, "Authorization", "owner")
	var reply reportReply
	if err := json.Unmarshal(r.Body, &reply); err != nil || r.Status != http.StatusOK {
		t.Fatalf("%s: got %d %s (%v), want 200", query, r.Status, r.Body, err)
	}
	var words []string
	for _, m := range reply.Value.List {
		words = append(words, fmt.Sprint(m.Wallet, " ", m.Amount, " ", m.Balance))
	}
	if reply.Value.Totals != nil {
		all = reply.Value.Totals.Movements
	}
	return strings.Join(words, ", "), all, reply.Value.Next
}

// hold moves cash of the owner to the held account, as a withdrawal does.
func (s walletSite) hold(t *testing.T, amount int64) {
	t.Helper()
	held, err := s.Store.Q().AccountOfMember(t.Context(), sql.NullInt64{Int64: owner, Valid: true}, ledger.Held, "VND")
	if err != nil {
		t.Fatal(err)
	}
	cash := s.Fund(t, owner, "VND", 0)
	_, err = s.Server.Ledger.Post(t.Context(), ledger.Transfer{Key: "hold", Debit: cash.ID, Credit: held.ID, Amount: money.Minor(amount), Kind: ledger.KindHold, RefType: "test", RefID: "hold"})
	if err != nil {
		t.Fatal(err)
	}
}

// The filter by wallet shows the movements of one wallet. Held money is in no wallet, and a wallet that does not exist has no
// movements. The totals count all wallets.
func TestCA31PartMovementsOfAWallet(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newWalletSite(t, store)
		for _, step := range []struct {
			from, to string
			amount   int
		}{{"main", "FISH", 300}, {"FISH", "main", 100}} {
			if r := s.transfer(t, step.from, step.to, step.amount); r.Status != http.StatusOK {
				t.Fatalf("%s to %s: got %d %s, want 200", step.from, step.to, r.Status, r.Body)
			}
		}
		s.hold(t, 50)
		const main, fish = "main -50 750, main 100 800, main -300 700, main 1000 1000", "FISH -100 200, FISH 300 300"
		for _, keeps := range []bool{true, false} { // money and movements stay visible when the vendor no longer keeps wallets
			s.keepWallets(t, keeps)
			for wallet, want := range map[string]string{
				"main": main, "FISH": fish, "bonus": "", "REEL": "", "NOSUCH": "", "fish": "", "MAIN": "", "held": "", "cash": "", "wallet:FISH": "", "%25": "", "main%20": "",
			} {
				got, all, next := s.movements(t, "wallet="+wallet)
				if got != want || all != 6 || next != "" {
					t.Errorf("movements of %s: got %q, %d in all, next page %q; want %q, 6 in all and no next page", wallet, got, all, next, want)
				}
			}
		}
		if got, _, _ := s.movements(t, "wallet=FISH&kind=transfer"); got != fish {
			t.Errorf("transfers of FISH: got %q, want %q", got, fish)
		}
		if got, _, _ := s.movements(t, "wallet=FISH&kind=adjustment"); got != "" {
			t.Errorf("adjustments of FISH: got %q, want none", got)
		}
		var paged []string
		for cursor, more := "", true; more; more = cursor != "" {
			one, _, next := s.movements(t, "wallet=main&pageSize=1&cursor="+cursor)
			paged, cursor = append(paged, one), next
		}
		if got := strings.Join(paged, ", "); got != main {
			t.Errorf("pages of the main wallet: got %q, want %q", got, main)
		}
		file := s.Call(t, "GET", "/wps/report/transaction?format=csv&wallet=FISH", nil, "Authorization", "owner")
		if text := string(file.Body); strings.Count(text, "\n") != 3 || strings.Count(text, ",FISH,") != 2 {
			t.Errorf("file of FISH: got %d %s, want a header and two rows", file.Status, text)
		}
		if r := s.Call(t, "GET", "/wps/report/transaction?wallet="+strings.Repeat("A", 65), nil, "Authorization", "owner"); r.Status != http.StatusBadRequest || !strings.Contains(string(r.Body), `"field":"wallet"`) {
			t.Errorf("a code of 65 characters: got %d %s, want 400 for wallet", r.Status, r.Body)
		}
		s.VerifyLedger(t)
	})
}
