package bet

import (
	"context"
	"strconv"

	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/wallet"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// call sends a call for a bet to the wallet. All fields come from the stored bet, so a repeated call is identical.
func (s *Service) call(ctx context.Context, row query.HouseRound, name string, r wallet.Request) (wallet.Response, error) {
	session, err := wallet.Unseal(s.o.Keys, row.WalletSession)
	if err != nil {
		return wallet.Response{}, err
	}
	r.RequestID, r.SessionID, r.Currency, r.GameCode, r.RoundID = r.TxID, session.ID, row.Currency, row.Game, RoundID(row)
	response, err := s.o.Wallet.Call(ctx, session, row.Vendor, name, r)
	if err != nil {
		s.o.Log.WarnContext(ctx, "no response from the wallet", "round", row.ID, "call", name, "error", err)
		return response, refusal.ErrPending.Because(err)
	}
	return response, nil
}

func winRequest(row query.HouseRound, suffix string) wallet.Request {
	return wallet.Request{TxID: txID(row, suffix), Amount: amountOf(row, row.Win), EndRound: true}
}

func rollbackRequest(row query.HouseRound, suffix string) wallet.Request {
	return wallet.Request{TxID: txID(row, suffix), RefTxID: txID(row, "b")}
}

// RoundID returns a bet's ID as the wallet and the player see it.
func RoundID(row query.HouseRound) string { return strconv.FormatInt(row.ID, 10) }

func txID(row query.HouseRound, suffix string) string { return "r" + RoundID(row) + ":" + suffix }

func amountOf(row query.HouseRound, minor int64) string {
	c, err := money.Find(row.Currency)
	if err != nil {
		return "" // the wallet rejects an empty amount
	}
	return c.Format(money.Minor(minor))
}

// BalanceOf returns the player's balance in a response, in minor units.
func BalanceOf(row query.HouseRound, response wallet.Response) (int64, error) {
	currency, err := money.Find(row.Currency)
	if err != nil {
		return 0, err
	}
	balance, err := currency.Parse(response.Balance)
	return int64(balance), wrap("read balance", err)
}
