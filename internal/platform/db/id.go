package db

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"
)

// IDs makes identifiers for new rows. Tests give their own.
type IDs func() int64

// idEpoch keeps identifiers short: 2026-01-01 UTC.
const idEpoch = 1767225600000

// NewIDs makes identifiers that grow with time: 41 bits of milliseconds, 22 bits that start at a random
// place each millisecond, so replicas need not agree on anything. They do not fit a JavaScript number:
// the API shows them as text.
func NewIDs(now func() time.Time) IDs {
	var mu sync.Mutex
	var last int64
	return func() int64 {
		mu.Lock()
		defer mu.Unlock()
		var r [4]byte
		_, _ = rand.Read(r[:]) // never fails (it aborts the program instead)
		id := (now().UnixMilli()-idEpoch)<<22 | int64(binary.BigEndian.Uint32(r[:])>>10)
		if id <= last {
			id = last + 1
		}
		last = id
		return id
	}
}
