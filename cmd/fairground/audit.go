package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
)

// commandActor is the operator's name in the audit log if a command runs without --operator. That is
// possible until an operator has enrolled.
const commandActor = "command"

// namedActor returns the operator in whose name a command runs, or "".
func namedActor(ctx context.Context) string {
	if actor := audit.Actor(ctx); actor != commandActor {
		return actor
	}
	return ""
}

// changePermissions maps each operation that changes data to the permission that an operator needs for it.
var changePermissions = map[string]permission.Name{
	"member.create":     permission.MemberEdit,
	"member.disable":    permission.MemberEdit,
	"member.enable":     permission.MemberEdit,
	"member.release":    permission.MemberEdit,
	"member.password":   permission.MemberEdit,
	"operator.create":   permission.OperatorEdit,
	"operator.password": permission.OperatorEdit,
	"operator.change":   permission.OperatorEdit,
	"ledger.adjust":     permission.LedgerAdjust,
	"merchant.set":      permission.SettingEdit,
	"merchant.switch":   permission.SettingEdit,
	"catalogue.vendor":  permission.CatalogueEdit,
	"catalogue.game":    permission.CatalogueEdit,
	"catalogue.import":  permission.CatalogueEdit,
	"vendor.create":     permission.VendorEdit,
	"vendor.rotate":     permission.VendorEdit,
	"vendor.set":        permission.VendorEdit,
	"vendor.refund":     permission.HouseRepair,
	"house.install":     permission.VendorEdit,
	"house.retry":       permission.HouseRepair,
	"house.refund":      permission.HouseRepair,
	"content.import":    permission.ContentEdit,
	"cashier.confirm":   permission.DepositConfirm,
	"cashier.refuse":    permission.DepositConfirm,
	"cashier.reconcile": permission.DepositConfirm,
	"gateway.create":    permission.SettingEdit,
	"gateway.rotate":    permission.SettingEdit,
}

// maxAudited is the maximum size in bytes of an input that is copied to the audit log. For a longer input, the log contains
// its digest.
const maxAudited = 8 << 10

// describeChange returns the object of an operation and its input without secrets, for the audit log.
func describeChange(name string, in any) (object string, after any, err error) {
	kind, _, _ := strings.Cut(name, ".")
	text, err := json.Marshal(in)
	if err != nil {
		return "", nil, fmt.Errorf("describe change: %w", err)
	}
	if len(text) > maxAudited {
		sum := sha256.Sum256(text)
		return kind, map[string]any{"bytes": len(text), "sha256": hex.EncodeToString(sum[:])}, nil
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil { // not an object
		return kind, json.RawMessage(text), nil //nolint:nilerr // such an input is a plain value
	}
	for field := range fields {
		if strings.Contains(strings.ToLower(field), "password") {
			delete(fields, field)
		}
	}
	object = kind
	for _, field := range []string{"Username", "Member", "Code", "Name", "Round", "ID"} {
		if value, ok := fields[field].(string); ok && value != "" {
			object = kind + "/" + value
			break
		}
	}
	return object, fields, nil
}

type auditGroup struct {
	Verify auditVerifyCommand `cmd:"" help:"Recompute the audit log's chain. Exits with 1 and names the first broken row."`
}

type auditVerifyCommand struct {
	config.Storage

	JSON bool `name:"json" help:"Print JSON."`
}

// Run verifies the chain. It can run while a server is running.
func (a *auditVerifyCommand) Run(c *console) error {
	var report audit.Report
	err := readDatabase(c, a.Storage, func(store *db.Store) (err error) {
		report, err = audit.Verify(c.ctx, store)
		return err
	})
	if err != nil {
		return err
	}
	switch {
	case a.JSON:
		err = json.NewEncoder(c.out).Encode(report)
	case report.Broken != 0:
		_, err = fmt.Fprintf(c.out, "Row %d is broken: %s.\n", report.Broken, report.Why)
	default:
		_, err = fmt.Fprintf(c.out, "%d rows, unbroken. Digest of the last row: %s\n", report.Rows, report.Head)
	}
	if err == nil && report.Broken != 0 {
		err = errReported
	}
	return err
}
