import { useLingui } from '@lingui/react/macro';
import { useRef, type FormEvent } from 'react';

import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';

import styles from './Help.module.css';

type HelpSearchProps = { typed: string; onType: (text: string) => void };

export function HelpSearch({ typed, onType }: HelpSearchProps) {
  const { t } = useLingui();
  const field = useRef<HTMLInputElement>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    // Closes the keyboard, which covers the results.
    field.current?.blur();
  }

  return (
    <form role="search" className={styles.search} onSubmit={submit}>
      <Icon name="magnifying-glass" size={20} className={styles.searchIcon} />
      <input
        ref={field}
        type="search"
        name="help"
        value={typed}
        maxLength={80}
        autoComplete="off"
        enterKeyHint="search"
        aria-label={t`Search the help centre`}
        placeholder={t`What is the problem?`}
        className={styles.input}
        onChange={(event) => onType(event.target.value)}
      />
      {typed && (
        <IconButton
          icon="x-circle-fill"
          iconSize={20}
          label={t`Clear the search`}
          onPress={() => {
            onType('');
            field.current?.focus();
          }}
        />
      )}
    </form>
  );
}
