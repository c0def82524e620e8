// What the next round will be drawn from, in a game's own sheet: to be read and copied before anything is staked.
import { t } from '@lingui/core/macro';

import { copyText } from '../../src/lib/clipboard.ts';
import { el, icon } from './dom.ts';
import { icons } from './icons.ts';

export type Promised = { commitment: string; clientSeed: string; nonce: number };

/** The heading, the sentence and the values, each with a button that copies it. Whose the other seed is, its name says. */
export function sealOf(
  sentence: string,
  { commitment, clientSeed, nonce }: Promised,
  other = t`Client seed`,
): Node[] {
  return [
    el('h3', {}, t`Fair play`),
    el('p', {}, sentence),
    el(
      'dl',
      { class: 'seals' },
      ...sealed(t`Commitment (SHA-256)`, commitment),
      ...sealed(t`Number (nonce)`, String(nonce)),
      ...sealed(other, clientSeed),
    ),
  ];
}

function sealed(label: string, value: string): Node[] {
  const copy = el('button', { type: 'button', class: 'copy', 'aria-label': t`Copy: ${label}` });
  copy.append(icon(icons.copy, 18));
  copy.addEventListener('click', () => void copied(copy, value));
  return [
    el('dt', {}, label),
    el('dd', {}, el('code', { class: 'seal', dir: 'ltr' }, value), copy),
  ];
}

async function copied(button: HTMLElement, value: string): Promise<void> {
  const done = await copyText(value);
  button.replaceChildren(icon(done ? icons.check : icons.x, 18));
  // The button has the focus: what it is called now is read out.
  button.setAttribute('aria-label', done ? t`Copied` : t`This browser does not let us copy`);
}
