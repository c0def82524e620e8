package db

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"
)

// IDs generates ids for new rows.
type IDs func() int64

// idEpoch is 2026-01-01 UTC. It keeps ids short.
const idEpoch = 1767225600000

// NewIDs returns a generator of ids that increase with time. An id consists of 41 bits of milliseconds and 22 random bits,
// so replicas need no coordination. The API sends ids as text, because JavaScript numbers cannot represent them exactly.
func NewIDs(now func() time.Time) IDs {
	var mu sync.Mutex
	var last int64
	return func() int64 {
		mu.Lock()
		defer mu.Unlock()
		var r [4]byte
		_, _ = rand.Read(r[:]) // never fails: it aborts the program instead
		id := (now().UnixMilli()-idEpoch)<<22 | int64(binary.BigEndian.Uint32(r[:])>>10)
		if id <= last {
			id = last + 1
		}
		last = id
		return id
	}
}
