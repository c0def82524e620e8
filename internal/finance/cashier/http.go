// Package cashier shows members their wallets and movements, and moves money between their own wallets.
package cashier

import (
	"context"
	"fmt"
	"net/http"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/rest"
)

// Ledger is the part of the ledger that this package needs.
type Ledger interface {
	Balances(ctx context.Context, memberID int64) ([]ledger.Account, error)
}

type account struct {
	Kind     string      `json:"kind"`
	Currency string      `json:"currency"`
	Balance  rest.Amount `json:"balance"`
	Version  int64       `json:"version" doc:"Increases with every change. Ignore balance events with a lower version."`
}

type wallet struct {
	SumBalance     rest.Amount `json:"sumBalance" doc:"Playable balance: cash and bonus, without held money and vendors' own wallets."`
	Currency       string      `json:"currency"`
	CurrencySymbol string      `json:"currencySymbol"`
	Balance        []account   `json:"balance"`
}

// Routes adds the cashier's calls to the API.
func Routes(a *rest.API, l Ledger) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/v2/wallets/balance", ID: "walletBalance", Tag: "cashier",
		Summary: "The caller's wallet", Access: rest.Session,
	}, func(ctx context.Context, _ *struct{}) (wallet, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			return wallet{}, rest.ErrNoSession
		}
		return showWallet(ctx, l, caller)
	})
}

// showWallet returns the caller's accounts in the caller's currency.
func showWallet(ctx context.Context, l Ledger, caller rest.Caller) (wallet, error) {
	currency, err := money.Find(caller.Currency)
	if err != nil {
		return wallet{}, rest.ErrSystem.Because(err) // not the caller's fault
	}
	accounts, err := l.Balances(ctx, caller.MemberID)
	if err != nil {
		return wallet{}, fmt.Errorf("show wallet: %w", err)
	}
	w := wallet{Currency: currency.Code, CurrencySymbol: currency.Symbol, Balance: []account{}}
	var sum money.Minor
	for _, a := range accounts {
		if a.Currency != currency.Code {
			continue
		}
		w.Balance = append(w.Balance, account{
			Kind: a.Kind, Currency: a.Currency, Balance: rest.AmountOf(currency, a.Balance), Version: a.Version,
		})
		if a.Kind == ledger.Held || ledger.WalletVendor(a.Kind) != "" {
			continue
		}
		if sum, err = sum.Add(a.Balance); err != nil {
			return wallet{}, rest.ErrSystem.Because(err) // not the caller's fault
		}
	}
	w.SumBalance = rest.AmountOf(currency, sum)
	return w, nil
}
