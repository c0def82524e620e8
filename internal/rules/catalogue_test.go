package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// catalogue is one language's messages by id, read from a gettext file.
type catalogue map[string]string

// readCatalogue reads the part of the PO format that the app's tool writes: msgid and msgstr in one or
// several quoted lines. Plural forms are written inside the message, not by msgid_plural.
func readCatalogue(f file) (catalogue, error) {
	messages := catalogue{}
	var id, text strings.Builder
	var into *strings.Builder
	var context string
	keep := func() error {
		if into == nil {
			return nil
		}
		key := context + id.String()
		if id.Len() > 0 {
			if _, twice := messages[key]; twice {
				return fmt.Errorf("%s: %q stands twice", f.path, key)
			}
			messages[key] = text.String()
		}
		id.Reset()
		text.Reset()
		into, context = nil, ""
		return nil
	}
	n := 0
	for line := range strings.Lines(f.text) {
		n++
		line = strings.TrimSpace(line)
		word, quoted, _ := strings.Cut(line, " ")
		switch {
		case line == "":
			if err := keep(); err != nil {
				return nil, err
			}
			continue
		case strings.HasPrefix(line, "#~"):
			return nil, fmt.Errorf("%s:%d: an obsolete message is kept: extract with --clean", f.path, n)
		case strings.HasPrefix(line, "#"):
			continue
		case word == "msgctxt":
			s, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", f.path, n, err)
			}
			context = s + "\x04"
			continue
		case word == "msgid":
			into = &id
		case word == "msgstr":
			into = &text
		case strings.HasPrefix(line, `"`):
			quoted = line
		default:
			return nil, fmt.Errorf("%s:%d: unexpected %q", f.path, n, line)
		}
		s, err := strconv.Unquote(quoted)
		if err != nil || into == nil {
			return nil, fmt.Errorf("%s:%d: not a quoted text: %s", f.path, n, line)
		}
		into.WriteString(s)
	}
	return messages, keep()
}

var tag = regexp.MustCompile(`</?[0-9]+/?>`)

// placeholders are the argument names and tags of a message in ICU form, sorted, each once.
func placeholders(message string) ([]string, error) {
	p := &icu{text: message}
	if err := p.message(0); err != nil {
		return nil, fmt.Errorf("%w in %q", err, message)
	}
	names := append(p.names, tag.FindAllString(message, -1)...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// icu walks a message: text, {argument}, {argument, plural, one {message} other {message}}.
type icu struct {
	text  string
	at    int
	names []string
}

func (p *icu) message(depth int) error {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '\'':
			p.quoted()
		case '{':
			p.at++
			if err := p.argument(depth); err != nil {
				return err
			}
		case '}':
			if depth == 0 {
				return fmt.Errorf("a '}' too many")
			}
			return nil
		default:
			p.at++
		}
	}
	if depth > 0 {
		return fmt.Errorf("a '}' is missing")
	}
	return nil
}

// quoted passes over '{literal}' and the doubled quote; a lone quote is an ordinary character.
func (p *icu) quoted() {
	p.at++
	if p.at < len(p.text) && strings.ContainsRune("{}#'", rune(p.text[p.at])) {
		if end := strings.IndexByte(p.text[p.at+1:], '\''); p.text[p.at] != '\'' && end >= 0 {
			p.at += end + 1
		}
		p.at++
	}
}

func (p *icu) argument(depth int) error {
	end := strings.IndexAny(p.text[p.at:], ",}")
	if end < 0 {
		return fmt.Errorf("a '}' is missing")
	}
	p.names = append(p.names, strings.TrimSpace(p.text[p.at:p.at+end]))
	p.at += end
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case '}':
			p.at++
			return nil
		case '{':
			p.at++
			if err := p.message(depth + 1); err != nil {
				return err
			}
		}
		p.at++
	}
	return fmt.Errorf("a '}' is missing")
}
