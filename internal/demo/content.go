package demo

import (
	"context"
	"time"

	"fairground/internal/site/content"
	"fairground/internal/site/merchant"
)

// contacts link to pages that explain that the demo has no support.
var contacts = []merchant.Contact{
	{Type: "CS", URL: "/m/policy/contact"},
	{Type: "AFFILIATELINK", URL: "/m/inviteFriends"},
}

// announcementStart is before the start of any demo.
var announcementStart = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// fillContent stores missing announcements, pages, help topics and live models in one transaction.
func fillContent(ctx context.Context, p Parts, merchantID int64) error {
	announcements, err := read[content.Announcement]("announcements.json")
	if err != nil {
		return err
	}
	for i := range announcements {
		a := &announcements[i]
		a.Sorting, a.Enabled = int64(i+1)*10, true
		a.Starts = announcementStart.AddDate(0, 0, i) // on different days, so that news have a fixed order
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
	help, err := HelpTopics()
	if err != nil {
		return err
	}
	existing, err := p.Content.Export(ctx, merchantID)
	if err != nil {
		return err
	}
	code, name, topic, model := func(a content.Announcement) string { return a.Code }, func(p content.Page) string { return p.Name },
		func(h content.HelpTopic) string { return h.Code }, func(m content.Model) string { return m.Code }
	added := content.Bundle{
		Announcements: missing(announcements, namesOf(existing.Announcements, code), code),
		Pages:         missing(pages, namesOf(existing.Pages, name), name),
		Help:          missing(help, namesOf(existing.Help, topic), topic),
		Models:        missing(models, namesOf(existing.Models, model), model),
	}
	if added.Size() == 0 {
		return nil
	}
	return p.Content.Put(ctx, merchantID, added)
}

func namesOf[T any](items []T, name func(T) string) []string {
	names := make([]string, 0, len(items))
	for _, item := range items {
		names = append(names, name(item))
	}
	return names
}
