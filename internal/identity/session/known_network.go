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

// knownNetworkTTL is how long an account knows the network of a login.
const knownNetworkTTL = 30 * 24 * time.Hour

// Logins looks up the networks of recent logins.
type Logins struct{ now func() time.Time }

// NewLogins returns a Logins.
func NewLogins(now func() time.Time) *Logins { return &Logins{now} }

// NetworkKnownIn reports whether the account with the number or address recently logged in from a network.
func (l *Logins) NetworkKnownIn(ctx context.Context, tx *db.Tx, subject notify.Subject, network string) (bool, error) {
	return l.isKnown(network, func(since int64) ([]string, error) {
		if subject.Channel == notify.Email {
			return tx.Q.LoginAddressesOfEmail(ctx, subject.MerchantID, since, subject.Target)
		}
		return tx.Q.LoginAddressesOfMobile(ctx, subject.MerchantID, db.Text(subject.Target), since)
	})
}

func (l *Logins) isKnown(network string, read func(since int64) ([]string, error)) (bool, error) {
	addresses, err := read(db.Millis(l.now().Add(-knownNetworkTTL)))
	if err != nil {
		return false, fmt.Errorf("read addresses of logins: %w", err)
	}
	return slices.ContainsFunc(addresses, func(address string) bool { return rest.NetworkOfAddress(address) == network }), nil
}
