import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import * as categoryCode from '../../api/categories.gen.ts';
import { vendorCountsQuery, type GameFilter } from '../../api/game-list.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { Choice, FilterSet, toggled } from './FilterSet.tsx';

import styles from './VendorFilter.module.css';

export type FilterPartProps = {
  filter: GameFilter;
  onChange: (change: Partial<GameFilter>) => void;
};

export function VendorFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useLingui();
  const { data: vendors = [] } = useQuery(vendorsQuery);
  const { category, vendors: chosen } = filter;
  const { data: counts } = useQuery(vendorCountsQuery(category));
  const serving = vendors.filter(
    ({ categories, code }) =>
      category === categoryCode.all || categories.includes(category) || chosen.includes(code),
  );
  if (serving.length === 0) return null;
  const number = chosen.length;
  const countText = (total: number | undefined) =>
    total === undefined ? undefined : t`${plural(total, { one: '# game', other: '# games' })}`;
  return (
    <FilterSet title={t`Game providers`} note={number > 0 ? t`${number} chosen` : undefined}>
      <div className={styles.cells}>
        {serving.map(({ code, name }) => (
          <Choice
            key={code}
            checked={chosen.includes(code)}
            detail={countText(counts?.get(code))}
            onChange={(on) => onChange({ vendors: toggled(chosen, code, on) })}
          >
            {name}
          </Choice>
        ))}
      </div>
    </FilterSet>
  );
}
