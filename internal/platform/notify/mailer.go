package notify

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
)

// mailTimeout is the maximum duration of one delivery.
const mailTimeout = 30 * time.Second

// A mailer sends e-mail by SMTP with implicit TLS (smtps) or STARTTLS. TLS is optional only for a mail server on this
// machine.
type mailer struct {
	host, domain string
	from         string
	options      []mail.Option
}

func newMailer(o Options) (*mailer, error) {
	u, err := url.Parse(o.SMTP)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("the URL of the mail server must start with smtp:// or smtps://")
	}
	from, err := netmail.ParseAddress(o.MailFrom)
	if err != nil {
		return nil, errors.New("the sender address of e-mail is missing or malformed")
	}
	_, domain, _ := strings.Cut(from.Address, "@")
	m := &mailer{host: u.Hostname(), domain: domain, from: from.String(), options: []mail.Option{mail.WithTimeout(mailTimeout)}}
	port := 587
	if u.Scheme == "smtps" {
		port = 465
		m.options = append(m.options, mail.WithSSL())
	} else if isLoopback(u.Hostname()) {
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	} else {
		m.options = append(m.options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if text := u.Port(); text != "" {
		if port, err = strconv.Atoi(text); err != nil {
			return nil, errors.New("the port of the mail server is not a number")
		}
	}
	m.options = append(m.options, mail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		m.options = append(m.options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()), mail.WithPassword(password))
	}
	_, err = m.client()
	return m, err
}

func (m *mailer) client() (*mail.Client, error) {
	c, err := mail.NewClient(m.host, m.options...)
	if err != nil {
		return nil, fmt.Errorf("create mail client: %w", err)
	}
	return c, nil
}

func (m *mailer) send(ctx context.Context, id int64, message Message) error {
	email := mail.NewMsg(mail.WithNoDefaultUserAgent())
	if err := errors.Join(email.From(m.from), email.To(message.To)); err != nil {
		return fmt.Errorf("malformed e-mail address: %w", errFinal)
	}
	email.Subject(message.Subject)
	email.SetDate()
	email.SetMessageIDWithValue(fmt.Sprintf("%d@%s", id, m.domain)) // the same in every attempt, so that receivers can drop duplicates
	email.SetGenHeader("Auto-Submitted", "auto-generated")
	email.SetGenHeader("Content-Language", message.Language)
	email.SetBodyString(mail.TypeTextPlain, message.Text)
	client, err := m.client()
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, email)
	if err == nil || email.IsDelivered() { // the server accepted the e-mail, even if closing the connection failed
		return nil
	}
	return publicError(email, err)
}

// publicError returns an error that is safe to log. Mail servers' responses often contain the recipient, so it keeps only
// their codes. Permanent failures wrap errFinal.
func publicError(email *mail.Msg, err error) error {
	var sendErr *mail.SendError
	if email.HasSendError() && errors.As(email.SendError(), &sendErr) && sendErr.ErrorCode() != 0 {
		cause := fmt.Errorf("%s: mail server returned %d %s", sendErr.Reason, sendErr.ErrorCode(), sendErr.EnhancedStatusCode())
		if !sendErr.IsTemp() {
			return fmt.Errorf("%w: %w", cause, errFinal)
		}
		return cause
	}
	if email.HasSendError() {
		return errors.New("connection to the mail server lost")
	}
	return fmt.Errorf("connect to the mail server: %w", err)
}
