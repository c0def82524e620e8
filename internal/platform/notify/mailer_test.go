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

// mailServer is an SMTP server for tests. It rejects recipients with the errors in reject, then accepts.
type mailServer struct {
	*smtp.Server
	address string
	roots   *x509.CertPool

	mu       sync.Mutex
	reject   []*smtp.SMTPError
	received []delivered
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
	implicitTLS
)

func newMailServer(t *testing.T, level security) *mailServer {
	t.Helper()
	// Only the certificate of this server is used; it is valid for 127.0.0.1.
	certified := httptest.NewTLSServer(nil)
	t.Cleanup(certified.Close)
	o := &mailServer{roots: x509.NewCertPool()}
	o.roots.AddCert(certified.Certificate())
	o.Server = smtp.NewServer(o)
	o.Domain = "mail.example"
	o.ErrorLog = log.New(io.Discard, "", 0) // tests close connections early
	settings := &tls.Config{Certificates: certified.TLS.Certificates}
	if level == startTLS {
		o.TLSConfig = settings
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.address = listener.Addr().String()
	if level == implicitTLS {
		listener = tls.NewListener(listener, settings)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = o.Serve(listener) }()
	t.Cleanup(func() { o.Close(); <-done })
	return o
}

// NewSession implements smtp.Backend.
func (s *mailServer) NewSession(c *smtp.Conn) (smtp.Session, error) {
	_, secure := c.TLSConnectionState()
	return &smtpSession{server: s, message: delivered{secure: secure}}, nil
}

func (s *mailServer) messages() []delivered {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]delivered(nil), s.received...)
}

type smtpSession struct {
	server  *mailServer
	message delivered
}

func (s *smtpSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *smtpSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "p@ss word" {
			return smtp.ErrAuthFailed
		}
		s.message.user = user
		return nil
	}), nil
}

func (s *smtpSession) Mail(from string, _ *smtp.MailOptions) error { s.message.from = from; return nil }

func (s *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if len(s.server.reject) > 0 {
		err := s.server.reject[0]
		s.server.reject = s.server.reject[1:]
		return err
	}
	s.message.to = to
	return nil
}

func (s *smtpSession) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.message.data = string(data)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.received = append(s.server.received, s.message)
	return nil
}

func (s *smtpSession) Reset()        {}
func (s *smtpSession) Logout() error { return nil }

func (h *harness) trust(o *mailServer) {
	m := h.carriers[Email].(*mailer)
	m.options = append(m.options, mail.WithTLSConfig(&tls.Config{RootCAs: o.roots, ServerName: "127.0.0.1"}))
}

var sampleEmail = Message{Channel: Email, To: address, Language: "vi", Kind: ResetCode, Subject: "Đặt lại mật khẩu", Text: text + "\nDòng hai."}

func TestMailIsDelivered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   security
		scheme string
	}{"plain text on this machine": {plain, "smtp"}, "STARTTLS": {startTLS, "smtp"}, "implicit TLS": {implicitTLS, "smtps"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				server := newMailServer(t, c.kind)
				user := ""
				if c.kind != plain {
					user = "fair:p%40ss%20word@"
				}
				h := open(t, store, Options{SMTP: c.scheme + "://" + user + server.address, MailFrom: "Fairground <no-reply@fairground.example>"})
				h.trust(server)
				if !h.Can(Email) || h.Can(SMS) {
					t.Error("want e-mail only")
				}
				h.send(t, sampleEmail)
				if err := h.deliver(t.Context(), 1, false); err != nil {
					t.Fatal(err)
				}
				h.check(t, 1, sent)
				got := server.messages()
				if len(got) != 1 {
					t.Fatalf("%d messages, want 1", len(got))
				}
				m := got[0]
				if m.from != "no-reply@fairground.example" || m.to != address || m.secure != (c.kind != plain) || (user != "") != (m.user == "fair") {
					t.Errorf("message = %+v, want one from no-reply@fairground.example to %s", m, address)
				}
				checkEmail(t, m.data)
			})
		})
	}
}

func checkEmail(t *testing.T, data string) {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != "Đặt lại mật khẩu" {
		t.Errorf("subject %q, %v, want \"Đặt lại mật khẩu\"", subject, err)
	}
	for name, want := range map[string]string{
		"Message-Id": "<1@fairground.example>", "Auto-Submitted": "auto-generated", "To": "<" + address + ">", "Content-Language": "vi",
	} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if from := m.Header.Get("From"); !strings.Contains(from, "Fairground") {
		t.Errorf("from %q, want \"Fairground\"", from)
	}
	if !strings.HasPrefix(m.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("Content-Type = %s, want text/plain", m.Header.Get("Content-Type"))
	}
	if body, err := io.ReadAll(m.Body); err != nil || !strings.Contains(string(body), "482913 l=C3=A0 m=C3=A3") {
		t.Errorf("body = %s, %v, want \"482913 l=C3=A0 m=C3=A3\"", body, err)
	}
}

// A remote server without TLS receives neither the message nor the password.
func TestMailRequiresTLS(t *testing.T) {
	t.Parallel()
	server := newMailServer(t, plain)
	_, port, err := net.SplitHostPort(server.address)
	if err != nil {
		t.Fatal(err)
	}
	for name, user := range map[string]string{"with a password": "fair:p%40ss%20word@", "without": ""} {
		h := open(t, dbtest.SQLite(t), Options{SMTP: "smtp://" + user + "mail.example:" + port, MailFrom: "a@b.example"})
		h.carriers[Email].(*mailer).host = "127.0.0.1" // as if the name resolved to it
		h.send(t, sampleEmail)
		err := h.deliver(t.Context(), 1, false)
		if err == nil || len(server.messages()) != 0 {
			t.Errorf("%s: sent in plain text: %v", name, err)
		}
		h.check(t, 1, queued)
		if err != nil && strings.Contains(err.Error(), "ss word") {
			t.Errorf("SE-15 the error contains the password: %v", err)
		}
	}
	untrusted := newMailServer(t, implicitTLS)
	h := open(t, dbtest.SQLite(t), Options{SMTP: "smtps://" + untrusted.address, MailFrom: "a@b.example"})
	h.send(t, sampleEmail)
	if err := h.deliver(t.Context(), 1, false); err == nil || len(untrusted.messages()) != 0 {
		t.Errorf("sent to a server with an untrusted certificate: %v", err)
	}
}

func TestMailServerRejections(t *testing.T) {
	t.Parallel()
	server := newMailServer(t, plain)
	h := open(t, dbtest.SQLite(t), Options{SMTP: "smtp://" + server.address, MailFrom: "a@b.example"})
	server.reject = []*smtp.SMTPError{
		{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no " + address + " here"},
		{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "greylisted " + address},
	}
	h.send(t, sampleEmail)
	h.send(t, sampleEmail)
	final := h.deliver(t.Context(), 1, false)
	if final == nil || !strings.Contains(final.Error(), "550") || !errors.Is(final, errFinal) {
		t.Errorf("got %v, want errFinal with code 550", final)
	}
	h.check(t, 1, failed)
	temporary := h.deliver(t.Context(), 2, false)
	if temporary == nil || !strings.Contains(temporary.Error(), "451") || errors.Is(temporary, errFinal) {
		t.Errorf("got %v, want a temporary error with code 451", temporary)
	}
	h.check(t, 2, queued)
	for _, err := range []error{final, temporary} {
		if strings.Contains(err.Error(), "minh") {
			t.Errorf("SE-15 the error contains the recipient: %v", err)
		}
	}
	if err := h.deliver(t.Context(), 2, false); err != nil {
		t.Errorf("retry: %v", err)
	}
	h.check(t, 2, sent)
	m := sampleEmail
	m.To = "not an address"
	h.send(t, m)
	if err := h.deliver(t.Context(), 3, false); !errors.Is(err, errFinal) {
		t.Errorf("malformed recipient: got %v, want errFinal", err)
	}
	h.check(t, 3, failed)
	server.Close()
	h.send(t, sampleEmail)
	if err := h.deliver(t.Context(), 4, false); err == nil || errors.Is(err, errFinal) {
		t.Errorf("server down: got %v, want a temporary error", err)
	}
	h.check(t, 4, queued)
}
