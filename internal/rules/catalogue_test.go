package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A catalogue has the messages of one language by id.
type catalogue map[string]string

// readCatalogue reads the subset of the PO format that the app's tool writes: msgid and msgstr in one or several quoted
// lines, without msgid_plural.
func readCatalogue(f file) (catalogue, error) {
	messages := catalogue{}
	var id, text strings.Builder
	var into *strings.Builder // id or text, which the next quoted lines continue
	var context string
	flush := func() error {
		if into == nil {
			return nil
		}
		key := context + id.String()
		if id.Len() > 0 {
			if _, twice := messages[key]; twice {
				return fmt.Errorf("%s: duplicate message %q", f.path, key)
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
			if err := flush(); err != nil {
				return nil, err
			}
			continue
		case strings.HasPrefix(line, "#~"):
			return nil, fmt.Errorf("%s:%d: obsolete message: extract with --clean", f.path, n)
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
	return messages, flush()
}

var tag = regexp.MustCompile(`</?[0-9]+/?>`)

// placeholders returns the sorted, unique argument names and tags of an ICU message.
func placeholders(message string) ([]string, error) {
	p := &icu{text: message}
	if err := p.message(0); err != nil {
		return nil, fmt.Errorf("%w in %q", err, message)
	}
	names := append(p.names, tag.FindAllString(message, -1)...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

// icu parses ICU messages: text, {argument}, {argument, plural, one {message} other {message}}.
type icu struct {
	text   string
	offset int
	names  []string
}

func (p *icu) message(depth int) error {
	for p.offset < len(p.text) {
		switch p.text[p.offset] {
		case '\'':
			p.skipQuoted()
		case '{':
			p.offset++
			if err := p.argument(depth); err != nil {
				return err
			}
		case '}':
			if depth == 0 {
				return fmt.Errorf("unexpected '}'")
			}
			return nil
		default:
			p.offset++
		}
	}
	if depth > 0 {
		return fmt.Errorf("a '}' is missing")
	}
	return nil
}

// skipQuoted skips '{literal}' and a doubled quote. A single quote is an ordinary character.
func (p *icu) skipQuoted() {
	p.offset++
	if p.offset < len(p.text) && strings.ContainsRune("{}#'", rune(p.text[p.offset])) {
		if end := strings.IndexByte(p.text[p.offset+1:], '\''); p.text[p.offset] != '\'' && end >= 0 {
			p.offset += end + 1
		}
		p.offset++
	}
}

func (p *icu) argument(depth int) error {
	end := strings.IndexAny(p.text[p.offset:], ",}")
	if end < 0 {
		return fmt.Errorf("a '}' is missing")
	}
	p.names = append(p.names, strings.TrimSpace(p.text[p.offset:p.offset+end]))
	p.offset += end
	for p.offset < len(p.text) {
		switch p.text[p.offset] {
		case '}':
			p.offset++
			return nil
		case '{':
			p.offset++
			if err := p.message(depth + 1); err != nil {
				return err
			}
		}
		p.offset++
	}
	return fmt.Errorf("a '}' is missing")
}
