package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/alecthomas/kong"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type ledgerGroup struct {
	Verify ledgerVerifyCommand `cmd:"" help:"Prove that the books are right; say what is not and exit 1."`
	Adjust ledgerAdjustCommand `cmd:"" help:"Post an operator's correction to a member's cash."`
}

type ledgerVerifyCommand struct {
	config.Storage
}

// Run reads the books without changing anything, also beside a running server.
func (v *ledgerVerifyCommand) Run(c *console) (err error) {
	if v.DB == "" {
		if err := findDatabase(v.Data, "name its folder with --data"); err != nil {
			return err
		}
	}
	store, err := db.Open(c.ctx, v.Open(true))
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
		fmt.Fprintf(c.out, "BROKEN  %s: %d, such as\n", f.Invariant, f.Broken)
		for _, sample := range f.Samples {
			fmt.Fprintf(c.out, "        %s\n", sample)
		}
	}
	fmt.Fprintf(c.out, "%d accounts, %d transfers (%d refused, %d of them tombstones; %d empty), %d entries\n",
		report.Accounts, report.Transfers, report.Refused, report.Tombstones, report.Empty, report.Entries)
	if !report.OK() {
		return errTold
	}
	return nil
}

type ledgerAdjustCommand struct {
	config.Storage

	Member   string `help:"Username." required:"" placeholder:"NAME"`
	Merchant string `help:"Whose member." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
	Amount   amount `help:"In the member's currency, with a minus to take away: 1000, -25.50." required:"" placeholder:"AMOUNT"`
	Reason   string `help:"Stands in the books for good." required:"" placeholder:"TEXT"`
	Key      string `help:"Names this correction: the same key again changes nothing." required:"" placeholder:"KEY"`
}

// amount is a flag's value that may begin with a minus, which the parser would take for another flag.
type amount string

var signed = regexp.MustCompile(`^-[0-9.]`)

// Decode implements kong.MapperValue.
func (a *amount) Decode(c *kong.DecodeContext) error {
	if next, ok := c.Scan.Peek().Value.(string); ok && signed.MatchString(next) {
		c.Scan.Pop()
		*a = amount(next)
		return nil
	}
	return c.Scan.PopValueInto("amount", a)
}

// What the books hold of a correction, in bytes; its key has a name of their own before it there.
const (
	longestKey    = 150
	longestReason = 500
)

// Validate is called by the parser: what stands in the books for good says something, on one line.
func (a *ledgerAdjustCommand) Validate() error {
	if err := checkText("--key", a.Key, longestKey); err != nil {
		return err
	}
	if err := checkText("--reason", a.Reason, longestReason); err != nil {
		return err
	}
	return a.Storage.Validate()
}

// checkText refuses a text that the books cannot hold.
func checkText(flag, value string, longest int) error {
	switch {
	case strings.TrimSpace(value) == "":
		return fmt.Errorf("%s: must not be empty", flag)
	case len(value) > longest:
		return fmt.Errorf("%s: %d bytes, of which the books hold %d", flag, len(value), longest)
	case strings.ContainsFunc(value, unicode.IsControl):
		return fmt.Errorf("%s: must be one line, without control characters", flag)
	}
	return nil
}

type adjustment struct{ Member, Merchant, Amount, Reason, Key string }

type adjusted struct {
	Transfer int64
	Balance  string
	Currency string
	Replayed bool
}

var errAmount = fault.ForOperators(fault.Invalid, "ledger.adjust_amount")

var adjustLedger = change[adjustment, adjusted]{"ledger.adjust", func(ctx context.Context, p *server.Server, in adjustment) (adjusted, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return adjusted{}, err
	}
	who, err := p.Members.Find(ctx, m.ID, in.Member)
	if err != nil {
		return adjusted{}, err
	}
	// The member's own, not the merchant's: a trial member has play money, which no real money is added to.
	currency, err := money.Find(who.Currency)
	if err != nil {
		return adjusted{}, err
	}
	digits, taken := strings.CutPrefix(in.Amount, "-")
	amount, err := currency.Parse(digits)
	if err != nil {
		return adjusted{}, err
	}
	if amount == 0 {
		return adjusted{}, errAmount
	}
	if amount > ledger.MaxAmount {
		return adjusted{}, money.ErrOverflow.On("amount").Because(fmt.Errorf("one correction moves at most %s %s", currency.Format(ledger.MaxAmount), currency.Code))
	}
	cash, err := p.Ledger.EnsureMember(ctx, m.ID, who.ID, currency.Code)
	if err != nil {
		return adjusted{}, err
	}
	house, err := p.Ledger.House(ctx, m.ID, ledger.Adjustments, currency.Code)
	if err != nil {
		return adjusted{}, err
	}
	t := ledger.Transfer{
		Key: "adjust/" + in.Key, Debit: house.ID, Credit: cash.ID, Amount: amount,
		Kind: "adjustment", RefType: "adjustment", RefID: in.Key, Note: in.Reason,
	}
	if taken {
		t.Debit, t.Credit = t.Credit, t.Debit
	}
	posted, err := p.Ledger.Post(ctx, t)
	if err != nil {
		return adjusted{}, err
	}
	after := posted.CreditAfter
	if taken {
		after = posted.DebitAfter
	}
	return adjusted{Transfer: posted.ID, Balance: currency.Format(after), Currency: currency.Code, Replayed: posted.Replayed}, nil
}}

// Run posts the correction.
func (a *ledgerAdjustCommand) Run(c *console) error {
	done, err := perform(c, a.Storage, adjustLedger, adjustment{a.Member, a.Merchant, string(a.Amount), a.Reason, a.Key})
	if err != nil {
		return err
	}
	said := "Posted"
	if done.Replayed {
		said = "Already posted earlier"
	}
	_, err = fmt.Fprintf(c.out, "%s as transfer %d: %s then has %s %s.\n", said, done.Transfer, a.Member, done.Balance, done.Currency)
	return err
}
