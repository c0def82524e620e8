package beacon_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
)

var (
	genesis = time.Unix(1_700_000_000, 0)
	schemes = []string{beacon.Chained, beacon.Unchained, beacon.UnchainedG1}
)

func clock() time.Time { return genesis.Add(time.Hour) }

func client(hash string, urls ...string) *beacon.Client {
	return beacon.New(beacon.Options{URLs: urls, Hash: hash, HTTP: &http.Client{}, Timeout: time.Minute})
}

// The test uses rounds that the League of Entropy published.
func TestPublishedRoundsVerify(t *testing.T) {
	t.Parallel()
	const main, quick = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce", "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	for _, c := range []struct {
		hash       string
		round      int64
		signature  string
		randomness string
	}{
		{
			main, 1,
			"8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b10104990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655:176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
			"101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec",
		},
		{
			main, 3311596,
			"a696b9409ababce45749c3a4ec369074453dd4a79967734e1390d969c8ad8d98897d217b9121e92c8ddebbddda8d92f900e3bd6bf9deb166863b1a19390d743f82774001487594c5c09e581db7365f02b70a2c8cc41ce32446ef08e4890c4754:8ed588f2a7716fb1349e2d9803da5db0005e98a83783c353d4a08f183236a9ad91d70ddb01266f4b7c576983db464b430e65680b9e0098552758afd6c1e6afcb77e3f62fe1b93d42d1cb63abbb2205512fe12fbf74ea9c5ac3b8f5c1e283a1d8",
			"647c07b2abbf7ff2afb4d670214f565e5cd9f9c91bfdcecb59a21f3c78d73920",
		},
		{
			quick, 1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
			"fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
		},
		{
			quick, 657413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
			"fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
		},
	} {
		chain, found := beacon.WellKnown(c.hash)
		if !found {
			t.Fatalf("the chain %s is not known", c.hash)
		}
		if got, err := chain.Verify(c.round, c.signature); err != nil || got.Randomness != c.randomness {
			t.Errorf("round %d = %s, %v, want %s", c.round, got.Randomness, err, c.randomness)
		}
		if _, err := chain.Verify(c.round+1, c.signature); !errors.Is(err, beacon.ErrSignature) {
			t.Errorf("round %d with the previous signature: %v, want %v", c.round+1, err, beacon.ErrSignature)
		}
	}
}

func TestPP17PartBeaconRoundIsVerified(t *testing.T) {
	t.Parallel()
	for _, scheme := range schemes {
		t.Run(scheme, func(t *testing.T) {
			t.Parallel()
			b := beacontest.Start(t, scheme, genesis, 3, clock)
			c := client(b.Hash, b.URL)
			for _, round := range []int64{1, 2, 900} {
				value, err := c.Round(t.Context(), round)
				if err != nil || value.Round != round || !strings.Contains(string(b.Round(round)), value.Randomness) {
					t.Errorf("round %d = %+v, %v, want the beacon's value", round, value, err)
				}
				chain, err := beacon.ParseChain(b.Hash, b.Info)
				if err != nil {
					t.Fatal(err)
				}
				if again, err := chain.Verify(round, value.Signature); err != nil || again != value {
					t.Errorf("verified offline = %+v, %v, want %+v", again, err, value)
				}
			}
			if _, err := c.Round(t.Context(), 1_000_000); !errors.Is(err, beacon.ErrUnavailable) {
				t.Errorf("a round that is not due: %v, want %v", err, beacon.ErrUnavailable)
			}
		})
	}
}

func TestRoundAtATime(t *testing.T) {
	t.Parallel()
	chain := beacon.Chain{Period: 30, Genesis: genesis.Unix()}
	for _, c := range []struct {
		after time.Duration
		want  int64
	}{{-time.Hour, 1}, {0, 1}, {1, 2}, {30 * time.Second, 2}, {30*time.Second + 1, 3}, {60 * time.Second, 3}} {
		got := chain.RoundAt(genesis.Add(c.after))
		if got != c.want || chain.Time(got).Before(genesis.Add(c.after)) {
			t.Errorf("round at %s = %d, want %d", c.after, got, c.want)
		}
	}
}

func TestPP17PartForgedBeaconResponsesAreRefused(t *testing.T) {
	t.Parallel()
	for _, scheme := range schemes {
		good := beacontest.Start(t, scheme, genesis, 3, clock)
		other := beacontest.Start(t, scheme, genesis, 6, clock)
		forged := bytes.Replace(good.Round(9), []byte(`"signature":"`), []byte(`"signature":"00`), 1)
		for title, c := range map[string]struct{ info, round string }{
			"description of another chain": {string(other.Info), string(good.Round(9))},
			"another period":               {strings.Replace(string(good.Info), `"period":3`, `"period":4`, 1), string(good.Round(9))},
			"another scheme":               {strings.Replace(string(good.Info), scheme, "bls-unchained-on-g1", 1), string(good.Round(9))},
			"garbage":                      {"<html>", string(good.Round(9))},
			"another round":                {string(good.Info), string(good.Round(8))},
			"another round renamed":        {string(good.Info), strings.Replace(string(good.Round(8)), `"round":8`, `"round":9`, 1)},
			"forged signature":             {string(good.Info), string(forged)},
			"no signature":                 {string(good.Info), `{"round":9}`},
			"garbage round":                {string(good.Info), "null"},
			"too long":                     {string(good.Info), string(good.Round(9)) + strings.Repeat(" ", 20_000)},
		} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				text := c.round
				if strings.HasSuffix(r.URL.Path, "/info") {
					text = c.info
				}
				_, _ = w.Write([]byte(text))
			}))
			value, err := client(good.Hash, server.URL).Round(t.Context(), 9)
			server.Close()
			if !errors.Is(err, beacon.ErrUnavailable) {
				t.Errorf("%s, %s = %+v, %v, want %v", scheme, title, value, err, beacon.ErrUnavailable)
			}
		}
	}
}

func TestOtherURLIsTried(t *testing.T) {
	t.Parallel()
	good := beacontest.Start(t, beacon.UnchainedG1, genesis, 3, clock)
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer slow.Close()
	defer close(release)
	redirect := httptest.NewServer(http.RedirectHandler(good.URL+"/"+good.Hash+"/info", http.StatusFound))
	defer redirect.Close()
	for title, url := range map[string]string{"down": down.URL, "slow": slow.URL, "redirect": redirect.URL, "invalid URL": "://"} {
		limited := beacon.Options{URLs: []string{url}, Hash: good.Hash, HTTP: &http.Client{}, Timeout: time.Minute}
		if title == "slow" {
			limited.Timeout = 50 * time.Millisecond
		}
		if _, err := beacon.New(limited).Chain(t.Context()); !errors.Is(err, beacon.ErrUnavailable) {
			t.Errorf("%s alone: %v, want %v", title, err, beacon.ErrUnavailable)
		}
		if title == "slow" {
			continue // the good server could be slow here, too
		}
		if value, err := client(good.Hash, url, good.URL+"/").Round(t.Context(), 5); err != nil || value.Round != 5 {
			t.Errorf("%s and then a good server = %+v, %v, want round 5", title, value, err)
		}
	}
}

func TestDetailNamesARound(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0a", 32)
	if got, round, err := beacon.ParseDetail(beacon.Detail(hash, 17)); err != nil || got != hash || round != 17 {
		t.Errorf("detail = %s, %d, %v, want %s and 17", got, round, err, hash)
	}
	for _, text := range []string{"", hash, hash + "/", hash + "/0", hash + "/-1", hash + "/x", "0a/1", strings.ToUpper(hash) + "/1"} {
		if _, _, err := beacon.ParseDetail(text); err == nil {
			t.Errorf("detail %q was accepted", text)
		}
	}
}

func FuzzResponses(f *testing.F) {
	hash := "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	chain, _ := beacon.WellKnown(hash)
	f.Add([]byte(`{"round":1000,"signature":"b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"}`))
	f.Add([]byte(`{"public_key":"83cf","period":3,"genesis_time":1,"groupHash":"f4","schemeID":"bls-unchained-g1-rfc9380"}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := beacon.ParseChain(hash, data); err == nil && !bytes.Equal(c.Key, chain.Key) {
			t.Errorf("a description with another key was accepted: %x", c.Key)
		}
		if v, err := chain.ParseValue(1000, data); err == nil && v.Randomness != "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd" {
			t.Errorf("another value of round 1000 was accepted: %s", v.Randomness)
		}
	})
}
