package series

import (
	"cmp"
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
	// ErrTooSoon means that the time of an announced result is too near or too far in the future.
	ErrTooSoon = fault.ForOperators(fault.Invalid, "fairness.too_soon")
	// ErrAnnounced means that a series of the same name is already waiting.
	ErrAnnounced = fault.ForOperators(fault.Conflict, "fairness.already_waiting")
	// ErrNotWaiting means that a series does not wait for a result.
	ErrNotWaiting = fault.ForOperators(fault.Conflict, "fairness.not_waiting")
	// ErrNotDue means that the announced result is not public yet.
	ErrNotDue = fault.ForOperators(fault.Refused, "fairness.not_due")
	// ErrValue means that a result has not the announced number of digits. Results of announcements of older versions have 1 to
	// 100 letters and digits.
	ErrValue = fault.ForOperators(fault.Invalid, "fairness.value_format")
)

// ActionValue is the action of entering an announced result, which needs two people.
const ActionValue = "fairness.value"

const (
	minAnnounced = 24 * time.Hour // time between the announcement and the result
	maxAnnounced = 366 * 24 * time.Hour
)

var resultText = regexp.MustCompile(`^[0-9A-Za-z]{1,100}$`)

// An Approval is a change that waits for a second person.
type Approval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out changes that may need a second person.
type Approvals interface {
	// Request carries the change out and returns nil, or stores it for approval and returns the approval.
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*Approval, error)
}

// Screens informs operators' screens about changes.
type Screens interface {
	Changed(ctx context.Context, tx *db.Tx, kind, id string) error
}

// notifyDesk informs operators' screens that a series changed.
func (s *Service) notifyDesk(ctx context.Context, tx *db.Tx, id int64) error {
	if s.o.Screens == nil {
		return nil
	}
	return s.o.Screens.Changed(ctx, tx, "fairness", strconv.FormatInt(id, 10))
}

// A scope limits a caller to one merchant's series. Jackpots and lotteries belong to a merchant, tables to the
// installation.
type scope struct {
	merchantID int64
	all        bool // no limit
}

// maySee reports whether the caller may see a series.
func (p scope) maySee(kind, name string) bool {
	return p.all || kind == Table || strings.HasSuffix(name, "-"+strconv.FormatInt(p.merchantID, 10))
}

// mayChange reports whether an operator may change a series.
func (p scope) mayChange(kind, name string) bool {
	return p.all || kind != Table && p.maySee(kind, name)
}

// An announcement describes a public result that is not known yet.
type announcement struct {
	kind, name, detail string
	digits             int // of the result; 0: as detail says, or the default
	dueAt              time.Time
}

// defaultDigits is the number of digits of the special prize in the north of Vietnam.
const defaultDigits = 5

// statedDigits finds the number of digits at the end of a detail.
var statedDigits = regexp.MustCompile(`\((\d{1,2}) digits\)$`)

// digitsOf returns how many digits the announced result has. It returns 0 for announcements of older versions.
func digitsOf(detail string) int {
	if m := statedDigits.FindStringSubmatch(detail); m != nil {
		n, _ := strconv.Atoi(m[1])
		return n
	}
	return 0
}

// withDigits returns the detail of an announcement with the number of digits. The number is public before the result, so that
// no one can choose between spellings of the result.
func withDigits(detail string, digits int) (string, error) {
	stated := digitsOf(detail)
	switch {
	case stated > 20, statedDigits.MatchString(detail) && stated == 0, stated != 0 && digits != 0 && stated != digits:
		return "", rest.ErrParam.On("detail")
	case stated != 0:
		return detail, nil
	}
	return fmt.Sprintf("%s (%d digits)", detail, cmp.Or(digits, defaultDigits)), nil
}

// announce publishes the next series of a name. It waits for a public result, and the present series stays in use.
func (s *Service) announce(ctx context.Context, by scope, a announcement) (Info, error) {
	now := s.o.Now()
	if !by.mayChange(a.kind, a.name) {
		return Info{}, ErrNotFound
	}
	if a.dueAt.Before(now.Add(minAnnounced)) || a.dueAt.After(now.Add(maxAnnounced)) {
		return Info{}, ErrTooSoon.On("dueAt")
	}
	detail := strings.TrimSpace(a.detail)
	if detail == "" {
		return Info{}, rest.ErrParam.On("detail")
	}
	detail, err := withDigits(detail, a.digits)
	if err != nil {
		return Info{}, err
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
	row, err := s.generate(query.AddSeriesParams{
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

// findFor returns a series if the operator may see it.
func (s *Service) findFor(ctx context.Context, by scope, id int64) (Info, error) {
	info, err := s.Find(ctx, id)
	if err == nil && !by.maySee(info.Kind, info.Name) {
		return Info{}, ErrNotFound
	}
	return info, err
}

// A resultChange is the payload of ActionValue. It describes the series, so that the second person sees which one starts.
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

// enterResult requests to start a series with an announced result.
func (s *Service) enterResult(ctx context.Context, by scope, id, version int64, value, reason string) (*Approval, error) {
	info, err := s.findFor(ctx, by, id)
	if err != nil {
		return nil, err
	}
	if !by.mayChange(info.Kind, info.Name) {
		return nil, ErrNotFound
	}
	value = strings.TrimSpace(value)
	if err := s.checkResult(info, version, value); err != nil {
		return nil, err
	}
	return s.o.Approvals.Request(ctx, by.merchantID, ActionValue, auditObject(id), resultChange{
		ID: strconv.FormatInt(id, 10), Version: version, Kind: info.Kind, Name: info.Name, Generation: info.Generation, Detail: info.Detail, Value: value, Reason: reason,
	})
}

func (s *Service) checkResult(info Info, version int64, value string) error {
	switch {
	case info.State != Waiting || info.Source != Announced:
		return ErrNotWaiting
	case info.Version != version:
		return rest.ErrStale
	case s.o.Now().Before(info.DueAt):
		return ErrNotDue
	case !resultText.MatchString(value):
		return ErrValue.On("value")
	}
	if n := digitsOf(info.Detail); n != 0 && (len(value) != n || strings.Trim(value, "0123456789") != "") {
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
	if err := s.checkResult(infoOf(row), c.Version, c.Value); err != nil {
		return nil, nil, err
	}
	started, err := s.start(ctx, tx, row, c.Value, "")
	if errors.Is(err, errStarted) {
		err = rest.ErrStale
	}
	return Logged(infoOf(row)), Logged(started), err
}

// endWaiting ends a waiting series. If no other series of the name is running, a new one with the source ByOperator starts
// at once.
func (s *Service) endWaiting(ctx context.Context, by scope, id, version int64, reason string) (Info, error) {
	info, err := s.findFor(ctx, by, id)
	if err != nil {
		return Info{}, err
	}
	switch {
	case !by.mayChange(info.Kind, info.Name):
		return Info{}, ErrNotFound
	case info.State != Waiting:
		return Info{}, ErrNotWaiting
	case info.Version != version:
		return Info{}, rest.ErrStale
	}
	next, err := s.generate(query.AddSeriesParams{Kind: info.Kind, Name: info.Name, Generation: info.Generation + 1, Source: ByOperator})
	if err != nil {
		return Info{}, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.endWaitingIn(ctx, tx, by, info, next, reason) })
	if err != nil {
		return Info{}, fmt.Errorf("end series: %w", err)
	}
	return s.Find(ctx, id)
}

func (s *Service) endWaitingIn(ctx context.Context, tx *db.Tx, by scope, info Info, next query.AddSeriesParams, reason string) error {
	n, err := tx.Q.EndWaitingSeries(ctx, db.Millis(s.o.Now()), info.ID, info.Version)
	if err != nil {
		return err
	}
	if n == 0 {
		return rest.ErrStale
	}
	ended, err := tx.Q.Series(ctx, info.ID)
	if err != nil {
		return err
	}
	entry := audit.Entry{MerchantID: by.merchantID, Permission: string(permission.HouseRepair)}
	log := entry
	log.Action, log.Object, log.Before = "fairness.series_end", auditObject(info.ID), Logged(info)
	log.After = map[string]any{"series": Logged(infoOf(ended)), "reason": reason}
	if err := errors.Join(audit.Append(ctx, tx, s.o.Now(), log), s.notifyDesk(ctx, tx, info.ID)); err != nil {
		return err
	}
	running, err := tx.Q.RunningSeries(ctx, info.Kind, info.Name)
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
