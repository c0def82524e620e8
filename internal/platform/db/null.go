package db

import (
	"database/sql"
	"errors"
	"fmt"
)

// Text returns s as a nullable value. The empty string is NULL.
func Text(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// Found reports whether a one-row query with the error err returned a row. It prefixes errors other than sql.ErrNoRows with
// action.
func Found(action string, err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", action, err)
	}
	return true, nil
}
