package db

import (
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// ErrAddress refuses a database address without repeating any of it: where it is malformed, nobody can tell
// which part of it is the password.
var ErrAddress = errors.New("not a well-formed address: in its user name and password, / ? # @ : and % must be percent-encoded")

// Address is a PostgreSQL address taken apart.
type Address struct {
	Scheme   string
	User     string
	Password string
	Hosts    string // one or several, with ports, as they were written
	Path     string // the database's name after a slash, or nothing
	Query    url.Values
}

var host = regexp.MustCompile(`^(?:\[[0-9A-Fa-f:.%]*\]|[^:\[\]\s]*)(?::([0-9]*))?$`)

// ParseAddress takes an address apart. It is stricter than those who use it later: a password with an unescaped
// special character would there be read as a host, a port or a name, and so be printed in their errors.
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
	who, hosts, named := strings.Cut(authority, "@")
	if named {
		a.Hosts = hosts
		user, password, _ := strings.Cut(who, ":")
		var errUser, errPassword error
		a.User, errUser = url.PathUnescape(user)
		a.Password, errPassword = url.PathUnescape(password)
		if errUser != nil || errPassword != nil || strings.Contains(password, ":") {
			return Address{}, ErrAddress
		}
	}
	for one := range strings.SplitSeq(a.Hosts, ",") {
		found := host.FindStringSubmatch(one)
		if found == nil {
			return Address{}, ErrAddress
		}
		if _, err := strconv.ParseUint(found[1], 10, 16); err != nil && found[1] != "" {
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

// String is the address without its password and settings, for messages and logs.
func (a Address) String() string {
	user := ""
	if a.User != "" {
		user = url.User(a.User).String() + "@"
	}
	return a.Scheme + "://" + user + a.Hosts + a.Path
}

// Redact is an address as it may be shown.
func Redact(text string) string {
	a, err := ParseAddress(text)
	if err != nil {
		return "(a malformed address)"
	}
	return a.String()
}
