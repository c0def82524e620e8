// The sheet with the last rounds, each with a button to verify it.
import { t } from '@lingui/core/macro';

import type { Api } from '../kit/api.ts';
import { bdi, el, icon } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { language } from '../kit/language.ts';
import { openProof, openProofOf, type Recompute } from '../kit/proof-sheet.ts';
import { openSheet } from '../kit/sheet.ts';
import type { HistoryResponse, Round, Slot } from './session.ts';
import type { Texts } from './texts.ts';

const tags = { vi: 'vi-VN', en: 'en-GB', ur: 'ur-PK', pt: 'pt-BR' } as const;

export const openLastProof = (api: Api, strips: Slot['strips'], roundId: string): Promise<void> =>
  openProofOf(roundId, async () => {
    const { list } = await api.get<HistoryResponse>('history');
    const round = list.find(({ id, seed }) => id === roundId && seed !== null);
    return round && (() => openRoundProof(round, strips));
  });

const openRoundProof = (round: Round, strips: Slot['strips']): void =>
  openProof(round, (stream) => hasStops(stream, round, strips));

export function openHistory(api: Api, strips: Slot['strips'], texts: Texts): void {
  const { body } = openSheet(t`Last rounds`);
  const list = el('ul', { class: 'rounds' });
  const more = el('div', { class: 'more' });
  body.append(list, more);
  void load(null);

  async function load(before: string | null): Promise<void> {
    more.replaceChildren(el('p', { role: 'status' }, t`Loading…`));
    let response: HistoryResponse;
    try {
      response = await api.get<HistoryResponse>(
        before === null ? 'history' : `history?before=${encodeURIComponent(before)}`,
      );
    } catch {
      more.replaceChildren(
        el('p', { role: 'alert' }, t`The rounds could not be loaded.`),
        action(t`Try again`, before),
      );
      return;
    }
    list.append(...response.list.map((round) => roundRow(round, strips, texts)));
    if (response.next !== null) more.replaceChildren(action(t`Show more`, response.next));
    else if (list.childElementCount === 0) {
      more.replaceChildren(el('p', {}, t`No rounds yet. Your rounds will appear here.`));
    } else more.replaceChildren();
  }

  function action(label: string, before: string | null): HTMLElement {
    const node = el('button', { type: 'button', class: 'act' }, label);
    node.addEventListener('click', () => void load(before));
    return node;
  }
}

function roundRow(round: Round, strips: Slot['strips'], texts: Texts): HTMLElement {
  const when = new Intl.DateTimeFormat(tags[language()], {
    dateStyle: 'short',
    timeStyle: 'medium',
    numberingSystem: 'latn',
  }).format(new Date(round.at));
  const proof = el('button', { type: 'button', class: 'proof' }, icon(icons.shield, 16), t`Check`);
  const nonce = round.nonce;
  proof.setAttribute('aria-label', t`Check round ${nonce}`);
  proof.addEventListener('click', () => openRoundProof(round, strips));
  return el(
    'li',
    {},
    el(
      'div',
      {},
      el('b', {}, bdi(`#${nonce}`)),
      el('time', { datetime: new Date(round.at).toISOString() }, bdi(when)),
    ),
    el(
      'dl',
      {},
      el('dt', {}, t`Stake`),
      el('dd', {}, bdi(texts.money(round.stake))),
      el('dt', {}, t`Return`),
      el('dd', {}, bdi(texts.money(round.win))),
      el('dt', {}, t`Net`),
      el('dd', {}, bdi(texts.net(round.win - round.stake))),
    ),
    round.seed !== null && proof,
  );
}

/** Reports whether the stream draws the stops of all spins: one number per reel and spin. */
export async function hasStops(
  stream: Parameters<Recompute>[0],
  { spins }: Pick<Round, 'spins'>,
  strips: Slot['strips'],
): Promise<boolean> {
  for (const { stops } of spins) {
    for (const [reel, strip] of strips.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- each reel takes the next number of one stream
      if ((await stream.int(strip.length)) !== stops[reel]) return false;
    }
  }
  return spins.length > 0;
}
