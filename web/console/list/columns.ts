// Remembers the columns that an operator has chosen for a list.
import { useState } from 'react';

import { localStore } from '../../src/lib/storage.ts';

type Hideable = { key: string; isHidden?: boolean };

export type ColumnChoice = {
  isVisible: (key: string) => boolean;
  toggle: (key: string) => void;
};

/** Stores only the differences from the defaults, so that new columns appear. */
export function useColumnChoice(list: string, columns: readonly Hideable[]): ColumnChoice {
  const storageKey = `console.columns.${list}`;
  const [toggledKeys, setToggledKeys] = useState(() => new Set(readStored(storageKey)));
  const isVisible = (key: string): boolean => {
    const isHidden = columns.find((column) => column.key === key)?.isHidden ?? false;
    return toggledKeys.has(key) === isHidden;
  };
  return {
    isVisible,
    toggle(key) {
      const shown = columns.filter((column) => isVisible(column.key));
      // A list needs at least one column.
      if (shown.length === 1 && shown[0]?.key === key) return;
      const next = new Set(toggledKeys);
      if (!next.delete(key)) next.add(key);
      setToggledKeys(next);
      localStore.set(storageKey, JSON.stringify([...next]));
    },
  };
}

function readStored(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStore.get(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}
