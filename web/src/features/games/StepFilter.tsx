import { useLingui } from '@lingui/react/macro';

import { Segmented } from '../../ui/Segmented.tsx';
import { FilterSet } from './FilterSet.tsx';
import { useStakes, useFormatStake } from './stakes.ts';
import type { FilterPartProps } from './VendorFilter.tsx';

/** Ways to win count as lines, usually 1,000 or more. */
const lineSteps: readonly number[] = [20, 50, 1000];

export function StakeFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useLingui();
  const formatStake = useFormatStake();
  const label = (stake: number) => {
    const amount = formatStake(stake);
    return t`Up to ${amount}`;
  };
  return (
    <FilterSet title={t`Smallest stake`}>
      <Steps
        label={t`Smallest stake`}
        any={t`Any`}
        steps={useStakes()}
        format={label}
        value={filter.minBet}
        onChange={(minBet) => onChange({ minBet })}
      />
    </FilterSet>
  );
}

export function LineFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useLingui();
  return (
    <FilterSet title={t`Lines or ways`}>
      <Steps
        label={t`Lines or ways`}
        any={t`Any`}
        steps={lineSteps}
        format={(lines) => `${lines}+`}
        value={filter.minLines}
        onChange={(minLines) => onChange({ minLines })}
      />
    </FilterSet>
  );
}

type StepsProps = {
  label: string;
  any: string;
  steps: readonly number[];
  format: (step: number) => string;
  /** 0 for any. */
  value: number;
  onChange: (value: number) => void;
};

function Steps({ label, any, steps, format, value, onChange }: StepsProps) {
  // The URL may hold another value.
  const all = value === 0 || steps.includes(value) ? steps : [...steps, value].toSorted(byValue);
  return (
    <Segmented
      label={label}
      size="sm"
      options={[
        { value: '0', label: any },
        ...all.map((step) => ({ value: String(step), label: <bdi>{format(step)}</bdi> })),
      ]}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}

function byValue(a: number, b: number): number {
  return a - b;
}
