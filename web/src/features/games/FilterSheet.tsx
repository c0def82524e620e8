import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { gameClassesQuery, type GameFilter } from '../../api/game-list.ts';
import { vendorsQuery } from '../../api/vendors.ts';
import { describeError, wasAnswered } from '../../i18n/api-error.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorRetry } from '../../ui/ErrorRetry.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { ClassFilter } from './ClassFilter.tsx';
import { unfiltered, type List } from './filter-url.ts';
import { LineFilter, StakeFilter } from './StepFilter.tsx';
import { TrialFilter } from './TrialFilter.tsx';
import { useGameCount } from './useGameCount.ts';
import { VendorFilter } from './VendorFilter.tsx';

import styles from './FilterSheet.module.css';

export type FilterSheetProps = {
  open: boolean;
  onClose: () => void;
  list: List;
  onApply: (filter: GameFilter) => void;
};

export function FilterSheet({ open, onClose, list, onApply }: FilterSheetProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(list.filter);
  const [wasOpen, setWasOpen] = useState(open);
  // Each opening starts from the active filters.
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setDraft(list.filter);
  }
  const count = useGameCount({ view: list.view, filter: draft }, open);
  const update = (change: Partial<GameFilter>) => setDraft({ ...draft, ...change });

  function apply(): void {
    onClose();
    onApply(draft);
  }

  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Filters`}
      footer={
        <div className={styles.actions}>
          <Button variant="secondary" onPress={() => setDraft(unfiltered(draft))}>
            {t`Reset`}
          </Button>
          <Button onPress={apply}>
            <span aria-live="polite">
              {count === undefined
                ? t`Show games`
                : t`See ${plural(count, { one: '# game', other: '# games' })}`}
            </span>
          </Button>
        </div>
      }
    >
      <div className={styles.filters}>
        <LoadError />
        <VendorFilter filter={draft} onChange={update} />
        <ClassFilter filter={draft} onChange={update} />
        <StakeFilter filter={draft} onChange={update} />
        <LineFilter filter={draft} onChange={update} />
        <TrialFilter filter={draft} onChange={update} />
      </div>
    </Sheet>
  );
}

/** One error for providers and classes. A tap reloads both. */
function LoadError() {
  const failed = [useQuery(vendorsQuery), useQuery(gameClassesQuery)].filter(
    ({ data, error }) => !data && error,
  );
  if (!failed[0]) return null;
  return (
    <ErrorRetry
      onRetry={() => Promise.all(failed.map(({ refetch }) => refetch()))}
      detail={describeError(failed[0].error)}
      answered={wasAnswered(failed[0].error)}
    />
  );
}
