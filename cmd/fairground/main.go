// Command fairground is the server and its operator commands. This package parses the command line. Other packages
// implement all rules.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/mattn/go-isatty"

	"fairground/internal/identity/member"
	"fairground/internal/platform/rest"
)

// version is the version of the program and of the OpenAPI document.
const version = "0.1.0"

type commandLine struct {
	ActAs string `name:"operator" help:"Operator in whose name a command changes data. The audit log names it." env:"FAIRGROUND_OPERATOR" placeholder:"NAME"`

	Serve     serveCommand   `cmd:"" help:"Serve the app, the API and live events."`
	Migrate   migrateCommand `cmd:"" help:"Migrate the database to the current schema. The server does this when it starts."`
	Member    memberGroup    `cmd:"" help:"Manage members."`
	Merchant  merchantGroup  `cmd:"" help:"Manage a merchant's settings and switches."`
	Catalogue catalogueGroup `cmd:"" help:"Manage the catalogue of vendors and games."`
	Vendor    vendorGroup    `cmd:"" help:"Manage game vendors and their keys."`
	House     houseGroup     `cmd:"" help:"Install the House's games and manage their stuck rounds."`
	Cashier   cashierGroup   `cmd:"" help:"Manage deposits."`
	Gateway   gatewayGroup   `cmd:"" help:"Manage payment gateways and their keys."`
	Content   contentGroup   `cmd:"" help:"Manage announcements, pages and live models."`
	Operator  operatorGroup  `cmd:"" help:"Manage operators."`
	Ledger    ledgerGroup    `cmd:"" help:"Verify and correct the ledger."`
	Report    reportGroup    `cmd:"" help:"Print reports."`
	Lottery   lotteryGroup   `cmd:"" help:"Compute payouts of the lottery."`
	Fairness  fairnessGroup  `cmd:"" help:"Verify the fairness of rounds, jackpots and lottery draws."`
	Audit     auditGroup     `cmd:"" help:"Verify the log of operators' changes."`
	Key       keyGroup       `cmd:"" help:"Manage the installation's key."`
	Backup    backupCommand  `cmd:"" help:"Copy all data. The server may be running."`
	OpenAPI   openAPICommand `cmd:"" name:"openapi" help:"Print the OpenAPI 3.1 document of the API."`
	Version   versionCommand `cmd:"" help:"Print the version."`
}

// A console is the environment of a command.
type console struct {
	ctx    context.Context
	in     io.Reader
	out    io.Writer
	stderr io.Writer
	now    func() time.Time

	isTerminal bool // out is a terminal
	secrets    secretFlags
	operator   string // name of the operator for whom a command changes data; may be empty

	hashes      member.Cost   // cost of password hashes
	lockTimeout time.Duration // maximum wait for a lock on the data folder or database that another process holds
	timeout     time.Duration // replaces all timeouts within a request; 0 keeps the defaults
	links       int           // number of links in new fairness chains; 0 means the default
}

func main() { os.Exit(runProcess(Main)) }

// runProcess configures the process and calls run.
func runProcess(run func(context.Context, []string, io.Reader, io.Writer, io.Writer) int) int {
	// The heap is small and requests allocate much memory. With the default of 100, the garbage collector would run thirty
	// times a second under load and use an eighth of the CPU time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	// Only the owner may read files that the program or its libraries create.
	syscall.Umask(0o077)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// exit is the panic value with which the parser exits the program, for example after --help.
type exit int

// Main runs one command and returns the exit code. It stops when ctx ends.
func Main(ctx context.Context, args []string, in io.Reader, out, stderr io.Writer) (code int) {
	return run(&console{
		ctx: ctx, in: in, out: out, stderr: stderr, now: time.Now, isTerminal: isTerminal(out), hashes: member.DefaultCost, lockTimeout: defaultLockTimeout,
	}, args)
}

func run(c *console, args []string) (code int) {
	defer func() {
		switch reason := recover().(type) {
		case nil:
		case exit:
			code = int(reason)
		default:
			panic(reason)
		}
	}()
	for i, argument := range args {
		if !utf8.ValidString(argument) { // the parser would replace invalid bytes silently
			fmt.Fprintf(c.stderr, "fairground: argument %d is not valid UTF-8 text\n", i+1) // the argument itself may be a secret
			return 2
		}
	}
	var line commandLine
	parser, err := kong.New(&line,
		kong.Name("fairground"),
		kong.Description("An online gaming site in one program. Each setting --X that contains a secret also has --X-file FILE and the variable FAIRGROUND_X_FILE."),
		kong.Writers(c.out, c.stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(c),
		kong.Resolvers(&c.secrets),
	)
	if err != nil {
		panic(err) // invalid tags in commandLine
	}
	parsed, err := parser.Parse(c.secrets.take(secretNames(parser.Model), args))
	if err != nil {
		fmt.Fprintf(c.stderr, "fairground: %s (see --help)\n", oneLine(err))
		return 2
	}
	c.operator = line.ActAs
	if err := parsed.Run(); err != nil {
		if !errors.Is(err, errReported) {
			fmt.Fprintln(c.stderr, "fairground: "+explain(err))
		}
		return 1
	}
	return 0
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// quietLog returns the logger for commands, which logs only warnings and errors.
func (c *console) quietLog() *slog.Logger { return rest.NewLog(c.stderr, slog.LevelWarn) }

type versionCommand struct{}

// Run prints the version, the commit and the Go version.
func (versionCommand) Run(c *console) error {
	line := "fairground " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				line += " " + s.Value[:12]
			}
		}
		line += " " + info.GoVersion
	}
	_, err := fmt.Fprintln(c.out, line)
	return err
}
