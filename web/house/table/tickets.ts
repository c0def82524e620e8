// The sheet with the player's tickets, each with a button to verify its round.
import { t } from '@lingui/core/macro';

import type { Api } from '../kit/api.ts';
import { bdi, el, icon } from '../kit/dom.ts';
import { icons } from '../kit/icons.ts';
import { language } from '../kit/language.ts';
import { openProof, openProofOf, type Recompute } from '../kit/proof-sheet.ts';
import { openSheet } from '../kit/sheet.ts';
import type { Engine } from './engine.ts';
import { ticketName, type Texts } from './texts.ts';
import { type TicketsResponse, type OwnTicket, ownTickets } from './wire.ts';

const tags = { vi: 'vi-VN', en: 'en-GB', ur: 'ur-PK', pt: 'pt-BR' } as const;

type Game = { name: string; engine: Engine };

export const openLastProof = (api: Api, engine: string, ticketId: string): Promise<void> =>
  openProofOf(ticketId, async () => {
    const { list } = await ownTickets(api, null);
    const ticket = list.find(({ id, seed }) => id === ticketId && seed !== null);
    return ticket && (() => openTicketProof(ticket, engine));
  });

function openTicketProof(ticket: OwnTicket, engine: string): void {
  const { number, result } = ticket;
  openProof(
    { ...ticket, nonce: number },
    (stream) => hasResult(stream, engine, result),
    t`Series and table`,
  );
}

export function openTickets(api: Api, game: Game, texts: Texts): void {
  const { body } = openSheet(t`My rounds`);
  const list = el('ul', { class: 'rounds' });
  const more = el('div', { class: 'more' });
  body.append(list, more);
  void load(null);

  async function load(before: string | null): Promise<void> {
    more.replaceChildren(el('p', { role: 'status' }, t`Loading…`));
    let response: TicketsResponse;
    try {
      response = await ownTickets(api, before);
    } catch {
      more.replaceChildren(
        el('p', { role: 'alert' }, t`The rounds could not be loaded.`),
        action(t`Try again`, before),
      );
      return;
    }
    list.append(...response.list.map((ticket) => row(ticket, game, texts)));
    if (response.next !== null) more.replaceChildren(action(t`Show more`, response.next));
    else if (list.childElementCount === 0) {
      more.replaceChildren(el('p', {}, t`No rounds yet. Your rounds will appear here.`));
    } else more.replaceChildren();
  }

  function action(label: string, before: string | null): HTMLElement {
    const button = el('button', { type: 'button', class: 'act' }, label);
    button.addEventListener('click', () => void load(before));
    return button;
  }
}

function row(ticket: OwnTicket, { name, engine }: Game, texts: Texts): HTMLElement {
  const { number, total, win, status, spots, result, at } = ticket;
  const when = new Intl.DateTimeFormat(tags[language()], {
    dateStyle: 'short',
    timeStyle: 'medium',
    numberingSystem: 'latn',
  }).format(new Date(at));
  const code = ticketName(ticket.betId);
  const proof = el('button', { type: 'button', class: 'proof' }, icon(icons.shield, 16), t`Check`);
  proof.setAttribute('aria-label', t`Check round ${number}`);
  proof.addEventListener('click', () => openTicketProof(ticket, name));
  const where = Object.entries(spots)
    .map(([spot, amount]) => `${texts.spot(spot)} ${texts.money(amount)}`)
    .join(', ');
  const outcome = result == null ? '' : engine.outcomeText(result);
  const late = status === 'owed';
  const state = stateOf(status) ?? outcome;
  return el(
    'li',
    {},
    el(
      'div',
      {},
      el('b', {}, bdi(`#${number}`)),
      el('time', { datetime: new Date(at).toISOString() }, bdi(when)),
      el('p', { class: 'ticket-texts' }, `${state} · ${where} · `, bdi(code)),
    ),
    el(
      'dl',
      {},
      el('dt', {}, t`Stake`),
      el('dd', {}, bdi(texts.money(total))),
      el('dt', {}, late ? t`Owed` : t`Return`),
      el('dd', {}, bdi(texts.money(status === 'refunded' ? total : win))),
      el('dt', {}, t`Net`),
      el('dd', {}, bdi(texts.net(status === 'refunded' ? 0 : win - total))),
    ),
    ...(result == null || late ? [] : [proof]),
  );
}

/** Replaces the outcome for these statuses. */
function stateOf(status: OwnTicket['status']): string | null {
  if (status === 'refunded') return t`given back`;
  if (status === 'placed') return t`not settled yet`;
  return status === 'owed' ? t`owed to you, paid later` : null;
}

/** Reports whether the stream deals a result. */
export async function hasResult(
  stream: Parameters<Recompute>[0],
  engine: string,
  result: unknown,
): Promise<boolean> {
  const { deal } = await import('../../src/lib/fairness-table.ts');
  const dealt = await deal(engine, stream);
  return dealt !== null && sorted(dealt) === sorted({ engine, ...(result as object) });
}

/** Formats a result with sorted keys, for comparison. */
const sorted = (result: unknown): string =>
  JSON.stringify(result, (_, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
