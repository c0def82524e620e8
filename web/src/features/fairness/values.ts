// The values of a verification: typed, from a link, or from the server.
import type { RoundProof } from '../../api/fairness.ts';
import { engines, type EngineName } from './engines.ts';

/** All values as text, exactly as typed. */
export type Values = { commitment: string; seed: string; clientSeed: string; nonce: string };

export function readValues(query: URLSearchParams): Values {
  const part = (name: string, maxLength: number) => (query.get(name) ?? '').slice(0, maxLength);
  return {
    commitment: part('commitment', 200),
    seed: part('seed', 200),
    clientSeed: part('clientSeed', 64),
    nonce: part('nonce', 16),
  };
}

/** The place of a table round's seed in its series. */
export type ChainPosition = { seriesId: string; link: number };

/** Reads the place of a seed in its series from a link. */
export function readPosition(query: URLSearchParams): ChainPosition | null {
  const [seriesId = '', link = ''] = ['seriesId', 'link'].map((name) => query.get(name) ?? '');
  if (!/^[1-9]\d{0,18}$/.test(seriesId) || !/^[1-9]\d{0,8}$/.test(link)) return null;
  return { seriesId, link: Number(link) };
}

export const valuesOf = ({ commitment, seed, clientSeed, nonce }: RoundProof): Values => ({
  commitment,
  seed: seed ?? '',
  clientSeed,
  nonce: String(nonce),
});

/** Reads the engine and its version from a link. Version 0 is the current one. */
export function readEngine(query: URLSearchParams): { name: EngineName; version: number } {
  const version = query.get('version') ?? '';
  return {
    name: engines.find(({ name }) => name === query.get('engine'))?.name ?? 'slot',
    version: /^[1-9]\d{0,2}$/.test(version) ? Number(version) : 0,
  };
}

/** Normalizes hex digits: pasted ones may be grouped or in capitals. */
export const hexOf = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();

/** Formats all values as text, for checking them elsewhere. */
export function valuesAsText(
  values: Values,
  engine: string,
  computed: { block: string; results: readonly string[] } | null,
): string {
  const lines = [
    `engine: ${engine}`,
    `commitment: ${hexOf(values.commitment)}`,
    `server seed: ${hexOf(values.seed)}`,
    `client seed: ${values.clientSeed}`,
    `nonce: ${values.nonce}`,
  ];
  if (computed) {
    lines.push(
      `HMAC-SHA256(server seed, "${values.clientSeed}:${values.nonce}:0"): ${computed.block}`,
      ...computed.results,
    );
  }
  return lines.join('\n');
}
