// Package oplist implements the lists in the operators' API, with filters, sort orders, pages and CSV files. A domain
// provides the query, the sort orders and the columns.
package oplist

import (
	"context"
	"net/http"
	"slices"

	"fairground/internal/platform/csvfile"
	"fairground/internal/platform/page"
	"fairground/internal/platform/rest"
)

// MaxRows is the maximum number of rows in a CSV file. A longer list needs narrower filters.
const MaxRows = 100_000

// Params are the parameters that all lists share. Embed them in the input of a list and add its own filters.
type Params struct {
	Q        string `query:"q" maxLength:"100" doc:"Text to find."`
	From     int64  `query:"from" minimum:"0" doc:"First time, in Unix ms."`
	To       int64  `query:"to" minimum:"0" doc:"Time after the last, in Unix ms. 0 means no limit."`
	State    string `query:"state" maxLength:"32"`
	Sort     string `query:"sort" maxLength:"32" doc:"Largest first. The default is the first of the list's sorts."`
	Cursor   string `query:"cursor" maxLength:"64" doc:"The field next of the previous page."`
	PageSize int    `query:"pageSize" minimum:"0" maximum:"100"`
	Format   string `query:"format" enum:"json,csv" default:"json" doc:"csv returns all rows as a file."`
}

func (p *Params) params() *Params { return p }

// An Input is a pointer to a struct that embeds Params.
type Input[I any] interface {
	*I
	params() *Params
}

// A Page is the response of a list.
type Page[T any] struct {
	List []T    `json:"list"`
	Next string `json:"next" doc:"Cursor of the next page. Empty on the last one."`
}

// A Column is a column of the CSV file.
type Column[T any] struct {
	Name string
	Text func(T) string
}

// A List declares one list. I is its input and T is the type of its rows.
type List[I, T any] struct {
	Op         rest.Op // method, access and content type are set by Register
	Permission string
	Sorts      []string // allowed values of sort; the first is the default
	States     []string // allowed values of state
	File       string   // name of the CSV file
	Columns    []Column[T]

	// Select returns up to limit rows that sort below after, in descending order of in.Sort and then of the id. It must
	// apply all filters and the operator's merchant.
	Select func(ctx context.Context, in *I, after page.Key, limit int) ([]T, error)
	// Key returns the position of a row in the list with this sort.
	Key func(row T, sort string) page.Key
}

// Allow fails with a fault if the caller of a request lacks a permission.
type Allow func(ctx context.Context, permission string) error

// Register declares a list.
func Register[I, T any, P Input[I]](a *rest.API, allow Allow, l List[I, T]) {
	l.Op.Method, l.Op.ContentType = http.MethodGet, "text/csv"
	l.Op.Description = "Needs the permission " + l.Permission + ". " + l.Op.Description
	rest.TypedOrFile(a, l.Op, func(ctx context.Context, in *I) (Page[T], rest.Download, error) {
		if err := allow(ctx, l.Permission); err != nil {
			return Page[T]{}, nil, err
		}
		p := P(in).params()
		after, err := l.check(p)
		if err != nil {
			return Page[T]{}, nil, err
		}
		size := page.Size(p.PageSize)
		if p.Format == "csv" {
			size = page.MaxSize
		}
		rows, next, err := l.page(ctx, in, p.Sort, after, size)
		if err != nil {
			return Page[T]{}, nil, err
		}
		if p.Format == "csv" {
			return Page[T]{}, l.download(ctx, in, p.Sort, rows, next), nil
		}
		return Page[T]{rows, next}, nil, nil
	})
}

func (l List[I, T]) check(p *Params) (page.Key, error) {
	if p.Sort == "" {
		p.Sort = l.Sorts[0]
	}
	switch {
	case !slices.Contains(l.Sorts, p.Sort):
		return page.Key{}, rest.ErrParam.On("sort")
	case p.State != "" && !slices.Contains(l.States, p.State):
		return page.Key{}, rest.ErrParam.On("state")
	case p.To != 0 && p.To <= p.From:
		return page.Key{}, rest.ErrParam.On("to")
	}
	return page.After(p.Cursor)
}

func (l List[I, T]) page(ctx context.Context, in *I, sort string, after page.Key, size int) (rows []T, next string, err error) {
	if rows, err = l.Select(ctx, in, after, size+1); err != nil {
		return nil, "", err
	}
	rows, next = page.Cut(rows, size, func(row T) page.Key { return l.Key(row, sort) })
	if rows == nil {
		rows = []T{}
	}
	return rows, next, nil
}

// download returns a function that writes all rows. The caller has already read the first page, so that an error can still
// be reported in the envelope.
func (l List[I, T]) download(ctx context.Context, in *I, sort string, rows []T, next string) rest.Download {
	return func(w http.ResponseWriter) error {
		names := make([]string, len(l.Columns))
		for i, c := range l.Columns {
			names[i] = c.Name
		}
		file := csvfile.Attach(w, l.File, names...)
		for written := 0; ; {
			for _, row := range rows {
				cells := make([]string, len(l.Columns))
				for i, c := range l.Columns {
					cells[i] = c.Text(row)
				}
				file.Row(cells...)
			}
			if written += len(rows); next == "" || written >= MaxRows {
				return file.Close()
			}
			after, err := page.After(next)
			if err != nil {
				return err
			}
			if rows, next, err = l.page(ctx, in, sort, after, page.MaxSize); err != nil {
				return err
			}
		}
	}
}
