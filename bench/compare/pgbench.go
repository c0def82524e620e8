package compare

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"fairground/internal/platform/db/dbtest"
)

// Prepare creates the database for pgbench.
func Prepare(ctx context.Context, c *dbtest.Cluster) error {
	if err := c.Create(ctx, "pgbench", "template0"); err != nil {
		return err
	}
	if out, err := pgbench(c, "-i", "-q", "-s", "10"); err != nil {
		return fmt.Errorf("pgbench -i: %w: %s", err, out)
	}
	return nil
}

var tpsLine = regexp.MustCompile(`tps = ([0-9.]+)`)

// SimpleUpdate returns the rate of pgbench's simple-update transactions in the database created by Prepare.
func SimpleUpdate(c *dbtest.Cluster, clients int, duration time.Duration) (float64, error) {
	seconds := max(1, int(duration.Seconds()+0.5))
	for try := 0; ; try++ {
		out, err := pgbench(c, "-n", "-b", "simple-update", "-c", strconv.Itoa(clients), "-j", strconv.Itoa(min(clients, 2)), "-T", strconv.Itoa(seconds))
		if err != nil {
			return 0, fmt.Errorf("pgbench: %w: %s", err, out)
		}
		if m := tpsLine.FindSubmatch(out); m != nil {
			return strconv.ParseFloat(string(m[1]), 64)
		}
		if try == 3 { // on a busy machine, connecting may use up the whole duration
			return 0, fmt.Errorf("pgbench printed no tps: %s", out)
		}
	}
}

func pgbench(c *dbtest.Cluster, args ...string) ([]byte, error) {
	cmd := exec.Command(c.Binary("pgbench"), append(args, "-h", c.Dir(), "-U", "postgres", "pgbench")...)
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable")
	return cmd.CombinedOutput()
}
