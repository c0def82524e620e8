// Recomputes a round's random numbers in the browser. The arithmetic and vectors are the server's (internal/game/fairness). It sends
// nothing.

/** Returns the bytes of 64 hex digits, or null for any other text. */
export function parseSeed(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\da-f]{64}$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Allowed client seeds. No colon, so that the HMAC's message is unambiguous. */
export const isClientSeed = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The commitment published before the bet: SHA-256 of the seed. */
export async function commitmentOf(seed: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', seed));
}

/** The number of different words. */
const words = 2 ** 32;

/** The stream of one round. Block i is HMAC-SHA256 under the seed of `clientSeed:nonce:i`. */
export class Stream {
  readonly #key: Promise<CryptoKey>;
  readonly #prefix: string;
  #block = 0;
  #words: DataView | null = null;
  #used = 0;

  constructor(seed: Uint8Array<ArrayBuffer>, clientSeed: string, nonce: number) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    this.#key = crypto.subtle.importKey('raw', seed, algorithm, false, ['sign']);
    this.#prefix = `${clientSeed}:${nonce}:`;
  }

  /** Returns one block, for comparison with other tools. */
  async block(number: number): Promise<ArrayBuffer> {
    const message = new TextEncoder().encode(this.#prefix + String(number));
    return crypto.subtle.sign('HMAC', await this.#key, message);
  }

  /** Returns the next four bytes as a big-endian number. */
  async word(): Promise<number> {
    if (!this.#words || this.#used === this.#words.byteLength) {
      this.#words = new DataView(await this.block(this.#block));
      this.#block += 1;
      this.#used = 0;
    }
    const word = this.#words.getUint32(this.#used);
    this.#used += 4;
    return word;
  }

  /** Returns a uniform number from 0 to n-1. Words above the last multiple of n are skipped to avoid bias. */
  async int(n: number): Promise<number> {
    const limit = Math.floor(words / n) * n;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a stream is one word after another
      const word = await this.word();
      if (word < limit) return word % n;
    }
  }
}
