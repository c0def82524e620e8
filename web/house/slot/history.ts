// The sheet with the last rounds, each with a button to verify it.
import { t } from '@lingui/core/macro';

import type { Api } from '../kit/api.ts';
import { sendToApp } from '../kit/bridge.ts';
import { bdi, el, icon } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { language } from '../kit/language.ts';
import { openSheet } from '../kit/sheet.ts';
import type { HistoryResponse, Round } from './session.ts';
import type { Texts } from './texts.ts';

const tags = { vi: 'vi-VN', en: 'en-GB', ur: 'ur-PK', pt: 'pt-BR' } as const;

export function openHistory(api: Api, texts: Texts): void {
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
    list.append(...response.list.map((round) => roundRow(round, texts)));
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

function roundRow(round: Round, texts: Texts): HTMLElement {
  const when = new Intl.DateTimeFormat(tags[language()], {
    dateStyle: 'short',
    timeStyle: 'medium',
    numberingSystem: 'latn',
  }).format(new Date(round.at));
  const proof = el('button', { type: 'button', class: 'proof' }, icon(icons.shield, 16), t`Check`);
  const nonce = round.nonce;
  proof.setAttribute('aria-label', t`Check round ${nonce}`);
  proof.addEventListener('click', () => sendToApp({ type: 'proof', roundId: round.id }));
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
    proof,
  );
}
