// The sheet with payouts, returns, limits, rules and the round's commitment.
import { t } from '@lingui/core/macro';

import type { RoundCommitment } from '../../src/lib/round-promise.ts';
import { bdi, el } from '../kit/dom.ts';
import { fairnessSection } from '../kit/fairness-section.ts';
import { openSheet } from '../kit/sheet.ts';
import type { Engine } from './engine.ts';
import type { Texts } from './texts.ts';
import type { Round, SpotRule, Table } from './wire.ts';

/** Groups spots with the same kind, payout, return and limits. */
function groupAlike(spots: readonly SpotRule[]): SpotRule[][] {
  const groups = new Map<string, SpotRule[]>();
  for (const rule of spots) {
    const kind = rule.id.replaceAll(/[-\d]+/g, '');
    const key = [kind, String(rule.times), rule.rtp, rule.minimum, rule.maximum].join('|');
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  return [...groups.values()];
}

/** Larger groups show only their first and last spot. */
const maxNamed = 3;

export function openRules(engine: Engine, table: Table, round: Round | null, texts: Texts): void {
  const { body } = openSheet(t`Rules and returns`);
  const min = texts.money(table.minimum);
  const max = texts.money(table.maximum);
  body.append(
    el('p', {}, t`One ticket takes ${min} to ${max}. Returns are averages, computed exactly.`),
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
        el('tbody', {}, ...groupAlike(table.spots).map((group) => groupRow(group, texts))),
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
        t`There is no camera. Cards, dice, wheel and host are animations. The server draws the result.`,
      ].map((rule) => el('li', {}, rule)),
    ),
  );
  if (round)
    body.append(
      ...fairnessSection(
        t`The seeds of all rounds of this table are a hash chain that was published before the first round. The seed of this round follows with the result; its SHA-256 is the seed of the round before.`,
        commitmentOf(round),
        t`Series and table`,
      ),
    );
}

/** A table's round depends on the seed, the series' salt, the table's id and the round's number. Players contribute no seed. */
export const commitmentOf = ({ commitment, clientSeed, number }: Round): RoundCommitment => ({
  commitment,
  clientSeed,
  nonce: number,
});

function groupRow(group: readonly SpotRule[], texts: Texts): HTMLElement {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return el('tr');
  const name =
    group.length <= maxNamed
      ? group.map(({ id }) => texts.spot(id)).join(', ')
      : `${texts.spot(first.id)} … ${texts.spot(last.id)}`;
  return el(
    'tr',
    {},
    el('th', { scope: 'row' }, name),
    el('td', {}, bdi(texts.odds(first))),
    el('td', {}, bdi(texts.percent(first.rtp))),
    el('td', {}, bdi(texts.money(first.maximum))),
  );
}
