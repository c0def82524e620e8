// The commitment, nonce and client seed of the next round. Players can read and copy them before they bet.
import { t } from '@lingui/core/macro';

import { copyText } from '../../src/lib/clipboard.ts';
import type { RoundCommitment } from '../../src/lib/round-promise.ts';
import { el, icon } from './dom.ts';
import { icons } from './icons.ts';

/** A commitment from the server. `fixed`: the player has fixed the client seed. */
export type ServerCommitment = RoundCommitment & { fixed?: boolean };

const clientSeedBytes = 16;

/**
 * Returns the commitment with a client seed that this browser draws now, unless the player has fixed one. The server has
 * committed to its seed already, and sees this one only with the spin.
 */
export function withOwnSeed({
  commitment,
  clientSeed,
  nonce,
  fixed = false,
}: ServerCommitment): RoundCommitment {
  return { commitment, nonce, clientSeed: fixed ? clientSeed : drawClientSeed() };
}

function drawClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(clientSeedBytes));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Builds the section. `other` is the label of the client seed. */
export function fairnessSection(
  sentence: string,
  { commitment, clientSeed, nonce }: RoundCommitment,
  other = t`Client seed`,
): Node[] {
  return [
    el('h3', {}, t`Fair play`),
    el('p', {}, sentence),
    el(
      'dl',
      { class: 'seals' },
      ...valueRows(t`Commitment (SHA-256)`, commitment),
      ...valueRows(t`Number (nonce)`, String(nonce)),
      ...valueRows(other, clientSeed),
    ),
  ];
}

export function valueRows(label: string, value: string): Node[] {
  const copy = el('button', { type: 'button', class: 'copy', 'aria-label': t`Copy: ${label}` });
  copy.append(icon(icons.copy, 18));
  copy.addEventListener('click', () => void copyValue(copy, value));
  return [
    el('dt', {}, label),
    el('dd', {}, el('code', { class: 'seal', dir: 'ltr' }, value), copy),
  ];
}

async function copyValue(button: HTMLElement, value: string): Promise<void> {
  const done = await copyText(value);
  button.replaceChildren(icon(done ? icons.check : icons.x, 18));
  // The button has the focus, so screen readers announce its new label.
  button.setAttribute('aria-label', done ? t`Copied` : t`This browser does not allow copying`);
}
