import { useLingui } from '@lingui/react/macro';

import { countryName } from '../../lib/country.ts';
import { Field, type FieldProps } from '../Field.tsx';
import { Icon } from '../Icon.tsx';

import styles from './PhoneField.module.css';

type Country = { code: string; country: string; example: string; digits: number };

export type PhoneFieldProps = Omit<FieldProps, 'icon' | 'type'> & {
  countries: readonly Country[];
  dialing: string;
  onDialingChange: (code: string) => void;
};

export function PhoneField({ countries, dialing, onDialingChange, ...field }: PhoneFieldProps) {
  const { t, i18n } = useLingui();
  const { example, digits = 0 } = countries.find(({ code }) => code === dialing) ?? {};
  return (
    <div className={styles.phone}>
      <label className={styles.dialing}>
        <span className={styles.label}>{t`Country code`}</span>
        <bdi dir="ltr" aria-hidden="true">
          +{dialing}
        </bdi>
        <Icon name="caret-down" size={14} className={styles.caret} />
        <select
          className={styles.select}
          aria-label={t`Country code`}
          value={dialing}
          disabled={field.disabled}
          onChange={(event) => onDialingChange(event.target.value)}
        >
          {countries.map(({ code, country }) => (
            <option key={code} value={code}>
              {`${countryName(country, i18n.locale)} \u2066+${code}\u2069`.trim()}
            </option>
          ))}
        </select>
      </label>
      <Field
        placeholder={example}
        hint={digits > 0 ? t`${digits} digits, with or without the first 0` : undefined}
        inputMode="tel"
        autoComplete="tel-national"
        {...field}
        className={styles.number}
        type="tel"
      />
    </div>
  );
}
