import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const binary = join(import.meta.dirname, '../../bin/fairground');
const run = promisify(execFile);

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

  static async start(): Promise<Server> {
    const data = await mkdtemp(join(tmpdir(), 'fairground-e2e-'));
    const address = `127.0.0.1:${await freePort()}`;
    // Many tests share one address, so the limit per address is out of their way.
    const args = ['serve', '--demo', '--addr', address, '--data', data, '--rate', '100000'];
    const child = spawn(binary, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
    const server = new Server(data, child, `http://${address}`);
    try {
      await server.#ready();
    } catch (error) {
      await server.stop();
      throw new Error(`the server did not start: ${said}`, { cause: error });
    }
    return server;
  }

  async #ready(): Promise<void> {
    const end = Date.now() + 30_000;
    while (Date.now() < end) {
      if (this.#process.exitCode !== null)
        throw new Error(`it ended with ${this.#process.exitCode}`);
      const answer = await fetch(`${this.origin}/healthz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error('it was not ready within 30 s');
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

  /** Changes a setting of the merchant, as an operator does. */
  async set(name: string, value: unknown): Promise<void> {
    await run(binary, ['merchant', 'set', `--data=${this.#data}`, name, JSON.stringify(value)]);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const gone = new Promise((resolve) => this.#process.once('exit', resolve));
      this.#process.kill('SIGTERM');
      await gone;
    }
    await rm(this.#data, { recursive: true, force: true });
  }
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
