import { useLingui } from '@lingui/react/macro';

import { gameSorts, type GameSort } from '../../api/game-list.ts';
import { Icon } from '../../ui/Icon.tsx';

import styles from './SortMenu.module.css';

export type SortMenuProps = { value: GameSort; onChange: (sort: GameSort) => void };

/** Uses the native menu, which works best on phones. */
export function SortMenu({ value, onChange }: SortMenuProps) {
  const { t } = useLingui();
  const names: Record<GameSort, string> = { popular: t`Popular`, new: t`Newest`, name: t`A to Z` };
  return (
    <label className={styles.sort}>
      <span className={styles.face}>
        {names[value]}
        <Icon name="caret-down" size={14} />
      </span>
      <select
        aria-label={t`Sort by`}
        value={value}
        className={styles.select}
        onChange={(event) => {
          const chosen = gameSorts.find((sort) => sort === event.target.value);
          if (chosen) onChange(chosen);
        }}
      >
        {gameSorts.map((sort) => (
          <option key={sort} value={sort}>
            {names[sort]}
          </option>
        ))}
      </select>
    </label>
  );
}
