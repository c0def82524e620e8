package webui

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/smallstep/pkcs7"

	"fairground/internal/platform/rest"
)

// named is a merchant by the name of its bytes.
type named string

func (n named) Name(context.Context, int64) (string, error) {
	if n == "" {
		return "", errors.New("nobody")
	}
	return string(n), nil
}

const iconBytes = "\x89PNG picture"

// atHome configures a site's own address.
func atHome(site string) func(*rest.Options) {
	return func(o *rest.Options) { o.Origins = []string{site} }
}

func clipServer(t *testing.T, names Names, signer *Signer, change func(*rest.Options)) http.Handler {
	t.Helper()
	app, err := load(fstest.MapFS{clipIcon: {Data: []byte(iconBytes)}}, nil, Reach{})
	if err != nil {
		t.Fatal(err)
	}
	var o rest.Options
	if change != nil {
		change(&o)
	}
	a, err := rest.New(o)
	if err != nil {
		t.Fatal(err)
	}
	WebClipRoutes(a, Clips{App: app, Names: names, Signer: signer})
	return a.Handler()
}

func ask(h http.Handler, host string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/wps/system/webclip", nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// read gives the values of a property list by their keys, those inside after a slash.
func read(t *testing.T, profile []byte) map[string]string {
	t.Helper()
	values := map[string]string{}
	d := xml.NewDecoder(bytes.NewReader(profile))
	depth, key, text := 0, "", ""
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return values
		}
		if err != nil {
			t.Fatalf("%v in %s", err, profile)
		}
		switch token := token.(type) {
		case xml.StartElement:
			text = ""
			if token.Name.Local == "dict" {
				depth++
			}
		case xml.CharData:
			text += string(token)
		case xml.EndElement:
			switch token.Name.Local {
			case "key":
				key = strings.Repeat("/", depth-1) + text
			case "string", "integer", "data":
				values[key] = text
			case "true", "false":
				values[key] = token.Name.Local
			case "dict":
				depth--
			}
		}
	}
}

func TestWebClip(t *testing.T) {
	t.Parallel()
	w := ask(clipServer(t, named(`Fair & <Square> "88"`), nil, atHome("http://play.example:8443")), "x")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/x-apple-aspen-config" || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	got := read(t, w.Body.Bytes())
	for key, want := range map[string]string{
		"PayloadType": "Configuration", "PayloadVersion": "1", "PayloadDisplayName": `Fair & <Square> "88"`, "PayloadRemovalDisallowed": "false",
		"/PayloadType": "com.apple.webClip.managed", "/PayloadVersion": "1", "/Label": `Fair & <Square> "88"`,
		"/URL": "http://play.example:8443/m/home?WEBCLIP=1", "/Icon": base64.StdEncoding.EncodeToString([]byte(iconBytes)),
		"/IsRemovable": "true", "/FullScreen": "true", "/Precomposed": "true",
	} {
		if got[key] != want {
			t.Errorf("%s is %q, want %q", key, got[key], want)
		}
	}
	if len(got["PayloadUUID"]) != 36 || got["PayloadUUID"] == got["/PayloadUUID"] || got["PayloadIdentifier"] == got["/PayloadIdentifier"] {
		t.Errorf("%v", got)
	}
	again := ask(clipServer(t, named(`Fair & <Square> "88"`), nil, atHome("http://play.example:8443")), "x")
	if again.Body.String() != w.Body.String() {
		t.Error("asked again, it is another profile")
	}
	if other := ask(clipServer(t, named("x"), nil, atHome("http://other.example")), "x"); read(t, other.Body.Bytes())["PayloadUUID"] == got["PayloadUUID"] {
		t.Error("two sites have one profile")
	}
}

func TestWebClipHost(t *testing.T) {
	t.Parallel()
	plain := clipServer(t, named("x"), nil, nil)
	for _, host := range []string{"127.0.0.1:8080", "localhost", "[::1]:80"} {
		if w := ask(plain, host); w.Code != 200 || read(t, w.Body.Bytes())["/URL"] != "http://"+host+clipStart {
			t.Errorf("%s: %d %s", host, w.Code, w.Body)
		}
	}
	for _, host := range []string{"evil.test", "localhost.evil.test", "10.0.0.7", "[2001:db8::1]:80", "", "localhost/path", "a b", "<script>", "user@localhost", "localhost:99999999", "localhost?x", "lоcalhost", strings.Repeat("a", 300)} {
		if w := ask(plain, host); w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "plist") {
			t.Errorf("%q: %d %s", host, w.Code, w.Body)
		}
	}
	configured := clipServer(t, named("x"), nil, func(o *rest.Options) { o.Origins, o.TLS = []string{"https://play.example"}, true })
	for _, host := range []string{"evil.test", "127.0.0.1"} {
		if w := ask(configured, host); read(t, w.Body.Bytes())["/URL"] != "https://play.example"+clipStart {
			t.Errorf("what is configured comes first: %s", w.Body)
		}
	}
	secure := clipServer(t, named("x"), nil, func(o *rest.Options) { o.TLS = true })
	if w := ask(secure, "localhost"); read(t, w.Body.Bytes())["/URL"] != "https://localhost"+clipStart {
		t.Errorf("over TLS: %s", w.Body)
	}
}

// A demo is reached by whatever name its machine has in somebody's network; its profiles are never signed for it.
func TestWebClipOfADemo(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, secret, _ := pair(t, key, key.Public())
	signer, err := OpenSigner(certificate, secret)
	if err != nil {
		t.Fatal(err)
	}
	app, err := load(fstest.MapFS{clipIcon: {Data: []byte(iconBytes)}}, nil, Reach{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	WebClipRoutes(a, Clips{App: app, Names: named("x"), Signer: signer, AnyHost: true})
	if w := ask(a.Handler(), "tablet.test:8080"); w.Code != 200 || read(t, w.Body.Bytes())["/URL"] != "http://tablet.test:8080"+clipStart {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if _, err := pkcs7.Parse(ask(a.Handler(), "localhost").Body.Bytes()); err != nil {
		t.Errorf("on this machine it is not signed: %v", err)
	}
	for _, host := range []string{"evil.test/path", "<script>", ""} {
		if w := ask(a.Handler(), host); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%q: %d %s", host, w.Code, w.Body)
		}
	}
}

func TestWebClipFaults(t *testing.T) {
	t.Parallel()
	if w := ask(clipServer(t, named(""), nil, nil), "localhost"); w.Code != http.StatusInternalServerError {
		t.Errorf("a merchant that cannot be read: %d %s", w.Code, w.Body)
	}
	app, err := load(fstest.MapFS{}, nil, Reach{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	WebClipRoutes(a, Clips{App: app, Names: named("x")})
	if w := ask(a.Handler(), "localhost"); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "system.unavailable") {
		t.Errorf("a build without icons: %d %s", w.Code, w.Body)
	}
}

// pair writes a certificate with the one above it, and its key, and gives the pool that trusts them.
func pair(t *testing.T, key any, public any) (certificate, secret string, trusted *x509.CertPool) {
	t.Helper()
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := func(n int64, name string, authority bool) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(n), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
			IsCA: authority, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		}
	}
	rootRaw, err := x509.CreateCertificate(rand.Reader, template(1, "root", true), template(1, "root", true), rootKey.Public(), rootKey)
	if err != nil {
		t.Fatal(err)
	}
	root, err := x509.ParseCertificate(rootRaw)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.CreateCertificate(rand.Reader, template(2, "play.example", false), root, public, rootKey)
	if err != nil {
		t.Fatal(err)
	}
	keyRaw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	certificate, secret = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	chain := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootRaw})...)
	for name, text := range map[string][]byte{certificate: chain, secret: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyRaw})} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted = x509.NewCertPool()
	trusted.AddCert(root)
	return certificate, secret, trusted
}

func TestWebClipIsSigned(t *testing.T) {
	t.Parallel()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	plain := ask(clipServer(t, named("x"), nil, nil), "localhost").Body.Bytes()
	for name, c := range map[string]struct{ key, public any }{"RSA": {rsaKey, rsaKey.Public()}, "ECDSA": {ecKey, ecKey.Public()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			certificate, secret, trusted := pair(t, c.key, c.public)
			signer, err := OpenSigner(certificate, secret)
			if err != nil {
				t.Fatal(err)
			}
			w := ask(clipServer(t, named("x"), signer, nil), "localhost")
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != clipType {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			signed, err := pkcs7.Parse(w.Body.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if err := signed.VerifyWithChain(trusted); err != nil {
				t.Error(err)
			}
			if !bytes.Equal(signed.Content, plain) {
				t.Errorf("what is signed is %s", signed.Content)
			}
			if err := signed.VerifyWithChain(x509.NewCertPool()); err == nil {
				t.Error("whoever trusts nobody trusts this")
			}
		})
	}
}

func TestOpenSignerRefuses(t *testing.T) {
	t.Parallel()
	one, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key, _ := pair(t, one, one.Public())
	_, foreign, _ := pair(t, other, other.Public())
	for name, c := range map[string][2]string{
		"another's key": {certificate, foreign}, "no file": {filepath.Join(t.TempDir(), "none.pem"), key}, "the wrong way round": {key, certificate},
	} {
		if _, err := OpenSigner(c[0], c[1]); err == nil || !strings.Contains(err.Error(), "web clip certificate") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
