package member

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const trialBalance money.Minor = 10_000_000

// trialLimit limits trials per network.
var trialLimit = ratelimit.Limit{Burst: 20, Every: 3 * time.Minute}

// BeginTrial creates a trial member with play money. The member has no password, so the trial lasts for one session.
func (s *Service) BeginTrial(ctx context.Context, merchantID int64, ageConfirmed bool, from rest.Visitor) (int64, error) {
	age, err := s.requireAge(ctx, merchantID, ageConfirmed)
	if err != nil {
		return 0, err
	}
	if err := s.o.Limiter.TakeAll(ctx, ratelimit.NetworkBuckets("member/trial/", from.Network, "", trialLimit, ratelimit.BlockFactor)); err != nil {
		return 0, err
	}
	id, err := s.addTrial(ctx, merchantID, age, from.Language)
	if err != nil {
		return 0, fmt.Errorf("begin trial: %w", err)
	}
	// After a crash at this point, the trial member has no money, but also no session.
	cash, err := s.o.Ledger.EnsureMember(ctx, merchantID, id, trialCurrency)
	if err != nil {
		return 0, err
	}
	source, err := s.o.Ledger.House(ctx, merchantID, ledger.Promotions, trialCurrency)
	if err != nil {
		return 0, err
	}
	_, err = s.o.Ledger.Post(ctx, ledger.Transfer{
		Key: fmt.Sprintf("trial/%d", id), Debit: source.ID, Credit: cash.ID, Amount: trialBalance,
		Kind: "trial", RefType: "trial", RefID: fmt.Sprint(id),
	})
	return id, err
}

func (s *Service) addTrial(ctx context.Context, merchantID int64, age int, language string) (int64, error) {
	for {
		n, _ := rand.Int(rand.Reader, big.NewInt(1_000_000_000)) // never returns an error
		id := s.o.IDs()
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			return s.addIn(ctx, tx, s.withAge(query.AddMemberParams{
				ID: id, MerchantID: merchantID, Account: fmt.Sprintf("t%09d", n), Type: int64(Trial), Currency: trialCurrency,
				Language: language, CreatedAt: db.Millis(s.o.Now()),
			}, age))
		})
		if !errors.Is(err, ErrUsernameTaken) {
			return id, err
		}
	}
}
