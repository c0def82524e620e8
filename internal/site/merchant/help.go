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

// Help is a way to reach the people behind the site.
type Help struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// affiliateLink is the one whose address the app opens as it stands; those of the others are sent veiled.
const affiliateLink = "AFFILIATELINK"

var helpTypes = []string{"CS", spec.LinkWhatsApp, spec.LinkTelegram, "ZALO", "LINE", "FACEBOOK", affiliateLink}

const mostHelp = 20

func help(v []Help) error {
	if len(v) > mostHelp {
		return fmt.Errorf("more than %d entries", mostHelp)
	}
	for i, h := range v {
		if err := errors.Join(oneOf(helpTypes...)(h.Type), link(h.URL)); err != nil {
			return err
		}
		if slices.Contains(v[:i], h) {
			return fmt.Errorf("%s %s is there twice", h.Type, h.URL)
		}
	}
	return nil
}

type helpLink struct {
	Type string `json:"csType" enum:"CS,WHATSAPP,TELEGRAM,ZALO,LINE,FACEBOOK,AFFILIATELINK"`
	Path string `json:"path" doc:"Where it leads, veiled: the last 8 characters are the key; the rest is base64url of nonce (12 bytes) and AES-256-GCM under the key's SHA-256. Empty for AFFILIATELINK."`
	URL  string `json:"url,omitempty" doc:"Where it leads, as it stands: only for AFFILIATELINK."`
}

// newHelp veils the ways once for as long as the settings stand: the answer is the same for all who ask.
func (m *merchant) newHelp() ([]helpLink, error) {
	links := make([]helpLink, 0, len(m.settings.Services))
	for _, h := range m.settings.Services {
		shown := helpLink{Type: h.Type}
		if h.Type == affiliateLink {
			shown.URL = h.URL
		} else {
			veiled, err := veilPath(h.URL)
			if err != nil {
				return nil, fmt.Errorf("veil the way to %s: %w", h.Type, err)
			}
			shown.Path = veiled
		}
		links = append(links, shown)
	}
	return links, nil
}

// pathKey is how much of a veiled path is its key.
const pathKey = 8

// veilPath hides where a path leads from those who only look through answers. It keeps nothing secret: the key is part
// of the text. Key and nonce follow from the path, so that every replica and every reading of the settings tells the same.
func veilPath(path string) (string, error) {
	drawn := sha256.Sum256([]byte(path))
	key := base32.StdEncoding.EncodeToString(drawn[:])[:pathKey]
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		return "", err
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		return "", err
	}
	nonce := drawn[len(drawn)-sealer.NonceSize():]
	sealed := sealer.Seal(nonce, nonce, []byte(path), nil)
	return base64.RawURLEncoding.EncodeToString(sealed) + key, nil
}
