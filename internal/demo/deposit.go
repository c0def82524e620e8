package demo

import (
	"context"
	"errors"

	"fairground/internal/finance/deposit"
	"fairground/internal/platform/db"
)

// depositMethods are the demo's deposit methods without a gateway. Their accounts are invented.
var depositMethods = []deposit.Method{
	{Code: "BANK", Kind: deposit.Transfer, Name: "Chuyển khoản", Min: 50_000, Max: 300_000_000, Sorting: 1},
	{Code: "VIETQR", Kind: deposit.QR, Name: "VietQR", Min: 20_000, Max: 100_000_000, Sorting: 2},
}

// fillMethods adds missing deposit methods.
func fillMethods(ctx context.Context, p Parts, merchantID int64) error {
	for _, m := range depositMethods {
		m.MerchantID, m.Scheme, m.Currency, m.Opens, m.Closes, m.Minutes, m.Enabled = merchantID, deposit.VietQR, currencyCode, "00:00", "00:00", 30, true
		m.Accounts = []deposit.Account{
			{Code: "DEMO1", Name: "Demo Bank One", BIN: "999999", Number: "0000000000001", Holder: "FAIRGROUND DEMO"},
			{Code: "DEMO2", Name: "Demo Bank Two", BIN: "999998", Number: "0000000000002", Holder: "FAIRGROUND DEMO"},
		}
		err := p.Ledger.Write(ctx, func(tx *db.Tx) error {
			_, err := p.Deposits.CreateMethodIn(ctx, tx, m)
			return err
		})
		if err != nil && !errors.Is(err, deposit.ErrMethodExists) {
			return err
		}
	}
	return nil
}
