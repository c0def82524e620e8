package servertest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/identity/session"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant"
)

// Register creates a member with a password. Fields of m that are empty get the site's merchant, VND and Vietnamese.
func (s *Site) Register(t testing.TB, m member.NewMember) (id int64) {
	t.Helper()
	if m.MerchantID == 0 {
		m.MerchantID = s.ID
	}
	if m.Currency == "" {
		m.Currency = "VND"
	}
	if m.Language == "" {
		m.Language = "vi"
	}
	id, err := s.Server.Members.Create(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Login logs a member in and returns the token.
func (s *Site) Login(t testing.TB, username, password string) (token string) {
	t.Helper()
	g, err := s.Server.Sessions.Login(t.Context(), session.Credentials{MerchantID: s.ID, Username: username, Password: password, Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	return g.Token
}

// Caller returns a member as an authenticated caller, for merchanttest.Tokens.
func (s *Site) Caller(memberID int64, username string) rest.Caller {
	return rest.Caller{SessionID: memberID + 1000, MemberID: memberID, MerchantID: s.ID, Username: username, Currency: "VND"}
}

// Set changes a setting of the merchant. The value is JSON.
func (s *Site) Set(t testing.TB, name merchant.Setting, value string) {
	t.Helper()
	if err := s.Merchants.Set(t.Context(), s.ID, name, json.RawMessage(value)); err != nil {
		t.Fatalf("set %s to %s: %v", name, value, err)
	}
}

// House returns an account of the merchant in VND.
func (s *Site) House(t testing.TB, kind string) ledger.Account {
	t.Helper()
	a, err := s.Server.Ledger.House(t.Context(), s.ID, kind, "VND")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Fund adds to a member's cash and returns the account. An amount of 0 only opens the accounts.
func (s *Site) Fund(t testing.TB, memberID int64, currency string, amount money.Minor) ledger.Account {
	t.Helper()
	books := s.Server.Ledger
	cash, err := books.EnsureMember(t.Context(), s.ID, memberID, currency)
	if err != nil {
		t.Fatal(err)
	}
	if amount == 0 {
		return cash
	}
	house, err := books.House(t.Context(), s.ID, ledger.Adjustments, currency)
	if err != nil {
		t.Fatal(err)
	}
	_, err = books.Post(t.Context(), ledger.Transfer{
		Key: fmt.Sprintf("fund/%d", s.IDs()), Debit: house.ID, Credit: cash.ID, Amount: amount, Kind: "adjustment",
	})
	if err != nil {
		t.Fatal(err)
	}
	return cash
}

// Balance returns the balance of an account.
func (s *Site) Balance(t testing.TB, accountID int64) money.Minor {
	t.Helper()
	amount, err := s.Server.Ledger.Balance(t.Context(), accountID)
	if err != nil {
		t.Fatal(err)
	}
	return amount
}

// VerifyLedger fails the test if an invariant of the ledger or the chain of the audit log is broken.
func (s *Site) VerifyLedger(t testing.TB) {
	t.Helper()
	report, err := ledger.Verify(t.Context(), s.Store)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Broken > 0 {
			t.Errorf("%s: %d broken, e.g. %v", f.Invariant, f.Broken, f.Samples)
		}
	}
	log, err := audit.Verify(t.Context(), s.Store)
	if err != nil {
		t.Fatal(err)
	}
	if log.Broken != 0 {
		t.Errorf("row %d of the audit log is broken: %s", log.Broken, log.Why)
	}
}

// A Message is an SMS or e-mail in the local outbox.
type Message struct{ Recipient, Kind, Body string }

// Sent returns the messages in the local outbox, newest first.
func (s *Site) Sent(t testing.TB) []Message {
	t.Helper()
	rows, err := s.Store.Q().LocalDispatches(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sent := make([]Message, 0, len(rows))
	for _, row := range rows {
		sent = append(sent, Message{row.Recipient, row.Kind, row.Body})
	}
	return sent
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// Code returns the last code sent to a recipient.
func (s *Site) Code(t testing.TB, to string) string {
	t.Helper()
	for _, m := range s.Sent(t) {
		if m.Recipient == to && strings.HasSuffix(m.Kind, "_code") {
			return sixDigits.FindString(m.Body)
		}
	}
	t.Fatalf("no code was sent to %s", to)
	return ""
}
