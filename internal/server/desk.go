package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/site/figures"
	"fairground/internal/site/merchant"
)

const (
	replicaInterval = 15 * time.Second
	replicaLost     = 3 * replicaInterval // a replica that has not reported for this long is considered down
	replicaKept     = 24 * time.Hour      // a lost replica is shown for this long
	maxBackupAge    = 48 * time.Hour
	maxOutboxLag    = 30 * time.Second // the outbox is read twice a second
	minDiskFree     = 1 << 30          // bytes
)

// deskState provides the overview's tasks, alerts and currency.
type deskState struct{ s *Server }

func (d deskState) Currency(ctx context.Context, merchantID int64) (money.Currency, error) {
	return d.s.Merchants.Currency(ctx, merchantID)
}

func (d deskState) OpenTasks(ctx context.Context, by rest.Operator) (map[string]int64, error) {
	merchantID, sharedID := rest.ListedMerchants(ctx)
	rows, err := d.s.Store.Q().OpenTasks(ctx, merchantID, sharedID)
	out := map[string]int64{}
	for _, row := range rows {
		if by.Can(permission.Name(row.Permission)) {
			out[row.Kind] += row.Number
		}
	}
	return out, err
}

func (d deskState) Alerts(ctx context.Context, by rest.Operator) ([]figures.Alert, error) {
	out := []figures.Alert{}
	for _, c := range d.s.checks(ctx) {
		if c.State == checkBad {
			out = append(out, figures.Alert{Code: c.Name, Text: c.Text})
		}
	}
	heldByOne, err := d.s.Operators.HeldByOne(ctx, by.Merchant.ID)
	for _, p := range heldByOne {
		out = append(out, figures.Alert{Code: "single", Text: string(p)})
	}
	return out, err
}

// States of a check.
const (
	checkGood = "ok"
	checkBad  = "failed"
)

type healthCheck struct {
	Name  string `json:"name" enum:"replicas,database,schema,bus,jobs,outbox,disk,backup"`
	State string `json:"state" enum:"ok,failed"`
	Text  string `json:"text,omitempty" doc:"More about it, in English."`
	Value int64  `json:"value" doc:"database: microseconds of a query; jobs: failed jobs; outbox: time since this replica last had all changes, in ms; disk: free bytes; backup: time of the last one, Unix ms; replicas: their number."`
}

type replicaReply struct {
	ID        string `json:"id"`
	Host      string `json:"host"`
	Version   string `json:"version"`
	StartedAt int64  `json:"startedAt"`
	SeenAt    int64  `json:"seenAt"`
	Status    string `json:"status" enum:"active,lost"`
}

type jobCount struct {
	State  string `json:"state"`
	Number int64  `json:"number"`
}

type healthReply struct {
	At       int64          `json:"at"`
	Engine   string         `json:"engine" enum:"sqlite,postgres"`
	Streams  int64          `json:"streams" doc:"Open event streams of the replica that answers."`
	Checks   []healthCheck  `json:"checks"`
	Replicas []replicaReply `json:"replicas"`
	Jobs     []jobCount     `json:"jobs" doc:"Background jobs that are not completed, by state."`
}

func (s *Server) deskRoutes(a *rest.API) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/health", ID: "opsHealth", Tag: "operators", Access: rest.Operators, Permission: permission.ReportRead,
		Summary: "State of the installation",
	}, func(ctx context.Context, _ *struct{}) (healthReply, error) { return s.health(ctx) })
	s.firstStepRoutes(a)
}

func (s *Server) health(ctx context.Context) (healthReply, error) {
	out := healthReply{At: db.Millis(s.o.Now()), Engine: "sqlite", Streams: s.Hub.Open(), Checks: s.checks(ctx), Replicas: []replicaReply{}, Jobs: []jobCount{}}
	if s.Store.Engine == db.Postgres {
		out.Engine = "postgres"
	}
	rows, err := s.Store.Q().Replicas(ctx)
	if err != nil {
		return out, fmt.Errorf("read replicas: %w", err)
	}
	for _, r := range rows {
		status := "active"
		if db.Millis(s.o.Now()) > r.SeenAt+replicaLost.Milliseconds() {
			status = "lost"
		}
		out.Replicas = append(out.Replicas, replicaReply{strconv.FormatInt(r.ID, 10), r.Host, r.Version, r.StartedAt, r.SeenAt, status})
	}
	out.Jobs, err = s.jobCounts(ctx)
	return out, err
}

func (s *Server) jobCounts(ctx context.Context) ([]jobCount, error) {
	out := []jobCount{}
	rows, err := s.Store.Reader.QueryContext(ctx, "SELECT CAST(state AS TEXT), COUNT(*) FROM river_job WHERE state <> 'completed' GROUP BY state ORDER BY 1")
	if err != nil {
		return nil, fmt.Errorf("read jobs: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var count jobCount
		if err := rows.Scan(&count.State, &count.Number); err != nil {
			return nil, fmt.Errorf("read jobs: %w", err)
		}
		out = append(out, count)
	}
	return out, rows.Err()
}

// checks returns the state of each part of the server. A state that cannot be read counts as failed.
func (s *Server) checks(ctx context.Context) []healthCheck {
	start := time.Now()
	reason, err := s.Healthy(ctx)
	database := check("database", err == nil, time.Since(start).Microseconds(), reason)
	schema := s.schemaCheck(ctx)
	bus := check("bus", s.Bus.Connected(), 0, "disconnected")
	return []healthCheck{
		database, check("schema", schema.Err == nil, 0, schema.State), bus,
		s.replicaCheck(ctx), s.jobCheck(ctx), s.outboxCheck(), s.diskCheck(), s.backupCheck(ctx),
	}
}

// check returns a check. It includes text only if the check failed.
func check(name string, good bool, value int64, text string) healthCheck {
	if good {
		return healthCheck{Name: name, State: checkGood, Value: value}
	}
	return healthCheck{Name: name, State: checkBad, Value: value, Text: text}
}

func (s *Server) replicaCheck(ctx context.Context) healthCheck {
	rows, err := s.Store.Q().Replicas(ctx)
	lost := 0
	for _, r := range rows {
		if db.Millis(s.o.Now()) > r.SeenAt+replicaLost.Milliseconds() {
			lost++
		}
	}
	return check("replicas", err == nil && lost == 0, int64(len(rows)), fmt.Sprintf("%d of %d do not answer", lost, len(rows)))
}

func (s *Server) jobCheck(ctx context.Context) healthCheck {
	var failed int64
	err := s.Store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM river_job WHERE state = 'discarded'").Scan(&failed)
	return check("jobs", err == nil && failed == 0, failed, "jobs failed for good")
}

func (s *Server) outboxCheck() healthCheck {
	lag := s.Outbox.Lag()
	return check("outbox", lag < maxOutboxLag, lag.Milliseconds(), "changes are not delivered")
}

func (s *Server) diskCheck() healthCheck {
	var disk syscall.Statfs_t
	err := syscall.Statfs(s.o.Storage.Data, &disk)
	free := int64(disk.Bavail) * disk.Bsize // fits in 63 bits
	return check("disk", err == nil && free > minDiskFree, free, "little space is left")
}

// BackupFile contains the time of the last backup of a data folder, in Unix milliseconds.
const BackupFile = "last-backup"

func (s *Server) backupCheck(ctx context.Context) healthCheck {
	var lastBackup int64
	if text, err := os.ReadFile(filepath.Join(s.o.Storage.Data, BackupFile)); err == nil {
		lastBackup, _ = strconv.ParseInt(string(text), 10, 64) // 0 means no backup
	}
	if rows, err := s.Store.Q().LastBackup(ctx); err == nil && len(rows) > 0 {
		lastBackup = max(lastBackup, rows[0].At)
	}
	if lastBackup == 0 {
		return check("backup", false, 0, "there is no backup")
	}
	return check("backup", db.Millis(s.o.Now())-lastBackup < maxBackupAge.Milliseconds(), lastBackup, "the last backup is older than two days")
}

// Announce regularly stores that this process is running, until the context ends. Other replicas and the console read it.
func (s *Server) Announce(ctx context.Context, version string) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	id := db.NewIDs(s.o.Now)()
	write := func(ctx context.Context, fn func(tx *db.Tx) error) {
		if err := s.Store.Write(ctx, fn); err != nil && ctx.Err() == nil {
			s.o.Log.Warn("announce replica", "error", err)
		}
	}
	tick := time.NewTicker(replicaInterval)
	defer tick.Stop()
	for {
		write(ctx, func(tx *db.Tx) error {
			if err := tx.Q.DropReplicas(ctx, db.Millis(s.o.Now().Add(-replicaKept))); err != nil {
				return err
			}
			return tx.Q.SeeReplica(ctx, query.SeeReplicaParams{ID: id, Host: host, Version: version, Now: db.Millis(s.o.Now())})
		})
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			write(last, func(tx *db.Tx) error { return tx.Q.DropReplica(last, id) })
			return
		case <-tick.C:
		}
	}
}

// logAuditHead logs the audit log's last digest, so that a copy exists outside the database.
func (s *Server) logAuditHead(ctx context.Context) error {
	head, err := s.Store.Q().AuditHead(ctx)
	if err != nil {
		return fmt.Errorf("read audit log: %w", err)
	}
	s.o.Log.InfoContext(ctx, "head of the audit log", "rows", head.Seq, "digest", fmt.Sprintf("%x", head.Digest))
	return nil
}

type firstStep struct {
	Name  string `json:"name" enum:"site,games,payments,deposit"`
	State string `json:"state" enum:"open,done"`
}

type firstStepsReply struct {
	Done     bool        `json:"done" doc:"No step is open."`
	Name     string      `json:"siteName"`
	Currency string      `json:"currency" doc:"Chosen at the first start; it never changes."`
	Version  int64       `json:"version" doc:"Of the site's name."`
	Steps    []firstStep `json:"steps"`
}

func (s *Server) firstStepRoutes(a *rest.API) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/ops/v1/first-steps", ID: "opsFirstSteps", Tag: "operators", Access: rest.Operators, Permission: permission.OwnSession,
		Summary: "What a new site still needs",
	}, func(ctx context.Context, _ *struct{}) (firstStepsReply, error) {
		return s.firstSteps(ctx, rest.MerchantOf(ctx))
	})
	type nameInput struct {
		Body struct {
			Name    string `json:"name" minLength:"1" maxLength:"64"`
			Version int64  `json:"version"`
		}
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/first-steps/site", ID: "opsNameSite", Tag: "operators", Access: rest.Operators, Permission: permission.SettingEdit,
		Summary: "Name the site", Faults: []*fault.Fault{rest.ErrStale},
	}, func(ctx context.Context, in *nameInput) (firstStepsReply, error) {
		m := rest.MerchantOf(ctx)
		err := s.Merchants.Rename(ctx, m.ID, in.Body.Name, in.Body.Version, func(tx *db.Tx, before, after json.RawMessage) error {
			return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
				MerchantID: m.ID, Permission: string(permission.SettingEdit), Action: "merchant.rename", Object: "merchant/" + m.Code, Before: before, After: after,
			})
		})
		if err != nil {
			return firstStepsReply{}, err
		}
		return s.firstSteps(ctx, m)
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/first-steps/house", ID: "opsInstallHouse", Tag: "operators", Access: rest.Operators, Permission: permission.VendorEdit,
		Summary: "Install the House's games", Description: "It can be called again.", Timeout: time.Minute,
	}, func(ctx context.Context, _ *struct{ Body struct{} }) (firstStepsReply, error) {
		m := rest.MerchantOf(ctx)
		withAudit := audit.With(ctx, s.o.Now, audit.Entry{
			MerchantID: m.ID, Permission: string(permission.VendorEdit), Action: "house.install", Object: "merchant/" + m.Code,
		}, nil)
		if _, err := s.InstallHouse(withAudit, m.ID); err != nil {
			return firstStepsReply{}, err
		}
		return s.firstSteps(ctx, m)
	})
}

func (s *Server) firstSteps(ctx context.Context, m rest.Merchant) (firstStepsReply, error) {
	q := s.Store.Q()
	row, err := q.MerchantByCode(ctx, m.Code)
	if err != nil {
		return firstStepsReply{}, fmt.Errorf("read merchant: %w", err)
	}
	done, err := q.FirstSteps(ctx, m.ID)
	if err != nil {
		return firstStepsReply{}, fmt.Errorf("read first steps: %w", err)
	}
	version, err := q.SettingVersion(ctx, m.ID, merchant.NameKey)
	if err != nil {
		return firstStepsReply{}, fmt.Errorf("read first steps: %w", err)
	}
	out := firstStepsReply{Done: true, Name: row.Name, Currency: row.Currency, Version: version}
	add := func(name string, isDone bool) {
		step := firstStep{name, "open"}
		if isDone {
			step.State = "done"
		}
		out.Done = out.Done && isDone
		out.Steps = append(out.Steps, step)
	}
	add("site", version > 0 || row.Name != row.Code)
	add("games", done.Vendors > 0)
	add("payments", done.Methods > 0)
	add("deposit", done.Deposits > 0)
	return out, nil
}
