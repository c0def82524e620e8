package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
)

// answer is one reply as the server gave it, for the bare handler to give too.
type answer struct {
	Header http.Header
	Body   []byte
}

// measureLists compares the server's cached list with a bare handler of the same bytes, for a client that
// takes brotli and for one that takes the plain text.
func measureLists(ctx context.Context, work string) ([]string, error) {
	s, err := startServer(ctx, filepath.Join(work, "data"))
	if err != nil {
		return nil, err
	}
	var rows []string
	for _, encoding := range []string{"br", "identity"} {
		r, err := measureList(ctx, s, work, encoding)
		if err != nil {
			return nil, errors.Join(err, s.stop())
		}
		rows = append(rows, r)
	}
	return rows, s.stop()
}

func measureList(ctx context.Context, s *server, work, encoding string) (string, error) {
	reply, err := fetch(ctx, s.address, encoding)
	if err != nil {
		return "", err
	}
	file := filepath.Join(work, "reply-"+encoding+".json")
	data, err := json.Marshal(reply)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return "", err
	}
	bare, err := startBare(ctx, file)
	if err != nil {
		return "", err
	}
	request := []byte("GET " + list + " HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: " + encoding + "\r\nLanguage: VI\r\nDevice: H5\r\n\r\n")
	var ratios, rates []float64
	for i := range rounds {
		order := []string{s.address, bare.address}
		if i%2 == 1 {
			slices.Reverse(order) // neither always comes first
		}
		rate := map[string]float64{}
		for _, address := range order {
			if rate[address], err = load(address, request, callers, roundTime); err != nil {
				return "", errors.Join(err, bare.stop())
			}
		}
		ratios = append(ratios, rate[s.address]/rate[bare.address])
		rates = append(rates, rate[s.address])
	}
	ratio := median(ratios)
	measured := fmt.Sprintf("%.2f × (%.0f/s, %d KB)", ratio, median(rates), (len(reply.Body)+512)/1024)
	return row("cached list over HTTP, "+encoding+", beside a bare handler", measured, "≥ 0.85 ×", ratio >= listBudget), bare.stop()
}

func fetch(ctx context.Context, address, encoding string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+list, nil)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Accept-Encoding", encoding)
	request.Header.Set("Language", "VI")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return answer{}, err
	}
	if reply.StatusCode != http.StatusOK || len(body) < 1024 {
		return answer{}, fmt.Errorf("the list answered %s with %d bytes", reply.Status, len(body))
	}
	if got := reply.Header.Get("Content-Encoding"); encoding == "br" && got != "br" {
		return answer{}, fmt.Errorf("asked for br, got %q", got)
	}
	return answer{reply.Header, body}, nil
}

// serveBare is the least that net/http can do for the same answer, header for header and byte for byte. It has
// no timeouts, no log and no limits: those are the server's own to pay for.
func serveBare(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var reply answer
	if err := json.Unmarshal(data, &reply); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	reply.Header.Del("Date") // net/http writes its own
	type field struct {
		name   string
		values []string
	}
	var fields []field
	for name, values := range reply.Header {
		fields = append(fields, field{name, values})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /wps/relay/GCSGAME_hotGamesV2", func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		for _, f := range fields {
			header[f.name] = f.values
		}
		w.Write(reply.Body)
	})
	return http.Serve(listener, mux)
}

func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
