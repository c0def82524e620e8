package db

import (
	"database/sql"
	"errors"
	"fmt"
)

// Text returns s as a nullable value. The empty text is NULL.
func Text(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// Found reports whether a one-row query returned a row. It wraps other errors in what.
func Found(what string, err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	return true, nil
}
