import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';

import type { Codes, Setting } from './codes.gen.ts';
import type { VendorKey } from './vendor.ts';

const binary = join(import.meta.dirname, '../../bin/fairground');
const run = promisify(execFile);

/** Runs a command that is sent SIGTERM when its input closes, which happens however the test's own process ends. */
const endWithInput =
  'exec 3<&0; (cat <&3 >/dev/null; kill -TERM $$ 2>/dev/null) & exec "$@" </dev/null 3<&-';

/** A real server with demo content, on a port and a data folder of its own. */
export class Server {
  readonly #data: string;
  readonly #process: ChildProcess;
  readonly origin: string;

  private constructor(data: string, process: ChildProcess, origin: string) {
    this.#data = data;
    this.#process = process;
    this.origin = origin;
  }

  /** `more` are further settings of the command, which may name the server's own origin. */
  static async start(more?: (origin: string) => string[]): Promise<Server> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await Server.#launch(more);
      } catch (error) {
        // Where the origin had to be known before the start, another process may have taken its port since.
        if (tries === 5 || !more || !String(error).includes('address already in use')) throw error;
      }
    }
  }

  static async #launch(more?: (origin: string) => string[]): Promise<Server> {
    const data = await mkdtemp(join(tmpdir(), 'fairground-e2e-'));
    const address = `127.0.0.1:${more ? await freePort() : 0}`;
    // Many tests share one address, so the limit per address is out of their way.
    const args = ['serve', '--demo', '--addr', address, '--data', data, '--rate', '100000'];
    if (more) args.push(...more(`http://${address}`));
    const child = spawn('sh', ['-c', endWithInput, 'sh', binary, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
    try {
      const server = new Server(data, child, await servedAt(child));
      await server.#ready();
      return server;
    } catch (error) {
      await new Server(data, child, '').stop();
      throw new Error(`the server did not start: ${said}`, { cause: error });
    }
  }

  async #ready(): Promise<void> {
    const end = Date.now() + 120_000;
    while (Date.now() < end) {
      const answer = await fetch(`${this.origin}/healthz`).catch(() => null);
      if (answer?.ok) return;
      if (ended(this.#process)) throw new Error('it ended');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('it was not ready within two minutes');
  }

  /** Posts an operator's correction beside the running server. Amount in units of the currency. */
  async adjust(member: string, amount: number): Promise<void> {
    const key = `e2e-${Date.now()}-${Math.random().toString(36).slice(2)}`;
    const what = [
      `--member=${member}`,
      `--amount=${amount}`,
      '--reason=browser test',
      `--key=${key}`,
    ];
    await run(binary, ['ledger', 'adjust', `--data=${this.#data}`, ...what]);
  }

  /** Changes one row behind the server's back: so that a day has passed, say. */
  async change(statement: string, values: (string | number)[]): Promise<void> {
    const changes = await this.#write(statement, values);
    if (changes !== 1) throw new Error(`${changes} rows were changed`);
  }

  /** Forgets what has been counted so far, such as the codes sent to a network: all journeys come from the same one. */
  async uncount(): Promise<void> {
    await this.#write('DELETE FROM tally', []);
  }

  /** What was sent to a number or an address, newest first: a server with a public address shows no outbox. */
  async messages(to: string): Promise<string[]> {
    const statement = 'SELECT body FROM dispatch WHERE recipient LIKE ? ORDER BY id DESC';
    const rows = await this.#ask((database) => database.prepare(statement).all(`%${to}`));
    return rows.map(({ body }) => String(body));
  }

  async #write(statement: string, values: (string | number)[]): Promise<number> {
    return this.#ask((database) => Number(database.prepare(statement).run(...values).changes));
  }

  async #ask<T>(question: (database: DatabaseSync) => T): Promise<T> {
    // Here, because it warns whoever has it that it is new.
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(this.#data, 'fairground.db'), { timeout: 60_000 });
    try {
      return question(database);
    } finally {
      database.close();
    }
  }

  /** Changes a setting of the merchant, as an operator does. */
  async set(name: Setting, value: unknown): Promise<void> {
    await run(binary, ['merchant', 'set', `--data=${this.#data}`, name, JSON.stringify(value)]);
  }

  /** Makes a member. Without a password the server chooses one, to be changed at the first login: it is given back. */
  async createMember(name: string, password?: string): Promise<string> {
    const how = password === undefined ? [] : ['--password-stdin'];
    const making = run(binary, [
      'member',
      'create',
      `--data=${this.#data}`,
      '--of-age',
      ...how,
      name,
    ]);
    making.child.stdin?.end(`${password ?? ''}\n`);
    const { stdout } = await making;
    return password ?? /first login: (\S+)/.exec(stdout)?.[1] ?? '';
  }

  /** Closes a member's account, as an operator does. */
  async disableMember(name: string): Promise<void> {
    await run(binary, ['member', 'disable', `--data=${this.#data}`, name]);
  }

  /** Opens it again. */
  async enableMember(name: string): Promise<void> {
    await run(binary, ['member', 'enable', `--data=${this.#data}`, name]);
  }

  /** Switches a flag, a module or a promotion of the merchant, as an operator does. */
  async switch<K extends keyof Codes>(kind: K, code: Codes[K], on: boolean): Promise<void> {
    const state = on ? 'on' : 'off';
    await run(binary, ['merchant', 'switch', `--data=${this.#data}`, kind, code, state]);
  }

  /** Switches a vendor into maintenance or off, as an operator does. */
  async vendor(code: string, how: { maintenance?: boolean; enabled?: boolean }): Promise<void> {
    const flags = Object.entries(how).map(([name, on]) => `--${name}=${on ? 'on' : 'off'}`);
    await run(binary, ['catalogue', 'vendor', `--data=${this.#data}`, ...flags, code]);
  }

  /** Makes a vendor with one game, which has the vendor's code, as an operator does. */
  async createVendor(code: string, url: string, mode: 'frame' | 'window'): Promise<VendorKey> {
    const how = [`--code=${code}`, `--name=${code}`, `--launch-url=${url}`, `--mode=${mode}`];
    const { stdout } = await run(binary, [
      'vendor',
      'create',
      `--data=${this.#data}`,
      ...how,
      `--game=${code}:RNG`,
    ]);
    return JSON.parse(stdout) as VendorKey;
  }

  async stop(): Promise<void> {
    if (!ended(this.#process)) {
      const gone = new Promise((resolve) => this.#process.once('exit', resolve));
      this.#process.kill('SIGTERM');
      await gone;
    }
    this.#process.stdin?.destroy();
    await rm(this.#data, { recursive: true, force: true });
  }
}

const ended = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;

/** The origin that the server itself says it serves: nobody else's can be taken for it. */
function servedAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error('it said no address within two minutes')),
      120_000,
    );
    let said = '';
    child.once('exit', () => {
      clearTimeout(late);
      reject(new Error('it ended'));
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const origin = /serves (http:\/\/[^/\s]+)\//.exec(said)?.[1];
      if (!origin) return;
      clearTimeout(late);
      said = '';
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
