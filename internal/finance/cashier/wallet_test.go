package cashier_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

// A walletSite is a site with a member who has 1,000 VND, and two vendors of which one keeps wallets.
type walletSite struct {
	*servertest.Site
}

const owner = 501

func newWalletSite(t *testing.T, store *db.Store) walletSite {
	t.Helper()
	s := walletSite{servertest.New(t, store, servertest.Member(owner, "wealthy", 1_000), servertest.Vendor("FISH"), servertest.Vendor("REEL"))}
	s.Serve(t, merchanttest.Tokens{
		"owner": s.Caller(owner, "wealthy"), "trial": {MemberID: 703, MerchantID: s.ID, Type: rest.Trial, Currency: "VND"},
	}, func(a *rest.API) { s.Server.Routes(a, nil) })
	s.keepWallets(t, true)
	return s
}

// keepWallets sets whether the vendor FISH keeps wallets.
func (s walletSite) keepWallets(t *testing.T, keeps bool) {
	t.Helper()
	s.Exec(t, "UPDATE vendor SET own_wallet = $1 WHERE code = 'FISH'", keeps)
}

func (s walletSite) transfer(t *testing.T, from, to string, amount any, headers ...string) merchanttest.Reply {
	t.Helper()
	return s.Call(t, "POST", "/wps/transaction/transfer", map[string]any{"from": from, "to": to, "amount": amount}, append([]string{"Authorization", "owner"}, headers...)...)
}

// wallets returns the balances by the wallets' codes.
func (s walletSite) wallets(t *testing.T) map[string]string {
	t.Helper()
	list := merchanttest.Value[struct {
		Wallets []struct {
			Code    string
			Balance json.Number
		}
	}](t, s.Call(t, "GET", "/wps/v2/wallets/merchant", nil, "Authorization", "owner"))
	out := map[string]string{}
	for _, w := range list.Wallets {
		out[w.Code] = w.Balance.String()
	}
	return out
}

func wantWallets(t *testing.T, what string, got map[string]string, want string) {
	t.Helper()
	if text := fmt.Sprint(got); text != want {
		t.Errorf("%s: got %s, want %s", what, text, want)
	}
}

func TestMerchantWallet(t *testing.T) {
	t.Parallel()
	t.Run("CA-29, CA-34 the wallet of each vendor that keeps one, else the main wallet alone", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := newWalletSite(t, store)
			s.keepWallets(t, false)
			wantWallets(t, "no vendor keeps wallets", s.wallets(t), "map[main:1000]")
			s.keepWallets(t, true)
			wantWallets(t, "a vendor keeps wallets", s.wallets(t), "map[FISH:0 main:1000]")
			if r := s.transfer(t, "main", "FISH", 300); r.Status != http.StatusOK {
				t.Fatalf("transfer: got %d %s, want 200", r.Status, r.Body)
			}
			wantWallets(t, "after a transfer", s.wallets(t), "map[FISH:300 main:700]")
			s.keepWallets(t, false)
			wantWallets(t, "a vendor with money that no longer keeps wallets", s.wallets(t), "map[FISH:300 main:700]")
			merchanttest.Want(t, s.transfer(t, "main", "FISH", 1), http.StatusBadRequest, `{"errorCode":"transfer.wallet","field":"to","message":"the request is not valid","success":false}`)
			if r := s.transfer(t, "FISH", "main", 300); r.Status != http.StatusOK {
				t.Fatalf("transfer back: got %d %s, want 200", r.Status, r.Body)
			}
			wantWallets(t, "after the transfer back", s.wallets(t), "map[main:1000]")
			if r := s.Call(t, "GET", "/wps/v2/wallets/merchant", nil); r.Status != http.StatusUnauthorized {
				t.Errorf("without a session: got %d, want 401", r.Status)
			}
			s.VerifyLedger(t)
		})
	})
}

func TestOS20PartTransferBetweenWallets(t *testing.T) {
	t.Parallel()
	t.Run("CA-30 part: transfer between wallets", func(t *testing.T) {
		t.Parallel()
		dbtest.Each(t, func(t *testing.T, store *db.Store) {
			s := newWalletSite(t, store)
			for _, c := range []struct {
				from, to string
				amount   any
				code     string
			}{
				{"main", "FISH", 0, "transfer.amount"},
				{"main", "FISH", -5, "transfer.amount"},
				{"main", "FISH", 1.5, "transfer.amount"}, // VND has no decimals
				{"main", "FISH", 1_001, "transfer.balance"},
				{"FISH", "main", 1, "transfer.balance"},
				{"main", "main", 1, "transfer.wallet"},
				{"main", "REEL", 1, "transfer.wallet"}, // it uses the main wallet
				{"main", "NONE", 1, "transfer.wallet"},
			} {
				r := s.transfer(t, c.from, c.to, c.amount)
				var reply struct{ ErrorCode string }
				if err := json.Unmarshal(r.Body, &reply); err != nil || reply.ErrorCode != c.code {
					t.Errorf("%v from %s to %s: got %d %s, want %s", c.amount, c.from, c.to, r.Status, r.Body, c.code)
				}
			}
			if r := s.Call(t, "POST", "/wps/transaction/transfer", map[string]any{"from": "main", "to": "FISH", "amount": 1}, "Authorization", "trial"); r.Status != http.StatusForbidden {
				t.Errorf("trial member: got %d, want 403", r.Status)
			}
			// Ten transfers of 300 at the same moment: the money suffices for three.
			var all sync.WaitGroup
			statuses := make([]int, 10)
			for i := range statuses {
				all.Go(func() { statuses[i] = s.transfer(t, "main", "FISH", 300).Status })
			}
			all.Wait()
			accepted := 0
			for _, status := range statuses {
				if status == http.StatusOK {
					accepted++
				}
			}
			if accepted != 3 {
				t.Errorf("transfers at the same moment: got %d accepted, want 3", accepted)
			}
			wantWallets(t, "after them", s.wallets(t), "map[FISH:900 main:100]")
			// A repeated request moves nothing.
			for range 2 {
				if r := s.transfer(t, "FISH", "main", 50, "Idempotency-Key", "k1"); r.Status != http.StatusOK {
					t.Errorf("with a key: got %d %s, want 200", r.Status, r.Body)
				}
			}
			if r := s.transfer(t, "FISH", "main", 60, "Idempotency-Key", "k1"); r.Status != http.StatusConflict {
				t.Errorf("another body with the key: got %d, want 409", r.Status)
			}
			wantWallets(t, "after a repeated request", s.wallets(t), "map[FISH:850 main:150]")
			s.VerifyLedger(t)
		})
	})
}

// TestRandomTransfersKeepTheSum compares random transfers with a simple model.
func TestRandomTransfersKeepTheSum(t *testing.T) {
	t.Parallel()
	s := newWalletSite(t, dbtest.SQLite(t))
	random := rand.New(rand.NewPCG(3, 4))
	model := map[string]int{"main": 1_000, "FISH": 0}
	for range 100 {
		from, to := "main", "FISH"
		if random.IntN(2) == 0 {
			from, to = to, from
		}
		amount := random.IntN(700) + 1
		moved := s.transfer(t, from, to, amount).Status == http.StatusOK
		if moved != (model[from] >= amount) {
			t.Fatalf("%d from %s with %d: moved is %v", amount, from, model[from], moved)
		}
		if moved {
			model[from] -= amount
			model[to] += amount
		}
	}
	wantWallets(t, "wallets", s.wallets(t), fmt.Sprintf("map[FISH:%d main:%d]", model["FISH"], model["main"]))
	s.VerifyLedger(t)
}
