package main

import (
	"context"

	"fairground/internal/content"
	"fairground/internal/rest"
)

// homeGroup is where home's banners stand.
const homeGroup = "m_home"

// firstPictures tells the app's page which banner home shows first. Both services answer from memory.
type firstPictures struct{ p *parts }

// Pictures gives it for the configured merchant, in every language.
func (f firstPictures) Pictures(ctx context.Context) (map[string]string, error) {
	m, err := f.p.merchants.Find(ctx, "")
	if err != nil {
		return nil, err
	}
	pictures := map[string]string{}
	for _, language := range rest.Languages() {
		items, err := f.p.content.List(ctx, content.Filter{
			MerchantID: m.ID, Language: language, Types: []content.Type{content.Banner}, Group: homeGroup,
		})
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			// As in the app: what stands everywhere is not home's own.
			if item.GroupName == homeGroup {
				pictures[language] = item.Image
				break
			}
		}
	}
	return pictures, nil
}
