// Package series stores the hash chains of tables, jackpots and lotteries. The end of a series' chain is published before
// the first round, and each round takes the next link as its seed.
//
// The commitment of a round is the seed of the previous round. It must stay secret until the previous round is over.
package series

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

// Kinds of series.
const (
	Table   = "table"
	Jackpot = "jackpot"
	Lottery = "lottery"
)

// States of a series.
const (
	Waiting = "waiting" // the end is published, but the salt is not known yet
	Running = "running"
	Ended   = "ended"
)

// Sources of a salt.
const (
	ByOperator = "operator"  // no outside value: the operator could choose the seeds
	ByBeacon   = "beacon"    // the value of a beacon round that was announced in advance
	Announced  = "announced" // a public result that was announced in advance and entered by two people
)

var (
	// ErrNotFound means that there is no such series.
	ErrNotFound = fault.New(fault.NotFound, "fairness.unknown_series")
	// ErrWaiting means that a series has no salt yet. No round may begin.
	ErrWaiting = errors.New("series: the salt is not known yet")
	// ErrEnded means that a series has no link left, or was ended. Ensure returns the next series.
	ErrEnded = errors.New("series: the series has ended")
	// ErrNotTaken means that no round took the link yet, so its seed must stay secret.
	ErrNotTaken = errors.New("series: no round took this link")
)

// wrapPurpose is the purpose of the key that encrypts chains.
const wrapPurpose = "fairness.series"

// Options configure a Service.
type Options struct {
	Store  *db.Store
	Keys   *secret.Keys
	Random io.Reader // crypto/rand.Reader in production
	IDs    db.IDs
	Now    func() time.Time
	Length int // of new chains; 0 means chain.Length
	// Beacon provides the salts of new series. If it is nil, their source is ByOperator.
	Beacon *beacon.Client
	Ahead  time.Duration // minimum time between the publication of a series and its beacon round; 0 means the default
	// NextAhead is Ahead for a series that follows a running one. 0 means a day, or Ahead if that is set.
	NextAhead time.Duration
	Log       *slog.Logger
	// Approvals and Screens are used by the operator endpoints.
	Approvals Approvals
	Screens   Screens
}

// A Service creates series, and returns the seeds of links that rounds took. It is safe for concurrent use.
type Service struct {
	o Options

	mu     sync.Mutex
	chains map[int64]*chain.Chain // decrypted chains by series id
	failed map[int64]string       // last logged reason why a series waits, by series id
}

// New returns a Service.
func New(o Options) *Service {
	if o.Length == 0 {
		o.Length = chain.Length
	}
	if o.NextAhead == 0 {
		o.NextAhead = cmp.Or(o.Ahead, defaultNextAhead)
	}
	if o.Ahead == 0 {
		o.Ahead = defaultAhead
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o, chains: map[int64]*chain.Chain{}, failed: map[int64]string{}}
}

// Info is the public part of a series.
type Info struct {
	ID         int64
	Kind       string
	Name       string
	Generation int64 // number of the series among those of its name, from 1
	State      string
	Length     int64
	Used       int64  // the last link that a round took
	End        string // in hexadecimal
	Source     string
	Detail     string    // which public value was announced
	DueAt      time.Time // when that value becomes public; zero if there is none
	Value      string    // the public value; empty while it is not known
	Signature  string    // of the beacon, in hexadecimal
	Salt       string    // 32 hexadecimal digits; empty while the series waits
	Version    int64
	CreatedAt  time.Time // when the end was published
	StartedAt  time.Time
	EndedAt    time.Time
}

// Salt returns the salt of a series: the first 32 hexadecimal digits of SHA-256 of "kind:name:generation:end:value". The
// value is empty if the source is ByOperator.
func Salt(kind, name string, generation int64, end, value string) string {
	text := strings.Join([]string{kind, name, strconv.FormatInt(generation, 10), end, value}, ":")
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:32]
}

// ClientSeed returns the client seed of a round: the series' salt and the given name.
func (info Info) ClientSeed(name string) string { return info.Salt + "-" + name }

// Ensure returns the running series of a name. It creates one if there is none, or if the last one is used up. The error
// is ErrWaiting while the salt is not known.
func (s *Service) Ensure(ctx context.Context, kind, name string) (Info, error) {
	for range 3 { // another process may use a series up meanwhile
		row, err := s.o.Store.Q().RunningSeries(ctx, kind, name)
		if err == nil && row.Used < row.Length {
			return infoOf(row), nil
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return Info{}, fmt.Errorf("read series: %w", err)
		}
		if err == nil {
			if err := s.endSeries(ctx, row.ID); err != nil {
				return Info{}, err
			}
		}
		last, err := s.o.Store.Q().LastSeries(ctx, kind, name)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return Info{}, fmt.Errorf("read series: %w", err)
		}
		if err == nil && last.State == Waiting {
			return infoOf(last), ErrWaiting
		}
		next, err := s.plan(ctx, kind, name, last.Generation+1, s.o.Ahead)
		if err != nil {
			return Info{}, err
		}
		if err := s.create(bySystem(ctx), next, s.o.Ahead); err != nil {
			return Info{}, err
		}
	}
	return Info{}, ErrEnded
}

// create generates a series, stores it and adds its end to the audit log. It changes nothing if another process was
// first.
func (s *Service) create(ctx context.Context, row query.AddSeriesParams, ahead time.Duration) error {
	row, err := s.generate(row)
	if err != nil {
		return err
	}
	if row.Source == ByBeacon { // generating the chain took time, and the round must still be in the future
		planned, err := s.plan(ctx, row.Kind, row.Name, row.Generation, ahead)
		if err != nil {
			return err
		}
		row.Detail, row.DueAt, row.CreatedAt = planned.Detail, planned.DueAt, db.Millis(s.o.Now())
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := s.add(ctx, tx, row, audit.Entry{})
		return err
	})
	if err != nil {
		return fmt.Errorf("create series: %w", err)
	}
	return nil
}

// generate generates the chain of a new series. It is slow, so it must not run in a transaction.
func (s *Service) generate(row query.AddSeriesParams) (query.AddSeriesParams, error) {
	top, err := fairness.NewSeed(s.o.Random)
	if err != nil {
		return row, err
	}
	c, err := chain.New(top, s.o.Length)
	if err != nil {
		return row, err
	}
	points, err := c.MarshalBinary()
	if err != nil {
		return row, err
	}
	row.ID, row.Length, row.ChainEnd, row.CreatedAt = s.o.IDs(), int64(c.Length()), c.End().Hex(), db.Millis(s.o.Now())
	row.State = Waiting
	if row.Source == ByOperator {
		row.State, row.StartedAt = Running, row.CreatedAt
		row.Salt = Salt(row.Kind, row.Name, row.Generation, row.ChainEnd, "")
	}
	row.Secret, err = s.o.Keys.Wrap(wrapPurpose, points)
	return row, err
}

// add stores a generated series and adds its end to the audit log. It returns false if another process was first. by
// names the operator and merchant in the audit log.
func (s *Service) add(ctx context.Context, tx *db.Tx, row query.AddSeriesParams, by audit.Entry) (bool, error) {
	n, err := tx.Q.AddSeries(ctx, row)
	if err != nil || n == 0 {
		return false, err
	}
	stored, err := tx.Q.Series(ctx, row.ID)
	if err != nil {
		return false, err
	}
	by.Action, by.Object, by.After = "fairness.series_publish", auditObject(row.ID), Logged(infoOf(stored))
	return true, errors.Join(audit.Append(ctx, tx, s.o.Now(), by), s.notifyDesk(ctx, tx, row.ID))
}

// bySystem returns a context whose audit log entries name the server instead of the user whose request needed a series.
func bySystem(ctx context.Context) context.Context {
	return audit.As(withoutRequest{ctx}, "fairground")
}

type withoutRequest struct{ context.Context }

func (withoutRequest) Value(any) any { return nil }

func auditObject(id int64) string { return "series/" + strconv.FormatInt(id, 10) }

// Logged returns the entry of a series in the audit log.
func Logged(info Info) any {
	return map[string]any{
		"kind": info.Kind, "name": info.Name, "generation": info.Generation, "length": info.Length, "end": info.End, "source": info.Source, "detail": info.Detail,
		"dueAt": millisOf(info.DueAt), "value": info.Value, "salt": info.Salt, "state": info.State,
	}
}

func (s *Service) endSeries(ctx context.Context, id int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.EndSeries(ctx, db.Millis(s.o.Now()), id)
		return err
	})
	if err != nil {
		return fmt.Errorf("end series: %w", err)
	}
	return nil
}

// Take assigns the next link of a series to a round, in the transaction that opens the round. The error is ErrEnded if the
// series has no link left.
func (s *Service) Take(ctx context.Context, tx *db.Tx, id int64) (int64, error) {
	taken, err := tx.Q.TakeLink(ctx, id)
	if err != nil {
		return 0, fmt.Errorf("take link: %w", err)
	}
	if len(taken) == 0 {
		return 0, ErrEnded
	}
	return taken[0], nil
}

// TakeAt assigns the given link to a round, in the transaction that adds the round. It may skip links, which stay
// unused. The error is ErrEnded if the series does not run, or has no such link.
func (s *Service) TakeAt(ctx context.Context, tx *db.Tx, id, link int64) error {
	n, err := tx.Q.TakeLinkAt(ctx, link, id)
	if err != nil {
		return fmt.Errorf("take link: %w", err)
	}
	if n == 0 {
		return ErrEnded
	}
	return nil
}

// Followed reports whether the series after a running one is already waiting, or will be published with the beacon.
func (s *Service) Followed(ctx context.Context, info Info) (bool, error) {
	if s.o.Beacon != nil {
		return true, nil
	}
	last, err := s.o.Store.Q().LastSeries(ctx, info.Kind, info.Name)
	if err != nil {
		return false, fmt.Errorf("read series: %w", err)
	}
	return last.State == Waiting, nil
}

// Finish ends a series that is almost used up. The next call of Ensure publishes the next series.
func (s *Service) Finish(ctx context.Context, id int64) error { return s.endSeries(ctx, id) }

// Seed returns the seed of a link that a round took. Only the code that draws the round may call it, and no one may see
// the seed before the round is over. In the transaction that took the link, use SeedIn.
func (s *Service) Seed(ctx context.Context, id, link int64) (fairness.Seed, error) {
	return s.seed(ctx, s.o.Store.Q(), id, link)
}

// SeedIn is Seed inside a transaction.
func (s *Service) SeedIn(ctx context.Context, tx *db.Tx, id, link int64) (fairness.Seed, error) {
	return s.seed(ctx, tx.Q, id, link)
}

func (s *Service) seed(ctx context.Context, q *query.Queries, id, link int64) (fairness.Seed, error) {
	row, err := q.Series(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return fairness.Seed{}, ErrNotFound
	}
	if err != nil {
		return fairness.Seed{}, fmt.Errorf("read series: %w", err)
	}
	if link < 1 || link > row.Used {
		return fairness.Seed{}, fmt.Errorf("%w: %d of %d", ErrNotTaken, link, row.Used)
	}
	c, err := s.openChain(row)
	if err != nil {
		return fairness.Seed{}, err
	}
	return c.Seed(int(link))
}

func (s *Service) openChain(row query.FairSeries) (*chain.Chain, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chains[row.ID]; c != nil {
		return c, nil
	}
	points, err := s.o.Keys.Unwrap(wrapPurpose, row.Secret)
	if err != nil {
		return nil, fmt.Errorf("series %d: %w", row.ID, err)
	}
	end, err := fairness.ParseSeed(row.ChainEnd)
	if err != nil {
		return nil, err
	}
	c, err := chain.Open(points, int(row.Length), end)
	if err != nil {
		return nil, fmt.Errorf("series %d: %w", row.ID, err)
	}
	s.chains[row.ID] = c
	return c, nil
}

// Find returns a series.
func (s *Service) Find(ctx context.Context, id int64) (Info, error) {
	row, err := s.o.Store.Q().Series(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Info{}, ErrNotFound
	}
	if err != nil {
		return Info{}, fmt.Errorf("read series: %w", err)
	}
	return infoOf(row), nil
}

// List returns the series of a kind, or of all kinds if kind is empty. They are sorted by kind and name, newest first.
func (s *Service) List(ctx context.Context, kind string) ([]Info, error) {
	rows, err := s.o.Store.Q().SeriesOfKind(ctx, kind)
	if err != nil {
		return nil, fmt.Errorf("read series: %w", err)
	}
	out := make([]Info, len(rows))
	for i, row := range rows {
		out[i] = infoOf(row)
	}
	return out, nil
}

func infoOf(r query.FairSeries) Info {
	return Info{
		ID: r.ID, Kind: r.Kind, Name: r.Name, Generation: r.Generation, State: r.State, Length: r.Length, Used: r.Used, End: r.ChainEnd,
		Source: r.Source, Detail: r.Detail, DueAt: timeOf(r.DueAt), Value: r.Value, Signature: r.Signature, Salt: r.Salt, Version: r.Version,
		CreatedAt: timeOf(r.CreatedAt), StartedAt: timeOf(r.StartedAt), EndedAt: timeOf(r.EndedAt),
	}
}

// timeOf returns the time of Unix milliseconds, and the zero time for 0.
func timeOf(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// millisOf is the inverse of timeOf.
func millisOf(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return db.Millis(t)
}
