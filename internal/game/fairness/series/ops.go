package series

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

var (
	// ErrTooSoon means that a result would be public before people could note the announcement.
	ErrTooSoon = fault.ForOperators(fault.Invalid, "fairness.too_soon")
	// ErrAnnounced means that a series of the name waits already.
	ErrAnnounced = fault.ForOperators(fault.Conflict, "fairness.already_waiting")
	// ErrNotWaiting means that a series does not wait for what was sent.
	ErrNotWaiting = fault.ForOperators(fault.Conflict, "fairness.not_waiting")
	// ErrNotDue means that the announced result is not public yet.
	ErrNotDue = fault.ForOperators(fault.Refused, "fairness.not_due")
	// ErrValue means that a result has other characters than letters and digits.
	ErrValue = fault.ForOperators(fault.Invalid, "fairness.value_format")
)

// ActionValue is the change that enters an announced result. It needs two people.
const ActionValue = "fairness.value"

const (
	announcedAhead = 24 * time.Hour
	announcedLimit = 366 * 24 * time.Hour
)

var resultText = regexp.MustCompile(`^[0-9A-Za-z]{1,100}$`)

// An Approval is a change that waits for a second person.
type Approval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries a change out, or stores it until a second person approves: then it returns the approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*Approval, error)
}

// Desk informs operators' screens about changes.
type Desk interface {
	Changed(ctx context.Context, tx *db.Tx, things, id string) error
}

func (s *Service) changed(ctx context.Context, tx *db.Tx, id int64) error {
	if s.o.Desk == nil {
		return nil
	}
	return s.o.Desk.Changed(ctx, tx, "fairness", strconv.FormatInt(id, 10))
}

// A scope limits a caller to a merchant. Jackpots and lotteries belong to a merchant, and tables to the installation.
type scope struct {
	merchantID int64
	all        bool
}

func (p scope) sees(kind, name string) bool {
	return p.all || kind == Table || strings.HasSuffix(name, "-"+strconv.FormatInt(p.merchantID, 10))
}

// changes reports whether the operator may change the series of a name.
func (p scope) changes(kind, name string) bool { return p.all || kind != Table && p.sees(kind, name) }

// An announcement names a public result that is not known yet.
type announcement struct {
	kind, name, detail string
	dueAt              time.Time
}

// announce publishes the next series of a name, which waits for a public result. The present series goes on.
func (s *Service) announce(ctx context.Context, by scope, a announcement) (Info, error) {
	now := s.o.Now()
	if !by.changes(a.kind, a.name) {
		return Info{}, ErrNotFound
	}
	if a.dueAt.Before(now.Add(announcedAhead)) || a.dueAt.After(now.Add(announcedLimit)) {
		return Info{}, ErrTooSoon.On("dueAt")
	}
	detail := strings.TrimSpace(a.detail)
	if detail == "" {
		return Info{}, rest.ErrParam.On("detail")
	}
	last, err := s.o.Store.Q().LastSeries(ctx, a.kind, a.name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return Info{}, ErrNotFound
	case err != nil:
		return Info{}, fmt.Errorf("read series: %w", err)
	case last.State == Waiting:
		return Info{}, ErrAnnounced
	}
	row, err := s.draw(query.AddSeriesParams{
		Kind: a.kind, Name: a.name, Generation: last.Generation + 1, Source: Announced, Detail: detail, DueAt: db.Millis(a.dueAt),
	})
	if err != nil {
		return Info{}, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		added, err := s.add(ctx, tx, row, audit.Entry{MerchantID: by.merchantID, Permission: string(permission.HouseRepair)})
		if err == nil && !added {
			err = ErrAnnounced
		}
		return err
	})
	if err != nil {
		return Info{}, fmt.Errorf("announce series: %w", err)
	}
	return s.Find(ctx, row.ID)
}

// findFor returns a series that an operator may see.
func (s *Service) findFor(ctx context.Context, by scope, id int64) (Info, error) {
	i, err := s.Find(ctx, id)
	if err == nil && !by.sees(i.Kind, i.Name) {
		return Info{}, ErrNotFound
	}
	return i, err
}

// A resultChange is the payload of ActionValue. It names the series in full, so that the second person sees what it starts.
type resultChange struct {
	ID         string `json:"id"`
	Version    int64  `json:"version"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	Generation int64  `json:"generation"`
	Detail     string `json:"detail"`
	Value      string `json:"value"`
	Reason     string `json:"reason,omitempty"`
}

// enter asks for the start of a series with an announced result.
func (s *Service) enter(ctx context.Context, by scope, id, version int64, value, reason string) (*Approval, error) {
	i, err := s.findFor(ctx, by, id)
	if err != nil {
		return nil, err
	}
	if !by.changes(i.Kind, i.Name) {
		return nil, ErrNotFound
	}
	value = strings.TrimSpace(value)
	if err := s.checkResult(i, version, value); err != nil {
		return nil, err
	}
	return s.o.Approvals.Request(ctx, by.merchantID, ActionValue, object(id), resultChange{
		ID: strconv.FormatInt(id, 10), Version: version, Kind: i.Kind, Name: i.Name, Generation: i.Generation, Detail: i.Detail, Value: value, Reason: reason,
	})
}

func (s *Service) checkResult(i Info, version int64, value string) error {
	switch {
	case i.State != Waiting || i.Source != Announced:
		return ErrNotWaiting
	case i.Version != version:
		return rest.ErrStale
	case s.o.Now().Before(i.DueAt):
		return ErrNotDue
	case !resultText.MatchString(value):
		return ErrValue.On("value")
	}
	return nil
}

// RunValue carries out ActionValue.
func (s *Service) RunValue(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var c resultChange
	if err := json.Unmarshal(payload, &c); err != nil {
		return nil, nil, fmt.Errorf("decode result: %w", err)
	}
	id, err := strconv.ParseInt(c.ID, 10, 64)
	if err != nil {
		return nil, nil, ErrNotFound
	}
	row, err := tx.Q.Series(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, ErrNotFound
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read series: %w", err)
	}
	if err := s.checkResult(info(row), c.Version, c.Value); err != nil {
		return nil, nil, err
	}
	started, err := s.start(ctx, tx, row, c.Value, "")
	if errors.Is(err, errStarted) {
		err = rest.ErrStale
	}
	return Logged(info(row)), Logged(started), err
}

// endWaiting ends a series that waits. If none of its name runs, the next one starts at once, and says that the operator chose
// its start.
func (s *Service) endWaiting(ctx context.Context, by scope, id, version int64, reason string) (Info, error) {
	i, err := s.findFor(ctx, by, id)
	if err != nil {
		return Info{}, err
	}
	switch {
	case !by.changes(i.Kind, i.Name):
		return Info{}, ErrNotFound
	case i.State != Waiting:
		return Info{}, ErrNotWaiting
	case i.Version != version:
		return Info{}, rest.ErrStale
	}
	next, err := s.draw(query.AddSeriesParams{Kind: i.Kind, Name: i.Name, Generation: i.Generation + 1, Source: ByOperator})
	if err != nil {
		return Info{}, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.endWaitingIn(ctx, tx, by, i, next, reason) })
	if err != nil {
		return Info{}, fmt.Errorf("end series: %w", err)
	}
	return s.Find(ctx, id)
}

func (s *Service) endWaitingIn(ctx context.Context, tx *db.Tx, by scope, i Info, next query.AddSeriesParams, reason string) error {
	n, err := tx.Q.EndWaitingSeries(ctx, db.Millis(s.o.Now()), i.ID, i.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return rest.ErrStale
	}
	ended, err := tx.Q.Series(ctx, i.ID)
	if err != nil {
		return err
	}
	entry := audit.Entry{MerchantID: by.merchantID, Permission: string(permission.HouseRepair)}
	log := entry
	log.Action, log.Object, log.Before = "fairness.series_end", object(i.ID), Logged(i)
	log.After = map[string]any{"series": Logged(info(ended)), "reason": reason}
	if err := errors.Join(audit.Append(ctx, tx, s.o.Now(), log), s.changed(ctx, tx, i.ID)); err != nil {
		return err
	}
	running, err := tx.Q.RunningSeries(ctx, i.Kind, i.Name)
	if err == nil && running.Used < running.Length {
		return nil
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err == nil {
		if _, err := tx.Q.EndSeries(ctx, db.Millis(s.o.Now()), running.ID); err != nil {
			return err
		}
	}
	_, err = s.add(ctx, tx, next, entry)
	return err
}
