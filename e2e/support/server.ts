import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import type { Codes, Setting } from './codes.gen.ts';
import type { Operator } from './operator.ts';
import type { VendorKey } from './vendor.ts';

const binary = join(import.meta.dirname, '../../bin/fairground');
const execute = promisify(execFile);

/** A shell script that runs a command and sends it SIGTERM when its input closes, however the test process ends. */
const endWithInput =
  'exec 3<&0; (cat <&3 >/dev/null; kill -TERM $$ 2>/dev/null) & exec "$@" </dev/null 3<&-';

/** A real server with demo content, with its own port and data folder. */
export class Server {
  readonly #data: string;
  readonly #args: readonly string[];
  #process: ChildProcess;
  readonly origin: string;
  #oneOwner: Promise<unknown> | undefined;
  #isDemo = true;

  private constructor(
    data: string,
    args: readonly string[],
    process: ChildProcess,
    origin: string,
  ) {
    this.#data = data;
    this.#args = args;
    this.#process = process;
    this.origin = origin;
  }

  /** `options` returns additional command-line options for the server's origin. */
  static async start(options?: (origin: string) => string[]): Promise<Server> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await Server.#launch(options);
      } catch (error) {
        // Another process may have taken the port that was chosen before the start.
        if (tries === 5 || !options || !String(error).includes('address already in use'))
          throw error;
      }
    }
  }

  /** Starts a server without demo content, and without operators. */
  static async startEmpty(): Promise<Server> {
    const server = await Server.#launch(undefined, []);
    server.#oneOwner = Promise.resolve();
    server.#isDemo = false;
    return server;
  }

  static async #launch(
    options?: (origin: string) => string[],
    content = ['--demo'],
  ): Promise<Server> {
    const data = await mkdtemp(join(tmpdir(), 'fairground-e2e-'));
    const address = `127.0.0.1:${options ? await freePort() : 0}`;
    // Many tests share one IP address, so they need a high rate limit.
    const args = ['serve', ...content, '--addr', address, '--data', data, '--rate', '100000'];
    if (options) args.push(...options(`http://${address}`));
    const child = launch(args);
    let output = '';
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)),
    );
    try {
      const server = new Server(data, args, child, await printedOrigin(child));
      await server.#ready();
      return server;
    } catch (error) {
      await new Server(data, args, child, '').#discard();
      throw new Error(`the server did not start: ${output}`, { cause: error });
    }
  }

  async #ready(): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (Date.now() < deadline) {
      const response = await fetch(`${this.origin}/healthz`).catch(() => null);
      if (response?.ok) return;
      if (hasExited(this.#process)) throw new Error('the process ended');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('the server was not ready within two minutes');
  }

  /** Runs a command of the program, such as `merchant set`. On a demo server it acts as the first owner. */
  #run(command: string, ...args: string[]) {
    const operator = this.#isDemo ? { FAIRGROUND_OPERATOR: 'owner1' } : {};
    const env = { ...process.env, ...operator };
    return execute(binary, [...command.split(' '), `--data=${this.#data}`, ...args], { env });
  }

  /** Disables the second owner, because some changes would wait for that owner. */
  async #disableSecondOwner(): Promise<void> {
    this.#oneOwner ??= this.disableOperator('owner2');
    await this.#oneOwner;
  }

  /** Creates an operator, who sets up the second factor at the first login. */
  async createOperator(name: string, ...roles: string[]): Promise<Operator> {
    await this.#disableSecondOwner();
    const flags = roles.map((role) => `--role=${role}`);
    const { stdout } = await this.#run('operator create', ...flags, name);
    return JSON.parse(stdout) as Operator;
  }

  /** Disables an operator. While two operators may correct balances, a correction waits for the second one. */
  async disableOperator(name: string): Promise<void> {
    await this.#run('operator disable', name);
  }

  /** Adds an amount to a member's balance as an operator's correction, in units of the currency. */
  async adjust(member: string, amount: number): Promise<void> {
    await this.#disableSecondOwner();
    const key = `e2e-${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const flags = [
      `--member=${member}`,
      `--amount=${amount}`,
      '--reason=browser test',
      `--key=${key}`,
    ];
    const { stdout } = await this.#run('ledger adjust', ...flags);
    if (!stdout.startsWith('Posted')) throw new Error(`the correction was not posted: ${stdout}`);
  }

  /** Changes one row of the database, such as a date. */
  async updateRow(statement: string, values: (string | number)[]): Promise<void> {
    const changes = await this.#write(statement, values);
    if (changes !== 1) throw new Error(`${changes} rows were changed`);
  }

  /** Resets all rate limits, because all tests use the same network. */
  async resetLimits(): Promise<void> {
    await this.#write('DELETE FROM tally', []);
  }

  /** Returns the messages sent to a number or an address, newest first. It reads the database, because a server with a public URL has no outbox. */
  async messages(to: string): Promise<string[]> {
    const statement = 'SELECT body FROM dispatch WHERE recipient LIKE ? ORDER BY id DESC';
    const rows = await this.#query((database) => database.prepare(statement).all(`%${to}`));
    return rows.map(({ body }) => String(body));
  }

  async #write(statement: string, values: (string | number)[]): Promise<number> {
    return this.#query((database) => Number(database.prepare(statement).run(...values).changes));
  }

  async #query<T>(use: (database: DatabaseSync) => T): Promise<T> {
    // Imported only when needed, because the import prints a warning.
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(this.#data, 'fairground.db'), { timeout: 60_000 });
    try {
      return use(database);
    } finally {
      database.close();
    }
  }

  async set(name: Setting, value: unknown): Promise<void> {
    await this.#run('merchant set', name, JSON.stringify(value));
  }

  /** Creates a member and returns the password. Without one, the server chooses a temporary password. */
  async createMember(name: string, password?: string): Promise<string> {
    const flags = password === undefined ? [] : ['--password-stdin'];
    const creation = this.#run('member create', '--of-age', ...flags, name);
    creation.child.stdin?.end(`${password ?? ''}\n`);
    const { stdout } = await creation;
    return password ?? /first login: (\S+)/.exec(stdout)?.[1] ?? '';
  }

  async disableMember(name: string): Promise<void> {
    await this.#run('member disable', name);
  }

  async enableMember(name: string): Promise<void> {
    await this.#run('member enable', name);
  }

  async switch<K extends keyof Codes>(kind: K, code: Codes[K], on: boolean): Promise<void> {
    const state = on ? 'on' : 'off';
    await this.#run('merchant switch', kind, code, state);
  }

  async vendor(code: string, changes: { maintenance?: boolean; enabled?: boolean }): Promise<void> {
    const flags = Object.entries(changes).map(([name, on]) => `--${name}=${on ? 'on' : 'off'}`);
    await this.#run('catalogue vendor', ...flags, code);
  }

  /** Creates a vendor with one game of the same code. */
  async createVendor(code: string, url: string, mode: 'frame' | 'window'): Promise<VendorKey> {
    const flags = [`--code=${code}`, `--name=${code}`, `--launch-url=${url}`, `--mode=${mode}`];
    const { stdout } = await this.#run('vendor create', ...flags, `--game=${code}:RNG`);
    return JSON.parse(stdout) as VendorKey;
  }

  /** Ends the process, runs a task while no server answers, and starts the process again with its address and data. */
  async restart(whileDown: () => Promise<void>): Promise<void> {
    await this.#end();
    await whileDown();
    const args = this.#args.with(this.#args.indexOf('--addr') + 1, new URL(this.origin).host);
    this.#process = launch(args);
    await printedOrigin(this.#process);
    await this.#ready();
  }

  async #end(): Promise<void> {
    if (!hasExited(this.#process)) {
      const exited = new Promise((resolve) => this.#process.once('exit', resolve));
      this.#process.kill('SIGTERM');
      await exited;
    }
    this.#process.stdin?.destroy();
  }

  /** Stops the server. The books must be correct after everything that a test did: a broken ledger or audit log is an error. */
  async stop(): Promise<void> {
    try {
      await this.#end();
      await this.#verify();
    } finally {
      await this.#discard();
    }
  }

  async #verify(): Promise<void> {
    for (const command of ['ledger verify', 'audit verify'])
      await this.#run(command).catch((error: Error & { stdout?: string }) => {
        throw new Error(`${command}: ${error.stdout ?? ''}${error.message}`);
      });
  }

  async #discard(): Promise<void> {
    await this.#end();
    await rm(this.#data, { recursive: true, force: true });
  }
}

function launch(args: readonly string[]): ChildProcess {
  const child = spawn('sh', ['-c', endWithInput, 'sh', binary, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stderr.resume(); // a full pipe would block the server
  return child;
}

const hasExited = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** Waits for the origin that the server prints. */
function printedOrigin(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('no address was printed within two minutes')),
      120_000,
    );
    let output = '';
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error('the process ended'));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const origin = /serves (http:\/\/[^/\s]+)\//.exec(output)?.[1];
      if (!origin) return;
      clearTimeout(timer);
      output = '';
      resolve(origin);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
