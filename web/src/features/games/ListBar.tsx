import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, type FormEvent } from 'react';

import type { GameFilter } from '../../api/game-list.ts';
import { goBack } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { filterCount, maxNameLength } from './filter-url.ts';

import styles from './ListBar.module.css';

const searchDelayMs = 200;

export type ListBarProps = {
  filter: GameFilter;
  onSearch: (name: string) => void;
  onFilter: () => void;
};

export function ListBar({ filter, onSearch, onFilter }: ListBarProps) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);
  const [typed, type] = useSearchText(filter.name, onSearch);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // Closes the keyboard, which covers the results.
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
          maxLength={maxNameLength}
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

/** Returns the field's text and its setter. A search that changes elsewhere replaces the text. */
function useSearchText(
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
    const timer = setTimeout(() => latest.current(name), searchDelayMs);
    return () => clearTimeout(timer);
  }, [name, searched]);

  return [typed ?? searched, setTyped];
}
