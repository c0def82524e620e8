package paycode_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/finance/paycode"
)

func TestKnownCodes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code interface{ Text() (string, error) }
		want string
	}{
		"VietQR": {
			paycode.VietQR{BIN: "970415", Account: "0011001932418", Amount: "120000", Memo: "ung ho lu lut"},
			"00020101021238570010A00000072701270006970415011300110019324180208QRIBFTTA530370454061200005802VN62170813ung ho lu lut6304C15C",
		},
		"PIX": {
			paycode.PIX{Key: "123e4567-e12b-12d1-a456-426655440000", Name: "Fulano de Tal", City: "BRASILIA"},
			"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D",
		},
		"Raast": {paycode.Raast{IBAN: "PK33ABCD0000000000000000"}, "0002020102110202000424PK33ABCD00000000000000001004BA20"},
	} {
		if got, err := c.code.Text(); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v; want %s", name, got, err, c.want)
		}
	}
	if got := paycode.CRC("123456789"); got != 0x29B1 {
		t.Errorf("CRC = %04X, want 29B1", got)
	}
}

func TestInvalidValuesAreRefused(t *testing.T) {
	t.Parallel()
	vietQR := paycode.VietQR{BIN: "970436", Account: "1", Amount: "1", Memo: "A"}
	pix := paycode.PIX{Key: "k", Name: "N", City: "C", Amount: "1.00", TxID: "A"}
	raast := paycode.Raast{IBAN: strings.Repeat("A", 24), Amount: "1.00", Expires: time.UnixMilli(0)}
	for name, code := range map[string]interface{ Text() (string, error) }{
		"short BIN":      paycode.VietQR{BIN: "97041", Account: "1"},
		"no account":     paycode.VietQR{BIN: vietQR.BIN},
		"long account":   paycode.VietQR{BIN: vietQR.BIN, Account: strings.Repeat("1", 20)},
		"decimals":       paycode.VietQR{BIN: vietQR.BIN, Account: "1", Amount: "1.5"},
		"zero":           paycode.VietQR{BIN: vietQR.BIN, Account: "1", Amount: "0"},
		"accents":        paycode.VietQR{BIN: vietQR.BIN, Account: "1", Memo: "ủng hộ"},
		"long memo":      paycode.VietQR{BIN: vietQR.BIN, Account: "1", Memo: strings.Repeat("a", 26)},
		"long name":      paycode.PIX{Key: "k", Name: strings.Repeat("n", 26), City: "C"},
		"long city":      paycode.PIX{Key: "k", Name: "N", City: strings.Repeat("c", 16)},
		"txid with dash": paycode.PIX{Key: "k", Name: "N", City: "C", TxID: "a-b"},
		"long key":       paycode.PIX{Key: strings.Repeat("k", 78), Name: "N", City: "C"},
		"key and description too long together": paycode.PIX{
			Key: strings.Repeat("k", 70), Description: "lunch", Name: "N", City: "C",
		},
		"short IBAN": paycode.Raast{IBAN: "PK33"},
	} {
		if text, err := code.Text(); !errors.Is(err, paycode.ErrInvalid) || text != "" {
			t.Errorf("%s: got %q, %v; want ErrInvalid", name, text, err)
		}
	}
	for _, code := range []interface{ Text() (string, error) }{vietQR, pix, raast} {
		if _, err := code.Text(); err != nil {
			t.Errorf("%+v: %v, want a code", code, err)
		}
	}
}

// parse reads fields as a payment app does, without the code of the builder.
func parse(text string) (map[string]string, error) {
	out := map[string]string{}
	for text != "" {
		if len(text) < 4 {
			return nil, fmt.Errorf("truncated field in %q", text)
		}
		size, err := strconv.Atoi(text[2:4])
		if err != nil || len(text) < 4+size {
			return nil, fmt.Errorf("truncated field in %q", text)
		}
		if _, duplicate := out[text[:2]]; duplicate {
			return nil, fmt.Errorf("duplicate tag %s", text[:2])
		}
		out[text[:2]] = text[4 : 4+size]
		text = text[4+size:]
	}
	return out, nil
}

func checkCode(t interface{ Fatalf(string, ...any) }, text, checksum string) map[string]string {
	fields, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if want := fmt.Sprintf("%04X", paycode.CRC(text[:len(text)-4])); fields[checksum] != want {
		t.Fatalf("%s: checksum %s, want %s", text, fields[checksum], want)
	}
	return fields
}

func TestCodesCarryTheirValues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := paycode.VietQR{
			BIN: rapid.StringMatching(`[0-9]{6}`).Draw(t, "BIN"), Account: rapid.StringMatching(`[A-Za-z0-9]{1,19}`).Draw(t, "account"),
			Amount: rapid.StringMatching(`([1-9][0-9]{0,12})?`).Draw(t, "amount"), Memo: rapid.StringMatching(`[A-Z0-9 ]{0,25}`).Draw(t, "memo"),
		}
		text, err := v.Text()
		if err != nil {
			t.Fatalf("%+v: %v", v, err)
		}
		f := checkCode(t, text, "63")
		account, err := parse(f["38"])
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		bank, err := parse(account["01"])
		memo, err2 := parse(f["62"])
		if err != nil || err2 != nil || bank["00"] != v.BIN || bank["01"] != v.Account || f["54"] != v.Amount || memo["08"] != v.Memo {
			t.Fatalf("%s does not carry %+v", text, v)
		}
		p := paycode.PIX{
			Key: rapid.StringMatching(`[a-z0-9@.+-]{1,50}`).Draw(t, "key"), Name: rapid.StringMatching(`[A-Za-z ]{1,25}`).Draw(t, "name"),
			City: rapid.StringMatching(`[A-Z ]{1,15}`).Draw(t, "city"), Amount: rapid.StringMatching(`([1-9][0-9]{0,8}\.[0-9]{2})?`).Draw(t, "reais"),
			TxID: rapid.StringMatching(`[A-Z0-9]{12}`).Draw(t, "txid"),
		}
		if text, err = p.Text(); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		f = checkCode(t, text, "63")
		key, err := parse(f["26"])
		id, err2 := parse(f["62"])
		if err != nil || err2 != nil || key["01"] != p.Key || f["59"] != p.Name || f["60"] != p.City || f["54"] != p.Amount || id["05"] != p.TxID {
			t.Fatalf("%s does not carry %+v", text, p)
		}
		r := paycode.Raast{IBAN: rapid.StringMatching(`PK[0-9]{2}[A-Z]{4}[0-9]{16}`).Draw(t, "IBAN"), Amount: p.Amount, Expires: time.UnixMilli(1_800_000_000_000)}
		if text, err = r.Text(); err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if f = checkCode(t, text, "10"); f["04"] != r.IBAN || f["05"] != r.Amount || f["07"] != "150120271300" {
			t.Fatalf("%s does not carry %+v", text, r)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("970415", "0011001932418", "120000", "ung ho lu lut")
	f.Add("", "", "", "")
	f.Add("970415", "1", "9223372036854775808", "é")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for tag, code := range map[string]interface{ Text() (string, error) }{
			"63":  paycode.VietQR{BIN: a, Account: b, Amount: c, Memo: d},
			"63 ": paycode.PIX{Key: a, Name: b, Amount: c, City: d, TxID: b},
			"10":  paycode.Raast{IBAN: a, Amount: c},
		} {
			if text, err := code.Text(); err == nil {
				checkCode(t, text, strings.TrimSpace(tag))
			} else if !errors.Is(err, paycode.ErrInvalid) {
				t.Errorf("%+v: %v, want ErrInvalid", code, err)
			}
		}
	})
}
