package main

import (
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// secretFlags are the settings whose value is a secret. Each --NAME has a --NAME-file, and each FAIRGROUND_NAME a
// FAIRGROUND_NAME_FILE, because other users of the machine can read command lines.
type secretFlags struct {
	names     []string
	files     map[string]string // path by name of the setting
	inCommand []string          // names of settings whose secret is in the command line
}

// secretNames returns the names of the settings with the tag secret, except those that are paths and those with a file
// setting of their own.
func secretNames(model *kong.Application) []string {
	var names, flags []string
	_ = kong.Visit(model, func(node kong.Visitable, next kong.Next) error {
		flag, ok := node.(*kong.Flag)
		if !ok {
			return next(nil)
		}
		flags = append(flags, flag.Name)
		if flag.Tag.Has("secret") && flag.Tag.Type != "path" && !slices.Contains(names, flag.Name) {
			names = append(names, flag.Name)
		}
		return next(nil)
	})
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(flags, name+"-file") })
}

// take returns the arguments without --NAME-file, and records which of the others contain secrets.
func (s *secretFlags) take(names, args []string) (rest []string) {
	s.names, s.files = names, map[string]string{}
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(rest, args[i:]...)
		}
		flag, value, joined := strings.Cut(args[i], "=")
		name, long := strings.CutPrefix(flag, "--")
		setting, isFile := strings.CutSuffix(name, "-file")
		switch {
		case long && isFile && slices.Contains(names, setting) && (joined || i+1 < len(args)):
			if !joined {
				i++
				value = args[i]
			}
			s.files[setting] = value
			continue
		case long && slices.Contains(names, name):
			if !joined && i+1 < len(args) {
				value = args[i+1]
			}
			if containsSecret(value) && !slices.Contains(s.inCommand, name) {
				s.inCommand = append(s.inCommand, name)
			}
		}
		rest = append(rest, args[i])
	}
	return rest
}

// containsSecret reports whether a value contains a secret. A URL contains one only if it has a password.
func containsSecret(value string) bool {
	if !strings.Contains(value, "://") {
		return value != ""
	}
	u, err := url.Parse(value)
	if err != nil {
		return true
	}
	_, has := u.User.Password()
	return has || u.Query().Has("password")
}

// Validate implements kong.Resolver.
func (*secretFlags) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. It reads the file of a secret.
func (s *secretFlags) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !slices.Contains(s.names, flag.Name) {
		return nil, nil
	}
	path := s.files[flag.Name]
	for _, name := range flag.Envs {
		if path == "" {
			path = os.Getenv(name + "_FILE")
		}
	}
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, fmt.Errorf("--%s-file: %w", flag.Name, err)
	}
	value := strings.TrimSpace(string(text))
	if value == "" {
		return nil, fmt.Errorf("--%s-file: %s is empty", flag.Name, path)
	}
	return value, nil
}

// warn logs each setting whose secret is in the command line.
func (s *secretFlags) warn(log *slog.Logger) {
	for _, name := range s.inCommand {
		log.Warn("a secret is in the command line, where other users of this machine can read it: use a file or the environment", "instead", "--"+name+"-file")
	}
}
