package db

import (
	"database/sql"
	"errors"
	"fmt"
)

// Text is a column's value; the empty text is none.
func Text(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// Found tells whether a query for one row, which was asked in order to do what, found it. No row is not an error.
func Found(what string, err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", what, err)
	}
	return true, nil
}
