package sandbox

import (
	"html/template"
	"net/http"
	"slices"
	"strings"

	"fairground/internal/finance/gateway"
)

// policy allows only the pages' own style and forms.
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

var pages = template.Must(template.New("").Parse(`{{define "head"}}<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sandbox gateway</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 0 auto; padding: 1rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem } dd { margin: 0; overflow-wrap: anywhere }
form { display: grid; gap: .5rem } button, select { min-height: 44px; font: inherit }
</style></head><body><h1>Sandbox gateway</h1><p>No real money moves here.</p>{{end}}
{{define "pay"}}{{template "head"}}
<dl><dt>Amount</dt><dd>{{.Amount}} {{.Currency}}</dd><dt>Reference</dt><dd>{{.Reference}}</dd><dt>Status</dt><dd>{{.Status}}</dd></dl>
{{if .Open}}<form method="post"><button name="mode" value="pay">Pay</button><button name="mode" value="fail">Fail</button>
<button name="mode" value="other">Pay another amount</button><button name="mode" value="twice">Pay twice</button><button name="mode" value="late">Pay late</button></form>{{end}}
{{if .ReturnURL}}<p><a href="{{.ReturnURL}}">Back to the site</a></p>{{end}}</body></html>{{end}}
{{define "index"}}{{template "head"}}
<form method="post" action="{{.Action}}"><label for="mode">New payments</label><select id="mode" name="mode">{{range .Modes}}<option{{if eq . $.Mode}} selected{{end}}>{{.}}</option>{{end}}</select><button>Set</button></form>
<ul>{{range .Payments}}<li><a href="{{.Link}}">{{.Reference}}</a> {{.Amount}} {{.Currency}}: {{.Status}}</li>{{end}}</ul></body></html>{{end}}`))

type payPage struct {
	Reference, Amount, Currency, Status, ReturnURL, Link string
	Open                                                 bool
}

func (g *Gateway) render(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		g.o.Log.Warn("sandbox gateway: page", "error", err)
	}
}

// pageOf returns a payment's page. The caller holds the lock.
func (g *Gateway) pageOf(p *payment) payPage {
	return payPage{
		Reference: p.Reference, Amount: p.Amount, Currency: p.Currency, Status: p.status, ReturnURL: p.ReturnURL, Link: g.o.Prefix + "/pay/" + p.Reference,
		Open: p.status == gateway.Pending && p.mode == Manual,
	}
}

func (g *Gateway) page(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	p := g.payments[gateway.KindPayment+r.PathValue("reference")]
	var shown payPage
	if p != nil {
		shown = g.pageOf(p)
	}
	g.mu.Unlock()
	if p == nil {
		http.NotFound(w, r)
		return
	}
	g.render(w, "pay", shown)
}

func (g *Gateway) decide(w http.ResponseWriter, r *http.Request) {
	mode := r.PostFormValue("mode")
	g.mu.Lock()
	p := g.payments[gateway.KindPayment+r.PathValue("reference")]
	if p != nil && p.status == gateway.Pending && p.mode == Manual && slices.Contains([]string{Pay, Fail, Other, Twice, Late}, mode) {
		p.mode = mode
		g.endPaymentLocked(p, mode)
	}
	g.mu.Unlock()
	if p == nil {
		http.NotFound(w, r)
		return
	}
	http.Redirect(w, r, g.o.Prefix+"/pay/"+p.Reference, http.StatusSeeOther)
}

func (g *Gateway) index(w http.ResponseWriter, _ *http.Request) {
	data := struct {
		Action, Mode string
		Modes        []string
		Payments     []payPage
	}{Action: g.o.Prefix + "/mode", Modes: Modes}
	g.mu.Lock()
	data.Mode = g.mode
	for _, p := range g.payments {
		if p.kind == gateway.KindPayment {
			data.Payments = append(data.Payments, g.pageOf(p))
		}
	}
	g.mu.Unlock()
	slices.SortFunc(data.Payments, func(a, b payPage) int { return strings.Compare(a.Reference, b.Reference) })
	g.render(w, "index", data)
}

func (g *Gateway) setMode(w http.ResponseWriter, r *http.Request) {
	if err := g.SetMode(r.PostFormValue("mode")); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	http.Redirect(w, r, g.o.Prefix+"/", http.StatusSeeOther)
}
