import { useLingui } from '@lingui/react/macro';

import { Choice, FilterSet } from './FilterSet.tsx';
import type { FilterPartProps } from './VendorFilter.tsx';

export function TrialFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useLingui();
  return (
    <FilterSet title={t`Trial`}>
      <Choice checked={filter.trial} onChange={(trial) => onChange({ trial })}>
        {t`With trial`}
      </Choice>
    </FilterSet>
  );
}
