package servertest

// WrongNumbers are JSON numbers that are no amount of VND, by what is wrong.
var WrongNumbers = map[string]string{
	"zero": "0", "minus zero": "-0", "negative": "-5", "a decimal": "50000.5", "a decimal of zero": "50000.0", "many decimals": "50000.0000000000000000001",
	"2^63": "9223372036854775808", "2^64": "18446744073709551616", "-2^63": "-9223372036854775808", "an exponent": "5e4",
}

// NotNumbers are JSON texts of an amount that are no numbers, by what is wrong.
var NotNumbers = map[string]string{
	"null": "null", "a text": `"50000"`, "an empty text": `""`, "grouped with commas": `"50,000"`, "grouped with points": `"50.000"`, "grouped with spaces": `"50 000"`,
	"full-width digits": `"５００００"`, "Arabic digits": `"٥٠٠٠٠"`, "a currency": `"50000 VND"`, "a list": "[50000]", "an object": `{"amount":50000}`, "a boolean": "true",
}

// NotJSON are texts in the place of an amount that make the whole body unreadable, by what is wrong.
var NotJSON = map[string]string{
	"grouped with commas": "50,000", "grouped with spaces": "50 000", "full-width digits": "５００００", "Arabic digits": "٥٠٠٠٠", "a plus sign": "+50000", "a leading zero": "050000",
	"hexadecimal": "0xC350", "a huge exponent": "1e999999999", "not a number": "NaN", "infinite": "Infinity", "nothing": "",
}
