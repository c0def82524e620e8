// Package paycode writes the texts of payment QR codes: VietQR, PIX and Raast. It draws no pictures and moves no money.
package paycode

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrInvalid reports that a value does not fit into a payment code.
var ErrInvalid = errors.New("paycode: a value does not fit into the code")

// A VietQR is a transfer to an account of a Vietnamese bank (EMVCo, NAPAS).
type VietQR struct {
	BIN     string // bank identification number, 6 digits
	Account string // at most 19 letters and digits
	Amount  string // digits without decimals; empty: the payer enters it
	Memo    string // at most 25 characters of ASCII; may be empty
}

// Text returns the text of the code.
func (v VietQR) Text() (string, error) {
	var b builder
	b.add("00", "01")
	b.add("01", initiation(v.Amount))
	b.check("BIN", len(v.BIN) == 6 && consistsOf(v.BIN, digits))
	b.check("account", v.Account != "" && len(v.Account) <= 19 && consistsOf(v.Account, digits+letters))
	b.add("38", b.fields("00", "A000000727", "01", b.fields("00", v.BIN, "01", v.Account), "02", "QRIBFTTA"))
	b.add("53", "704")
	b.amount("54", v.Amount, digits)
	b.add("58", "VN")
	if v.Memo != "" {
		b.check("memo", len(v.Memo) <= 25 && printable(v.Memo))
		b.add("62", b.fields("08", v.Memo))
	}
	return b.finish("63")
}

// A PIX is a transfer to a PIX key (BR Code).
type PIX struct {
	Key         string
	Description string // may be empty
	Amount      string // such as 10.00; empty: the payer enters it
	Name        string // of the receiver, at most 25 characters of ASCII
	City        string // at most 15 characters of ASCII
	TxID        string // at most 25 letters and digits; empty: ***
}

// Text returns the text of the code.
func (p PIX) Text() (string, error) {
	var b builder
	b.add("00", "01")
	b.check("key", p.Key != "" && len(p.Key) <= 77 && printable(p.Key))
	account := []string{"00", "br.gov.bcb.pix", "01", p.Key}
	if p.Description != "" {
		b.check("description", printable(p.Description))
		account = append(account, "02", p.Description)
	}
	b.add("26", b.fields(account...))
	b.add("52", "0000")
	b.add("53", "986")
	b.amount("54", p.Amount, digits+".")
	b.add("58", "BR")
	b.check("name", p.Name != "" && len(p.Name) <= 25 && printable(p.Name))
	b.add("59", p.Name)
	b.check("city", p.City != "" && len(p.City) <= 15 && printable(p.City))
	b.add("60", p.City)
	id := "***"
	if p.TxID != "" {
		b.check("txid", len(p.TxID) <= 25 && consistsOf(p.TxID, digits+letters))
		id = p.TxID
	}
	b.add("62", b.fields("05", id))
	return b.finish("63")
}

// A Raast is a transfer to a Pakistani account. It carries no reference.
type Raast struct {
	IBAN    string    // 24 letters and digits
	Amount  string    // such as 10.00; empty: the payer enters it
	Expires time.Time // zero: never; in Pakistan's time zone
}

// pakistan is UTC+5 all year.
var pakistan = time.FixedZone("PKT", 5*60*60)

// Text returns the text of the code.
func (r Raast) Text() (string, error) {
	var b builder
	b.add("00", "02")
	b.add("01", initiation(r.Amount))
	b.add("02", "00")
	b.check("IBAN", len(r.IBAN) == 24 && consistsOf(r.IBAN, digits+letters))
	b.add("04", r.IBAN)
	b.amount("05", r.Amount, digits+".")
	if !r.Expires.IsZero() {
		b.add("07", r.Expires.In(pakistan).Format("020120061504"))
	}
	return b.finish("10")
}

// initiation returns the point of initiation: 11 for a code that can be paid many times, 12 for a code with an amount.
func initiation(amount string) string {
	if amount == "" {
		return "11"
	}
	return "12"
}

const (
	digits  = "0123456789"
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func consistsOf(s, allowed string) bool { return strings.Trim(s, allowed) == "" }

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// A builder writes fields. A field is a tag, a length of two digits, and a value. The builder keeps the first error.
type builder struct {
	text strings.Builder
	err  error
}

func (b *builder) check(what string, ok bool) {
	if !ok && b.err == nil {
		b.err = fmt.Errorf("%w: %s", ErrInvalid, what)
	}
}

func (b *builder) field(tag, value string) string {
	b.check("field "+tag, len(value) <= 99)
	return fmt.Sprintf("%s%02d%s", tag, len(value), value)
}

func (b *builder) fields(tagsAndValues ...string) string {
	var out strings.Builder
	for i := 0; i+1 < len(tagsAndValues); i += 2 {
		out.WriteString(b.field(tagsAndValues[i], tagsAndValues[i+1]))
	}
	return out.String()
}

func (b *builder) add(tag, value string) { b.text.WriteString(b.field(tag, value)) }

func (b *builder) amount(tag, amount, allowed string) {
	if amount == "" {
		return
	}
	b.check("amount", len(amount) <= 13 && consistsOf(amount, allowed) && strings.Count(amount, ".") <= 1 && strings.Trim(amount, "0.") != "" &&
		amount[0] != '.' && amount[len(amount)-1] != '.')
	b.add(tag, amount)
}

// finish adds the checksum, which covers its own tag and length.
func (b *builder) finish(tag string) (string, error) {
	if b.err != nil {
		return "", b.err
	}
	b.text.WriteString(tag + "04")
	return b.text.String() + fmt.Sprintf("%04X", CRC(b.text.String())), nil
}

// CRC returns the CRC-16/CCITT-FALSE of a text.
func CRC(text string) uint16 {
	sum := uint16(0xffff)
	for i := range len(text) {
		sum ^= uint16(text[i]) << 8
		for range 8 {
			if sum&0x8000 != 0 {
				sum = sum<<1 ^ 0x1021
			} else {
				sum <<= 1
			}
		}
	}
	return sum
}
