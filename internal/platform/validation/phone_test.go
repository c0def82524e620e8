package validation_test

import (
	"errors"
	"strings"
	"testing"

	"fairground/internal/platform/validation"
)

func TestMobile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ dialing, number, want string }{
		{"84", "912345678", "+84912345678"},
		{"84", "0912345678", "+84912345678"},
		{" 84 ", " 0912345678\t", "+84912345678"},
		{"55", "11961234567", "+5511961234567"},
		{"92", "03012345678", "+923012345678"},
		{"1", "2015550123", "+12015550123"},
		{"86", "13123456789", "+8613123456789"},
		{"225", "0123456789", "+2250123456789"}, // the zero is part of the number
	} {
		t.Run("VA-02 the number's part: one leading zero is removed from "+c.number, func(t *testing.T) {
			t.Parallel()
			if got, err := validation.Mobile(c.dialing, c.number); got != c.want || err != nil {
				t.Errorf("Mobile(%q, %q) = %q, %v, want %q", c.dialing, c.number, got, err, c.want)
			}
		})
	}
	for name, c := range map[string][2]string{
		"empty":                  {"84", ""},
		"no country":             {"", "912345678"},
		"only a zero":            {"84", "0"},
		"two zeros":              {"84", "00912345678"},
		"too short":              {"84", "91234"},
		"too long":               {"84", strings.Repeat("9", 21)},
		"a landline":             {"84", "2438123456"},
		"unknown country":        {"999", "912345678"},
		"country too long":       {"00084", "912345678"},
		"plus in the country":    {"+84", "912345678"},
		"plus in the number":     {"84", "+84912345678"},
		"letters":                {"84", "91234567a"},
		"separators":             {"84", "912-345-678"},
		"spaces inside":          {"84", "912 345 678"},
		"full-width digits":      {"84", "９１２３４５６７８"},
		"Arabic digits":          {"84", "٩١٢٣٤٥٦٧٨"},
		"emoji":                  {"84", "📱912345678"},
		"right-to-left mark":     {"84", "\u200f912345678"},
		"SQL":                    {"84", "1' OR '1'='1"},
		"HTML":                   {"84", "<b>912345678</b>"},
		"an extension":           {"84", "912345678;ext=1"},
		"null byte":              {"84", "912345678\x00"},
		"another country's form": {"1", "912345678"},
	} {
		if got, err := validation.Mobile(c[0], c[1]); !errors.Is(err, validation.ErrMobile) || got != "" {
			t.Errorf("%s: Mobile = %q, %v, want ErrMobile", name, got, err)
		}
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	longest := strings.Repeat("a", 64) + "@" + strings.Repeat("b.", 92) + "example"[:5] // 254 characters
	for _, text := range []string{"a@b.co", "Minh.Anh+tag@mail.example.vn", "x_y-z@sub.example.com", "1@2.3a", longest} {
		if got, err := validation.Email("  " + text + " "); got != text || err != nil {
			t.Errorf("Email(%q) = %q, %v, want %v", text, got, err, text)
		}
	}
	for _, text := range []string{
		"", " ", "@", "a@", "@b.co", "a@b", "a@b..co", "a@.co", "a@b.co.", "a b@c.de", "a@b c.de", "a@@b.co", ".a@b.co", "a.@b.co", "a..b@c.de",
		"Minh <a@b.co>", "a@b.co,c@d.ef", "<a@b.co>", `"a b"@c.de`, "a@[127.0.0.1]", "a@-b.co", "a@b-.co", "a@b_c.de",
		"a@b.co\r\nBcc: c@d.ef", "ａ@b.co", "a@bücher.de", "😀@b.co", "a\u200f@b.co", "a@b.co\x00",
		longest + "x", strings.Repeat("a", 65) + "@b.co", "a@" + strings.Repeat("b", 64) + ".co", "<script>@b.co", "a'--@b.co;",
	} {
		if got, err := validation.Email(text); !errors.Is(err, validation.ErrEmail) || got != "" {
			t.Errorf("Email(%.40q) = %q, %v, want ErrEmail", text, got, err)
		}
	}
}
