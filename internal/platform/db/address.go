package db

import (
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// ErrAddress reports a malformed database address. It repeats no part of the address, because any part may be the
// password.
var ErrAddress = errors.New("not a well-formed address: in its user name and password, / ? # @ : and % must be percent-encoded")

// An Address is a parsed PostgreSQL URL.
type Address struct {
	Scheme   string
	User     string
	Password string
	Hosts    string // one or several hosts with their ports, separated by commas
	Path     string // / and the database name, or empty
	Query    url.Values
}

var hostAndPort = regexp.MustCompile(`^(?:\[[0-9A-Fa-f:.%]*\]|[^:\[\]\s]*)(?::([0-9]*))?$`)

// ParseAddress parses a PostgreSQL URL. It is stricter than pgx, which would take part of an unescaped password for a
// host, port or name and print it in errors.
func ParseAddress(text string) (Address, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || scheme != "postgres" && scheme != "postgresql" {
		return Address{}, ErrAddress
	}
	authority, tail := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, tail = rest[:end], rest[end:]
	}
	if strings.ContainsAny(tail, "@#") || strings.Count(authority, "@") > 1 {
		return Address{}, ErrAddress
	}
	a := Address{Scheme: scheme, Hosts: authority}
	userInfo, hosts, hasUser := strings.Cut(authority, "@")
	if hasUser {
		a.Hosts = hosts
		user, password, _ := strings.Cut(userInfo, ":")
		var errUser, errPassword error
		a.User, errUser = url.PathUnescape(user)
		a.Password, errPassword = url.PathUnescape(password)
		if errUser != nil || errPassword != nil || strings.Contains(password, ":") {
			return Address{}, ErrAddress
		}
	}
	for host := range strings.SplitSeq(a.Hosts, ",") {
		match := hostAndPort.FindStringSubmatch(host)
		if match == nil {
			return Address{}, ErrAddress
		}
		if _, err := strconv.ParseUint(match[1], 10, 16); err != nil && match[1] != "" {
			return Address{}, ErrAddress
		}
	}
	path, query, _ := strings.Cut(tail, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return Address{}, ErrAddress
	}
	a.Path, a.Query = path, values
	return a, nil
}

// String returns the address without its password and settings, for messages and logs.
func (a Address) String() string {
	user := ""
	if a.User != "" {
		user = url.User(a.User).String() + "@"
	}
	return a.Scheme + "://" + user + a.Hosts + a.Path
}

// Redact returns an address without its password and settings.
func Redact(text string) string {
	a, err := ParseAddress(text)
	if err != nil {
		return "(a malformed address)"
	}
	return a.String()
}
