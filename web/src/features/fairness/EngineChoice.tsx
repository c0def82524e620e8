import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';

import { Icon } from '../../ui/Icon.tsx';
import { engines } from './engines.ts';

import styles from './EngineChoice.module.css';

export type EngineChoiceProps = {
  name: string;
  version: number;
  versions: number;
  onChange: (engine: { name: string; version: number }) => void;
};

export function EngineChoice({ name, version, versions, onChange }: EngineChoiceProps) {
  const { t, i18n } = useLingui();
  const chosen = engines.find((engine) => engine.name === name) ?? engines[0];
  return (
    <div className={styles.choices}>
      <Choice
        label={t`Game`}
        value={chosen.name}
        shown={i18n._(chosen.label)}
        onChange={(value) => onChange({ name: value, version: 0 })}
      >
        {engines.map((engine) => (
          <option key={engine.name} value={engine.name}>
            {i18n._(engine.label)}
          </option>
        ))}
      </Choice>
      {versions > 1 && (
        <Choice
          label={t`Version of the rules`}
          value={String(version)}
          shown={String(version)}
          onChange={(value) => onChange({ name, version: Number(value) })}
        >
          {Array.from({ length: versions }, (_, at) => versions - at).map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Choice>
      )}
    </div>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  shown: string;
  onChange: (value: string) => void;
  children: ReactNode;
};

function Choice({ label, value, shown, onChange, children }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        <span aria-hidden="true">{shown}</span>
      </span>
      <Icon name="caret-down" size={16} />
      <select
        className={styles.select}
        aria-label={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {children}
      </select>
    </label>
  );
}
