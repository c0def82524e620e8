import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import type { GameFilter } from '../../api/game-list.ts';
import { goBack } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { filterCount, longestName } from './address.ts';

import styles from './ListBar.module.css';

/** A search begins once the typing has paused for this long. */
const pauseMs = 200;

export type ListBarProps = {
  filter: GameFilter;
  onSearch: (name: string) => void;
  onFilter: () => void;
};

/** The list's own bar: back, the search, the filters. */
export function ListBar({ filter, onSearch, onFilter }: ListBarProps) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  const [typed, type] = useTyped(filter.name, onSearch);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // What was found is below the keyboard.
    field.current?.blur();
  }

  return (
    <div className={styles.bar}>
      <IconButton icon="arrow-left" label={t`Back`} onPress={goBack} />
      <form role="search" className={styles.search} onSubmit={submit}>
        <Icon name="magnifying-glass" size={20} className={styles.icon} />
        <input
          ref={field}
          type="search"
          name="gameName"
          value={typed}
          maxLength={longestName}
          autoComplete="off"
          enterKeyHint="search"
          aria-label={t`Search games`}
          placeholder={t`Search games`}
          className={styles.input}
          onChange={(event) => type(event.target.value)}
        />
        {typed && (
          <IconButton
            icon="x-circle-fill"
            iconSize={20}
            label={t`Clear the search`}
            onPress={() => {
              type('');
              field.current?.focus();
            }}
          />
        )}
      </form>
      <IconButton
        icon="sliders-horizontal"
        iconSize={22}
        variant="surface"
        label={t`Filter`}
        badge={filterCount(filter)}
        onPress={onFilter}
        className={styles.filter}
      />
    </div>
  );
}

/** What stands in the field: what is typed, until something else changes what is searched for. */
function useTyped(
  searched: string,
  onSearch: (name: string) => void,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  const [before, setBefore] = useState(searched);
  if (searched !== before) {
    setBefore(searched);
    if (typed?.trim() !== searched) setTyped(null);
  }
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  const name = typed === null ? searched : typed.trim();

  useEffect(() => {
    if (name === searched) return;
    const timer = setTimeout(() => latest.current(name), pauseMs);
    return () => clearTimeout(timer);
  }, [name, searched]);

  return [typed ?? searched, setTyped];
}
