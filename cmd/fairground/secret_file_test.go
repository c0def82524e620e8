package main

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestSE16PartSecretsFromFiles(t *testing.T) {
	write := func(text string) string {
		t.Helper()
		path := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	parse := func(args ...string) (commandLine, secretFlags, error) {
		var line commandLine
		var secrets secretFlags
		parser, err := kong.New(&line, kong.Resolvers(&secrets), kong.Exit(func(int) {}))
		if err != nil {
			t.Fatal(err)
		}
		_, err = parser.Parse(secrets.take(secretNames(parser.Model), args))
		return line, secrets, err
	}
	t.Setenv("FAIRGROUND_SMTP_FILE", write("smtp://a:b@mail.test:25\n"))
	line, secrets, err := parse("serve", "--sms-url", "https://sms.test", "--sms-key-file", write("key of the gateway\n"),
		"--db-file="+write("postgres://u:p@db.test/x"), "--mail-from", "a@b.test", "--metrics-token-file", write("0123456789abcdef"))
	s := line.Serve
	if err != nil || s.SMSKey != "key of the gateway" || s.DB != "postgres://u:p@db.test/x" || s.SMTP != "smtp://a:b@mail.test:25" || s.MetricsToken != "0123456789abcdef" {
		t.Errorf("settings = %q %q %q %q, %v, want the files' content", s.SMSKey, s.DB, s.SMTP, s.MetricsToken, err)
	}
	if len(secrets.inCommand) != 0 {
		t.Errorf("secrets in the command line = %q, want none", secrets.inCommand)
	}
	line, secrets, err = parse("serve", "--sms-url", "https://sms.test", "--sms-key", "in the open", "--db", "postgres://u:p@db.test/x", "--nats", "nats://bus.test:4222", "--mail-from", "a@b.test")
	if err != nil || line.Serve.SMSKey != "in the open" || !slices.Equal(secrets.inCommand, []string{"sms-key", "db"}) {
		t.Errorf("secrets in the command line = %q, %v, want sms-key and db, and the flag to work", secrets.inCommand, err)
	}
	var out bytes.Buffer
	secrets.warn(slog.New(slog.NewTextHandler(&out, nil)))
	if text := out.String(); !strings.Contains(text, "--sms-key-file") || !strings.Contains(text, "--db-file") || strings.Contains(text, "in the open") {
		t.Errorf("log = %s, want a warning per secret without its value", text)
	}
	if _, _, err := parse("serve", "--sms-url", "https://sms.test", "--sms-key-file", write(" \n")); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("empty file: %v, want an error", err)
	}
}
