package events

import (
	"testing"

	"fairground/internal/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
