import { useLingui } from '@lingui/react';
import { useLingui as useMacro } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../../api/categories.gen.ts';
import { gameClassesQuery, type ClassCount, type GameFilter } from '../../api/game-list.ts';
import { className } from './classes.ts';
import { Choice, FilterSet, toggled } from './FilterSet.tsx';
import type { FilterPartProps } from './VendorFilter.tsx';

import styles from './ClassFilter.module.css';

const maxOffered = 12;

export function ClassFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useMacro();
  const { i18n } = useLingui();
  const { data = [] } = useQuery(gameClassesQuery);
  const { classes: chosen } = filter;
  const offered = classesToOffer(data, filter);
  if (offered.length === 0) return null;
  const number = chosen.length;
  return (
    <FilterSet title={t`Kinds of games`} note={number > 0 ? t`${number} chosen` : undefined}>
      <div className={styles.chips}>
        {offered.map((code) => {
          const name = className(code);
          return (
            <Choice
              key={code}
              small
              checked={chosen.includes(code)}
              onChange={(on) => onChange({ classes: toggled(chosen, code, on) })}
            >
              {typeof name === 'string' ? name : i18n._(name)}
            </Choice>
          );
        })}
      </div>
    </FilterSet>
  );
}

/** Returns the largest classes of the chosen category and vendors, and the chosen classes. */
function classesToOffer(
  counts: readonly ClassCount[],
  { category, vendors, classes }: GameFilter,
): string[] {
  const games = new Map<string, number>(classes.map((name) => [name, 0]));
  for (const each of counts) {
    const fits =
      (category === categoryCode.all || each.category === category || each.vendor === category) &&
      (vendors.length === 0 || vendors.includes(each.vendor));
    if (fits) games.set(each.name, (games.get(each.name) ?? 0) + each.games);
  }
  const largest = [...games].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  return [...new Set([...largest.slice(0, maxOffered), ...classes])];
}
