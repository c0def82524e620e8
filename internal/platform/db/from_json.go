package db

import (
	"encoding/json"
	"fmt"
	"strings"
)

// FromJSON returns a table expression named x with a row for each object of a JSON array, which is the first parameter of the
// statement. Each column has the name of a field and a PostgreSQL type. Use it with JSONOf to write or read many rows with one
// statement on both engines.
func FromJSON(e Engine, columns ...string) string {
	if e == Postgres {
		return "json_to_recordset(CAST($1 AS TEXT)::json) AS x (" + strings.Join(columns, ", ") + ")"
	}
	fields := make([]string, len(columns))
	for i, c := range columns {
		name, _, _ := strings.Cut(c, " ")
		fields[i] = fmt.Sprintf("json_extract(value, '$.%s') AS %s", name, name)
	}
	return "(SELECT " + strings.Join(fields, ", ") + " FROM json_each($1)) AS x"
}

// JSONOf encodes rows for FromJSON.
func JSONOf[T any](rows []T) (string, error) {
	content, err := json.Marshal(rows)
	if err != nil {
		return "", fmt.Errorf("encode rows: %w", err)
	}
	return string(content), nil
}
