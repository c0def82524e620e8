package events

import (
	"testing"

	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }
