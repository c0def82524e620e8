package beacon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	defaultTimeout = 5 * time.Second
	bodyLimit      = 16 << 10
	// retryAfter is the time before a failed request for the chain's description is repeated, so that games do not wait
	// for the beacon.
	retryAfter = 5 * time.Second
)

// Options configure a Client.
type Options struct {
	URLs    []string // tried in this order
	Hash    string   // of the chain
	HTTP    *http.Client
	Timeout time.Duration // of a request to one server; 0 means the default
}

// A Client reads one chain from its servers. It is safe for concurrent use.
type Client struct {
	o    Options
	http http.Client

	mu      sync.Mutex
	chain   *Chain
	failure error // of the last request for the description
	failed  time.Time
}

// New returns a Client.
func New(o Options) *Client {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	o.Hash = strings.ToLower(o.Hash)
	c := &Client{o: o, http: *o.HTTP}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if chain, found := WellKnown(o.Hash); found {
		c.chain = &chain
	}
	return c
}

// Hash returns the hash of the configured chain.
func (c *Client) Hash() string { return c.o.Hash }

// Chain returns the description of the configured chain. It requests the description once and keeps it.
func (c *Client) Chain(ctx context.Context) (Chain, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.chain != nil {
		return *c.chain, nil
	}
	if c.failure != nil && time.Since(c.failed) < retryAfter {
		return Chain{}, c.failure
	}
	var chain Chain
	err := c.request(ctx, "info", func(data []byte) (err error) {
		chain, err = ParseChain(c.o.Hash, data)
		return err
	})
	if err == nil {
		c.chain = &chain
	} else if ctx.Err() == nil {
		c.failure, c.failed = err, time.Now()
	}
	return chain, err
}

// Round returns the verified value of a round.
func (c *Client) Round(ctx context.Context, round int64) (value Value, err error) {
	chain, err := c.Chain(ctx)
	if err != nil {
		return Value{}, err
	}
	err = c.request(ctx, "public/"+strconv.FormatInt(round, 10), func(data []byte) (err error) {
		value, err = chain.ParseValue(round, data)
		return err
	})
	return value, err
}

// request sends a request to one server after another until accept returns no error for a response.
func (c *Client) request(ctx context.Context, path string, accept func([]byte) error) error {
	var failed []error
	for _, url := range c.o.URLs {
		data, err := c.get(ctx, strings.TrimRight(url, "/")+"/"+c.o.Hash+"/"+path)
		if err == nil {
			err = accept(data)
		}
		if err == nil {
			return nil
		}
		failed = append(failed, err)
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, errors.Join(failed...))
}

func (c *Client) get(ctx context.Context, url string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s returned %s, want 200", url, response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, bodyLimit+1))
	if err != nil {
		return nil, err
	}
	if len(data) > bodyLimit {
		return nil, fmt.Errorf("%s: the response has more than %d bytes", url, bodyLimit)
	}
	return data, nil
}
