package merchant

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// mostBases bounds the places that pictures come from: each stands in the policy of every page.
const mostBases = 8

// pictureBases accepts folders that pictures come from: paths of ours and https addresses, each with a slash at its end.
func pictureBases(v []string) error {
	if len(v) == 0 || len(v) > mostBases {
		return fmt.Errorf("want 1 to %d places", mostBases)
	}
	for i, base := range v {
		if !strings.HasSuffix(base, "/") || slices.Contains(v[:i], base) {
			return fmt.Errorf("%q does not end with a slash, or stands twice", base)
		}
		if path(base) == nil {
			continue
		}
		if _, err := originOf(base); err != nil {
			return fmt.Errorf("%q is neither a path of ours nor an https address: %w", base, err)
		}
	}
	return nil
}

// originOf gives the origin of an https address, in the one form in which a page's policy can name it.
func originOf(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	host := strings.Trim(u.Host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:")
	if u.Scheme != "https" || u.Host == "" || host != "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", errors.New("want https://HOST/ and nothing behind the path")
	}
	return "https://" + strings.ToLower(u.Host), nil
}

// Shows tells whether the merchant's pages show pictures from an address.
func (s *Service) Shows(ctx context.Context, merchantID int64, address string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(m.settings.CDN, func(base string) bool { return strings.HasPrefix(address, base) }), nil
}

// PictureOrigins are those of other sites that the served merchant's pictures come from.
func (s *Service) PictureOrigins(ctx context.Context) ([]string, error) {
	m, err := s.byCode(ctx, s.o.Default)
	if err != nil {
		return nil, err
	}
	var origins []string
	for _, base := range m.settings.CDN {
		if origin, err := originOf(base); err == nil && !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins, nil
}
