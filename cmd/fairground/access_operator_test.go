package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"fairground/internal/demo"
	"fairground/internal/server"
)

// objectCommands are the commands with an argument that identifies an object of a merchant. {round} is replaced by the id
// of an open round.
var objectCommands = map[string][]string{
	"member.disable":     {"member", "disable", "demo88"},
	"member.enable":      {"member", "enable", "demo88"},
	"member.release":     {"member", "release", "demo88"},
	"ledger.adjust":      {"ledger", "adjust", "--member", "demo88", "--amount", "5", "--reason", "test", "--key", "foreign"},
	"catalogue.vendor":   {"catalogue", "vendor", "TEST", "--enabled", "off"},
	"catalogue.game":     {"catalogue", "game", "T1", "--enabled", "off"},
	"member.password":    {"member", "password", "demo88"},
	"vendor.set":         {"vendor", "set", "TEST", "--name", "Other"},
	"vendor.rotate":      {"vendor", "rotate", "--code", "TEST"},
	"vendor.refund":      {"vendor", "refund", "{round}", "--code", "TEST", "--member", "demo88", "--reason", "test"},
	"gateway.rotate":     {"gateway", "rotate", "--code", "G1"},
	"cashier.reconcile":  {"cashier", "reconcile", "G1"},
	"cashier.confirm":    {"cashier", "confirm", "1"},
	"cashier.refuse":     {"cashier", "refuse", "1", "--reason", "test"},
	"vendor.open_rounds": {"vendor", "open-rounds", "--code", "TEST", "--older", "0s"},
}

// otherCommands are the other commands, each with the reason why it cannot reach another merchant's objects.
var otherCommands = map[string]string{
	"member.create":     "creates an object of the merchant",
	"member.held":       "reads only objects of the merchant",
	"server.database":   "names the database of the installation",
	"operator.create":   "operators belong to the installation",
	"operator.password": "operators belong to the installation",
	"operator.change":   "operators belong to the installation",
	"merchant.show":     "names the merchant itself",
	"merchant.set":      "names the merchant itself",
	"merchant.switch":   "names the merchant itself",
	"catalogue.import":  "writes only objects of the merchant",
	"vendor.create":     "creates an object of the merchant",
	"house.install":     "writes only objects of the merchant",
	"house.retry":       "rounds of the House belong to the installation",
	"house.refund":      "rounds of the House belong to the installation",
	"cashier.list":      "reads only objects of the merchant",
	"gateway.create":    "creates an object of the merchant",
	"gateway.list":      "reads only objects of the merchant",
	"content.show":      "reads only objects of the merchant",
	"content.import":    "writes only objects of the merchant",
}

func TestSE03CommandsDoNotReachOtherMerchants(t *testing.T) {
	t.Parallel()
	all := slices.Collect(maps.Keys(controlCommands(&server.Server{})))
	for _, name := range all {
		if (objectCommands[name] == nil) == (otherCommands[name] == "") {
			t.Errorf("%s must be in exactly one of objectCommands and otherCommands", name)
		}
	}
	if n := len(objectCommands) + len(otherCommands); n != len(all) {
		t.Errorf("%d commands are listed, want %d: %v", n, len(all), all)
	}
	eachInstallation(t, withoutDemo, func(t *testing.T, args []string) {
		s := start(t, args...)
		runCommand(t, demo.Password+"\n", args, "member", "create", "demo88", "--of-age", "--password-stdin")
		runCommand(t, "", args, "ledger", "adjust", "--member", "demo88", "--amount", "100", "--reason", "test", "--key", "own")
		v := newVendorClient(t, s, args)
		v.Currency = "CNY"
		bet := v.Fields("b1", "r1", map[string]any{"amount": "10"})
		if got := v.callVendor(t, "bet", bet); got.Code != "OK" {
			t.Fatalf("bet = %+v, want OK", got)
		}
		s.end()
		start(t, append(args, "--merchant", "second", "--new-merchant")...).end()
		const digest = `SELECT (SELECT COUNT(*) FROM transfer) * 1000000 + (SELECT COUNT(*) FROM vendor_key) * 10000 + (SELECT COUNT(*) FROM vendor WHERE NOT enabled) * 100 + (SELECT COUNT(*) FROM member WHERE status <> 'active')`
		before := count(optionsOf(args), digest)
		for name, words := range objectCommands {
			t.Run("SE-03 "+name, func(t *testing.T) {
				line := strings.ReplaceAll(strings.Join(words, "\x00"), "{round}", bet["roundId"].(string))
				code, out, stderr := command(t, "", slices.Concat(strings.Split(line, "\x00"), args, []string{"--merchant", "second"})...)
				if code == 0 || stderr == "" || out != "" {
					t.Errorf("exit code = %d, %s%s, want an error and no output", code, out, stderr)
				}
				if after := count(optionsOf(args), digest); after != before || before == 0 {
					t.Errorf("the data changed: digest %d became %d", before, after)
				}
			})
		}
		// The same command works with the right merchant.
		runCommand(t, "", args, "vendor", "refund", bet["roundId"].(string), "--code", "TEST", "--member", "demo88", "--reason", "test")
	})
}
