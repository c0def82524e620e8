package merchant

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/platform/spec"
)

// A Contact is a way to reach customer service.
type Contact struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// affiliateLink is the only type whose URL is sent in clear text.
const affiliateLink = "AFFILIATELINK"

var contactTypes = []string{"CS", spec.LinkWhatsApp, spec.LinkTelegram, "ZALO", "LINE", "FACEBOOK", affiliateLink}

const maxContacts = 20

func checkContacts(v []Contact) error {
	if len(v) > maxContacts {
		return fmt.Errorf("more than %d entries", maxContacts)
	}
	for i, c := range v {
		if err := errors.Join(oneOf(contactTypes...)(c.Type), link(c.URL)); err != nil {
			return err
		}
		if slices.Contains(v[:i], c) {
			return fmt.Errorf("%s %s occurs twice", c.Type, c.URL)
		}
	}
	return nil
}

type helpLink struct {
	Type string `json:"csType" enum:"CS,WHATSAPP,TELEGRAM,ZALO,LINE,FACEBOOK,AFFILIATELINK"`
	Path string `json:"path" doc:"The obfuscated address. The last 8 characters are the key. The rest is the base64url of a 12-byte nonce and the AES-256-GCM ciphertext under the key's SHA-256. Empty for AFFILIATELINK."`
	URL  string `json:"url,omitempty" doc:"The address in clear text, only for AFFILIATELINK."`
}

// newHelp returns the links to the contacts. It runs once per reload of the settings.
func (m *merchant) newHelp() ([]helpLink, error) {
	links := make([]helpLink, 0, len(m.settings.Services))
	for _, c := range m.settings.Services {
		l := helpLink{Type: c.Type}
		if c.Type == affiliateLink {
			l.URL = c.URL
		} else {
			obfuscated, err := obfuscatePath(c.URL)
			if err != nil {
				return nil, fmt.Errorf("obfuscate the address of %s: %w", c.Type, err)
			}
			l.Path = obfuscated
		}
		links = append(links, l)
	}
	return links, nil
}

const pathKeyLength = 8

// obfuscatePath hides a URL from casual readers of the response (EN-07). It keeps nothing secret, because the text
// contains the key. Key and nonce are derived from the path, so that all replicas send the same text.
func obfuscatePath(path string) (string, error) {
	digest := sha256.Sum256([]byte(path))
	key := base32.StdEncoding.EncodeToString(digest[:])[:pathKeyLength]
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		return "", err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	nonce := digest[len(digest)-gcm.NonceSize():]
	sealed := gcm.Seal(nonce, nonce, []byte(path), nil)
	return base64.RawURLEncoding.EncodeToString(sealed) + key, nil
}
