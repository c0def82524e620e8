package ledger

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A Type is a column type.
type Type uint8

// Column types. A nil value is stored as NULL.
const (
	Int   Type = iota // int64
	Text              // string
	Bool              // bool
	Bytes             // []byte
)

// A Column is one column of a Table.
type Column struct {
	Name string
	Type Type
}

// A Table is a domain's table for extra rows. The ledger writes them in the transfer's transaction, and only if the
// transfer is posted. The table must also have a column transfer_id, which the ledger sets. Declare a Table once, as
// a package variable.
type Table struct {
	name       string
	columns    []Column
	insertOne  string // inserts one row, with parameters $N
	insertMany string // inserts many rows, with one array per column
}

// A Row is an extra row of a transfer. Values are in the order of the table's columns.
type Row struct {
	Table  *Table
	Values []any
}

// NewTable returns a Table for extra rows.
func NewTable(name string, columns ...Column) *Table {
	casts := map[Type]string{Int: "bigint[]", Text: "text[]", Bool: "boolean[]", Bytes: "bytea[]"}
	names, params, arrays := "transfer_id", "$1", "$1::bigint[]"
	for i, c := range columns {
		names += ", " + pgx.Identifier{c.Name}.Sanitize()
		params += fmt.Sprintf(", $%d", i+2)
		arrays += fmt.Sprintf(", $%d::%s", i+2, casts[c.Type])
	}
	insert := "INSERT INTO " + pgx.Identifier(strings.Split(name, ".")).Sanitize() + " (" + names + ") "
	return &Table{
		name: name, columns: columns,
		insertOne:  insert + "VALUES (" + params + ")",
		insertMany: insert + "SELECT * FROM unnest(" + arrays + ")",
	}
}

func (r *Row) check() error {
	if r.Table == nil || len(r.Values) != len(r.Table.columns) {
		return ErrMalformed.On("rows")
	}
	for i, v := range r.Values {
		ok := v == nil
		switch r.Table.columns[i].Type {
		case Int:
			_, is := v.(int64)
			ok = ok || is
		case Text:
			text, is := v.(string)
			ok = ok || is && validText(text)
		case Bool:
			_, is := v.(bool)
			ok = ok || is
		case Bytes:
			_, is := v.([]byte)
			ok = ok || is
		}
		if !ok {
			return ErrMalformed.On(r.Table.name + "." + r.Table.columns[i].Name)
		}
	}
	return nil
}

// extraRows collects the extra rows of a batch by table, as arrays for PostgreSQL.
type extraRows struct {
	order []*Table
	args  map[*Table][]any
}

func (rs *extraRows) add(id int64, rows []Row) {
	for i := range rows {
		t := rows[i].Table
		args, ok := rs.args[t]
		if !ok {
			if rs.args == nil {
				rs.args = make(map[*Table][]any)
			}
			args = t.emptyArrays()
			rs.args[t] = args
			rs.order = append(rs.order, t)
		}
		args[0] = append(args[0].([]int64), id)
		for j, v := range rows[i].Values {
			args[j+1] = appendValue(args[j+1], v)
		}
	}
}

func (t *Table) emptyArrays() []any {
	args := []any{[]int64(nil)}
	for _, c := range t.columns {
		switch c.Type {
		case Int:
			args = append(args, []*int64(nil))
		case Text:
			args = append(args, []*string(nil))
		case Bool:
			args = append(args, []*bool(nil))
		case Bytes:
			args = append(args, [][]byte(nil))
		}
	}
	return args
}

func appendValue(array, v any) any {
	switch a := array.(type) {
	case []*int64:
		return append(a, pointer[int64](v))
	case []*string:
		return append(a, pointer[string](v))
	case []*bool:
		return append(a, pointer[bool](v))
	default:
		b, _ := v.([]byte) // nil is stored as NULL
		return append(a.([][]byte), b)
	}
}

func pointer[T any](v any) *T {
	if x, ok := v.(T); ok {
		return &x
	}
	return nil
}
