package withdraw

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/secret"
)

// A PayoutBank is a bank that members can withdraw to.
type PayoutBank struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// banks are the known banks by currency. Members can choose them without a setting.
var banks = map[string][]PayoutBank{
	"VND": {
		{"VCB", "Vietcombank"}, {"TCB", "Techcombank"}, {"BIDV", "BIDV"}, {"CTG", "VietinBank"}, {"VBA", "Agribank"}, {"MB", "MB Bank"}, {"ACB", "ACB"},
		{"VPB", "VPBank"}, {"TPB", "TPBank"}, {"STB", "Sacombank"}, {"VIB", "VIB"}, {"SHB", "SHB"}, {"HDB", "HDBank"},
	},
	"PKR": {{"HBL", "Habib Bank"}, {"UBL", "United Bank"}, {"MCB", "MCB Bank"}, {"ABL", "Allied Bank"}, {"NBP", "National Bank of Pakistan"}, {"MEZN", "Meezan Bank"}},
	"BRL": {{"001", "Banco do Brasil"}, {"033", "Santander"}, {"104", "Caixa"}, {"237", "Bradesco"}, {"341", "Itaú"}, {"260", "Nubank"}},
}

// Banks returns the banks that a member can choose: those of the deposit methods, and the known banks of the currency.
func (s *Service) Banks(ctx context.Context, who Member) ([]PayoutBank, error) {
	all, err := s.o.Banks(ctx, who.MerchantID, who.Currency)
	for _, b := range banks[who.Currency] {
		if !slices.ContainsFunc(all, func(existing PayoutBank) bool { return existing.Code == b.Code }) {
			all = append(all, b)
		}
	}
	return all, err
}

// A Card is a bank account as its owner sees it.
type Card struct {
	ID       string `json:"id"`
	Bank     string `json:"bank" doc:"Code of the bank."`
	BankName string `json:"bankName"`
	LastFour string `json:"lastFour"`
	Holder   string `json:"holder" doc:"The verified name."`
	Default  bool   `json:"default"`
}

// sealedCard is the encrypted part of a card.
type sealedCard struct {
	Number string `json:"number"`
	Holder string `json:"holder"`
}

const (
	cardPurpose   = "withdraw.card/"
	digestPurpose = "withdraw.card"
	maxCards      = 10
)

// decrypt decrypts the number and the holder of a card.
func (s *Service) decrypt(card query.BankCard) (out sealedCard, err error) {
	text, err := s.o.Keys.Unwrap(cardPurpose+formatID(card.ID), card.Sealed)
	if err != nil {
		return out, fmt.Errorf("open card: %w", err)
	}
	return out, json.Unmarshal(text, &out)
}

func (s *Service) cardView(card query.BankCard, all []PayoutBank) (Card, error) {
	in, err := s.decrypt(card)
	out := Card{ID: formatID(card.ID), Bank: card.Bank, BankName: card.Bank, LastFour: card.LastFour, Holder: in.Holder, Default: card.IsDefault}
	for _, b := range all {
		if b.Code == card.Bank {
			out.BankName = b.Name
		}
	}
	return out, err
}

// Cards returns a member's cards, the default one first.
func (s *Service) Cards(ctx context.Context, who Member) ([]Card, error) {
	rows, err := s.o.Store.Q().BankCards(ctx, who.ID)
	if err != nil {
		return nil, fmt.Errorf("read cards: %w", err)
	}
	all, err := s.Banks(ctx, who)
	if err != nil {
		return nil, err
	}
	out := make([]Card, len(rows))
	for i, row := range rows {
		if out[i], err = s.cardView(row, all); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A NewCard describes a card to add.
type NewCard struct {
	Bank    string `json:"bank"`
	Number  string `json:"number"`
	Default bool   `json:"default"`
}

var numberFormat = regexp.MustCompile(`^[A-Z0-9]{6,34}$`)

// AddCard adds a card. Its holder is the verified name. With a key, a repeated request returns the first response.
func (s *Service) AddCard(ctx context.Context, who Member, key, password string, in NewCard) (Card, error) {
	state, holder, err := s.o.Identity.State(ctx, who.ID)
	if err != nil {
		return Card{}, err
	}
	if state != Verified {
		return Card{}, ErrIdentity
	}
	if err := s.checkPassword(ctx, who.ID, password); err != nil {
		return Card{}, err
	}
	all, err := s.Banks(ctx, who)
	if err != nil {
		return Card{}, err
	}
	if !slices.ContainsFunc(all, func(b PayoutBank) bool { return b.Code == in.Bank }) {
		return Card{}, ErrBank.On("bank")
	}
	number := strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(in.Number))
	if !numberFormat.MatchString(number) {
		return Card{}, ErrNumber.On("number")
	}
	digest := s.o.Keys.MAC(digestPurpose, in.Bank, number)
	// The stored request has no account number, only its keyed digest.
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "addBankCard", Key: key, Content: []any{in.Bank, digest, in.Default}}
	return idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (Card, error) {
		if err := tx.Q.LockMember(ctx, who.ID); err != nil {
			return Card{}, fmt.Errorf("lock member: %w", err)
		}
		existing, err := tx.Q.BankCards(ctx, who.ID)
		if err != nil {
			return Card{}, fmt.Errorf("read cards: %w", err)
		}
		if slices.ContainsFunc(existing, func(c query.BankCard) bool { return slices.Equal(c.Digest, digest) }) {
			return Card{}, ErrSameCard.On("number")
		}
		if len(existing) >= maxCards {
			return Card{}, ErrMaxCards
		}
		card := query.BankCard{
			ID: s.o.IDs(), MerchantID: who.MerchantID, MemberID: who.ID, Bank: in.Bank, LastFour: number[len(number)-4:], Digest: digest,
			IsDefault: in.Default || len(existing) == 0, CreatedAt: db.Millis(s.o.Now()),
		}
		text, err := json.Marshal(sealedCard{number, holder})
		if err != nil {
			return Card{}, err
		}
		if card.Sealed, err = s.o.Keys.Wrap(cardPurpose+formatID(card.ID), text); err != nil {
			return Card{}, err
		}
		err = tx.Q.AddBankCard(ctx, query.AddBankCardParams{
			ID: card.ID, MerchantID: card.MerchantID, MemberID: card.MemberID, Bank: card.Bank, Sealed: card.Sealed, LastFour: card.LastFour, Digest: digest,
			IsDefault: card.IsDefault, CreatedAt: card.CreatedAt,
		})
		if err != nil {
			return Card{}, fmt.Errorf("store card: %w", err)
		}
		if err := s.o.Breaks.ReviewCardIn(ctx, tx, who.MerchantID, who.ID, digest); err != nil {
			return Card{}, err
		}
		if card.IsDefault {
			if err := tx.Q.SetDefaultBankCard(ctx, card.ID, who.ID); err != nil {
				return Card{}, fmt.Errorf("set default card: %w", err)
			}
		}
		return s.cardView(card, all)
	})
}

// ownCard locks the member and returns one of the member's cards.
func ownCard(ctx context.Context, tx *db.Tx, memberID, id int64) (query.BankCard, error) {
	if err := tx.Q.LockMember(ctx, memberID); err != nil {
		return query.BankCard{}, fmt.Errorf("lock member: %w", err)
	}
	card, err := tx.Q.BankCard(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (card.MemberID != memberID || card.RemovedAt.Valid) {
		return query.BankCard{}, ErrCard
	}
	return card, err
}

// SetDefault makes a card the default one.
func (s *Service) SetDefault(ctx context.Context, who Member, id int64) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if _, err := ownCard(ctx, tx, who.ID, id); err != nil {
			return err
		}
		return tx.Q.SetDefaultBankCard(ctx, id, who.ID)
	})
}

// RemoveCard removes a card from the member's list. Open withdrawals to the card continue. The next card becomes the default one.
func (s *Service) RemoveCard(ctx context.Context, who Member, id int64) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		card, err := ownCard(ctx, tx, who.ID, id)
		if err != nil {
			return err
		}
		if _, err := tx.Q.RemoveBankCard(ctx, id, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}); err != nil {
			return fmt.Errorf("remove card: %w", err)
		}
		remaining, err := tx.Q.BankCards(ctx, who.ID)
		if err != nil || !card.IsDefault || len(remaining) == 0 {
			return err
		}
		return tx.Q.SetDefaultBankCard(ctx, remaining[0].ID, who.ID)
	})
}

// Rekey encrypts the cards with a new root key.
func Rekey(ctx context.Context, tx *db.Tx, old, next *secret.Keys) error {
	rows, err := tx.Q.AllBankCards(ctx)
	if err != nil {
		return fmt.Errorf("read cards: %w", err)
	}
	for _, row := range rows {
		purpose := cardPurpose + formatID(row.ID)
		text, err := old.Unwrap(purpose, row.Sealed)
		if err != nil {
			return err
		}
		var card sealedCard
		if err := json.Unmarshal(text, &card); err != nil {
			return fmt.Errorf("read card: %w", err)
		}
		sealed, err := next.Wrap(purpose, text)
		if err != nil {
			return err
		}
		if err := tx.Q.SetBankCardSealed(ctx, row.ID, sealed, next.MAC(digestPurpose, row.Bank, card.Number)); err != nil {
			return fmt.Errorf("seal card: %w", err)
		}
	}
	return nil
}
