// What a check is made of, as it is typed, linked to or served.
import type { RoundProof } from '../../api/fairness.ts';
import { engines, type EngineName } from './engines.ts';

/** All as text: what was typed stays as it was typed. */
export type Values = { commitment: string; seed: string; clientSeed: string; nonce: string };

/** The parts of a link that bring a check with them. */
export function readValues(query: URLSearchParams): Values {
  const part = (name: string, most: number) => (query.get(name) ?? '').slice(0, most);
  return {
    commitment: part('commitment', 200),
    seed: part('seed', 200),
    clientSeed: part('clientSeed', 64),
    nonce: part('nonce', 16),
  };
}

export const valuesOf = ({ commitment, seed, clientSeed, nonce }: RoundProof): Values => ({
  commitment,
  seed: seed ?? '',
  clientSeed,
  nonce: String(nonce),
});

/** The engine and its version that a link names; 0 is the one that is played. */
export function readEngine(query: URLSearchParams): { name: EngineName; version: number } {
  const version = query.get('version') ?? '';
  return {
    name: engines.find(({ name }) => name === query.get('engine'))?.name ?? 'slot',
    version: /^[1-9]\d{0,2}$/.test(version) ? Number(version) : 0,
  };
}

/** Hex digits as they count: pasted ones often come in groups, or in capitals. */
export const hexOf = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();

/** All of it as text, for whoever checks it elsewhere. */
export function asText(
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
