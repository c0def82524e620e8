// The sheet with what each spot pays and gives back on average, the limits, the rules, and how a round can be checked.
import { t } from '@lingui/core/macro';

import { bdi, el } from '../kit/dom.ts';
import { type Promised, sealOf } from '../kit/seal.ts';
import { openSheet } from '../kit/sheet.ts';
import type { Engine } from './engine.ts';
import type { Round, SpotRule, Table } from './wire.ts';
import type { Words } from './words.ts';

/** Spots that pay and return alike stand in one line. */
function alike(spots: readonly SpotRule[]): SpotRule[][] {
  const groups = new Map<string, SpotRule[]>();
  for (const rule of spots) {
    const kind = rule.id.replaceAll(/[-\d]+/g, '');
    const key = [kind, String(rule.times), rule.rtp, rule.minimum, rule.maximum].join('|');
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  return [...groups.values()];
}

/** Named one by one as long as that is readable. */
const named = 3;

export function openRules(engine: Engine, table: Table, round: Round | null, words: Words): void {
  const { body } = openSheet(t`Rules and returns`);
  const least = words.money(table.minimum);
  const most = words.money(table.maximum);
  body.append(
    el('p', {}, t`One ticket takes ${least} to ${most}. Returns are averages, computed exactly.`),
    el(
      'div',
      { class: 'odds-scroll' },
      el(
        'table',
        { class: 'odds' },
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ...[t`Spot`, t`Pays`, t`Return`, t`At most`].map((head) =>
              el('th', { scope: 'col' }, head),
            ),
          ),
        ),
        el('tbody', {}, ...alike(table.spots).map((group) => line(group, words))),
      ),
    ),
    el('h3', {}, t`Rules`),
    el(
      'ul',
      { class: 'rules' },
      ...[
        ...engine.rules(),
        t`Only confirmed stakes count. Chips that are not confirmed go back when the betting closes.`,
        t`Payouts are rounded down to the smallest unit of the currency.`,
        t`A round that cannot be finished is called off, and every stake comes back.`,
        t`There is no camera: cards, dice and wheel are drawn here, and the host is drawn too. What comes is drawn by the server.`,
      ].map((rule) => el('li', {}, rule)),
    ),
  );
  if (round)
    body.append(
      ...sealOf(
        t`Before the betting opens, the server fixes the result by a secret seed. This is its SHA-256; the seed itself follows with the result.`,
        promisedOf(table, round),
        t`Table`,
      ),
    );
}

/** A table's round is drawn from its seed, the table's name and the round's number: nobody has a part of their own in it. */
export const promisedOf = ({ id }: Table, { commitment, number }: Round): Promised => ({
  commitment,
  clientSeed: id,
  nonce: number,
});

function line(group: readonly SpotRule[], words: Words): HTMLElement {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return el('tr');
  const name =
    group.length <= named
      ? group.map(({ id }) => words.spot(id)).join(', ')
      : `${words.spot(first.id)} … ${words.spot(last.id)}`;
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, name),
    el('td', {}, bdi(words.odds(first))),
    el('td', {}, bdi(words.exactPercent(first.rtp))),
    el('td', {}, bdi(words.money(first.maximum))),
  );
}
