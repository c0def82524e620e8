package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fairground/internal/demo"
	"fairground/internal/server"
)

// namedByOperators are the commands that name an object, in the name of a merchant whose it is not. {round} is one that still runs.
var namedByOperators = map[string][]string{
	"member.disable":     {"member", "disable", "demo88"},
	"member.enable":      {"member", "enable", "demo88"},
	"ledger.adjust":      {"ledger", "adjust", "--member", "demo88", "--amount", "5", "--reason", "test", "--key", "foreign"},
	"catalogue.vendor":   {"catalogue", "vendor", "TEST", "--enabled", "off"},
	"vendor.rotate":      {"vendor", "rotate", "--code", "TEST"},
	"vendor.refund":      {"vendor", "refund", "{round}", "--code", "TEST", "--member", "demo88", "--reason", "test"},
	"vendor.open_rounds": {"vendor", "open-rounds", "--code", "TEST", "--older", "0s"},
}

// namingNothing are the others, with the reason why none of them can reach another merchant's.
var namingNothing = map[string]string{
	"member.create":     "makes one of the merchant's own",
	"operator.create":   "operators are the installation's",
	"operator.password": "operators are the installation's",
	"merchant.show":     "names the merchant itself",
	"merchant.set":      "names the merchant itself",
	"merchant.switch":   "names the merchant itself",
	"catalogue.import":  "writes the merchant's own, by their codes",
	"vendor.create":     "makes one of the merchant's own",
	"house.retry":       "the House's rounds are the installation's",
	"house.refund":      "the House's rounds are the installation's",
	"content.show":      "gives the merchant's own",
	"content.import":    "writes the merchant's own, by their codes",
}

// What operators do in the name of one merchant reaches nothing of another's.
func TestSE03OperatorsByEveryCommand(t *testing.T) {
	t.Parallel()
	all := slices.Collect(maps.Keys(controlCommands(&server.Server{})))
	for _, name := range all {
		if (namedByOperators[name] == nil) == (namingNothing[name] == "") {
			t.Errorf("whose objects does %s name?", name)
		}
	}
	if n := len(namedByOperators) + len(namingNothing); n != len(all) {
		t.Errorf("%d commands are told of, there are %d: %v", n, len(all), all)
	}
	eachInstallation(t, false, func(t *testing.T, args []string) {
		s := start(t, args...)
		runCommand(t, demo.Password+"\n", args, "member", "create", "demo88", "--of-age", "--password-stdin")
		runCommand(t, "", args, "ledger", "adjust", "--member", "demo88", "--amount", "100", "--reason", "test", "--key", "own")
		v := newVendorClient(t, s, args)
		v.Currency = "CNY"
		bet := v.Fields("b1", "r1", map[string]any{"amount": "10"})
		if got := v.callVendor(t, "bet", bet); got.Code != "OK" {
			t.Fatal(got)
		}
		s.end()
		start(t, append(args, "--merchant", "second", "--new-merchant")...).end()
		const seen = `SELECT (SELECT COUNT(*) FROM transfer) * 1000000 + (SELECT COUNT(*) FROM vendor_key) * 10000 + (SELECT COUNT(*) FROM vendor WHERE NOT enabled) * 100 + (SELECT COUNT(*) FROM member WHERE status <> 'active')`
		before := count(optionsOf(args), seen)
		for name, words := range namedByOperators {
			t.Run("SE-03 "+name, func(t *testing.T) {
				line := strings.ReplaceAll(strings.Join(words, "\x00"), "{round}", bet["roundId"].(string))
				code, out, errs := command(t, "", slices.Concat(strings.Split(line, "\x00"), args, []string{"--merchant", "second"})...)
				if code == 0 || errs == "" || out != "" {
					t.Errorf("exit %d: %s%s", code, out, errs)
				}
				if after := count(optionsOf(args), seen); after != before || before == 0 {
					t.Errorf("%d became %d", before, after)
				}
			})
		}
		// The same in the right merchant's name is done.
		runCommand(t, "", args, "vendor", "refund", bet["roundId"].(string), "--code", "TEST", "--member", "demo88", "--reason", "test")
	})
}
