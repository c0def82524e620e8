import { useLingui } from '@lingui/react/macro';

import { Segmented } from '../../ui/Segmented.tsx';
import { FilterSet } from './FilterSet.tsx';
import { useStakes, useStakeText } from './stakes.ts';
import type { FilterPartProps } from './VendorFilter.tsx';

/** What lines are counted in steps of: the usual twenty, many, and ways, which count as lines and are a thousand and more. */
const lineSteps: readonly number[] = [20, 50, 1000];

/** For how little a game can be played. */
export function StakeFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useLingui();
  const say = useStakeText();
  const label = (stake: number) => {
    const amount = say(stake);
    return t`Up to ${amount}`;
  };
  return (
    <FilterSet title={t`Smallest stake`}>
      <Steps
        label={t`Smallest stake`}
        any={t`Any`}
        steps={useStakes()}
        say={label}
        value={filter.minBet}
        onChange={(minBet) => onChange({ minBet })}
      />
    </FilterSet>
  );
}

/** How many lines a game has at least. */
export function LineFilter({ filter, onChange }: FilterPartProps) {
  const { t } = useLingui();
  return (
    <FilterSet title={t`Lines or ways`}>
      <Steps
        label={t`Lines or ways`}
        any={t`Any`}
        steps={lineSteps}
        say={(lines) => `${lines}+`}
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
  say: (step: number) => string;
  /** 0 is any. */
  value: number;
  onChange: (value: number) => void;
};

function Steps({ label, any, steps, say, value, onChange }: StepsProps) {
  // An address may name a step that is not on offer here.
  const all = value === 0 || steps.includes(value) ? steps : [...steps, value].toSorted(byValue);
  return (
    <Segmented
      label={label}
      size="sm"
      options={[
        { value: '0', label: any },
        ...all.map((step) => ({ value: String(step), label: <bdi>{say(step)}</bdi> })),
      ]}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}

function byValue(a: number, b: number): number {
  return a - b;
}
