package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"fairground/internal/platform/control"
	"fairground/internal/server"
	"fairground/internal/site/content"
)

type contentGroup struct {
	List   contentListCommand   `cmd:"" help:"List announcements, pages and live models, shown or not."`
	Show   contentShowCommand   `cmd:"" help:"Show one of them as a file that import takes, or all."`
	Import contentImportCommand `cmd:"" help:"Store what a file holds, new or changed by its code or name; a running server follows at once."`
}

var readContent = change[merchantNamed, content.Bundle]{"content.show", func(ctx context.Context, p *server.Server, in merchantNamed) (content.Bundle, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return content.Bundle{}, err
	}
	return p.Content.Export(ctx, m.ID)
}}

type contentListCommand struct {
	ofMerchant
}

// Run prints one line for each.
func (l *contentListCommand) Run(c *console) error {
	all, err := perform(c, l.Storage, readContent, merchantNamed{l.Merchant})
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, a := range all.Announcements {
		fmt.Fprintf(out, "announcement\t%s\t%s\t%s\t%s\t%s\n", a.Code, onOff(a.Enabled), strings.TrimSpace(string(a.Type)+" "+a.Group+a.Execution), period(a), a.Texts["en"].Title)
	}
	for _, p := range all.Pages {
		fmt.Fprintf(out, "page\t%s\t%s\t\t\t%s\n", p.Name, onOff(p.Enabled), p.Texts["en"].Title)
	}
	for _, m := range all.Models {
		fmt.Fprintf(out, "model\t%s\t%s\t%s\t\t%s\n", m.Code, onOff(m.Enabled), m.Status, m.Name)
	}
	return out.Flush()
}

func period(a content.Announcement) string {
	said := "from " + a.Starts.Format(time.DateTime)
	if !a.Ends.IsZero() {
		said += " to " + a.Ends.Format(time.DateTime)
	}
	return said
}

type contentShowCommand struct {
	ofMerchant

	Name string `arg:"" optional:"" help:"Code of an announcement or live model, or name of a page; all of them when missing."`
}

// Run prints a file that import takes.
func (s *contentShowCommand) Run(c *console) error {
	all, err := perform(c, s.Storage, readContent, merchantNamed{s.Merchant})
	if err != nil {
		return err
	}
	if s.Name != "" {
		all = named(all, s.Name)
		if all.Size() == 0 {
			return fmt.Errorf("there is nothing called %s: content list says what there is", s.Name)
		}
	}
	enc := json.NewEncoder(c.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(all)
}

func named(all content.Bundle, name string) (found content.Bundle) {
	for _, a := range all.Announcements {
		if a.Code == name {
			found.Announcements = append(found.Announcements, a)
		}
	}
	for _, p := range all.Pages {
		if p.Name == name {
			found.Pages = append(found.Pages, p)
		}
	}
	for _, m := range all.Models {
		if m.Code == name {
			found.Models = append(found.Models, m)
		}
	}
	return found
}

type contentImportCommand struct {
	ofMerchant

	File string `arg:"" type:"path" help:"JSON: {\"announcements\": […], \"pages\": […], \"models\": […]}, as content show prints it."`
}

type contentOf struct {
	Merchant string
	Bundle   content.Bundle
}

var importContent = change[contentOf, struct{}]{"content.import", func(ctx context.Context, p *server.Server, in contentOf) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Content.Put(ctx, m.ID, in.Bundle)
}}

// Run stores all that the file holds, or nothing.
func (i *contentImportCommand) Run(c *console) error {
	file, err := os.Open(i.File)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	bundle, err := content.ReadBundle(file)
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	// Whether a server runs must not decide what is taken.
	if sent, err := json.Marshal(contentOf{i.Merchant, bundle}); err != nil || len(sent) > control.MaxRequest {
		return errors.Join(err, fmt.Errorf("%s is too large for one import: split it into files of less than 1 MB", i.File))
	}
	if _, err := perform(c, i.Storage, importContent, contentOf{i.Merchant, bundle}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Stored %d announcements, %d pages, %d models.\n", len(bundle.Announcements), len(bundle.Pages), len(bundle.Models))
	return err
}
