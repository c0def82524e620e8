package server

import (
	"context"
	"strings"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/webui"
	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
)

// front tells the app's page whose site it is, how it looks by default and which banner home shows first. Both services answer from memory.
type front struct {
	merchants *merchant.Service
	content   *content.Service
}

// Front gives it for the configured merchant, in every language.
func (f front) Front(ctx context.Context) (webui.Front, error) {
	m, err := f.merchants.Find(ctx, "")
	if err != nil {
		return webui.Front{}, err
	}
	look, err := f.merchants.Appearance(ctx, m.ID)
	if err != nil {
		return webui.Front{}, err
	}
	pictures := map[string]string{}
	for _, language := range rest.Languages() {
		items, err := f.content.List(ctx, content.Filter{
			Reader: content.Reader{MerchantID: m.ID, Language: language}, Types: []content.Type{content.Banner}, Group: spec.GroupHome,
		})
		if err != nil {
			return webui.Front{}, err
		}
		for _, item := range items {
			// As in the app: what stands everywhere is not home's own.
			if item.GroupName == spec.GroupHome {
				pictures[language] = item.Image
				break
			}
		}
	}
	return webui.Front{Name: look.Name, Language: strings.ToLower(look.Language), Theme: look.Theme, Pictures: pictures}, nil
}
