/**
 * Finished pictures of earlier builds, by the digest of what they were painted from. Painting all takes minutes, and
 * another copy of the project on the same machine paints the same. Without a place for them everything is painted.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const AGE_MS = 30 * 24 * 3_600_000;

export class Shelf {
  readonly #folder: string;

  constructor(caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')) {
    this.#folder = join(caches, 'fairground', 'art');
  }

  /** Puts the picture where it belongs, if it is here. */
  async take(digest: string, to: string): Promise<boolean> {
    const from = join(this.#folder, digest);
    if (!existsSync(from)) return false;
    try {
      await mkdir(dirname(to), { recursive: true });
      await copyFile(from, to);
      await utimes(from, new Date(), new Date());
      return true;
    } catch {
      return false;
    }
  }

  async keep(digest: string, from: string): Promise<void> {
    const part = join(this.#folder, `${digest}.${process.pid}`);
    try {
      await mkdir(this.#folder, { recursive: true });
      await copyFile(from, part);
      await rename(part, join(this.#folder, digest)); // whole or not at all: others may be reading
    } catch {
      await rm(part, { force: true }).catch(() => {});
    }
  }

  /** Forgets what no build has used for a month. */
  async tidy(now = Date.now()): Promise<void> {
    if (!existsSync(this.#folder)) return;
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = join(this.#folder, name);
      const used = await stat(file).catch(() => null);
      if (used && now - used.mtimeMs > AGE_MS) await rm(file, { force: true }).catch(() => {});
    }
  }
}
