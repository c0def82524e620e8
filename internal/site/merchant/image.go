package merchant

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxImageFolders is limited because the content security policy of every page lists them.
const maxImageFolders = 8

func checkImageFolders(v []string) error {
	if len(v) == 0 || len(v) > maxImageFolders {
		return fmt.Errorf("the list must have 1 to %d folders", maxImageFolders)
	}
	for i, folder := range v {
		if !strings.HasSuffix(folder, "/") || slices.Contains(v[:i], folder) {
			return fmt.Errorf("%q is repeated or does not end with a slash", folder)
		}
		if sitePath(folder) == nil {
			continue
		}
		if _, err := originOf(folder); err != nil {
			return fmt.Errorf("%q is neither a path of this site nor an https address: %w", folder, err)
		}
	}
	return nil
}

// originOf returns the origin of an https URL in the format of a content security policy.
func originOf(rawURL string) (string, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "", err
	}
	invalidChars := strings.Trim(u.Host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:")
	if u.Scheme != "https" || u.Host == "" || invalidChars != "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", errors.New("the address must be https://HOST/PATH without query and fragment")
	}
	return "https://" + strings.ToLower(u.Host), nil
}

// AllowsImage reports whether an image URL is in a folder of system.cdn.
func (s *Service) AllowsImage(ctx context.Context, merchantID int64, imageURL string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(m.settings.CDN, func(folder string) bool { return strings.HasPrefix(imageURL, folder) }), nil
}

// ImageOrigins returns the external origins of the default merchant's images.
func (s *Service) ImageOrigins(ctx context.Context) ([]string, error) {
	m, err := s.byCode(ctx, s.o.Default)
	if err != nil {
		return nil, err
	}
	var origins []string
	for _, folder := range m.settings.CDN {
		if origin, err := originOf(folder); err == nil && !slices.Contains(origins, origin) {
			origins = append(origins, origin)
		}
	}
	return origins, nil
}
