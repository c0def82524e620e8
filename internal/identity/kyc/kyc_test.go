package kyc_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"fairground/internal/identity/kyc"
	"fairground/internal/identity/member"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/picture/picturetest"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const path = "/wps/member/kyc"

// A kycSite is a site with two members and helpers for operators.
type kycSite struct {
	*servertest.Site

	t                   *testing.T
	anna, bao           int64
	annaToken, baoToken string // session tokens
}

func newKYCSite(t *testing.T, store *db.Store) *kycSite {
	t.Helper()
	d := &kycSite{Site: servertest.New(t, store, servertest.Options(func(o *server.Options) { o.Demo = false })), t: t}
	d.anna = d.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7"})
	d.bao = d.Register(t, member.NewMember{Username: "quocbao88", Password: "qua-xanh7"})
	d.annaToken, d.baoToken = d.Login(t, "minhanh92", "qua-xanh7"), d.Login(t, "quocbao88", "qua-xanh7")
	return d
}

// fields returns a valid form. change holds pairs of a name and a value to replace.
func fields(change ...string) map[string]string {
	all := map[string]string{"name": "Nguyen Minh Anh", "birthDate": "1992-03-04", "documentNumber": "079092001234"}
	for i := 0; i < len(change); i += 2 {
		all[change[i]] = change[i+1]
	}
	return all
}

// send submits a form as a browser does.
func (d *kycSite) send(token string, texts map[string]string, files []picturetest.File, headers ...string) merchanttest.Reply {
	d.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, value := range texts {
		_ = w.WriteField(name, value) // a buffer does not fail
	}
	for i, f := range files {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", fmt.Sprintf(`form-data; name="image"; filename="card%d.png"`, i))
		h.Set("Content-Type", f.ContentType)
		part, err := w.CreatePart(h)
		if err != nil {
			d.t.Fatal(err)
		}
		_, _ = part.Write(f.Data)
	}
	_ = w.Close()
	d.Refill()
	return d.Call(d.t, http.MethodPost, path, body.String(), append([]string{"Authorization", token, "Content-Type", w.FormDataContentType()}, headers...)...)
}

func (d *kycSite) want(r merchanttest.Reply, status int, text string) {
	d.t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), text) {
		d.t.Errorf("reply = %d %.300s, want %d with %s", r.Status, r.Body, status, text)
	}
}

// operator creates an operator with a role, logs them in and confirms their code, so that they can make dangerous calls. It returns a
// function that sends requests as this operator.
func (d *kycSite) operator(name, role string) func(method, path string, body any) merchanttest.Reply {
	d.t.Helper()
	draft, password, err := d.Server.Operators.NewDraft(d.t.Context(), name, []string{role}, 0)
	draft.Given = false // tests of the first login change the password, others do not
	if err == nil {
		err = d.Store.Write(d.t.Context(), func(tx *db.Tx) error { return d.Server.Operators.CreateIn(d.t.Context(), tx, draft) })
	}
	if err != nil {
		d.t.Fatal(err)
	}
	cookie := ""
	call := func(method, path string, body any) merchanttest.Reply {
		d.Refill()
		r := d.Call(d.t, method, path, body, "Cookie", "fairground_operator="+cookie)
		for _, c := range (&http.Response{Header: r.Header}).Cookies() {
			cookie = c.Value
		}
		return r
	}
	type step struct{ Step, Secret string }
	secret := merchanttest.Value[step](d.t, call(http.MethodPost, "/ops/v1/session", map[string]any{"name": name, "password": password})).Secret
	for _, to := range []string{"/ops/v1/session/code", "/ops/v1/session/confirm"} {
		d.Clock.Add(30 * time.Second)
		code, err := totp.GenerateCode(secret, d.Clock.Now())
		if err != nil {
			d.t.Fatal(err)
		}
		d.want(call(http.MethodPost, to, map[string]any{"code": code}), 200, "")
	}
	return call
}

type row struct {
	ID, Status, Member, MemberID, Name, DocumentNumber, Reason string
	Version                                                    int64
	Images                                                     int
	Shared                                                     int64
	Signals                                                    []struct {
		Kind     string
		Accounts []struct{ Member, Status string }
	}
	Earlier []struct{ Status, Reason string }
}

type rows struct{ List []row }

func TestOS09UploadReviewAndState(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newKYCSite(t, store)
		get := func(token string) merchanttest.Reply {
			return d.Call(t, http.MethodGet, path, nil, "Authorization", token)
		}
		d.want(get(d.annaToken), 200, `"state":"NONE"`)
		card := picturetest.PNG(t, 20)
		d.want(d.send(d.annaToken, fields(), []picturetest.File{card, card, picturetest.WithLocation(t)}), 200, `"state":"WAITING"`)
		d.want(d.send(d.annaToken, fields(), []picturetest.File{card}), 409, "kyc.state")

		risk := d.operator("lan", "risk")
		list := merchanttest.Value[rows](t, risk(http.MethodGet, "/ops/v1/kyc?state=WAITING", nil)).List
		if len(list) != 1 || list[0].Member != "minhanh92" {
			t.Fatalf("checks = %+v, want that of minhanh92", list)
		}
		checkPath := "/ops/v1/kyc/" + list[0].ID
		d.want(risk(http.MethodGet, "/ops/v1/tasks?state=open", nil), 200, `"object":"kyc/`+list[0].ID)
		if got := merchanttest.Value[row](t, risk(http.MethodGet, checkPath, nil)); got.Name != "Nguyen Minh Anh" || got.DocumentNumber != "079092001234" || got.Images != 3 || len(got.Signals) != 0 {
			t.Errorf("detail = %+v, want the sent details, 3 pictures and no signal", got)
		}
		d.want(risk(http.MethodPost, checkPath+"/refuse", map[string]any{"version": 1}), 400, "kyc.reason")
		d.want(risk(http.MethodPost, checkPath+"/refuse", map[string]any{"version": 9, "reason": "x"}), 409, "ops.stale")
		d.want(risk(http.MethodPost, checkPath+"/refuse", map[string]any{"version": 1, "reason": "The picture is too dark"}), 200, `"REFUSED"`)
		d.want(risk(http.MethodPost, checkPath+"/approve", map[string]any{"version": 2}), 409, "kyc.decided")
		d.want(get(d.annaToken), 200, `"reason":"The picture is too dark"`)
		d.want(risk(http.MethodGet, "/ops/v1/tasks?state=open", nil), 200, `"list":[]`)

		d.want(d.send(d.annaToken, fields("name", "Nguyen Anh"), []picturetest.File{card}), 200, `"state":"WAITING"`)
		list = merchanttest.Value[rows](t, risk(http.MethodGet, "/ops/v1/kyc?state=WAITING", nil)).List
		checkPath = "/ops/v1/kyc/" + list[0].ID
		if got := merchanttest.Value[row](t, risk(http.MethodGet, checkPath, nil)); len(got.Earlier) != 1 || got.Earlier[0].Status != kyc.Refused {
			t.Errorf("earlier checks = %+v, want the refused one", got.Earlier)
		}
		wantPerson(t, d, d.anna, kyc.Waiting, "", "")
		d.want(risk(http.MethodPost, checkPath+"/approve", map[string]any{"version": 1}), 200, `"VERIFIED"`)
		wantPerson(t, d, d.anna, kyc.Verified, "Nguyen Anh", "1992-03-04")
		d.want(d.send(d.annaToken, fields(), []picturetest.File{card}), 409, "kyc.state")
		d.want(risk(http.MethodGet, "/ops/v1/audit?object=kyc/"+list[0].ID, nil), 403, "audit.read")
		if report, err := audit.Verify(t.Context(), d.Store); err != nil || report.Broken != 0 {
			t.Errorf("audit log: %+v, %v, want a complete chain", report, err)
		}
	})
}

// wantPerson compares the results of the methods that other packages use to read a member's identity.
func wantPerson(t *testing.T, d *kycSite, id int64, state, name, birth string) {
	t.Helper()
	gotState, gotName, err := d.Server.Identity.State(t.Context(), id)
	if err != nil || gotState != state || gotName != name {
		t.Errorf("state = %s %q, %v, want %s %q", gotState, gotName, err, state, name)
	}
	_, gotBirth, ok, err := d.Server.Identity.VerifiedPerson(t.Context(), id)
	if err != nil || gotBirth != birth || ok != (state == kyc.Verified) {
		t.Errorf("verified person = %q %v, %v, want %q", gotBirth, ok, err, birth)
	}
	if holder, err := d.Server.Identity.VerifiedName(t.Context(), id); err != nil || holder != name {
		t.Errorf("verified name = %q, %v, want %q", holder, err, name)
	}
	err = d.Store.Write(t.Context(), func(tx *db.Tx) error {
		if verified, err := d.Server.Identity.VerifiedIn(t.Context(), tx, id); err != nil || verified != (state == kyc.Verified) {
			t.Errorf("verified = %v, %v, want %v", verified, err, state == kyc.Verified)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSE07DocumentUploadPart(t *testing.T) {
	t.Parallel()
	d := newKYCSite(t, dbtest.SQLite(t))
	card := picturetest.PNG(t, 8)
	refused := func(what string, files []picturetest.File, status int, code string) {
		t.Helper()
		r := d.send(d.annaToken, fields(), files)
		if r.Status != status || !strings.Contains(string(r.Body), `"`+code+`"`) {
			t.Errorf("%s: %d %s, want %d %s", what, r.Status, r.Body, status, code)
		}
	}
	refused("no file", nil, 400, "kyc.images")
	refused("four files", []picturetest.File{card, card, card, card}, 400, "kyc.images")
	for what, bad := range picturetest.BadFiles(t) {
		status, code := 400, "kyc.format"
		if bad.TooLarge {
			status, code = 413, "kyc.too_large"
		}
		refused(what, []picturetest.File{bad.File}, status, code)
		refused("a good picture, then "+what, []picturetest.File{card, bad.File}, status, code)
	}
	d.want(d.Call(t, http.MethodGet, path, nil, "Authorization", d.annaToken), 200, `"NONE"`)
}

func TestVA08PP08PartInvalidDetails(t *testing.T) {
	t.Parallel()
	d := newKYCSite(t, dbtest.SQLite(t))
	card := []picturetest.File{picturetest.PNG(t, 8)}
	today := d.Clock.Now().UTC()
	young := today.AddDate(-18, 0, 1).Format(time.DateOnly)
	for name, c := range map[string]struct {
		texts  map[string]string
		status int
		code   string
	}{
		"name with diacritics": {fields("name", "Nguyễn Minh Anh"), 400, "member.payee_format"},
		"name with digits":     {fields("name", "Nguyen 7"), 400, "member.payee_format"},
		"no name":              {fields("name", " "), 400, `"field":"name"`},
		"one letter":           {fields("name", "A"), 400, "member.payee_format"},
		"a day too young":      {fields("birthDate", young), 422, "kyc.age"},
		"tomorrow":             {fields("birthDate", today.AddDate(0, 0, 1).Format(time.DateOnly)), 400, "kyc.birth_date"},
		"not a date":           {fields("birthDate", "1992-02-30"), 400, "kyc.birth_date"},
		"other format":         {fields("birthDate", "04/03/1992"), 400, "kyc.birth_date"},
		"long ago":             {fields("birthDate", "1800-01-01"), 400, "kyc.birth_date"},
		"number with a symbol": {fields("documentNumber", "07909200<1"), 400, "member.id_number_format"},
		"unknown field":        {fields("state", "VERIFIED"), 400, "request_param_err"},
		"very long text":       {fields("name", strings.Repeat("A", 2000)), 400, "request_param_err"},
	} {
		r := d.send(d.annaToken, c.texts, card)
		if r.Status != c.status || !strings.Contains(string(r.Body), c.code) {
			t.Errorf("%s: %d %s, want %d %s", name, r.Status, r.Body, c.status, c.code)
		}
	}
	d.Set(t, merchant.SystemAgeLimit, "21")
	d.want(d.send(d.annaToken, fields("birthDate", today.AddDate(-21, 0, 1).Format(time.DateOnly)), card), 422, `"age":"21"`)
	d.want(d.send(d.annaToken, fields("birthDate", today.AddDate(-21, 0, 0).Format(time.DateOnly)), card), 200, "WAITING")
	d.want(d.Call(t, http.MethodPost, path, "{}", "Authorization", d.annaToken), 400, "request_param_err")
	d.want(d.Call(t, http.MethodGet, path, nil), 401, "")
}
