package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"fairground/internal/demo"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/gateway/sandbox"
	"fairground/internal/platform/db"
)

// The sandbox gateway of the demo.
const (
	sandboxCode = "SANDBOX"
	// SandboxPrefix is the path prefix of the sandbox's endpoints and pages.
	SandboxPrefix = "/sandbox"
)

// OpenSandbox creates the demo's gateway if needed, sets its URL to this server, and returns the handler of the sandbox.
// The server reaches itself at the URL base. Browsers use the site's origin, or base if none is configured.
func (s *Server) OpenSandbox(ctx context.Context, base string) (http.Handler, error) {
	m, err := s.Merchants.Find(ctx, demo.MerchantCode)
	if err != nil {
		return nil, err
	}
	gatewayURL := base + SandboxPrefix
	g, err := s.Gateways.Find(ctx, m.ID, sandboxCode)
	if errors.Is(err, gateway.ErrUnknown) {
		if _, err = s.Gateways.Create(ctx, m.ID, gateway.Draft{Code: sandboxCode, Name: "Sandbox", URL: gatewayURL, Currencies: []string{"VND"}, Min: 10_000, Max: 500_000_000}); err == nil {
			g, err = s.Gateways.Find(ctx, m.ID, sandboxCode)
		}
	}
	if err != nil {
		return nil, err
	}
	if g.URL != gatewayURL { // the port may differ from the last start
		err := s.Ledger.Write(ctx, func(tx *db.Tx) error {
			return s.Gateways.ChangeIn(ctx, tx, g, gateway.Changes{Name: g.Name, URL: gatewayURL, Min: g.Min, Max: g.Max, Enabled: g.Enabled})
		})
		if err != nil {
			return nil, err
		}
	}
	key, err := s.Gateways.NewestKey(ctx, g)
	if err != nil {
		return nil, err
	}
	public := base
	if s.o.SiteOrigin != "" {
		public = s.o.SiteOrigin
	}
	box := sandbox.New(sandbox.Options{
		Code: sandboxCode, KeyID: key.KeyID, Key: key.Key, Base: public, Prefix: SandboxPrefix, Client: &http.Client{Timeout: 10 * time.Second}, Now: s.o.Now, Log: s.o.Log,
	})
	s.OnClose(box.Close)
	return box, nil
}
