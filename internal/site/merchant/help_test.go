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

// decodePath decodes an obfuscated path as the app does (ruling 7).
func decodePath(t *testing.T, obfuscated string) string {
	t.Helper()
	if len(obfuscated) < 8 {
		t.Fatalf("%q is too short", obfuscated)
	}
	body, key := obfuscated[:len(obfuscated)-8], obfuscated[len(obfuscated)-8:]
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
		t.Fatalf("decode %s: %v", obfuscated, err)
	}
	return string(plain)
}

func TestCustomerService(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		t.Run("empty by default", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", helpPath, nil), 200, `{"success":true,"value":[]}`)
		})
		want := []helpLink{
			{"CS", "/m/policy/contact", ""}, {"TELEGRAM", "https://example.test/trò-chuyện", ""}, {"AFFILIATELINK", "", "https://partners.example.test/join"},
		}
		set(t, site, "site.services", `[{"type":"CS","url":"/m/policy/contact"},{"type":"TELEGRAM","url":"https://example.test/trò-chuyện"},
			{"type":"AFFILIATELINK","url":"https://partners.example.test/join"}]`)
		reply := site.Call(t, "GET", helpPath, nil)
		t.Run("CA-28 the customer service list", func(t *testing.T) {
			merchanttest.Want(t, reply, 200, `{"success":true,"value":[
			{"csType":"CS","path":"(varies)"},
			{"csType":"TELEGRAM","path":"(varies)"},
			{"csType":"AFFILIATELINK","path":"","url":"https://partners.example.test/join"}
		]}`, "path")
		})
		got := merchanttest.Value[[]helpLink](t, reply)
		t.Run("EN-15 the server's part: AFFILIATELINK has a url", func(t *testing.T) {
			if last := got[len(got)-1]; last != want[len(want)-1] {
				t.Errorf("last link = %+v, want %+v", last, want[len(want)-1])
			}
		})
		t.Run("EN-07 the server's part: paths are obfuscated with their last 8 characters as key", func(t *testing.T) {
			for i, e := range got[:len(got)-1] {
				if path := decodePath(t, e.Path); path != want[i].Path || e.URL != "" {
					t.Errorf("%+v decodes to %s, want %s and no url", e, path, want[i].Path)
				}
			}
		})
		t.Run("paths stay the same when another setting changes", func(t *testing.T) {
			set(t, site, "login.encrypted", `true`)
			again := merchanttest.Value[[]helpLink](t, site.Call(t, "GET", helpPath, nil))
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("(-before +after):\n%s", diff)
			}
		})
	})
}

func TestObfuscatedPathVectors(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/obfuscated_paths.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Path  string `json:"path"`
		Plain string `json:"opens"`
	}
	if err := json.Unmarshal(raw, &vectors); err != nil || len(vectors) < 3 {
		t.Fatalf("vectors = %d, %v, want at least 3", len(vectors), err)
	}
	for _, v := range vectors {
		if got := decodePath(t, v.Path); got != v.Plain {
			t.Errorf("%s decodes to %q, want %q", v.Path, got, v.Plain)
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
		get := func() settings {
			return merchanttest.Value[settings](t, site.Call(t, "GET", "/wps/system/settings/consolidated", nil))
		}
		before := get()
		t.Run("KO-09 the CDN list has one default entry", func(t *testing.T) {
			if len(before.CDN) != 1 {
				t.Errorf("cdn = %v, want one entry", before.CDN)
			}
		})
		if len(before.DownloadLinks) != 0 || before.AppWindow || before.DownloadPopup {
			t.Errorf("defaults = %+v, want no downloads, window and popup", before)
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
			after := get()
			if diff := cmp.Diff(want, after.DownloadLinks); diff != "" || !after.AppWindow || !after.DownloadPopup {
				t.Errorf("settings = %+v (-want +got):\n%s", after, diff)
			}
		})
	})
}
