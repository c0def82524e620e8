package picture

import (
	"context"
	"regexp"
	"strings"

	"fairground/internal/platform/db"
)

const (
	// ContentRoute is the URL prefix of pictures that operators upload for content, promotions and streams.
	ContentRoute = "/wps/content/picture/"
	// ContentFolder is the prefix of their names in the store.
	ContentFolder = "content/"
)

var contentName = regexp.MustCompile(`^[a-z2-7]{26}\.jpg$`)

// IsContent reports whether a URL is the URL of a picture that an operator uploaded.
func IsContent(url string) bool {
	name, found := strings.CutPrefix(url, ContentRoute)
	return found && contentName.MatchString(name)
}

// KeepContentIn is like Store.KeepIn, but for the URL of a picture that an operator uploaded. It does nothing for other URLs.
func KeepContentIn(ctx context.Context, tx *db.Tx, url string) error {
	if !IsContent(url) {
		return nil
	}
	return Store{}.KeepIn(ctx, tx, ContentFolder+strings.TrimPrefix(url, ContentRoute))
}
