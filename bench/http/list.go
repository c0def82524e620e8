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

	"fairground/internal/platform/db"
)

// A response is a recorded response of the server.
type response struct {
	Header http.Header
	Body   []byte
}

// lists are a list of the home page, which is cached in all encodings, and a page of the lobby, which is cached in
// gzip and identity.
var lists = []struct {
	name, path, query string
	encodings         []string
}{
	{"hot games", "/wps/relay/GCSGAME_hotGamesV2", "?merchantCode=fairground&isPlatform=2&language=VI&platform=html5", []string{"br", "identity"}},
	{
		"page of games", gamesPath,
		"?merchant=fairground&platform=html5&gameName=&gameType=RNG&pageNo=2&pageSize=21&vassalage=&gameClassify=&minBet=&minLine=&language=VI",
		[]string{"gzip", "identity"},
	},
}

// measureLists compares the server's cached lists with a minimal handler of the same bytes.
func measureLists(ctx context.Context, work string) ([]string, error) {
	s, err := startServer(ctx, db.Options{Data: filepath.Join(work, "data")})
	if err != nil {
		return nil, err
	}
	var rows []string
	for _, l := range lists {
		for _, encoding := range l.encodings {
			r, err := measureList(ctx, s, work, l.name, l.path, l.query, encoding)
			if err != nil {
				return nil, errors.Join(err, s.stop())
			}
			rows = append(rows, r)
		}
	}
	return rows, s.stop()
}

func request(target, encoding string) []byte {
	return []byte("GET " + target + " HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: " + encoding + "\r\nLanguage: VI\r\nDevice: H5\r\n\r\n")
}

func measureList(ctx context.Context, s *server, work, name, path, query, encoding string) (string, error) {
	reply, err := fetch(ctx, s.address, path+query, encoding)
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
	bare, err := startBare(ctx, path, file)
	if err != nil {
		return "", err
	}
	requests := [][]byte{request(path+query, encoding)}
	var ratios, rates, shares []float64
	for i := range rounds {
		order := []*server{s, bare}
		if i%2 == 1 {
			slices.Reverse(order) // alternate the order
		}
		rate, cost := map[*server]float64{}, map[*server]float64{}
		for _, target := range order {
			before := target.cpuTicks()
			if rate[target], err = load(target.address, requests, callers, roundTime); err != nil {
				return "", errors.Join(err, bare.stop())
			}
			cost[target] = (target.cpuTicks() - before) / rate[target]
		}
		ratios = append(ratios, rate[s]/rate[bare])
		rates = append(rates, rate[s])
		shares = append(shares, cost[bare]/cost[s])
	}
	ratio := median(ratios)
	measured := fmt.Sprintf("%.2f × (%.0f/s, %d KB; by processor time %.2f ×)",
		ratio, median(rates), (len(reply.Body)+512)/1024, median(shares))
	return row("cached "+name+" over HTTP, "+encoding+", compared with a bare handler", measured, "≥ 0.85 ×", ratio >= minListRatio), bare.stop()
}

func fetch(ctx context.Context, address, target, encoding string) (response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+target, nil)
	if err != nil {
		return response{}, err
	}
	request.Header.Set("Accept-Encoding", encoding)
	request.Header.Set("Language", "VI")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return response{}, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return response{}, err
	}
	if reply.StatusCode != http.StatusOK || len(body) < 1024 {
		return response{}, fmt.Errorf("the list returned %s with %d bytes", reply.Status, len(body))
	}
	if got := reply.Header.Get("Content-Encoding"); encoding != "identity" && got != encoding {
		return response{}, fmt.Errorf("requested %s, got %q", encoding, got)
	}
	return response{reply.Header, body}, nil
}

// serveBare serves a recorded response with plain net/http, without timeouts, logs or limits.
func serveBare(path, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var reply response
	if err := json.Unmarshal(data, &reply); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	reply.Header.Del("Date") // net/http sets its own
	type field struct {
		name   string
		values []string
	}
	var fields []field
	for name, values := range reply.Header {
		fields = append(fields, field{name, values})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
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
