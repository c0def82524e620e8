package cashier_test

import (
	"context"
	"errors"
	"net/http"
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

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestWalletCall(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		const member, other = 501, 502
		site := servertest.New(t, store, servertest.Member(member, "wealthy", 12_480_500))
		site.AddMember(t, other, "newcomer")
		callers := merchanttest.Tokens{
			"member":      {MemberID: member, MerchantID: site.ID, Currency: "VND"},
			"other":       {MemberID: other, MerchantID: site.ID, Currency: "VND"},
			"no currency": {MemberID: other, MerchantID: site.ID, Currency: "ZZZ"},
		}
		site.Serve(t, callers, func(a *rest.API) { cashier.Routes(a, site.Server.Ledger) })
		for _, c := range []struct {
			token  string
			status int
			body   string
		}{
			{"member", http.StatusOK, `{"success":true,"value":{"balance":[{"balance":0,"currency":"VND","kind":"held","version":0},{"balance":12480500,"currency":"VND","kind":"cash","version":1}],"currency":"VND","currencySymbol":"₫","sumBalance":12480500}}`},
			{"other", http.StatusOK, `{"success":true,"value":{"balance":[],"currency":"VND","currencySymbol":"₫","sumBalance":0}}`},
			{"no currency", http.StatusInternalServerError, `{"errorCode":"system.error","message":"system error","requestId":"(varies)","success":false}`},
			{"", http.StatusUnauthorized, `{"errorCode":"login.not.session","message":"a valid session is needed","success":false}`},
		} {
			merchanttest.Want(t, site.Call(t, "GET", "/wps/v2/wallets/balance", nil, "Authorization", c.token), c.status, c.body)
		}
	})
}

// A fakeLedger returns fixed accounts. Their amounts are too large to post in a test.
type fakeLedger struct {
	accounts []ledger.Account
	err      error
}

func (l fakeLedger) Balances(context.Context, int64) ([]ledger.Account, error) {
	return l.accounts, l.err
}

func TestAmountsAreExact(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	const systemError = `{"errorCode":"system.error","message":"system error","requestId":"(varies)","success":false}`
	for name, c := range map[string]struct {
		ledger fakeLedger
		status int
		body   string
	}{
		"exact": {
			fakeLedger{accounts: []ledger.Account{
				{Kind: ledger.Held, Currency: "USD", Balance: 500_01},
				{Kind: ledger.Cash, Currency: "USD", Balance: 9_007_199_254_740_993, Version: 8}, // not exact as a float64
				{Kind: ledger.Bonus, Currency: "USD", Balance: 5},
				{Kind: ledger.Cash, Currency: "FUN", Balance: 1_000_000},
			}},
			http.StatusOK,
			`{"success":true,"value":{"balance":[{"balance":500.01,"currency":"USD","kind":"held","version":0},{"balance":90071992547409.93,"currency":"USD","kind":"cash","version":8},{"balance":0.05,"currency":"USD","kind":"bonus","version":0}],"currency":"USD","currencySymbol":"$","sumBalance":90071992547409.98}}`,
		},
		"overflow": {
			fakeLedger{accounts: []ledger.Account{
				{Kind: ledger.Cash, Currency: "USD", Balance: money.Minor(1<<63 - 1)}, {Kind: ledger.Bonus, Currency: "USD", Balance: 1},
			}},
			http.StatusInternalServerError, systemError,
		},
		"unreachable": {fakeLedger{err: errors.New("dial 10.0.0.1: refused")}, http.StatusInternalServerError, systemError},
	} {
		callers := merchanttest.Tokens{"member": {MemberID: 1, MerchantID: site.ID, Currency: "USD"}}
		site.Serve(t, callers, func(a *rest.API) { cashier.Routes(a, c.ledger) })
		t.Log(name)
		merchanttest.Want(t, site.Call(t, "GET", "/wps/v2/wallets/balance", nil, "Authorization", "member"), c.status, c.body)
	}
}
