import { useLingui } from '@lingui/react/macro';

import type { DialingCode } from '../../api/registration.ts';
import { Icon } from '../../ui/Icon.tsx';

import styles from './RegisterScreen.module.css';

type DialingSelectProps = {
  codes: readonly DialingCode[];
  value: string;
  onChange: (code: string) => void;
};

/** The country code before a number. */
export function DialingSelect({ codes, value, onChange }: DialingSelectProps) {
  const { t } = useLingui();
  return (
    <label className={styles.dialing}>
      <span className={styles.dialingLabel}>{t`Country code`}</span>
      <bdi dir="ltr" aria-hidden="true">
        +{value}
      </bdi>
      <Icon name="caret-down" size={14} className={styles.caret} />
      <select
        className={styles.select}
        aria-label={t`Country code`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {codes.map(({ code, country }) => (
          <option key={code} value={code}>
            +{code} {country}
          </option>
        ))}
      </select>
    </label>
  );
}
