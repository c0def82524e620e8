package cashier

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/csvfile"
	"fairground/internal/platform/page"
	"fairground/internal/platform/rest"
)

// A Book is the part of the ledger that reports read.
type Book interface {
	Balances(ctx context.Context, memberID int64) ([]ledger.Account, error)
	StatementOf(ctx context.Context, member int64, filter ledger.Filter, cursor string, limit int) (ledger.Page, error)
	Sums(ctx context.Context, account int64, filter ledger.Filter) ([]ledger.Sum, error)
}

// Kinds of movements, as members see them.
const (
	deposits    = "deposit"
	withdrawals = "withdrawal"
	stakes      = "bet"
	wins        = "win"
	rewards     = "reward"
	refunds     = "refund"
	corrections = "adjustment"
	transfers   = "transfer"
	others      = "other"
)

// kindTransfer is the ledger's kind of a transfer between a member's own wallets.
const kindTransfer = "wallet.transfer"

// ledgerKinds maps each kind of movement to the ledger's kinds of transfers.
var ledgerKinds = map[string][]string{
	deposits:    {"deposit"},
	withdrawals: {ledger.KindHold, ledger.KindRelease},
	stakes:      {"vendor.bet", "lottery.bet"},
	wins:        {"vendor.win", "jackpot.win", "lottery.win", "lottery.rebate", "lottery.clawback"},
	rewards:     {"vendor.promo", "reward", "bonus.paid", "bonus.return", "reward.check_in", "reward.cash_back", "reward.vip", "reward.referral"},
	refunds:     {ledger.KindReversal},
	corrections: {"adjustment"},
	transfers:   {kindTransfer},
}

// kindOf returns the kind of movement for a kind of the ledger.
func kindOf(ledgerKind string) string {
	for kind, all := range ledgerKinds {
		if slices.Contains(all, ledgerKind) {
			return kind
		}
	}
	return others
}

type reportInput struct {
	From     int64  `query:"from" minimum:"0" doc:"First time, in Unix ms."`
	To       int64  `query:"to" minimum:"0" doc:"Time after the last, in Unix ms. 0 means no limit."`
	Kind     string `query:"kind" enum:",deposit,withdrawal,bet,win,reward,refund,adjustment,transfer"`
	Wallet   string `query:"wallet" maxLength:"64" doc:"main, bonus, or the code of a vendor that keeps its own wallet. Empty: all."`
	Cursor   string `query:"cursor" maxLength:"400" doc:"The field next of the previous page."`
	PageSize int    `query:"pageSize" minimum:"0" maximum:"100"`
	Format   string `query:"format" enum:",json,csv" doc:"csv returns all rows as a file."`
}

type movement struct {
	ID        string      `json:"id"`
	At        int64       `json:"at" doc:"Unix ms."`
	Kind      string      `json:"kind" enum:"deposit,withdrawal,bet,win,reward,refund,adjustment,transfer,other"`
	Wallet    string      `json:"wallet" doc:"main, bonus, or the code of a vendor."`
	Amount    rest.Amount `json:"amount" doc:"Negative if it left the wallet."`
	Balance   rest.Amount `json:"balance" doc:"Of the wallet, after the movement."`
	Reference string      `json:"reference"`
}

type reportTotals struct {
	Movements   int64       `json:"movements"`
	Deposits    rest.Amount `json:"deposits"`
	Withdrawals rest.Amount `json:"withdrawals" doc:"Requested minus returned."`
	Staked      rest.Amount `json:"staked" doc:"Stakes without refunds."`
	Won         rest.Amount `json:"won"`
	Result      rest.Amount `json:"result" doc:"Won minus staked. Negative: lost."`
}

type lifetime struct {
	Deposits    rest.Amount `json:"deposits"`
	Withdrawals rest.Amount `json:"withdrawals"`
	Net         rest.Amount `json:"net" doc:"Deposits minus withdrawals since the account exists."`
}

type reportReply struct {
	List     []movement    `json:"list"`
	Next     string        `json:"next" doc:"Cursor of the next page. Empty on the last one."`
	Currency string        `json:"currency"`
	Totals   *reportTotals `json:"totals" doc:"Of the period, whatever the other filters. Null after the first page."`
	Lifetime *lifetime     `json:"lifetime" doc:"Null after the first page."`
}

// ReportRoutes adds the call that lists movements to the API.
func ReportRoutes(a *rest.API, b Book) {
	rest.TypedOrFile(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/report/transaction", ID: "transactions", Tag: "cashier", Access: rest.Session, ContentType: csvType,
		Summary: "The movements of the caller's wallets, newest first",
	}, func(ctx context.Context, in *reportInput) (reportReply, rest.Download, error) {
		caller, ok := rest.CallerOf(ctx)
		if !ok {
			return reportReply{}, nil, rest.ErrNoSession
		}
		currency, err := money.Find(caller.Currency)
		if err != nil {
			return reportReply{}, nil, rest.ErrSystem.Because(err)
		}
		r := report{b, caller.MemberID, currency, in}
		if in.Format == "csv" {
			return reportReply{}, func(w http.ResponseWriter) error { return r.writeCSV(ctx, w) }, nil
		}
		reply, err := r.page(ctx)
		return reply, nil, err
	})
}

const csvType = "text/csv"

// A report reads the movements of one member.
type report struct {
	book     Book
	member   int64
	currency money.Currency
	in       *reportInput
}

// walletCode returns the code of a wallet by the kind of its account.
func walletCode(kind string) string {
	switch kind {
	case ledger.Cash:
		return mainWallet
	case ledger.Bonus:
		return "bonus"
	}
	return ledger.WalletVendor(kind)
}

// isVisible reports whether members see an account as a wallet. Held money has left the wallet.
func (r report) isVisible(a ledger.Account) bool {
	return a.Currency == r.currency.Code && a.Kind != ledger.Held
}

func (r report) filter() ledger.Filter {
	return ledger.Filter{
		Since: r.in.From, Until: r.in.To, Kinds: ledgerKinds[r.in.Kind],
		Account: func(a ledger.Account) bool {
			return r.isVisible(a) && (r.in.Wallet == "" || walletCode(a.Kind) == r.in.Wallet)
		},
	}
}

func (r report) rows(ctx context.Context, cursor string, size int) ([]movement, string, error) {
	statement, err := r.book.StatementOf(ctx, r.member, r.filter(), cursor, size)
	if errors.Is(err, ledger.ErrCursor) {
		return nil, "", page.ErrCursor
	}
	if err != nil {
		return nil, "", fmt.Errorf("read movements: %w", err)
	}
	out := make([]movement, len(statement.Lines))
	for i, l := range statement.Lines {
		out[i] = movement{
			ID: strconv.FormatInt(l.Transfer, 10) + "." + strconv.FormatInt(l.Account, 10), At: l.At.UnixMilli(), Kind: kindOf(l.Cause), Wallet: walletCode(l.Kind),
			Amount: rest.AmountOf(r.currency, l.Amount), Balance: rest.AmountOf(r.currency, l.After), Reference: l.RefID,
		}
	}
	return out, statement.Next, nil
}

func (r report) page(ctx context.Context) (reportReply, error) {
	out := reportReply{Currency: r.currency.Code}
	var err error
	if out.List, out.Next, err = r.rows(ctx, r.in.Cursor, page.Size(r.in.PageSize)); err != nil || r.in.Cursor != "" {
		return out, err
	}
	period, err := r.sums(ctx, ledger.Filter{Since: r.in.From, Until: r.in.To})
	if err != nil {
		return out, err
	}
	lifetimeSums, err := r.sums(ctx, ledger.Filter{})
	if err != nil {
		return out, err
	}
	amount := func(n money.Minor) rest.Amount { return rest.AmountOf(r.currency, n) }
	staked := -period.net[stakes] - period.net[refunds]
	out.Totals = &reportTotals{
		Movements: period.movements, Deposits: amount(period.net[deposits]), Withdrawals: amount(-period.net[withdrawals]), Staked: amount(staked),
		Won: amount(period.net[wins]), Result: amount(period.net[wins] - staked),
	}
	out.Lifetime = &lifetime{
		Deposits: amount(lifetimeSums.net[deposits]), Withdrawals: amount(-lifetimeSums.net[withdrawals]), Net: amount(lifetimeSums.net[deposits] + lifetimeSums.net[withdrawals]),
	}
	return out, nil
}

// periodSums are the number of movements in a period, and the credits minus debits by kind.
type periodSums struct {
	movements int64
	net       map[string]money.Minor
}

func (r report) sums(ctx context.Context, period ledger.Filter) (periodSums, error) {
	out := periodSums{net: map[string]money.Minor{}}
	accounts, err := r.book.Balances(ctx, r.member)
	if err != nil {
		return out, fmt.Errorf("add up movements: %w", err)
	}
	for _, a := range accounts {
		if !r.isVisible(a) {
			continue
		}
		sums, err := r.book.Sums(ctx, a.ID, period)
		if err != nil {
			return out, err
		}
		for _, s := range sums {
			out.movements += s.Movements
			out.net[kindOf(s.Kind)] += s.Credited - s.Debited
		}
	}
	return out, nil
}

// csvPageSize is the number of rows that a CSV export reads at once.
const csvPageSize = 200

func (r report) writeCSV(ctx context.Context, w http.ResponseWriter) error {
	rows, next, err := r.rows(ctx, "", csvPageSize)
	if err != nil {
		return err
	}
	file := csvfile.Attach(w, "transactions.csv", "time", "kind", "wallet", "amount", "balance", "currency", "reference")
	for {
		for _, m := range rows {
			file.Row(time.UnixMilli(m.At).UTC().Format(time.RFC3339), m.Kind, m.Wallet, string(m.Amount), string(m.Balance), r.currency.Code, m.Reference)
		}
		if next == "" {
			return file.Close()
		}
		if rows, next, err = r.rows(ctx, next, csvPageSize); err != nil {
			return err
		}
	}
}
