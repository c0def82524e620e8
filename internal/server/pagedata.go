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

// pageSource provides the merchant's name, defaults and first home banner. Both services read from memory.
type pageSource struct {
	merchants *merchant.Service
	content   *content.Service
}

// PageData returns the data of the configured merchant.
func (p pageSource) PageData(ctx context.Context) (webui.PageData, error) {
	m, err := p.merchants.Find(ctx, "")
	if err != nil {
		return webui.PageData{}, err
	}
	look, err := p.merchants.Appearance(ctx, m.ID)
	if err != nil {
		return webui.PageData{}, err
	}
	pictures := map[string]string{}
	for _, language := range rest.Languages() {
		items, err := p.content.List(ctx, content.Filter{
			Reader: content.Reader{MerchantID: m.ID, Language: language}, Types: []content.Type{content.Banner}, Group: spec.GroupHome,
		})
		if err != nil {
			return webui.PageData{}, err
		}
		for _, item := range items {
			// The list also contains banners of other groups, which the app does not show on the home screen.
			if item.GroupName == spec.GroupHome {
				pictures[language] = item.Image
				break
			}
		}
	}
	return webui.PageData{Name: look.Name, Language: strings.ToLower(look.Language), Theme: look.Theme, Pictures: pictures}, nil
}
