package db_test

import (
	"math"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestFromJSON(t *testing.T) {
	t.Parallel()
	type row struct {
		ID   int64  `json:"id"`
		Note string `json:"note"`
		On   bool   `json:"is_on"`
	}
	want := []row{{1, `O'Neil "$1" \ {"a":1} Việt اردو`, true}, {math.MaxInt64, "", false}, {math.MinInt64, "null", true}}
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		list, err := db.JSONOf(want)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := db.Bind(store.Engine, store.Reader).QueryContext(t.Context(),
			"SELECT x.id, x.note, x.is_on FROM "+db.FromJSON(store.Engine, "id bigint", "note text", "is_on boolean")+" WHERE CAST($2 AS BIGINT) = 7", list, 7)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for i := 0; rows.Next(); i++ {
			var got row
			if err := rows.Scan(&got.ID, &got.Note, &got.On); err != nil || i >= len(want) || got != want[i] {
				t.Fatalf("row %d is %+v, error %v; want %+v", i, got, err, want)
			}
			if i == len(want)-1 {
				return
			}
		}
		t.Fatalf("too few rows, error %v; want %d", rows.Err(), len(want))
	})
}
