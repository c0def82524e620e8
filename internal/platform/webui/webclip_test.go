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

// fixedName returns itself as the name of every merchant, or an error if it is empty.
type fixedName string

func (n fixedName) Name(context.Context, int64) (string, error) {
	if n == "" {
		return "", errors.New("no name")
	}
	return string(n), nil
}

const iconBytes = "\x89PNG picture"

func withOrigin(origin string) func(*rest.Options) {
	return func(o *rest.Options) { o.Origins = []string{origin} }
}

func clipServer(t *testing.T, names MerchantNames, signer *Signer, change func(*rest.Options)) http.Handler {
	t.Helper()
	app, err := load(fstest.MapFS{clipIcon: {Data: []byte(iconBytes)}}, nil, Options{})
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
	WebClipRoutes(a, WebClips{App: app, Names: names, Signer: signer})
	return a.Handler()
}

func getProfile(h http.Handler, host string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/wps/system/webclip", nil)
	r.Host = host
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// parseProfile returns the values of a property list by key. Keys of the inner dict start with a slash.
func parseProfile(t *testing.T, profile []byte) map[string]string {
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
	w := getProfile(clipServer(t, fixedName(`Fair & <Square> "88"`), nil, withOrigin("http://play.example:8443")), "x")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/x-apple-aspen-config" || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d %v %s, want 200 with a profile that is not stored", w.Code, w.Header(), w.Body)
	}
	got := parseProfile(t, w.Body.Bytes())
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
		t.Errorf("got %v, want two different ids of 36 characters", got)
	}
	again := getProfile(clipServer(t, fixedName(`Fair & <Square> "88"`), nil, withOrigin("http://play.example:8443")), "x")
	if again.Body.String() != w.Body.String() {
		t.Error("the second profile differs from the first")
	}
	if other := getProfile(clipServer(t, fixedName("x"), nil, withOrigin("http://other.example")), "x"); parseProfile(t, other.Body.Bytes())["PayloadUUID"] == got["PayloadUUID"] {
		t.Error("profiles of two sites have the same UUID")
	}
}

func TestWebClipHost(t *testing.T) {
	t.Parallel()
	plain := clipServer(t, fixedName("x"), nil, nil)
	for _, host := range []string{"127.0.0.1:8080", "localhost", "[::1]:80"} {
		if w := getProfile(plain, host); w.Code != 200 || parseProfile(t, w.Body.Bytes())["/URL"] != "http://"+host+clipStart {
			t.Errorf("%s = %d %s, want 200 and a profile of this host", host, w.Code, w.Body)
		}
	}
	for _, host := range []string{"evil.test", "localhost.evil.test", "10.0.0.7", "[2001:db8::1]:80", "", "localhost/path", "a b", "<script>", "user@localhost", "localhost:99999999", "localhost?x", "lоcalhost", strings.Repeat("a", 300)} {
		if w := getProfile(plain, host); w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "plist") {
			t.Errorf("%q = %d %s, want 503 without a profile", host, w.Code, w.Body)
		}
	}
	configured := clipServer(t, fixedName("x"), nil, func(o *rest.Options) { o.Origins, o.TLS = []string{"https://play.example"}, true })
	for _, host := range []string{"evil.test", "127.0.0.1"} {
		if w := getProfile(configured, host); parseProfile(t, w.Body.Bytes())["/URL"] != "https://play.example"+clipStart {
			t.Errorf("profile for host %s does not use the configured origin: %s", host, w.Body)
		}
	}
	secure := clipServer(t, fixedName("x"), nil, func(o *rest.Options) { o.TLS = true })
	if w := getProfile(secure, "localhost"); parseProfile(t, w.Body.Bytes())["/URL"] != "https://localhost"+clipStart {
		t.Errorf("over TLS: %s, want an address that starts with https://localhost", w.Body)
	}
}

// A demo accepts any Host header but signs only profiles for loopback hosts.
func TestWebClipOfDemo(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, secret, _ := writeKeyPair(t, key, key.Public())
	signer, err := OpenSigner(certificate, secret)
	if err != nil {
		t.Fatal(err)
	}
	app, err := load(fstest.MapFS{clipIcon: {Data: []byte(iconBytes)}}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	WebClipRoutes(a, WebClips{App: app, Names: fixedName("x"), Signer: signer, AnyHost: true})
	if w := getProfile(a.Handler(), "tablet.test:8080"); w.Code != 200 || parseProfile(t, w.Body.Bytes())["/URL"] != "http://tablet.test:8080"+clipStart {
		t.Errorf("got %d %s, want 200 with the address of tablet.test:8080", w.Code, w.Body)
	}
	if _, err := pkcs7.Parse(getProfile(a.Handler(), "localhost").Body.Bytes()); err != nil {
		t.Errorf("profile for localhost is not signed: %v", err)
	}
	for _, host := range []string{"evil.test/path", "<script>", ""} {
		if w := getProfile(a.Handler(), host); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%q = %d %s, want 503", host, w.Code, w.Body)
		}
	}
}

func TestWebClipFaults(t *testing.T) {
	t.Parallel()
	if w := getProfile(clipServer(t, fixedName(""), nil, nil), "localhost"); w.Code != http.StatusInternalServerError {
		t.Errorf("without a merchant name: %d %s, want 500", w.Code, w.Body)
	}
	app, err := load(fstest.MapFS{}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	WebClipRoutes(a, WebClips{App: app, Names: fixedName("x")})
	if w := getProfile(a.Handler(), "localhost"); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "system.unavailable") {
		t.Errorf("without an icon: %d %s, want 503 and system.unavailable", w.Code, w.Body)
	}
}

// writeKeyPair writes a certificate chain and its key to files, and returns a pool with the root certificate.
func writeKeyPair(t *testing.T, key any, public any) (certificate, secret string, trusted *x509.CertPool) {
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
	plain := getProfile(clipServer(t, fixedName("x"), nil, nil), "localhost").Body.Bytes()
	for name, c := range map[string]struct{ key, public any }{"RSA": {rsaKey, rsaKey.Public()}, "ECDSA": {ecKey, ecKey.Public()}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			certificate, secret, trusted := writeKeyPair(t, c.key, c.public)
			signer, err := OpenSigner(certificate, secret)
			if err != nil {
				t.Fatal(err)
			}
			w := getProfile(clipServer(t, fixedName("x"), signer, nil), "localhost")
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != clipType {
				t.Fatalf("got %d %s, want 200 with a profile", w.Code, w.Body)
			}
			signed, err := pkcs7.Parse(w.Body.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if err := signed.VerifyWithChain(trusted); err != nil {
				t.Errorf("VerifyWithChain: got %v, want no error", err)
			}
			if !bytes.Equal(signed.Content, plain) {
				t.Errorf("signed content = %s, want the unsigned profile", signed.Content)
			}
			if err := signed.VerifyWithChain(x509.NewCertPool()); err == nil {
				t.Error("the signature verifies without the root certificate")
			}
		})
	}
}

func TestOpenSignerRejectsBadFiles(t *testing.T) {
	t.Parallel()
	one, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, key, _ := writeKeyPair(t, one, one.Public())
	_, foreign, _ := writeKeyPair(t, other, other.Public())
	for name, c := range map[string][2]string{
		"key of another certificate": {certificate, foreign}, "missing file": {filepath.Join(t.TempDir(), "none.pem"), key}, "files swapped": {key, certificate},
	} {
		if _, err := OpenSigner(c[0], c[1]); err == nil || !strings.Contains(err.Error(), "web clip certificate") {
			t.Errorf("%s = %v, want an error about the web clip certificate", name, err)
		}
	}
}
