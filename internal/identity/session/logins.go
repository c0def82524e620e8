package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
)

// knownFor is how long a login makes its network known for the account.
const knownFor = 30 * 24 * time.Hour

// Logins knows from which networks accounts were lately opened.
type Logins struct{ now func() time.Time }

// NewLogins makes what knows it.
func NewLogins(now func() time.Time) *Logins { return &Logins{now} }

// NetworkKnownIn tells whether the account that has the number or the address was lately opened from a network.
func (l *Logins) NetworkKnownIn(ctx context.Context, tx *db.Tx, of notify.Subject, network string) (bool, error) {
	return l.isKnown(network, func(since int64) ([]string, error) {
		if of.Channel == notify.Email {
			return tx.Q.LoginAddressesOfEmail(ctx, of.MerchantID, since, of.Target)
		}
		return tx.Q.LoginAddressesOfMobile(ctx, of.MerchantID, db.Text(of.Target), since)
	})
}

// isKnown tells whether one of the addresses that logins came from is of a network.
func (l *Logins) isKnown(network string, read func(since int64) ([]string, error)) (bool, error) {
	addresses, err := read(db.Millis(l.now().Add(-knownFor)))
	if err != nil {
		return false, fmt.Errorf("read where logins came from: %w", err)
	}
	return slices.ContainsFunc(addresses, func(address string) bool { return rest.NetworkOfAddress(address) == network }), nil
}
