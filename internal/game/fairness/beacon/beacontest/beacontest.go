// Package beacontest provides a local beacon for tests.
package beacontest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"

	"fairground/internal/game/fairness/beacon"
)

// A Beacon is a drand server that signs every round that is due.
type Beacon struct {
	URL, Hash string
	Info      []byte
	Down      atomic.Bool
	Requests  atomic.Int64 // number of requests for rounds

	scheme          string
	genesis, period int64
	group           []byte
	now             func() time.Time
	sign            func(message []byte) []byte
}

// Start starts a beacon with a fixed key.
func Start(t *testing.T, scheme string, genesis time.Time, period int64, now func() time.Time) *Beacon {
	t.Helper()
	b := &Beacon{scheme: scheme, genesis: genesis.Unix(), period: period, group: bytes.Repeat([]byte{7}, sha256.Size), now: now}
	var public []byte
	if scheme == beacon.UnchainedG1 {
		public, b.sign = newKey[bls.KeyG2SigG1](t)
	} else {
		public, b.sign = newKey[bls.KeyG1SigG2](t)
	}
	text := binary.BigEndian.AppendUint32(nil, uint32(period))
	text = binary.BigEndian.AppendUint64(text, uint64(b.genesis))
	text = append(append(append(text, public...), b.group...), "local"...)
	sum := sha256.Sum256(text)
	b.Hash = hex.EncodeToString(sum[:])
	b.Info, _ = json.Marshal(map[string]any{
		"public_key": hex.EncodeToString(public), "period": period, "genesis_time": b.genesis, "hash": b.Hash,
		"groupHash": hex.EncodeToString(b.group), "schemeID": scheme, "metadata": map[string]string{"beaconID": "local"},
	})
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.URL = server.URL
	return b
}

func newKey[K bls.KeyGroup](t *testing.T) (public []byte, sign func([]byte) []byte) {
	t.Helper()
	private, err := bls.KeyGen[K](bytes.Repeat([]byte{42}, 32), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if public, err = private.PublicKey().MarshalBinary(); err != nil {
		t.Fatal(err)
	}
	return public, func(message []byte) []byte { return bls.Sign(private, message) }
}

// ServeHTTP implements http.Handler.
func (b *Beacon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, ours := strings.CutPrefix(r.URL.Path, "/"+b.Hash+"/")
	switch {
	case b.Down.Load():
		http.Error(w, "down", http.StatusBadGateway)
	case ours && path == "info":
		_, _ = w.Write(b.Info)
	case ours && strings.HasPrefix(path, "public/"):
		b.Requests.Add(1)
		round, err := strconv.ParseInt(strings.TrimPrefix(path, "public/"), 10, 64)
		if err != nil || b.now().Before(time.Unix(b.genesis+(round-1)*b.period, 0)) {
			http.Error(w, "too early", http.StatusTooEarly)
			return
		}
		_, _ = w.Write(b.Round(round))
	default:
		http.NotFound(w, r)
	}
}

// Round returns the response body for a round.
func (b *Beacon) Round(round int64) []byte {
	previous := []byte{}
	if b.scheme == beacon.Chained {
		if previous = b.group; round > 1 {
			previous = b.sign([]byte("the round before"))
		}
	}
	message := sha256.Sum256(binary.BigEndian.AppendUint64(bytes.Clone(previous), uint64(round)))
	signature := b.sign(message[:])
	sum := sha256.Sum256(signature)
	return fmt.Appendf(nil, `{"round":%d,"randomness":"%x","signature":"%x","previous_signature":"%x"}`, round, sum, signature, previous)
}
