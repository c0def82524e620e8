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

	"fairground/internal/demo"
	"fairground/internal/platform/control"
	"fairground/internal/server"
	"fairground/internal/site/content"
)

type contentGroup struct {
	List   contentListCommand   `cmd:"" help:"List all announcements, pages, help topics and live models, including disabled ones."`
	Show   contentShowCommand   `cmd:"" help:"Print one of them, or all, in the format of import."`
	Import contentImportCommand `cmd:"" help:"Add or replace the content in a file, by code or name. A running server applies it immediately."`
	Help   contentHelpCommand   `cmd:"" name:"help-articles" help:"Print the articles about this software in the format of import, for your own help centre."`
}

var readContent = operation[merchantRef, content.Bundle]{"content.show", func(ctx context.Context, p *server.Server, in merchantRef) (content.Bundle, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return content.Bundle{}, err
	}
	return p.Content.Export(ctx, m.ID)
}}

type contentListCommand struct {
	merchantFlags
}

// Run prints one line per entry.
func (l *contentListCommand) Run(c *console) error {
	all, err := perform(c, l.Storage, readContent, merchantRef{l.Merchant})
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
	for _, h := range all.Help {
		fmt.Fprintf(out, "help\t%s\t%s\t%s\t\t%s\n", h.Code, onOff(h.Enabled), h.Parent, h.Texts["en"].Title)
	}
	for _, m := range all.Models {
		fmt.Fprintf(out, "model\t%s\t%s\t%s\t\t%s\n", m.Code, onOff(m.Enabled), m.Status, m.Name)
	}
	return out.Flush()
}

func period(a content.Announcement) string {
	text := "from " + a.Starts.Format(time.DateTime)
	if !a.Ends.IsZero() {
		text += " to " + a.Ends.Format(time.DateTime)
	}
	return text
}

type contentShowCommand struct {
	merchantFlags

	Name string `arg:"" optional:"" help:"Code of an announcement, help topic or live model, or name of a page. Without it, all content is printed."`
}

// Run prints the content in the format of import.
func (s *contentShowCommand) Run(c *console) error {
	all, err := perform(c, s.Storage, readContent, merchantRef{s.Merchant})
	if err != nil {
		return err
	}
	if s.Name != "" {
		all = findByName(all, s.Name)
		if all.Size() == 0 {
			return fmt.Errorf("no content with the name %s: run content list to see what exists", s.Name)
		}
	}
	return printContent(c, all)
}

func findByName(all content.Bundle, name string) (found content.Bundle) {
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
	for _, h := range all.Help {
		if h.Code == name {
			found.Help = append(found.Help, h)
		}
	}
	for _, m := range all.Models {
		if m.Code == name {
			found.Models = append(found.Models, m)
		}
	}
	return found
}

type contentHelpCommand struct{}

// Run prints the articles that the demo shows.
func (*contentHelpCommand) Run(c *console) error {
	topics, err := demo.HelpTopics()
	if err != nil {
		return err
	}
	return printContent(c, content.Bundle{Help: topics})
}

func printContent(c *console, b content.Bundle) error {
	enc := json.NewEncoder(c.out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(b)
}

type contentImportCommand struct {
	merchantFlags

	File string `arg:"" type:"path" help:"JSON file: {\"announcements\": […], \"pages\": […], \"help\": […], \"models\": […]}, as printed by content show."`
}

type contentImport struct {
	Merchant string
	Bundle   content.Bundle
}

var importContent = operation[contentImport, struct{}]{"content.import", func(ctx context.Context, p *server.Server, in contentImport) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Content.Put(ctx, m.ID, in.Bundle)
}}

// Run stores the complete file or, on an error, nothing.
func (i *contentImportCommand) Run(c *console) error {
	file, err := os.Open(i.File)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	bundle, err := content.ReadBundle(file)
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	// Apply the control socket's limit also without a running server, so that both cases accept the same files.
	if sent, err := json.Marshal(contentImport{i.Merchant, bundle}); err != nil || len(sent) > control.MaxRequest {
		return errors.Join(err, fmt.Errorf("%s is too large for one import: split it into files of less than 1 MB", i.File))
	}
	if _, err := perform(c, i.Storage, importContent, contentImport{i.Merchant, bundle}); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Stored %d announcements, %d pages, %d help topics, %d models.\n", len(bundle.Announcements), len(bundle.Pages), len(bundle.Help), len(bundle.Models))
	return err
}
