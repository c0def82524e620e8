package cashier

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// Faults of transfers between wallets.
var (
	ErrTransferAmount  = fault.New(fault.Invalid, "transfer.amount")
	ErrTransferWallet  = fault.New(fault.Invalid, "transfer.wallet")  // unknown, or both are the same
	ErrTransferBalance = fault.New(fault.Refused, "transfer.balance") // the balance of the wallet is too low
)

// mainWallet is the code of the wallet with the member's cash.
const mainWallet = "main"

// Wallets moves money between a member's wallets. Most vendors use the main wallet. Some keep their own
// wallets.
type Wallets struct {
	Store    *db.Store
	Ledger   *ledger.Ledger
	Requests *idempotency.Keys
	IDs      db.IDs
}

type merchantWallet struct {
	Code    string      `json:"code" doc:"main, or the code of a vendor."`
	Name    string      `json:"name" doc:"Name of the vendor. Empty for the main wallet."`
	Balance rest.Amount `json:"balance"`
}

type merchantWallets struct {
	Currency string           `json:"currency"`
	Wallets  []merchantWallet `json:"wallets" doc:"The main wallet first, then one for each vendor that keeps its own."`
}

type transferInput struct {
	idempotency.Header

	Body struct {
		From   string      `json:"from" minLength:"1" maxLength:"64" doc:"main, or the code of a vendor."`
		To     string      `json:"to" minLength:"1" maxLength:"64" doc:"main, or the code of a vendor."`
		Amount rest.Amount `json:"amount"`
	}
}

// WalletRoutes adds the calls about wallets at vendors to the API.
func WalletRoutes(a *rest.API, w *Wallets) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/v2/wallets/merchant", ID: "merchantWallets", Tag: "cashier", Access: rest.Session,
		Summary: "The caller's main wallet, and those at vendors that keep their own",
	}, func(ctx context.Context, _ *struct{}) (merchantWallets, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			return merchantWallets{}, rest.ErrNoSession
		}
		return w.list(ctx, caller)
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/transaction/transfer", ID: "walletTransfer", Tag: "cashier", Access: rest.Real, Module: spec.ModuleTransfer,
		Summary: "Move money between the caller's wallets",
		Faults:  []*fault.Fault{ErrTransferAmount, ErrTransferWallet, ErrTransferBalance, idempotency.ErrConflict},
	}, func(ctx context.Context, in *transferInput) (merchantWallets, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			return merchantWallets{}, rest.ErrNoSession
		}
		if err := w.transfer(ctx, caller, in); err != nil {
			return merchantWallets{}, err
		}
		return w.list(ctx, caller)
	})
}

func (w *Wallets) list(ctx context.Context, caller rest.Caller) (merchantWallets, error) {
	currency, err := money.Find(caller.Currency)
	if err != nil {
		return merchantWallets{}, rest.ErrSystem.Because(err)
	}
	vendors, err := w.Store.Q().OwnWalletVendors(ctx, caller.MerchantID)
	if err != nil {
		return merchantWallets{}, fmt.Errorf("read vendors: %w", err)
	}
	accounts, err := w.Ledger.Balances(ctx, caller.MemberID)
	if err != nil {
		return merchantWallets{}, fmt.Errorf("read wallets: %w", err)
	}
	balanceOf := func(kind string) money.Minor {
		i := slices.IndexFunc(accounts, func(a ledger.Account) bool { return a.Kind == kind && a.Currency == currency.Code })
		if i < 0 {
			return 0
		}
		return accounts[i].Balance
	}
	cash := balanceOf(ledger.Cash)
	out := merchantWallets{Currency: currency.Code, Wallets: []merchantWallet{{Code: mainWallet, Balance: rest.AmountOf(currency, cash)}}}
	for _, v := range vendors {
		vendorBalance := balanceOf(ledger.Wallet(v.Code))
		out.Wallets = append(out.Wallets, merchantWallet{v.Code, v.DisplayName, rest.AmountOf(currency, vendorBalance)})
	}
	// Show money that is left in the wallet of a vendor that no longer keeps its own wallets.
	for _, a := range accounts {
		code := ledger.WalletVendor(a.Kind)
		if code == "" || a.Balance == 0 || a.Currency != currency.Code || slices.ContainsFunc(vendors, func(v query.OwnWalletVendorsRow) bool { return v.Code == code }) {
			continue
		}
		out.Wallets = append(out.Wallets, merchantWallet{code, code, rest.AmountOf(currency, a.Balance)})
	}
	return out, nil
}

func (w *Wallets) transfer(ctx context.Context, caller rest.Caller, in *transferInput) error {
	b := in.Body
	currency, err := money.Find(caller.Currency)
	if err != nil {
		return rest.ErrSystem.Because(err)
	}
	amount, err := currency.Parse(string(b.Amount))
	if err != nil || amount <= 0 || amount > ledger.MaxAmount {
		return ErrTransferAmount.On("amount")
	}
	if b.From == b.To {
		return ErrTransferWallet.On("to")
	}
	from, err := w.account(ctx, caller, b.From, false)
	if err != nil {
		return err
	}
	to, err := w.account(ctx, caller, b.To, true)
	if err != nil {
		return err
	}
	request := idempotency.Request{Owner: idempotency.Member(caller.MemberID), Call: "walletTransfer", Key: in.IdempotencyKey, Content: []string{b.From, b.To, string(b.Amount)}}
	_, err = idempotency.Do(ctx, w.Requests, w.Ledger, request, func(tx *db.Tx) (struct{}, error) {
		id := strconv.FormatInt(w.IDs(), 10)
		_, err := w.Ledger.PostIn(ctx, tx, ledger.Transfer{
			Key: "wallet/" + id, Debit: from, Credit: to, Amount: amount, Kind: kindTransfer, RefType: "wallet", RefID: id, Note: b.From + " > " + b.To,
		})
		if errors.Is(err, ledger.ErrInsufficient) {
			err = ErrTransferBalance.On("amount")
		}
		return struct{}{}, err
	})
	return err
}

// account returns the account of a wallet. If a vendor no longer keeps its own wallets, money can leave its wallet, but not enter it.
func (w *Wallets) account(ctx context.Context, caller rest.Caller, code string, receives bool) (int64, error) {
	field := "from"
	if receives {
		field = "to"
	}
	if code == mainWallet {
		a, err := w.Ledger.EnsureMember(ctx, caller.MerchantID, caller.MemberID, caller.Currency)
		return a.ID, err
	}
	vendors, err := w.Store.Q().OwnWalletVendors(ctx, caller.MerchantID)
	if err != nil {
		return 0, fmt.Errorf("read vendors: %w", err)
	}
	if slices.ContainsFunc(vendors, func(v query.OwnWalletVendorsRow) bool { return v.Code == code }) {
		a, err := w.Ledger.EnsureWallet(ctx, caller.MerchantID, caller.MemberID, code, caller.Currency)
		return a.ID, err
	}
	if !receives {
		accounts, err := w.Ledger.Balances(ctx, caller.MemberID)
		if err != nil {
			return 0, fmt.Errorf("read wallets: %w", err)
		}
		for _, a := range accounts {
			if a.Kind == ledger.Wallet(code) && a.Currency == caller.Currency {
				return a.ID, nil
			}
		}
	}
	return 0, ErrTransferWallet.On(field)
}
