package demo

import (
	"context"
	"time"

	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
)

// services are the demo's ways to reach somebody. They lead to pages that say that nobody is there.
var services = []merchant.Help{
	{Type: "CS", URL: "/m/policy/contact"},
	{Type: "AFFILIATELINK", URL: "/m/inviteFriends"},
}

// since is when the demo's announcements begin: long ago for any demo.
var since = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// seedContent stores announcements, pages and live models that are not there yet, all at once.
func seedContent(ctx context.Context, p Parts, merchantID int64) error {
	announcements, err := read[content.Announcement]("announcements.json")
	if err != nil {
		return err
	}
	for i := range announcements {
		a := &announcements[i]
		a.Sorting, a.Enabled = int64(i+1)*10, true
		a.Starts = since.AddDate(0, 0, i) // one a day, so that news have an order
	}
	pages, err := read[content.Page]("pages.json")
	if err != nil {
		return err
	}
	for i := range pages {
		pages[i].Sorting, pages[i].Enabled = int64(i+1)*10, true
	}
	models, err := read[content.Model]("models.json")
	if err != nil {
		return err
	}
	for i := range models {
		models[i].Sorting, models[i].Enabled = int64(i+1)*10, true
	}
	there, err := p.Content.Everything(ctx, merchantID)
	if err != nil {
		return err
	}
	code, name, model := func(a content.Announcement) string { return a.Code }, func(p content.Page) string { return p.Name },
		func(m content.Model) string { return m.Code }
	fresh := content.Bundle{
		Announcements: missing(announcements, all(there.Announcements, code), code),
		Pages:         missing(pages, all(there.Pages, name), name),
		Models:        missing(models, all(there.Models, model), model),
	}
	if fresh.Size() == 0 {
		return nil
	}
	return p.Content.Put(ctx, merchantID, fresh)
}

// all lists what things are called.
func all[T any](things []T, called func(T) string) []string {
	names := make([]string, 0, len(things))
	for _, thing := range things {
		names = append(names, called(thing))
	}
	return names
}
