package deposit_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fairground/internal/finance/gateway"
	"fairground/internal/platform/db/dbtest"
)

// A notice with a malformed field is refused by the name of the field, and stores nothing.
func TestMalformedNotices(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	created := d.pay(t, "100000")
	notice := func(field, value string) string {
		text := map[string]string{
			"reference": strconv.Quote(created.Reference), "gatewayId": `"P1"`, "status": `"paid"`, "amount": `"100000"`, "currency": `"VND"`, "at": "1",
		}
		text[field] = value
		var all []string
		for name, value := range text {
			if value != "" {
				all = append(all, strconv.Quote(name)+":"+value)
			}
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	for field, values := range map[string]map[string]string{
		"amount": {
			"missing": "", "null": "null", "a number": "100000", "empty": `""`, "grouped with commas": `"100,000"`, "grouped with points": `"100.000"`,
			"grouped with spaces": `"100 000"`, "grouped with narrow spaces": `"100\u202f000"`, "full-width digits": `"１０００００"`, "Arabic digits": `"١٠٠٠٠٠"`,
			"full-width decimals": `"100000.０"`, "a plus sign": `"+100000"`, "negative": `"-100000"`, "an exponent": `"1e5"`, "hexadecimal": `"0x186A0"`, "a currency": `"100000 VND"`,
			"space before": `" 100000"`, "a line break after": `"100000\n"`, "no whole part": `".5"`, "no decimals": `"100000."`, "two points": `"1.0.0"`, "decimals": `"100000.00"`,
			"41 digits": `"` + strings.Repeat("1", 41) + `"`, "a list": `["100000"]`,
		},
		"reference": {"missing": "", "empty": `""`, "a number": "1", "a space": `"A B"`, "65 characters": `"` + strings.Repeat("A", 65) + `"`, "another script": `"Ａ"`},
		"gatewayId": {"missing": "", "empty": `""`, "a space": `"P 1"`, "129 characters": `"` + strings.Repeat("P", 129) + `"`},
		"status":    {"missing": "", "unknown": `"done"`, "capitals": `"PAID"`},
		"currency":  {"missing": "", "small letters": `"vnd"`, "full-width letters": `"ＶＮＤ"`, "a symbol": `"₫"`},
		"at":        {"missing": "", "null": "null", "a text": `"1"`, "negative": "-1", "a fraction": "1.5", "2^63": "9223372036854775808"},
	} {
		for what, value := range values {
			for _, kind := range []string{gateway.KindPayment, gateway.KindPayout} {
				d.Refill()
				got := d.send(t, "/pay/v1/G1/"+kind, notice(field, value), d.key.Key)
				want(t, kind+", "+field+": "+what, got, "400 INVALID_REQUEST"+field)
			}
		}
	}
	for what, body := range map[string]string{
		"no JSON": "paid", "empty": "", "null": "null", "a list": "[]", "two objects": notice("at", "1") + notice("at", "1"), "an amount twice": `{"amount":"1","amount":"100000"}`,
		"not UTF-8": "{\"reference\":\"\xff\"}", "more than 16 KB": `{"reference":"` + strings.Repeat("A", 17<<10) + `"}`,
	} {
		want(t, what, d.send(t, "/pay/v1/G1/payment", body, d.key.Key), "400 INVALID_REQUESTbody")
	}
	want(t, "stored notices", fmt.Sprint(d.Count(t, "gateway_notice")), "0")
	want(t, "status", d.status(t, created.ID), "WAITING")
	want(t, "the valid notice", d.send(t, "/pay/v1/G1/payment", notice("at", "1"), d.key.Key), "200 OK")
	d.VerifyLedger(t)
}
