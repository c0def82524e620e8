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

type actorServer struct {
	*testServer
	tokens map[string]string // session tokens by actor; a visitor has none
	ids    map[string]int64
	demo   int64 // id of the merchant
	rounds int   // rounds that the owner has played
	cards  int   // bank cards that the owner has added
}

// actors are the kinds of clients that send requests.
var actors = []string{"visitor", "owner", "other", "trial", "agent"}

const memberPassword = "qua-xanh7"

// newServerWithActors starts a test server and creates the members. The owner has a mobile number and an email address.
func newServerWithActors(t *testing.T) *actorServer {
	t.Helper()
	p := &actorServer{testServer: newTestServer(t, true), tokens: map[string]string{}, ids: map[string]int64{}}
	site, err := p.services.Merchants.Find(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	p.demo = site.ID
	p.set("captcha.proof_of_work", `"off"`) // many refused calls come from one network
	for name, kind := range map[string]member.Type{"owner": member.Player, "other": member.Player, "agent": member.Agent} {
		p.ids[name], err = p.services.Members.Create(t.Context(), member.NewMember{
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

// logIn starts a new session of a member.
func (p *actorServer) logIn(name string) {
	p.t.Helper()
	p.tokens[name] = p.login(name+"001", memberPassword)
}

// as sends a request as an actor.
func (p *actorServer) as(actor, method, path, body string, headers ...string) response {
	p.t.Helper()
	if token := p.tokens[actor]; token != "" {
		headers = append(headers, "Authorization", token)
	}
	return p.send(method, path, body, headers...)
}

func (p *actorServer) exec(statement string) {
	p.t.Helper()
	if _, err := p.services.Store.Writer.ExecContext(p.t.Context(), statement); err != nil {
		p.t.Fatal(err)
	}
}

func (p *actorServer) set(name merchant.Setting, value string) {
	p.t.Helper()
	if err := p.services.Merchants.Set(p.t.Context(), p.demo, name, json.RawMessage(value)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *actorServer) setSwitch(change merchant.Switch) {
	p.t.Helper()
	if err := p.services.Merchants.SetSwitch(p.t.Context(), p.demo, change); err != nil {
		p.t.Fatal(err)
	}
}

func (p *actorServer) captcha() (cookie, solution string) {
	p.t.Helper()
	a := p.send(http.MethodGet, "/wps/captcha", "")
	cookies := (&http.Response{Header: a.header}).Cookies()
	if a.status != http.StatusOK || len(cookies) != 1 {
		p.t.Fatalf("got %+v, want 200 with one cookie", a)
	}
	var inside struct {
		A string `json:"a"`
	}
	if _, err := p.services.Keys.Unseal("captcha.image", cookies[0].Value, &inside); err != nil {
		p.t.Fatal(err)
	}
	return "captcha=" + cookies[0].Value, inside.A
}

func (p *actorServer) sliderPuzzle() (id string, x int) {
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

// code returns the newest verification code to a recipient, from the demo's captured messages.
func (s *program) code(to string) string {
	s.t.Helper()
	type message struct{ To, Text, Kind string }
	for _, m := range value[[]message](s, http.MethodGet, "/wps/dev/outbox", "", "") {
		if m.To == to && strings.HasSuffix(m.Kind, "_code") {
			return sixDigits.FindString(m.Text)
		}
	}
	s.t.Fatalf("no code was sent to %s", to)
	return ""
}

// body encodes a JSON object.
func body(fields map[string]any) string {
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// smallPNG returns a PNG file of 64 by 48 pixels.
func smallPNG() string {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewRGBA(image.Rect(0, 0, 64, 48))); err != nil {
		panic(err)
	}
	return out.String()
}

// hugePNG returns a small file whose header claims 60,000 by 60,000 pixels.
func hugePNG() string {
	file := []byte(smallPNG())
	header := file[12:29] // the IHDR chunk
	binary.BigEndian.PutUint32(header[4:], 60_000)
	binary.BigEndian.PutUint32(header[8:], 60_000)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(header))
	return string(file)
}
