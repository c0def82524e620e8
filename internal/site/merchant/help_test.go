package merchant_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

const helpPath = "/wps/system/customerService"

type helpLink struct{ CsType, Path, URL string }

// opened reads a veiled path as the app does (ruling 7), by another way than the server veiled it.
func opened(t *testing.T, veiled string) string {
	t.Helper()
	if len(veiled) < 8 {
		t.Fatalf("%q is too short", veiled)
	}
	body, key := veiled[:len(veiled)-8], veiled[len(veiled)-8:]
	raw, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gcm.Open(nil, raw[:12], raw[12:], nil)
	if err != nil {
		t.Fatalf("%s: %v", veiled, err)
	}
	return string(plain)
}

func TestCustomerService(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		t.Run("none until the operator enters one", func(t *testing.T) {
			merchanttest.Golden(t, "services_none", site.Call(t, "GET", helpPath, nil))
		})
		ways := []helpLink{
			{"CS", "/m/policy/contact", ""}, {"TELEGRAM", "https://example.test/trò-chuyện", ""}, {"AFFILIATELINK", "", "https://partners.example.test/join"},
		}
		set(t, site, "site.services", `[{"type":"CS","url":"/m/policy/contact"},{"type":"TELEGRAM","url":"https://example.test/trò-chuyện"},
			{"type":"AFFILIATELINK","url":"https://partners.example.test/join"}]`)
		reply := site.Call(t, "GET", helpPath, nil)
		t.Run("CA-28 the customer service list", func(t *testing.T) { merchanttest.Golden(t, "services", reply, "path") })
		got := merchanttest.Value[[]helpLink](t, reply)
		t.Run("EN-15 the server's part: AFFILIATELINK comes with its url", func(t *testing.T) {
			if last := got[len(got)-1]; last != ways[len(ways)-1] {
				t.Errorf("%+v", last)
			}
		})
		t.Run("EN-07 the server's part: paths are encrypted with their last 8 characters as key", func(t *testing.T) {
			for i, e := range got[:len(got)-1] {
				if path := opened(t, e.Path); path != ways[i].Path || e.URL != "" {
					t.Errorf("%+v opens to %s", e, path)
				}
			}
		})
		t.Run("the same for all who ask, also once the settings were read again", func(t *testing.T) {
			set(t, site, "login.encrypted", `true`)
			again := merchanttest.Value[[]helpLink](t, site.Call(t, "GET", helpPath, nil))
			if diff := cmp.Diff(got, again); diff != "" {
				t.Error(diff)
			}
		})
	})
}

// The app opens these very texts in a test of its own: both sides mean the same by them.
func TestVeiledVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/veiled_paths.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Path, Opens string }
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) < 3 {
		t.Fatal(len(vectors), err)
	}
	for _, v := range vectors {
		if got := opened(t, v.Path); got != v.Opens {
			t.Errorf("%s opens to %q, want %q", v.Path, got, v.Opens)
		}
	}
}

func TestDownloadsAndDefaults(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		type link struct {
			ResourceType string `json:"resourceType"`
			URL          string `json:"url"`
		}
		type settings struct {
			DownloadLinks            []link
			AppWindow, DownloadPopup bool
			CDN                      []string
		}
		ask := func() settings {
			return merchanttest.Value[settings](t, site.Call(t, "GET", "/wps/system/settings/consolidated", nil))
		}
		before := ask()
		t.Run("KO-09 the CDN list has one default entry", func(t *testing.T) {
			if len(before.CDN) != 1 {
				t.Errorf("%v", before.CDN)
			}
		})
		if len(before.DownloadLinks) != 0 || before.AppWindow || before.DownloadPopup {
			t.Errorf("before: %+v", before)
		}
		want := []link{
			{"IOS", "https://apps.example.test/ios"}, {"Android", "/m/app"}, {"MOBILECONFIG", "/wps/system/webclip"},
			{"TELEGRAM", "https://example.test/channel"}, {"AppDownloadIcon", "/m/art/icons/download.webp"},
		}
		raw, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		set(t, site, "site.downloads", string(raw))
		set(t, site, "site.app_window", `true`)
		set(t, site, "site.download_popup", `true`)
		t.Run("EN-08 the server's part: download links by resourceType", func(t *testing.T) {
			after := ask()
			if diff := cmp.Diff(want, after.DownloadLinks); diff != "" || !after.AppWindow || !after.DownloadPopup {
				t.Errorf("%+v\n%s", after, diff)
			}
		})
	})
}
