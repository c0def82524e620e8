package kyc_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/limits"

	"fairground/internal/identity/kyc"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/picture/picturetest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func (d *kycSite) newest(call func(string, string, any) merchanttest.Reply) row {
	d.t.Helper()
	list := merchanttest.Value[rows](d.t, call(http.MethodGet, "/ops/v1/kyc", nil)).List
	if len(list) == 0 {
		d.t.Fatal("no identity check, want one")
	}
	return list[0]
}

// dump returns every value of every table as bytes.
func dump(t *testing.T, store *db.Store) []byte {
	t.Helper()
	var out bytes.Buffer
	each := func(query string, read func(*sql.Rows) error) {
		rows, err := store.Reader.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			if err := read(rows); err != nil {
				t.Fatal(err)
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	var tables []string
	each("SELECT name FROM sqlite_master WHERE type = 'table'", func(r *sql.Rows) error {
		var name string
		err := r.Scan(&name)
		tables = append(tables, name)
		return err
	})
	for _, table := range tables {
		each("SELECT * FROM "+table, func(r *sql.Rows) error {
			columns, err := r.Columns()
			if err != nil {
				return err
			}
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(sql.RawBytes)
			}
			if err := r.Scan(values...); err != nil {
				return err
			}
			for _, v := range values {
				out.Write(*v.(*sql.RawBytes))
				out.WriteByte('\n')
			}
			return nil
		})
	}
	return out.Bytes()
}

func TestSE07PartDocumentsAreEncryptedAndRestricted(t *testing.T) {
	t.Parallel()
	d := newKYCSite(t, dbtest.SQLite(t))
	d.want(d.send(d.annaToken, fields(), []picturetest.File{picturetest.WithLocation(t)}), 200, "WAITING")
	image := func(token, number string) merchanttest.Reply {
		d.Refill()
		return d.Call(t, http.MethodGet, path+"/image/"+number, nil, "Authorization", token)
	}
	wantPicture := func(who string, r merchanttest.Reply) {
		t.Helper()
		picturetest.WantWithoutLocation(t, who, r.Body)
		if got := r.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
			t.Errorf("Content-Disposition = %q, want attachment", got)
		}
	}
	wantPicture("the owner", image(d.annaToken, "1"))
	for number, token := range map[string]string{"1": d.baoToken, "2": d.annaToken, "0": d.annaToken, "x": d.annaToken, "-1": d.annaToken} {
		d.want(image(token, number), 404, "kyc.no_image")
	}
	d.want(image("", "1"), 401, "")

	risk, support := d.operator("lan", "risk"), d.operator("minh", "support")
	id := d.newest(risk).ID
	view := "/ops/v1/kyc/" + id + "/view"
	d.want(support(http.MethodPost, view, map[string]any{"image": 1}), 403, "ops.forbidden")
	d.want(support(http.MethodGet, "/ops/v1/kyc", nil), 403, "ops.forbidden")
	views := func() (n int) {
		for _, r := range auditRows(t, d.Store) {
			if r == "lan kyc.view kyc/"+id {
				n++
			}
		}
		return n
	}
	wantPicture("an operator", risk(http.MethodPost, view, map[string]any{"image": 1}))
	wantPicture("an operator", risk(http.MethodPost, view, map[string]any{"image": 1}))
	d.want(risk(http.MethodPost, view, map[string]any{"image": 2}), 404, "kyc.no_image")
	d.want(risk(http.MethodPost, "/ops/v1/kyc/77/view", map[string]any{"image": 1}), 404, "kyc.unknown")
	if got := views(); got != 2 {
		t.Errorf("%d views in the audit log, want 2", got)
	}
	d.Clock.Add(6 * time.Minute)
	d.want(risk(http.MethodPost, view, map[string]any{"image": 1}), 403, "ops.confirm")

	databaseDump := dump(t, d.Store)
	for _, plain := range []string{"Nguyen Minh Anh", "1992-03-04", "079092001234", "\xff\xd8\xff", "JFIF"} {
		if bytes.Contains(databaseDump, []byte(plain)) {
			t.Errorf("the database contains %q, want it encrypted", plain)
		}
	}
	if len(databaseDump) < 1000 || !bytes.Contains(databaseDump, []byte("minhanh92")) {
		t.Error("the dump lacks the member's username, want all tables")
	}
}

// auditRows returns "operator action object" for each row of the audit log.
func auditRows(t *testing.T, store *db.Store) (out []string) {
	t.Helper()
	rows, err := store.Reader.QueryContext(t.Context(), "SELECT operator, action, object, after FROM audit ORDER BY seq")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var operator, action, object, after string
		if err := rows.Scan(&operator, &action, &object, &after); err != nil {
			t.Fatal(err)
		}
		for _, plain := range []string{"079092001234", "Nguyen"} {
			if strings.Contains(after, plain) {
				t.Errorf("the audit log has %q of the document", plain)
			}
		}
		out = append(out, operator+" "+action+" "+object)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDoubleSubmitIsOneCheck(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newKYCSite(t, store)
		card := []picturetest.File{picturetest.PNG(t, 8)}
		d.want(d.send(d.annaToken, fields(), card, "Idempotency-Key", "tap-1"), 200, "WAITING")
		d.want(d.send(d.annaToken, fields(), card, "Idempotency-Key", "tap-1"), 200, "WAITING")
		d.want(d.send(d.annaToken, fields("name", "Tran Van B"), card, "Idempotency-Key", "tap-1"), 409, "idempotency.conflict")
		// Several replicas receive the same member's documents concurrently.
		results := make([]error, 4)
		var group sync.WaitGroup
		for i := range results {
			group.Go(func() {
				replica := kyc.New(kyc.Options{
					Store: d.Store, Settings: d.Merchants, Keys: d.Server.Keys, Blobs: d.Server.Blobs, Limiter: d.Server.Limiter, Requests: d.Server.Requests,
					Outbox: d.Server.Outbox, Tasks: d.Server.Tasks, Screens: d.Server.Screens, Breaks: d.Server.Limits, IDs: d.IDs, Now: d.Clock.Now,
				})
				_, results[i] = replica.Submit(t.Context(), kyc.Member{ID: d.bao, MerchantID: d.ID}, "",
					kyc.Details{Name: "Tran Quoc Bao", BirthDate: "1988-01-01", DocumentNumber: "079088000001"}, []kyc.File{{ContentType: "image/png", Data: card[0].Data}})
			})
		}
		group.Wait()
		accepted := 0
		for _, err := range results {
			if err == nil {
				accepted++
			} else if !strings.Contains(err.Error(), "kyc.state") {
				t.Errorf("submit = %v, want nil or kyc.state", err)
			}
		}
		if accepted != 1 {
			t.Errorf("%d submissions accepted, want 1", accepted)
		}
	})
}

func TestConcurrentApproveAndRefuse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newKYCSite(t, store)
		d.want(d.send(d.annaToken, fields(), []picturetest.File{picturetest.PNG(t, 8)}), 200, "WAITING")
		check, err := d.Server.Store.Q().NewestKyc(t.Context(), d.anna)
		if err != nil {
			t.Fatal(err)
		}
		ctx := audit.As(t.Context(), "lan")
		results := make([]error, 6)
		var group sync.WaitGroup
		for i := range results {
			group.Go(func() {
				if i%2 == 0 {
					results[i] = d.Server.Identity.Approve(ctx, d.ID, check.ID, 1)
				} else {
					results[i] = d.Server.Identity.Refuse(ctx, d.ID, check.ID, 1, "Not readable")
				}
			})
		}
		group.Wait()
		decided, want := 0, ""
		for i, err := range results {
			if err == nil {
				decided, want = decided+1, []string{kyc.Verified, kyc.Refused}[i%2]
			}
		}
		state, _, err := d.Server.Identity.State(t.Context(), d.anna)
		if err != nil || decided != 1 || state != want {
			t.Errorf("%d decisions, state %s, %v, want one decision and the state %s", decided, state, err, want)
		}
		written := 0
		for _, r := range auditRows(t, d.Store) {
			if strings.HasPrefix(r, "lan kyc.") {
				written++
			}
		}
		if written != 1 {
			t.Errorf("%d decisions in the audit log, want 1", written)
		}
	})
}

func TestPP08PartRefusedCheckTakesNoMoney(t *testing.T) {
	t.Parallel()
	d := newKYCSite(t, dbtest.SQLite(t))
	cash := d.Fund(t, d.anna, "VND", 500_000)
	d.want(d.send(d.annaToken, fields(), []picturetest.File{picturetest.PNG(t, 8)}), 200, "WAITING")
	risk := d.operator("lan", "risk")
	d.want(risk(http.MethodPost, "/ops/v1/kyc/"+d.newest(risk).ID+"/refuse", map[string]any{"version": 1, "reason": "Not the same person"}), 200, "REFUSED")
	if got := d.Balance(t, cash.ID); got != 500_000 {
		t.Errorf("balance after the refusal = %d, want 500000", got)
	}
	d.want(d.Call(t, http.MethodGet, path, nil, "Authorization", d.annaToken), 200, "Not the same person")
}

func TestSharedDocumentNumberIsASignal(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newKYCSite(t, store)
		card := []picturetest.File{picturetest.PNG(t, 8)}
		d.want(d.send(d.annaToken, fields("documentNumber", "b1234567"), card), 200, "WAITING")
		if others, err := d.Server.Identity.SamePerson(t.Context(), d.anna); err != nil || len(others) != 0 {
			t.Errorf("other accounts = %+v, %v, want none", others, err)
		}
		d.want(d.send(d.baoToken, fields("documentNumber", "B1234567"), card), 200, "WAITING")
		for id, other := range map[int64]string{d.anna: "quocbao88", d.bao: "minhanh92"} {
			if others, err := d.Server.Identity.SamePerson(t.Context(), id); err != nil || len(others) != 1 || others[0].Username != other || others[0].State != kyc.Waiting {
				t.Errorf("other accounts = %+v, %v, want %s", others, err, other)
			}
		}
		risk := d.operator("lan", "risk")
		newest := d.newest(risk)
		if newest.Shared != 1 {
			t.Errorf("shared = %d, want 1", newest.Shared)
		}
		got := merchanttest.Value[row](t, risk(http.MethodGet, "/ops/v1/kyc/"+newest.ID, nil))
		if len(got.Signals) != 1 || got.Signals[0].Kind != "document_shared" || got.Signals[0].Accounts[0].Member != "minhanh92" {
			t.Errorf("signals = %+v, want the shared document", got.Signals)
		}
	})
}

func TestDocumentsAreDeletedAfterRetention(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newKYCSite(t, store)
		d.Set(t, merchant.KYCKeepDays, "7")
		card := []picturetest.File{picturetest.PNG(t, 8)}
		d.want(d.send(d.annaToken, fields(), card), 200, "WAITING")
		d.want(d.send(d.baoToken, fields("documentNumber", "079088000001"), card), 200, "WAITING")
		ctx := audit.As(t.Context(), "lan")
		check, err := d.Store.Q().NewestKyc(t.Context(), d.anna)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Server.Identity.Approve(ctx, d.ID, check.ID, 1); err != nil {
			t.Fatal(err)
		}
		picturesKept := func(after time.Duration, memberID int64) bool {
			t.Helper()
			d.Clock.Add(after)
			if err := d.Server.Identity.DeleteDocuments(t.Context()); err != nil {
				t.Fatal(err)
			}
			s, err := d.Server.Identity.Find(t.Context(), memberID)
			if err != nil {
				t.Fatal(err)
			}
			return s.Images == 1
		}
		if !picturesKept(6*24*time.Hour, d.anna) {
			t.Error("the documents are gone after 6 days, want them kept for 7")
		}
		if picturesKept(25*time.Hour, d.anna) || !picturesKept(0, d.bao) {
			t.Error("after 7 days: want the documents of the decided check deleted and those of the pending check kept")
		}
		wantPerson(t, d, d.anna, kyc.Verified, "Nguyen Minh Anh", "1992-03-04")
		if _, err := d.Server.Identity.OpenOwn(t.Context(), d.anna, 1); !strings.Contains(fmt.Sprint(err), "kyc.no_image") {
			t.Errorf("open the deleted picture: %v, want kyc.no_image", err)
		}
		var names []string
		if err := json.Unmarshal([]byte(check.Images), &names); err != nil {
			t.Fatal(err)
		}
		d.Clock.Add(26 * time.Hour)
		if err := d.Server.Accounts.SweepPictures(t.Context()); err != nil {
			t.Fatal(err)
		}
		if f, err := d.Server.Blobs.Open(t.Context(), names[0]); err == nil {
			_ = f.Close()
			t.Error("the encrypted file is still stored, want it deleted")
		}
		found := 0
		for _, r := range auditRows(t, d.Store) {
			if r == "schedule kyc.delete_documents kyc" {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%d rows about the deletion, want 1", found)
		}
	})
}

func TestPP07PartPersonOfAnExcludedMemberIsHeld(t *testing.T) {
	t.Parallel()
	d := newKYCSite(t, dbtest.SQLite(t))
	card := []picturetest.File{picturetest.PNG(t, 8)}
	d.want(d.send(d.annaToken, fields("documentNumber", "B1234567"), card), 200, "WAITING")
	if err := d.Server.Limits.BeginBreak(t.Context(), d.anna, "1y"); err != nil {
		t.Fatal(err)
	}
	if err := d.Server.Limits.Check(t.Context(), d.bao); err != nil {
		t.Errorf("another member before the check: got %v, want no hold", err)
	}
	d.want(d.send(d.baoToken, fields("documentNumber", "C7654321"), card), 200, "WAITING") // the same name and birth date
	if err := d.Server.Limits.Check(t.Context(), d.bao); !errors.Is(err, limits.ErrHeld) {
		t.Errorf("a member with the name and birth date: got %v, want %v", err, limits.ErrHeld)
	}
}
