package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/gateway/sandbox"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type cashierGroup struct {
	List      cashierListCommand      `cmd:"" help:"List deposits, newest first."`
	Confirm   cashierConfirmCommand   `cmd:"" help:"Credit a deposit whose money has arrived."`
	Refuse    cashierRefuseCommand    `cmd:"" help:"Refuse a deposit."`
	Reconcile cashierReconcileCommand `cmd:"" help:"Compare a gateway's payments with the deposits. Prints one line per difference and moves no money."`
}

type cashierListCommand struct {
	merchantFlags

	State string `help:"WAITING, CLAIMED, CREDITED, REFUSED, EXPIRED or CANCELLED." enum:",WAITING,CLAIMED,CREDITED,REFUSED,EXPIRED,CANCELLED" default:""`
	JSON  bool   `name:"json" help:"Print one JSON object per deposit."`
}

type depositFilter struct{ Merchant, State string }

type listedDeposit struct {
	ID        string    `json:"id"`
	Reference string    `json:"reference"`
	Status    string    `json:"status"`
	Amount    string    `json:"amount"`
	Currency  string    `json:"currency"`
	Member    string    `json:"member"`
	Method    string    `json:"method"`
	Queue     string    `json:"queue"`
	Created   time.Time `json:"created"`
}

// maxListed is the maximum number of deposits that the list prints.
const maxListed = 1000

var listDeposits = operation[depositFilter, []listedDeposit]{"cashier.list", func(ctx context.Context, p *server.Server, in depositFilter) ([]listedDeposit, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return nil, err
	}
	rows, err := p.Deposits.List(ctx, m.ID, in.State, maxListed)
	out := make([]listedDeposit, 0, len(rows))
	for _, r := range rows {
		c, err := money.Find(r.Currency)
		if err != nil {
			return nil, err
		}
		out = append(out, listedDeposit{
			fmt.Sprint(r.ID), r.Reference, r.Status, c.Format(money.Minor(r.Amount)), r.Currency, r.Member, r.Method, r.Queue, timeOf(r.CreatedAt),
		})
	}
	return out, err
}}

// Run prints the deposits.
func (l *cashierListCommand) Run(c *console) error {
	all, err := perform(c, l.Storage, listDeposits, depositFilter{l.Merchant, l.State})
	if err != nil {
		return err
	}
	return printRows(c, l.JSON, all, func(d listedDeposit) []string {
		return []string{d.ID, d.Reference, d.Status, d.Amount + " " + d.Currency, d.Member, d.Method, d.Queue, d.Created.Format(time.DateTime)}
	})
}

type depositDecision struct {
	Merchant string
	ID       int64 `json:"ID,string"` // a JSON number would be rounded in the audit log
	Reason   string
}

var confirmDeposit = operation[depositDecision, string]{"cashier.confirm", func(ctx context.Context, p *server.Server, in depositDecision) (status string, err error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return "", err
	}
	waiting, needsTwo, err := p.Deposits.Propose(ctx, m.ID, in.ID, 0, 0, in.Reason)
	switch {
	case err != nil:
		return "", err
	case waiting != nil:
		return "waits for a second person, approval " + waiting.ID, nil
	case needsTwo: // one operator only: it took effect
		return deposit.Credited, nil
	}
	err = p.Ledger.Write(ctx, func(tx *db.Tx) error {
		_, after, err := p.Deposits.ConfirmIn(ctx, tx, m.ID, in.ID, 0, 0)
		status = after.Status
		return err
	})
	return status, err
}}

var refuseDeposit = operation[depositDecision, string]{"cashier.refuse", func(ctx context.Context, p *server.Server, in depositDecision) (status string, err error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return "", err
	}
	err = p.Ledger.Write(ctx, func(tx *db.Tx) error {
		_, after, err := p.Deposits.RefuseIn(ctx, tx, m.ID, in.ID, 0, in.Reason)
		status = after.Status
		return err
	})
	return status, err
}}

type cashierConfirmCommand struct {
	merchantFlags

	ID int64 `arg:"" help:"Id of the deposit."`
}

// Run credits the deposit.
func (d *cashierConfirmCommand) Run(c *console) error {
	status, err := perform(c, d.Storage, confirmDeposit, depositDecision{Merchant: d.Merchant, ID: d.ID})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Deposit %d: %s\n", d.ID, status)
	return err
}

type cashierRefuseCommand struct {
	merchantFlags

	ID     int64  `arg:"" help:"Id of the deposit."`
	Reason string `required:"" help:"The member reads it."`
}

// Run rejects the deposit.
func (d *cashierRefuseCommand) Run(c *console) error {
	status, err := perform(c, d.Storage, refuseDeposit, depositDecision{d.Merchant, d.ID, d.Reason})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Deposit %d: %s\n", d.ID, status)
	return err
}

type cashierReconcileCommand struct {
	merchantFlags

	Gateway string `arg:"" help:"Code of the gateway."`
}

type gatewayRef struct{ Merchant, Code string }

var reconcileGateway = operation[gatewayRef, []deposit.Difference]{"cashier.reconcile", func(ctx context.Context, p *server.Server, in gatewayRef) ([]deposit.Difference, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return nil, err
	}
	g, err := p.Gateways.Find(ctx, m.ID, in.Code)
	if err != nil {
		return nil, err
	}
	result, err := p.Deposits.Reconcile(ctx, g)
	return result.Differences, err
}}

// Run prints the differences.
func (r *cashierReconcileCommand) Run(c *console) error {
	differences, err := perform(c, r.Storage, reconcileGateway, gatewayRef{r.Merchant, r.Gateway})
	if err != nil {
		return err
	}
	for _, d := range differences {
		if _, err := fmt.Fprintf(c.out, "%s: %s (here %s, gateway %s %s)\n", d.Reference, d.Text, d.Here, d.There, d.Amount); err != nil {
			return err
		}
	}
	return nil
}

type gatewayGroup struct {
	Create  gatewayCreateCommand  `cmd:"" help:"Create a payment gateway with its first key. The key is shown once."`
	Rotate  gatewayRotateCommand  `cmd:"" help:"Create a new key for a gateway. The key is shown once. The previous key stays valid until the next rotation."`
	List    gatewayListCommand    `cmd:"" help:"List payment gateways."`
	Sandbox gatewaySandboxCommand `cmd:"" help:"Run a payment gateway without money, for tests."`
}

type gatewayCreateCommand struct {
	merchantFlags

	Code     string   `required:"" help:"Code of the gateway: 1 to 32 letters, digits, dashes or underscores."`
	Name     string   `required:"" help:"Display name of the gateway."`
	URL      string   `required:"" name:"url" help:"Base address of the gateway's calls."`
	Currency []string `required:"" help:"Currency. Can be repeated."`
}

type gatewayParams struct {
	Merchant, Code, Name, URL string
	Currencies                []string
}

var createGateway = operation[gatewayParams, gateway.Key]{"gateway.create", func(ctx context.Context, p *server.Server, in gatewayParams) (gateway.Key, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return gateway.Key{}, err
	}
	return p.Gateways.Create(ctx, m.ID, gateway.Draft{Code: in.Code, Name: in.Name, URL: in.URL, Currencies: in.Currencies})
}}

// Run creates the gateway and prints its key as one JSON object.
func (g *gatewayCreateCommand) Run(c *console) error {
	key, err := perform(c, g.Storage, createGateway, gatewayParams{g.Merchant, g.Code, g.Name, g.URL, g.Currency})
	if err != nil {
		return err
	}
	return json.NewEncoder(c.out).Encode(key)
}

type gatewayRotateCommand struct {
	merchantFlags

	Code string `required:"" help:"Code of the gateway."`
}

var rotateGateway = operation[gatewayRef, gateway.Key]{"gateway.rotate", func(ctx context.Context, p *server.Server, in gatewayRef) (gateway.Key, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return gateway.Key{}, err
	}
	return p.Gateways.Rotate(ctx, m.ID, in.Code)
}}

// Run creates the key and prints it as one JSON object.
func (g *gatewayRotateCommand) Run(c *console) error {
	key, err := perform(c, g.Storage, rotateGateway, gatewayRef{g.Merchant, g.Code})
	if err != nil {
		return err
	}
	return json.NewEncoder(c.out).Encode(key)
}

type gatewayListCommand struct {
	merchantFlags

	JSON bool `name:"json" help:"Print one JSON object per gateway."`
}

type listedGateway struct {
	Code       string   `json:"code"`
	Name       string   `json:"name"`
	URL        string   `json:"url"`
	Currencies []string `json:"currencies"`
	Enabled    bool     `json:"enabled"`
	Keys       int64    `json:"keys"`
}

var listGateways = operation[gatewayRef, []listedGateway]{"gateway.list", func(ctx context.Context, p *server.Server, in gatewayRef) ([]listedGateway, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return nil, err
	}
	all, err := p.Gateways.List(ctx, m.ID)
	out := make([]listedGateway, 0, len(all))
	for _, g := range all {
		out = append(out, listedGateway{g.Code, g.Name, g.URL, g.Currencies, g.Enabled, g.Keys})
	}
	return out, err
}}

// Run prints the gateways. It prints no keys.
func (g *gatewayListCommand) Run(c *console) error {
	all, err := perform(c, g.Storage, listGateways, gatewayRef{Merchant: g.Merchant})
	if err != nil {
		return err
	}
	return printRows(c, g.JSON, all, func(g listedGateway) []string {
		return []string{g.Code, g.Name, g.URL, strings.Join(g.Currencies, ","), "enabled " + onOff(g.Enabled), fmt.Sprintf("%d keys", g.Keys)}
	})
}

type gatewaySandboxCommand struct {
	Addr  string `help:"Address to listen on, HOST:PORT." default:"127.0.0.1:9090" placeholder:"HOST:PORT"`
	Code  string `required:"" help:"Code of the gateway, as gateway create printed it."`
	KeyID string `required:"" name:"key-id" help:"Id of the gateway's key."`
	Key   string `required:"" help:"The gateway's key." env:"FAIRGROUND_SANDBOX_KEY" secret:""`
	Mode  string `help:"How payments end: manual, pay, fail, late, twice, other, slow or down." enum:"manual,pay,fail,late,twice,other,slow,down" default:"manual"`
}

// Run serves until the console's context ends.
func (g *gatewaySandboxCommand) Run(c *console) error {
	listener, err := (&net.ListenConfig{}).Listen(c.ctx, "tcp", g.Addr)
	if err != nil {
		return err
	}
	base := "http://" + listener.Addr().String()
	box := sandbox.New(sandbox.Options{
		Code: g.Code, KeyID: g.KeyID, Key: g.Key, Base: base, Mode: g.Mode, Client: &http.Client{Timeout: 10 * time.Second}, Now: c.now, Log: slog.New(slog.NewTextHandler(c.stderr, nil)),
	})
	defer box.Close()
	web := &http.Server{Handler: box, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(c.ctx, func() { _ = web.Close() })
	defer stop()
	fmt.Fprintf(c.out, "Sandbox gateway %s serves %s/\n", g.Code, base)
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
