package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"fairground/internal/finance/books"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/server"
	"fairground/internal/site/ops"
)

type ledgerGroup struct {
	Verify ledgerVerifyCommand `cmd:"" help:"Check all invariants of the ledger. Exits with 1 if one is broken."`
	Adjust ledgerAdjustCommand `cmd:"" help:"Post a correction to a member's cash balance."`
}

type ledgerVerifyCommand struct {
	config.Storage
}

// Run checks the ledger without changing anything. The server may be running.
func (v *ledgerVerifyCommand) Run(c *console) (err error) {
	if v.DB == "" {
		if err := findDatabase(v.Data, "set the data folder with --data"); err != nil {
			return err
		}
	}
	store, err := db.Open(c.ctx, v.DBOptions(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.RequireCurrent(c.ctx, store); err != nil {
		return err
	}
	report, err := ledger.Verify(c.ctx, store)
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		if f.Broken == 0 {
			fmt.Fprintf(c.out, "ok      %s\n", f.Invariant)
			continue
		}
		fmt.Fprintf(c.out, "BROKEN  %s: %d violations, for example\n", f.Invariant, f.Broken)
		for _, sample := range f.Samples {
			fmt.Fprintf(c.out, "        %s\n", sample)
		}
	}
	fmt.Fprintf(c.out, "%d accounts, %d transfers (%d rejected, %d of them tombstones; %d empty), %d entries\n",
		report.Accounts, report.Transfers, report.Refused, report.Tombstones, report.Empty, report.Entries)
	if !report.OK() {
		return errReported
	}
	return nil
}

type ledgerAdjustCommand struct {
	config.Storage

	Member   string `help:"Username of the member." required:"" placeholder:"NAME"`
	Merchant string `help:"Code of the merchant." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
	Amount   amount `help:"Amount in the member's currency. Negative amounts are debited: 1000, -25.50." required:"" placeholder:"AMOUNT"`
	Reason   string `help:"Reason, stored permanently in the ledger." required:"" placeholder:"TEXT"`
	Key      string `help:"Idempotency key of this correction. A second run with the same key changes nothing." required:"" placeholder:"KEY"`
}

// An amount is a flag value that may start with a minus. The parser would read such a value as another flag.
type amount string

var negativeAmount = regexp.MustCompile(`^-[0-9.]`)

// Decode implements kong.MapperValue.
func (a *amount) Decode(c *kong.DecodeContext) error {
	if next, ok := c.Scan.Peek().Value.(string); ok && negativeAmount.MatchString(next) {
		c.Scan.Pop()
		*a = amount(next)
		return nil
	}
	return c.Scan.PopValueInto("amount", a)
}

// Maximum lengths in bytes. The ledger's limit for keys is higher, because the command adds a prefix.
const (
	maxKey    = 150
	maxReason = 500
)

// Validate checks the flags. The command-line parser calls it.
func (a *ledgerAdjustCommand) Validate() error {
	if err := checkText("--key", a.Key, maxKey); err != nil {
		return err
	}
	if err := checkText("--reason", a.Reason, maxReason); err != nil {
		return err
	}
	return a.Storage.Validate()
}

// checkText checks that a text is not empty, not too long and a single line.
func checkText(flag, value string, maxBytes int) error {
	switch {
	case strings.TrimSpace(value) == "":
		return fmt.Errorf("%s: must not be empty", flag)
	case len(value) > maxBytes:
		return fmt.Errorf("%s: %d bytes, at most %d allowed", flag, len(value), maxBytes)
	case strings.ContainsFunc(value, unicode.IsControl):
		return fmt.Errorf("%s: must be one line without control characters", flag)
	}
	return nil
}

type adjustment struct{ Member, Merchant, Amount, Reason, Key string }

// adjusted is the result of a correction. Approval is the id of the approval if the correction waits for a second person.
type adjusted struct {
	Transfer int64
	Balance  string
	Currency string
	Replayed bool
	Approval string
	State    string
}

var adjustLedger = operation[adjustment, adjusted]{"ledger.adjust", func(ctx context.Context, p *server.Server, in adjustment) (adjusted, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return adjusted{}, err
	}
	who, err := p.Members.Find(ctx, m.ID, in.Member)
	if err != nil {
		return adjusted{}, err
	}
	_, err = p.Store.Q().TransferByKey(ctx, "adjust/"+in.Key)
	replayed, err := db.Found("find transfer", err)
	if err != nil {
		return adjusted{}, err
	}
	waiting, err := p.Books.Adjust(ctx, m.ID, books.Adjustment{MemberID: who.ID, Amount: in.Amount, Reason: in.Reason, Key: in.Key})
	if err != nil {
		return adjusted{}, err
	}
	out := adjusted{Replayed: replayed}
	if waiting != nil {
		if out.Approval, out.State = waiting.ID, waiting.State; waiting.State != ops.Approved {
			return out, nil
		}
	}
	// Use the member's currency, not the merchant's: trial members have play money.
	currency, err := money.Find(who.Currency)
	if err != nil {
		return adjusted{}, err
	}
	posted, err := p.Store.Q().TransferByKey(ctx, "adjust/"+in.Key)
	if err != nil {
		return adjusted{}, err
	}
	after := posted.CreditAfter
	if posted.DebitAfter.Valid { // not valid for the house account
		after = posted.DebitAfter
	}
	out.Transfer, out.Balance, out.Currency = posted.ID, currency.Format(money.Minor(after.Int64)), currency.Code
	return out, nil
}}

// Run posts the correction, or requests an approval if a second operator could approve it.
func (a *ledgerAdjustCommand) Run(c *console) error {
	done, err := perform(c, a.Storage, adjustLedger, adjustment{a.Member, a.Merchant, string(a.Amount), a.Reason, a.Key})
	if err != nil {
		return err
	}
	if done.Transfer == 0 {
		_, err = fmt.Fprintf(c.out, "Waits for a second person: approval %s is %s.\n", done.Approval, done.State)
		return err
	}
	status := "Posted"
	if done.Replayed {
		status = "Already posted"
	}
	_, err = fmt.Fprintf(c.out, "%s as transfer %d: balance of %s after it: %s %s.\n", status, done.Transfer, a.Member, done.Balance, done.Currency)
	return err
}
