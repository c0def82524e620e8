// A round's chance, worked out again in the browser from what was published: the same arithmetic as the server's
// (internal/game/fairness), run over the same vectors. It sends nothing anywhere.

/** Bytes of 64 hex digits, or null where the text is no seed. */
export function parseSeed(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\da-f]{64}$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** What a player may choose: the message under the HMAC then reads in one way only. */
export const isClientSeed = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is published before the bet: the SHA-256 of the seed's bytes. */
export async function commitmentOf(seed: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', seed));
}

/** How many different words there are. */
const words = 2 ** 32;

/** The words of one round. Block i is HMAC-SHA256 under the seed of `clientSeed:nonce:i`. */
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

  /** One block of the stream, as anybody can work it out with other tools. */
  async block(number: number): Promise<ArrayBuffer> {
    const message = new TextEncoder().encode(this.#prefix + String(number));
    return crypto.subtle.sign('HMAC', await this.#key, message);
  }

  /** The next four bytes, big-endian. */
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

  /**
   * A number from 0 to n-1, each as likely as the next: words from the last whole multiple of n on are skipped, as
   * without that the first few numbers would come a little more often.
   */
  async int(n: number): Promise<number> {
    const limit = Math.floor(words / n) * n;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one word after another is what a stream is
      const word = await this.word();
      if (word < limit) return word % n;
    }
  }
}
