package notify

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"mime"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/wneessen/go-mail"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// postOffice is a real SMTP server. It refuses recipients as it is told.
type postOffice struct {
	*smtp.Server
	address string
	roots   *x509.CertPool

	mu      sync.Mutex
	refuse  []*smtp.SMTPError
	letters []delivered
}

type delivered struct {
	from, to string
	user     string
	secure   bool
	data     string
}

type security int

const (
	plain security = iota
	startTLS
	allTLS
)

func newPostOffice(t *testing.T, s security) *postOffice {
	t.Helper()
	// The test server of net/http has a certificate for 127.0.0.1; nothing else of it is used.
	certified := httptest.NewTLSServer(nil)
	t.Cleanup(certified.Close)
	o := &postOffice{roots: x509.NewCertPool()}
	o.roots.AddCert(certified.Certificate())
	o.Server = smtp.NewServer(o)
	o.Domain = "mail.example"
	o.ErrorLog = log.New(io.Discard, "", 0) // a client that hangs up is part of the tests
	settings := &tls.Config{Certificates: certified.TLS.Certificates}
	if s == startTLS {
		o.TLSConfig = settings
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.address = listener.Addr().String()
	if s == allTLS {
		listener = tls.NewListener(listener, settings)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = o.Serve(listener) }()
	t.Cleanup(func() { o.Close(); <-done })
	return o
}

// NewSession implements smtp.Backend.
func (o *postOffice) NewSession(c *smtp.Conn) (smtp.Session, error) {
	_, secure := c.TLSConnectionState()
	return &visit{office: o, letter: delivered{secure: secure}}, nil
}

func (o *postOffice) received() []delivered {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]delivered(nil), o.letters...)
}

// visit is one connection.
type visit struct {
	office *postOffice
	letter delivered
}

func (v *visit) AuthMechanisms() []string { return []string{sasl.Plain} }

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "p@ss word" {
			return smtp.ErrAuthFailed
		}
		v.letter.user = user
		return nil
	}), nil
}

func (v *visit) Mail(from string, _ *smtp.MailOptions) error { v.letter.from = from; return nil }

func (v *visit) Rcpt(to string, _ *smtp.RcptOptions) error {
	v.office.mu.Lock()
	defer v.office.mu.Unlock()
	if len(v.office.refuse) > 0 {
		err := v.office.refuse[0]
		v.office.refuse = v.office.refuse[1:]
		return err
	}
	v.letter.to = to
	return nil
}

func (v *visit) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	v.letter.data = string(data)
	v.office.mu.Lock()
	defer v.office.mu.Unlock()
	v.office.letters = append(v.office.letters, v.letter)
	return nil
}

func (v *visit) Reset()        {}
func (v *visit) Logout() error { return nil }

func (h *house) trust(o *postOffice) {
	m := h.carriers[Email].(*mailer)
	m.options = append(m.options, mail.WithTLSConfig(&tls.Config{RootCAs: o.roots, ServerName: "127.0.0.1"}))
}

var long = Message{Channel: Email, To: address, Language: "vi", Kind: ResetCode, Subject: "Đặt lại mật khẩu", Text: text + "\nDòng hai."}

func TestMailArrives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   security
		scheme string
	}{"plain text on this machine": {plain, "smtp"}, "STARTTLS": {startTLS, "smtp"}, "TLS from the start": {allTLS, "smtps"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				office := newPostOffice(t, c.kind)
				user := ""
				if c.kind != plain {
					user = "fair:p%40ss%20word@"
				}
				h := open(t, store, Options{SMTP: c.scheme + "://" + user + office.address, MailFrom: "Fairground <no-reply@fairground.example>"})
				h.trust(office)
				if !h.Can(Email) || h.Can(SMS) {
					t.Error("the channels are mixed up")
				}
				h.send(t, long)
				if err := h.deliver(t.Context(), 1, false); err != nil {
					t.Fatal(err)
				}
				h.check(t, 1, sent)
				got := office.received()
				if len(got) != 1 {
					t.Fatalf("%d letters", len(got))
				}
				l := got[0]
				if l.from != "no-reply@fairground.example" || l.to != address || l.secure != (c.kind != plain) || (user != "") != (l.user == "fair") {
					t.Errorf("%+v", l)
				}
				checkLetter(t, l.data)
			})
		})
	}
}

func checkLetter(t *testing.T, data string) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != "Đặt lại mật khẩu" {
		t.Errorf("subject %q, %v", subject, err)
	}
	for name, want := range map[string]string{
		"Message-Id": "<1@fairground.example>", "Auto-Submitted": "auto-generated", "To": "<" + address + ">", "Content-Language": "vi",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if from := m.Header.Get("From"); !strings.Contains(from, "Fairground") {
		t.Errorf("from %q", from)
	}
	if !strings.HasPrefix(m.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("%s", m.Header.Get("Content-Type"))
	}
	if body, err := io.ReadAll(m.Body); err != nil || !strings.Contains(string(body), "482913 l=C3=A0 m=C3=A3") {
		t.Errorf("%s, %v", body, err)
	}
}

// A server elsewhere that cannot encrypt gets no letter and no password.
func TestMailIsEncryptedOnItsWay(t *testing.T) {
	t.Parallel()
	office := newPostOffice(t, plain)
	_, port, err := net.SplitHostPort(office.address)
	if err != nil {
		t.Fatal(err)
	}
	for name, user := range map[string]string{"with a password": "fair:p%40ss%20word@", "without": ""} {
		h := open(t, dbtest.SQLite(t), Options{SMTP: "smtp://" + user + "mail.example:" + port, MailFrom: "a@b.example"})
		h.carriers[Email].(*mailer).host = "127.0.0.1" // as if the name led there
		h.send(t, long)
		err := h.deliver(t.Context(), 1, false)
		if err == nil || len(office.received()) != 0 {
			t.Errorf("%s: sent in plain text: %v", name, err)
		}
		h.check(t, 1, queued)
		if err != nil && strings.Contains(err.Error(), "ss word") {
			t.Errorf("SE-15 the error tells the password: %v", err)
		}
	}
	stranger := newPostOffice(t, allTLS)
	h := open(t, dbtest.SQLite(t), Options{SMTP: "smtps://" + stranger.address, MailFrom: "a@b.example"})
	h.send(t, long)
	if err := h.deliver(t.Context(), 1, false); err == nil || len(stranger.received()) != 0 {
		t.Errorf("sent to a server whose certificate nobody knows: %v", err)
	}
}

func TestMailServersRefusals(t *testing.T) {
	t.Parallel()
	office := newPostOffice(t, plain)
	h := open(t, dbtest.SQLite(t), Options{SMTP: "smtp://" + office.address, MailFrom: "a@b.example"})
	office.refuse = []*smtp.SMTPError{
		{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no " + address + " here"},
		{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "greylisted " + address},
	}
	h.send(t, long)
	h.send(t, long)
	final := h.deliver(t.Context(), 1, false)
	if final == nil || !strings.Contains(final.Error(), "550") || !errors.Is(final, errFinal) {
		t.Errorf("%v", final)
	}
	h.check(t, 1, failed)
	passing := h.deliver(t.Context(), 2, false)
	if passing == nil || !strings.Contains(passing.Error(), "451") || errors.Is(passing, errFinal) {
		t.Errorf("%v", passing)
	}
	h.check(t, 2, queued)
	for _, err := range []error{final, passing} {
		if strings.Contains(err.Error(), "minh") {
			t.Errorf("SE-15 the error tells the recipient: %v", err)
		}
	}
	if err := h.deliver(t.Context(), 2, false); err != nil {
		t.Errorf("tried again: %v", err)
	}
	h.check(t, 2, sent)
	m := long
	m.To = "not an address"
	h.send(t, m)
	if err := h.deliver(t.Context(), 3, false); !errors.Is(err, errFinal) {
		t.Errorf("a malformed recipient: %v", err)
	}
	h.check(t, 3, failed)
	office.Close()
	h.send(t, long)
	if err := h.deliver(t.Context(), 4, false); err == nil || errors.Is(err, errFinal) {
		t.Errorf("no server: %v", err)
	}
	h.check(t, 4, queued)
}
