package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/site/merchant"
)

// people are those who call: each kind that the server tells apart, with the token that they hold.
type callers struct {
	*testServer
	tokens map[string]string // by actor; a visitor has none
	ids    map[string]int64
	demo   int64 // the merchant's id
	rounds int   // that the owner has played at the House
}

// The actors of every matrix.
var actors = []string{"visitor", "owner", "other", "trial", "agent"}

const memberPassword = "qua-xanh7"

// newCallers puts them on a workbench of their own. The owner has a number and an address.
func newCallers(t *testing.T) *callers {
	t.Helper()
	p := &callers{testServer: newTestServer(t, true), tokens: map[string]string{}, ids: map[string]int64{}}
	site, err := p.services.Merchants.Find(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	p.demo = site.ID
	for name, kind := range map[string]member.Type{"owner": member.Player, "other": member.Player, "agent": member.Agent} {
		p.ids[name], err = p.services.Members.Create(t.Context(), member.Draft{
			MerchantID: p.demo, Username: name + "001", Password: memberPassword, Type: kind, Currency: "VND", Language: "en", OfAge: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		p.logIn(name)
	}
	p.tokens["trial"] = value[struct{ Token string }](p.program, http.MethodPost, "/wps/member/trial", "", `{"ageConfirmed":true}`).Token
	p.exec("UPDATE member SET mobile = '+84912345678', email = 'owner@fairground.example' WHERE account = 'owner001'")
	return p
}

// enter gives a member a new session.
func (p *callers) logIn(name string) {
	p.t.Helper()
	p.tokens[name] = p.login(name+"001", memberPassword)
}

// as calls in somebody's name.
func (p *callers) as(actor, method, path, body string, headers ...string) response {
	p.t.Helper()
	if token := p.tokens[actor]; token != "" {
		headers = append(headers, "Authorization", token)
	}
	return p.send(method, path, body, headers...)
}

func (p *callers) exec(statement string) {
	p.t.Helper()
	if _, err := p.services.Store.Writer.ExecContext(p.t.Context(), statement); err != nil {
		p.t.Fatal(err)
	}
}

func (p *callers) set(name merchant.Setting, value string) {
	p.t.Helper()
	if err := p.services.Merchants.Set(p.t.Context(), p.demo, name, json.RawMessage(value)); err != nil {
		p.t.Fatal(err)
	}
}

// flip switches a module or a flag.
func (p *callers) setSwitch(change merchant.Switch) {
	p.t.Helper()
	if err := p.services.Merchants.SetSwitch(p.t.Context(), p.demo, change); err != nil {
		p.t.Fatal(err)
	}
}

// picture gives the cookie of a captcha and its answer.
func (p *callers) captcha() (cookie, read string) {
	p.t.Helper()
	a := p.send(http.MethodGet, "/wps/captcha", "")
	set := (&http.Response{Header: a.header}).Cookies()
	if a.status != http.StatusOK || len(set) != 1 {
		p.t.Fatalf("%+v", a)
	}
	var inside struct {
		A string `json:"a"`
	}
	if _, err := p.services.Keys.Unseal("captcha.image", set[0].Value, &inside); err != nil {
		p.t.Fatal(err)
	}
	return "captcha=" + set[0].Value, inside.A
}

// slider gives the id of a puzzle and where its piece belongs.
func (p *callers) sliderPuzzle() (id string, x int) {
	p.t.Helper()
	id = value[struct{ ID string }](p.program, http.MethodGet, "/wps/captcha/slider", "", "").ID
	var inside struct {
		X int `json:"x"`
	}
	if _, err := p.services.Keys.Unseal("captcha.slider", id, &inside); err != nil {
		p.t.Fatal(err)
	}
	return id, inside.X
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code is the newest that was sent to somebody, as the demo's outbox shows it.
func (s *program) code(to string) string {
	s.t.Helper()
	type message struct{ To, Text, Kind string }
	for _, m := range value[[]message](s, http.MethodGet, "/wps/dev/outbox", "", "") {
		if m.To == to && strings.HasSuffix(m.Kind, "_code") {
			return sixDigits.FindString(m.Text)
		}
	}
	s.t.Fatalf("nothing was sent to %s", to)
	return ""
}

// body writes a JSON object.
func body(fields map[string]any) string {
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(err) // texts, numbers and truths
	}
	return string(raw)
}

// drawing is a small picture, as a file.
func smallPNG() string {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 64, 48))); err != nil {
		panic(err) // into memory
	}
	return out.String()
}

// wide is a small file whose header says that it is 60,000 pixels square.
func hugePNG() string {
	file := []byte(smallPNG())
	header := file[12:29] // the chunk's name and its content
	binary.BigEndian.PutUint32(header[4:], 60_000)
	binary.BigEndian.PutUint32(header[8:], 60_000)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(header))
	return string(file)
}
