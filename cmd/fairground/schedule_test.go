package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeWeek(t *testing.T, province string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "week.json")
	text := `{"regions":[{"region":"south","drawAt":"16:15","closeBefore":"10m","settleAfter":"45m","provinces":[` + province +
		`],"days":[{"weekday":3,"draws":["vn-moi"]}]}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestScheduleOfTheLotteryIsRead(t *testing.T) {
	t.Parallel()
	file := writeWeek(t, `{"id":390,"code":"vn-moi","name":"Mới"}`)
	s := start(t, "--data", t.TempDir(), "--demo", "--lottery-schedule", file)
	if _, body, _ := s.get("/lgw/games"); !strings.Contains(body, `"gameCode":"vn-moi"`) || strings.Contains(body, "vn-ha-noi") {
		t.Errorf("games: got %s, want vn-moi and no other province", body)
	}
	s.end()
	pay := []string{"lottery", "pay", "--play", "de", "--selection", "05", "--result", "193405", "--game", "vn-moi"}
	if code, out, stderr := command(t, "", append(pay, "--lottery-schedule", file)...); code != 0 || !strings.Contains(out, "payout      97000\n") {
		t.Errorf("pay: exit %d, %s%s, want a payout of 97000", code, out, stderr)
	}
	wantError(t, "lottery.unknown_game", pay...)
	wantError(t, "regional draws are not ours", "fairness", "lottery", "--game", "vn-moi", "--lottery-schedule", file, "--seed", strings.Repeat("00", 32), "--salt", strings.Repeat("0a", 16), "--link", "1")
}

func TestInvalidScheduleOfTheLotteryIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, want string }{
		"no file":           {filepath.Join(t.TempDir(), "none.json"), "no such file"},
		"no name":           {writeWeek(t, `{"id":390,"code":"vn-moi"}`), "has no name"},
		"id of a fast game": {writeWeek(t, `{"id":1201,"code":"vn-moi","name":"Mới"}`), "fast game k3-1"},
		"unknown province":  {writeWeek(t, `{"id":390,"code":"vn-khac","name":"Khác"}`), "is unknown or listed twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantError(t, tt.want, "serve", "--data", t.TempDir(), "--addr", "127.0.0.1:0", "--lottery-schedule", tt.file)
			wantError(t, "--lottery-schedule", "serve", "--data", t.TempDir(), "--addr", "127.0.0.1:0", "--lottery-schedule", tt.file)
		})
	}
}

func TestScheduleWithoutTheGameOfANumeroWithBetsIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	file := writeWeek(t, `{"id":390,"code":"vn-moi","name":"Mới"}`)
	start(t, "--data", data, "--demo", "--lottery-schedule", file).end()
	// A server that was killed has not settled the draws of the demo.
	execSQL(t, optionsOf([]string{"--data", data}), "UPDATE lottery_numero SET pending = TRUE WHERE game_id = 390")
	serve := []string{"serve", "--data", data, "--demo", "--addr", "127.0.0.1:0"}
	wantError(t, "no game with the id 390, but numero ", serve...)
	wantError(t, "no game with the id 390, but numero ", append(serve, "--lottery-schedule", writeWeek(t, `{"id":391,"code":"vn-moi","name":"Mới"}`))...)
	start(t, "--data", data, "--demo", "--lottery-schedule", file).end()
}
