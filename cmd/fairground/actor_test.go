package main

import "testing"

// Until an operator has enrolled, commands need no name. After that, the audit log names the operator of each change.
func TestCommandsNameTheirOperator(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	args := []string{"--data", data}
	start(t, args...).end()
	set := []string{"merchant", "set", "--data", data, "site.theme", `"light"`}
	if code, out, stderr := command(t, "", set...); code != 0 {
		t.Fatalf("before the enrolment: %d %s%s, want 0", code, out, stderr)
	}
	execSQL(t, optionsOf(args), "UPDATE operator SET totp = 'sealed' WHERE name = 'admin'")
	wantError(t, "operator.unnamed", set...)
	if code, out, stderr := command(t, "", append(set, "--operator", "admin")...); code != 0 {
		t.Fatalf("as admin: %d %s%s, want 0", code, out, stderr)
	}
	for operator, want := range map[string]int{commandActor: 1, "admin": 1} {
		if n := count(optionsOf(args), "SELECT COUNT(*) FROM audit WHERE action = 'merchant.set' AND merchant_id <> 0 AND operator = '"+operator+"'"); n != want {
			t.Errorf("%d rows of %s with a merchant, want %d", n, operator, want)
		}
	}
}
