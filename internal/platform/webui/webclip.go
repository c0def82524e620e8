package webui

import (
	"bytes"
	"context"
	"crypto"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"text/template"

	"github.com/smallstep/pkcs7"

	"fairground/internal/platform/rest"
)

const (
	clipStart = "/m/home?WEBCLIP=1" // the parameter marks the app as a web clip
	clipIcon  = "icons/apple-touch-icon.png"
	clipType  = "application/x-apple-aspen-config"
)

// MerchantNames returns the display names of merchants.
type MerchantNames interface {
	Name(ctx context.Context, merchantID int64) (string, error)
}

// A Signer signs profiles, so that a phone can show who issued them.
type Signer struct {
	certificate *x509.Certificate
	parents     []*x509.Certificate
	key         crypto.PrivateKey
}

// OpenSigner reads a certificate chain and its private key.
func OpenSigner(certificate, key string) (*Signer, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("web clip certificate %s with key %s: %w", certificate, key, err)
	}
	s := &Signer{certificate: pair.Leaf, key: pair.PrivateKey}
	for _, raw := range pair.Certificate[1:] {
		parent, err := x509.ParseCertificate(raw)
		if err != nil {
			return nil, fmt.Errorf("web clip certificate %s: %w", certificate, err)
		}
		s.parents = append(s.parents, parent)
	}
	// Sign a test message, so that an unusable key fails at startup.
	_, err = s.sign([]byte("probe"))
	return s, err
}

// Certificate returns the signing certificate.
func (s *Signer) Certificate() *x509.Certificate { return s.certificate }

func (s *Signer) sign(profile []byte) ([]byte, error) {
	data, err := pkcs7.NewSignedData(profile)
	if err != nil {
		return nil, fmt.Errorf("sign the profile: %w", err)
	}
	data.SetDigestAlgorithm(pkcs7.OIDDigestAlgorithmSHA256)
	if err := data.AddSignerChain(s.certificate, s.key, s.parents, pkcs7.SignerInfoConfig{}); err != nil {
		return nil, fmt.Errorf("sign the profile: %w", err)
	}
	signed, err := data.Finish()
	if err != nil {
		return nil, fmt.Errorf("sign the profile: %w", err)
	}
	return signed, nil
}

// WebClips serves profiles that add the site to the home screen of Apple phones.
type WebClips struct {
	App    *App
	Names  MerchantNames
	Signer *Signer // nil: profiles are not signed
	// AnyHost allows profiles for any Host header if no public URL is configured. It is for demos only. Such profiles are
	// never signed.
	AnyHost bool
}

// WebClipRoutes adds the web clip profile to the API.
func WebClipRoutes(a *rest.API, c WebClips) {
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/webclip", ID: "webclip", Tag: "system",
		Summary: "Profile that adds the site to the home screen of Apple phones", Access: rest.Public, ContentType: clipType,
	}, &c)
}

func (c *WebClips) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	profile, err := c.profile(r)
	if _, trusted := rest.SiteOrigin(r, false); err == nil && trusted && c.Signer != nil {
		profile, err = c.Signer.sign(profile)
	}
	if err != nil {
		rest.WriteError(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", clipType)
	h.Set("Content-Disposition", `attachment; filename="app.mobileconfig"`)
	h.Set("Content-Length", strconv.Itoa(len(profile)))
	_, _ = w.Write(profile) // an error means that the client disconnected
}

// errNoOrigin prevents profiles for an unverified Host header. Such a profile could show another site under the merchant's
// name and signature.
var (
	errNoIcon   = errors.New("the web app was built without " + clipIcon)
	errNoOrigin = errors.New("the address of the site is unknown: set --public-url")
)

func (c *WebClips) profile(r *http.Request) ([]byte, error) {
	origin, ok := rest.SiteOrigin(r, c.AnyHost)
	if !ok {
		return nil, rest.ErrUnavailable.Because(errNoOrigin)
	}
	merchant := rest.MerchantOf(r.Context())
	name, err := c.Names.Name(r.Context(), merchant.ID)
	if err != nil {
		return nil, err
	}
	icon := c.App.assets[clipIcon]
	if icon == nil {
		return nil, rest.ErrUnavailable.Because(errNoIcon)
	}
	picture, err := icon.plain()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = clip.Execute(&out, clipData{
		Name: name, URL: origin + clipStart, Icon: base64.StdEncoding.EncodeToString(picture),
		// The identifiers depend only on the site and merchant, so a second installation replaces the first.
		Identifier: "fairground.webclip." + merchant.Code,
		Outer:      uuidOf("profile", origin, merchant.Code), Inner: uuidOf("clip", origin, merchant.Code),
	})
	if err != nil {
		return nil, fmt.Errorf("write the profile: %w", err)
	}
	return out.Bytes(), nil
}

type clipData struct{ Name, URL, Icon, Identifier, Outer, Inner string }

// uuidOf derives a UUID (RFC 9562, version 8) from parts.
func uuidOf(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		fmt.Fprintf(h, "%d %s", len(part), part)
	}
	b := h.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%X-%X-%X-%X-%X", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

var clip = template.Must(template.New("clip").Funcs(template.FuncMap{"text": escaped}).Parse(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>PayloadType</key><string>Configuration</string>
	<key>PayloadVersion</key><integer>1</integer>
	<key>PayloadIdentifier</key><string>{{text .Identifier}}</string>
	<key>PayloadUUID</key><string>{{.Outer}}</string>
	<key>PayloadDisplayName</key><string>{{text .Name}}</string>
	<key>PayloadRemovalDisallowed</key><false/>
	<key>PayloadContent</key>
	<array>
		<dict>
			<key>PayloadType</key><string>com.apple.webClip.managed</string>
			<key>PayloadVersion</key><integer>1</integer>
			<key>PayloadIdentifier</key><string>{{text .Identifier}}.clip</string>
			<key>PayloadUUID</key><string>{{.Inner}}</string>
			<key>PayloadDisplayName</key><string>{{text .Name}}</string>
			<key>Label</key><string>{{text .Name}}</string>
			<key>URL</key><string>{{text .URL}}</string>
			<key>Icon</key><data>{{.Icon}}</data>
			<key>IsRemovable</key><true/>
			<key>FullScreen</key><true/>
			<key>Precomposed</key><true/>
		</dict>
	</array>
</dict>
</plist>
`))

func escaped(text string) (string, error) {
	var out bytes.Buffer
	err := xml.EscapeText(&out, []byte(text))
	return out.String(), err
}
