package main

import (
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/jobs"
	"fairground/internal/server"
)

func TestRequireCurrent(t *testing.T) {
	t.Parallel()
	for _, engine := range []db.Engine{db.SQLite, db.Postgres} {
		t.Run(string(engine), func(t *testing.T) {
			t.Parallel()
			options := dbtest.Migrated(t, engine)
			s := dbtest.Open(t, options)
			if err := server.RequireCurrent(t.Context(), s); err == nil {
				t.Error("RequireCurrent accepts a database without the tables of jobs")
			}
			if err := jobs.Migrate(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			options.ReadOnly = true
			if err := server.RequireCurrent(t.Context(), dbtest.Open(t, options)); err != nil {
				t.Errorf("current database: %v", err)
			}
		})
	}
}
