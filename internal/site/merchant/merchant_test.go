package merchant_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestEnsure(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		for _, currency := range []string{"", "VND"} {
			again, err := site.Merchants.Ensure(t.Context(), merchanttest.Code, "Another name", currency)
			if err != nil || again != site.ID {
				t.Errorf("second Ensure in %q = %d, %v; want %d", currency, again, err, site.ID)
			}
		}
		if _, err := site.Merchants.Ensure(t.Context(), merchanttest.Code, "Another name", "USD"); !errors.Is(err, merchant.ErrOtherCurrency) {
			t.Errorf("Ensure in another currency: %v, want ErrOtherCurrency", err)
		}
		if c, err := site.Merchants.Currency(t.Context(), site.ID); err != nil || c.Code != "VND" {
			t.Errorf("currency = %v, %v; want VND", c.Code, err)
		}
		for _, bad := range []string{"", "x", "Fairground", "fair ground", "fair\nground", "1fair"} {
			if _, err := site.Merchants.Ensure(t.Context(), bad, "Bad", "VND"); !errors.Is(err, merchant.ErrBadCode) {
				t.Errorf("Ensure of code %q: %v, want ErrBadCode", bad, err)
			}
		}
		if _, err := site.Merchants.Ensure(t.Context(), "other", "Other", "ZZZ"); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Ensure in an unknown currency: %v, want Invalid", err)
		}
		if _, err := site.Merchants.Ensure(t.Context(), "other", "Other", "FUN"); !errors.Is(err, merchant.ErrPlayMoney) {
			t.Errorf("Ensure in play money: %v, want ErrPlayMoney", err)
		}
		if codes, err := site.Merchants.Codes(t.Context()); err != nil || !slices.Equal(codes, []string{merchanttest.Code}) {
			t.Errorf("merchants after failed calls = %v, %v; want only %s", codes, err, merchanttest.Code)
		}
	})
}

func TestInvalidSettings(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	for name, values := range map[merchant.Setting][]string{
		"system.status":           {`3`, `-1`, `1.5`, `"1"`, `null`, ``, `1 2`, `{}`},
		"system.status_reading":   {`"c"`, `1`},
		"system.country":          {`"vn"`, `"VNM"`, `""`},
		"system.dialing_code":     {`"+84"`, `""`, `"12345"`},
		"system.age_limit":        {`16`, `0`},
		"system.languages":        {`[]`, `["VI","VI"]`, `["DE"]`, `["EN"]`}, // the last lacks the default language
		"system.default_language": {`"vi"`, `"FR"`},
		"system.cdn":              {`[]`, `["http://cdn.test/"]`, `["//cdn.test/"]`, `["javascript:alert(1)"]`, `["https://cdn.test"]`, `["https://cdn.test/a"]`, `["https://u@cdn.test/"]`, `["https://cdn.test/?a/"]`, `["https://cdn.test/#/"]`, `["https://*/"]`, `["https://a;b/"]`, `["https:///"]`, `["/m"]`, `["/m/","/m/"]`},
		"site.licences": {
			`[{"name":"","image":"/m/a.svg","link":"/m/a"}]`, `[{"name":"A","image":"/m/a.svg","link":"http://a.test"}]`,
			`[{"name":"A","image":"/m/a.svg","link":"/m/a","extra":1}]`,
			`[{"name":"A","image":"/m/a.svg","link":"/m/a"},{"name":"A","image":"/m/b.svg","link":"/m/b"}]`,
			`[{"name":"A","image":"/m/a.svg","link":"/m/a"},{"name":"B","image":"/m/a.svg","link":"/m/a"},{"name":"C","image":"/m/a.svg","link":"/m/a"},{"name":"D","image":"/m/a.svg","link":"/m/a"}]`,
			`[{"name":"A","image":"https://badge.test/a.svg","link":"/m/a"}]`, // not an image of this site
		},
		"site.downloads":     {`[{"resourceType":"Symbian","url":"/m/app"}]`, `[{"resourceType":"IOS","url":"itms://x"}]`, `[{"resourceType":"AppDownloadIcon","url":"https://pictures.example.test/app.png"}]`},
		"site.home_category": {`"hot"`, `"CASINO"`},
		"site.theme":         {`"sepia"`},
		"session.idle":       {`30`, `"30"`, `"10s"`, `"25h"`, `"-5m"`},
		"session.absolute":   {`"29m"`, `"1000h"`}, // the first is shorter than the idle time
		"member.username":    {`{"min":0,"max":16}`, `{"min":9,"max":8}`, `{"min":6,"max":99}`},
		"member.password":    {`{"min":4,"max":64}`, `{"min":8,"max":65}`}, // logins accept 64
		"captcha.kind":       {`""`, `"music"`, `1`},
	} {
		for _, value := range values {
			if err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value)); !errors.Is(err, merchant.ErrBadSetting) {
				t.Errorf("%s = %s: %v, want ErrBadSetting", name, value, err)
			}
		}
	}
	if err := site.Merchants.Set(t.Context(), site.ID, "session.idel", json.RawMessage(`"5m"`)); !errors.Is(err, merchant.ErrUnknownSetting) {
		t.Errorf("misspelt name: %v, want ErrUnknownSetting", err)
	}
	unknown := merchant.Switch{Kind: merchant.Flag, Code: string(spec.ModuleInbox), On: true}
	if err := site.Merchants.SetSwitch(t.Context(), site.ID, unknown); !errors.Is(err, merchant.ErrUnknownSwitch) {
		t.Errorf("module code as a flag: %v, want ErrUnknownSwitch", err)
	}
}

func TestSettingsTakeEffect(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		ctx := t.Context()
		for name, value := range map[merchant.Setting]string{
			"session.idle": `"5m"`, "session.absolute": `"2h"`,
			"member.username": `{"min":4,"max":20}`, "member.password": `{"min":10,"max":50}`,
			"captcha.kind": `"equation"`, "site.theme": `"light"`, "system.default_language": `"PT"`,
		} {
			if err := site.Merchants.Set(ctx, site.ID, name, json.RawMessage(value)); err != nil {
				t.Fatal(err)
			}
		}
		if idle, absolute, err := site.Merchants.SessionLifetime(ctx, site.ID); idle != 5*time.Minute || absolute != 2*time.Hour || err != nil {
			t.Errorf("SessionLifetime = %v, %v, %v, want 5m and 2h", idle, absolute, err)
		}
		rules, err := site.Merchants.Rules(ctx, site.ID)
		if err != nil {
			t.Fatal(err)
		}
		for value, want := range map[string]bool{"abc": false, "abcd": true, strings.Repeat("a", 20): true, strings.Repeat("a", 21): false} {
			if err := rules.Refuse("username", value, nil); (err == nil) != want {
				t.Errorf("username %q: %v, want accepted %v", value, err, want)
			}
		}
		for value, want := range map[string]bool{"abcdefgh1": false, "abcdefghi1": true, strings.Repeat("a1", 25): true, strings.Repeat("a1", 25) + "a": false} {
			if err := rules.Refuse("password", value, nil); (err == nil) != want {
				t.Errorf("password %q: %v, want accepted %v", value, err, want)
			}
		}
		if kind, err := site.Merchants.CaptchaKind(ctx, site.ID); kind != "equation" || err != nil {
			t.Errorf("CaptchaKind = %q, %v; want equation", kind, err)
		}
		if name, err := site.Merchants.Name(ctx, site.ID); name != "Fairground" || err != nil {
			t.Errorf("Name = %q, %v; want Fairground", name, err)
		}
		want := merchant.Appearance{Name: "Fairground", Language: "PT", Theme: "light"}
		if got, err := site.Merchants.Appearance(ctx, site.ID); got != want || err != nil {
			t.Errorf("Appearance = %+v, %v; want %+v", got, err, want)
		}
		for _, on := range []bool{false, true} {
			if got, err := site.Merchants.FlagEnabled(ctx, site.ID, spec.FlagSMSLogin); got != on || err != nil {
				t.Errorf("FlagEnabled = %v, %v; want %v", got, err, on)
			}
			change := merchant.SwitchOf(spec.FlagSMSLogin, true)
			if err := site.Merchants.SetSwitch(ctx, site.ID, change); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestPrefillKeepsStoredValues(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		ctx := t.Context()
		if err := site.Merchants.Set(ctx, site.ID, "session.idle", json.RawMessage(`"5m"`)); err != nil {
			t.Fatal(err)
		}
		off := merchant.SwitchOf(spec.ModuleInbox, false)
		if err := site.Merchants.SetSwitch(ctx, site.ID, off); err != nil {
			t.Fatal(err)
		}
		settings := map[merchant.Setting]any{"session.idle": "9m", "session.absolute": "3h"}
		on := []merchant.Switch{merchant.SwitchOf(spec.ModuleInbox, true)}
		if err := site.Merchants.Prefill(ctx, site.ID, settings, on); err != nil {
			t.Fatal(err)
		}
		if idle, absolute, err := site.Merchants.SessionLifetime(ctx, site.ID); idle != 5*time.Minute || absolute != 3*time.Hour || err != nil {
			t.Errorf("SessionLifetime = %v, %v, %v, want 5m and 3h", idle, absolute, err)
		}
		if enabled, err := site.Merchants.ModuleEnabled(ctx, site.ID, spec.ModuleInbox); enabled || err != nil {
			t.Errorf("ModuleEnabled = %v, %v; want false as stored before", enabled, err)
		}
		if err := site.Merchants.Prefill(ctx, site.ID, map[merchant.Setting]any{"site.theme": "sepia"}, nil); !errors.Is(err, merchant.ErrBadSetting) {
			t.Errorf("Prefill with an invalid value: %v, want ErrBadSetting", err)
		}
	})
}

func TestStatusReadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reading merchant.Reading
		status  int
		want    merchant.Condition
	}{
		{merchant.ReadingA, 0, merchant.ConditionNormal},
		{merchant.ReadingA, 1, merchant.ConditionRestricted},
		{merchant.ReadingA, 2, merchant.ConditionMaintenance},
		{merchant.ReadingB, 0, merchant.ConditionNormal},
		{merchant.ReadingB, 1, merchant.ConditionMaintenance},
		{merchant.ReadingB, 2, merchant.ConditionRestricted},
	} {
		if got, err := merchant.ReadStatus(c.reading, c.status); got != c.want || err != nil {
			t.Errorf("ReadStatus(%s, %d) = %s, %v; want %s", c.reading, c.status, got, err, c.want)
		}
	}
	for _, c := range []struct {
		reading merchant.Reading
		status  int
	}{{"a", 3}, {"a", -1}, {"c", 0}, {"", 0}} {
		if got, err := merchant.ReadStatus(c.reading, c.status); err == nil {
			t.Errorf("ReadStatus(%q, %d) = %s, want an error", c.reading, c.status, got)
		}
	}
}

func TestOpenDependsOnTheStatusReading(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	for _, c := range []struct {
		reading, status string
		want            error
	}{
		{`"a"`, `0`, nil},
		{`"a"`, `1`, rest.ErrRestricted},
		{`"a"`, `2`, rest.ErrMaintenance},
		{`"b"`, `1`, rest.ErrMaintenance},
		{`"b"`, `2`, rest.ErrRestricted},
	} {
		for name, value := range map[merchant.Setting]string{"system.status_reading": c.reading, "system.status": c.status} {
			if err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value)); err != nil {
				t.Fatal(err)
			}
		}
		if err := site.Merchants.Open(t.Context(), site.ID, visitor); !errors.Is(err, c.want) {
			t.Errorf("reading %s, status %s: Open = %v, want %v", c.reading, c.status, err, c.want)
		}
	}
}

func TestReplicasReloadAfterChanges(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		ctx := t.Context()
		other := site.Replica(t)
		if _, err := other.Find(ctx, "newcomer"); !errors.Is(err, rest.ErrMerchantUnknown) {
			t.Fatalf("Find before the change: %v, want ErrMerchantUnknown", err)
		}
		id, err := site.Merchants.Ensure(ctx, "newcomer", "Newcomer", "USD")
		if err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
			if m, err := other.Find(ctx, "newcomer"); err == nil && m.ID == id {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("the other replica did not reload within a minute") // the clock does not advance, so its cache cannot expire
			}
		}
	})
}

// Two versions of the program can share a database during an upgrade or a rollback.
func TestRowsOfAnotherVersionAreSkipped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		ctx := t.Context()
		if err := site.Merchants.Set(ctx, site.ID, "session.idle", json.RawMessage(`"5m"`)); err != nil {
			t.Fatal(err)
		}
		err := store.Write(ctx, func(tx *db.Tx) error {
			return errors.Join(
				tx.Q.PutSetting(ctx, site.ID, "site.weather", `"sunny"`),
				tx.Q.PutSetting(ctx, site.ID, "site.theme", `"sepia"`),
				tx.Q.PutSwitch(ctx, query.PutSwitchParams{MerchantID: site.ID, Kind: "module", Code: "WEATHER3", Enabled: true}),
				tx.Q.PutSwitch(ctx, query.PutSwitchParams{MerchantID: site.ID, Kind: "module", Code: string(spec.ModuleInbox), Enabled: false}),
				addMerchant(tx, "stranger", "ZZZ"),
				tx.Q.PutSetting(ctx, 1, "site.theme", `"light"`),
				tx.Q.PutSwitch(ctx, query.PutSwitchParams{MerchantID: 1, Kind: "module", Code: string(spec.ModuleInbox), Enabled: false}),
			)
		})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		replica, err := merchant.New(merchant.Options{
			Store: store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Log: slog.New(slog.NewTextHandler(&log, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer replica.Close()
		for range 2 {
			if idle, _, err := replica.SessionLifetime(ctx, site.ID); idle != 5*time.Minute || err != nil {
				t.Errorf("session.idle = %v, %v; want 5m", idle, err)
			}
			if on, err := replica.ModuleEnabled(ctx, site.ID, spec.ModuleInbox); on || err != nil {
				t.Errorf("module INBOX3 = %v, %v; want off", on, err)
			}
			if _, err := replica.Find(ctx, "stranger"); !errors.Is(err, rest.ErrMerchantUnknown) {
				t.Errorf("merchant with an unknown currency: %v, want ErrMerchantUnknown", err)
			}
			site.Clock.Add(time.Minute)
		}
		for _, name := range []string{"site.weather", "site.theme", "WEATHER3", "ZZZ"} {
			if n := strings.Count(log.String(), "name="+name) + strings.Count(log.String(), `module `+name); n != 1 {
				t.Errorf("the log names %s %d times, want once: %s", name, n, log.String())
			}
		}
	})
}

func addMerchant(tx *db.Tx, code, currency string) error {
	_, err := tx.Q.AddMerchant(context.Background(), query.AddMerchantParams{ID: 1, Code: code, Name: code, Currency: currency})
	return err
}

func TestChangeSucceedsWithoutBus(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	ctx := t.Context()
	site.Bus.Close()
	if err := site.Merchants.Set(ctx, site.ID, "system.status", json.RawMessage(`2`)); err != nil {
		t.Errorf("Set after the bus closed: %v", err)
	}
	if err := site.Merchants.Open(ctx, site.ID, visitor); !errors.Is(err, rest.ErrMaintenance) {
		t.Errorf("Open on the same replica: %v, want ErrMaintenance", err)
	}
}

func TestChangeWithoutNotificationIsFoundAfterCacheExpires(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	ctx := t.Context()
	replica := site.Replica(t)
	if err := replica.Open(ctx, site.ID, visitor); err != nil {
		t.Fatal(err)
	}
	// A command in another process would change the database like this, without a notification.
	err := site.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.PutSetting(ctx, site.ID, "system.status", "2") })
	if err != nil {
		t.Fatal(err)
	}
	if err := replica.Open(ctx, site.ID, visitor); err != nil {
		t.Fatalf("Open before the cache expires: %v", err)
	}
	site.Clock.Add(31 * time.Second)
	if err := replica.Open(ctx, site.ID, visitor); !errors.Is(err, rest.ErrMaintenance) {
		t.Errorf("Open after the cache expired: %v, want ErrMaintenance", err)
	}
}
