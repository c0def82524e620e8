package wallet

import (
	"fmt"
	"strings"
	"time"

	"fairground/internal/platform/secret"
)

const (
	sealPurpose = "house.wallet_session"
	// sealLifetime is practically unlimited, because a round is always finished with the session that it began with.
	sealLifetime = 20 * 365 * 24 * time.Hour
)

// A Session is a player's session in the vendor protocol, at one merchant.
type Session struct{ Merchant, ID string }

// Seal encrypts the session for storage.
func (s Session) Seal(keys *secret.Keys) (string, error) {
	return keys.Seal(sealPurpose, s.Merchant+"/"+s.ID, sealLifetime) // no session ID contains a slash
}

// Unseal decrypts a stored session.
func Unseal(keys *secret.Keys, sealed string) (Session, error) {
	var text string
	if _, err := keys.Unseal(sealPurpose, sealed, &text); err != nil {
		return Session{}, fmt.Errorf("unseal wallet session: %w", err)
	}
	if merchant, id, found := strings.Cut(text, "/"); found {
		return Session{merchant, id}, nil
	}
	return Session{ID: text}, nil // the oldest stored sessions have no merchant
}
