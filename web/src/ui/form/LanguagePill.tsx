import { useLingui } from '@lingui/react/macro';

import { flags } from '../../i18n/flags.ts';
import { isLanguage, languageNames, type Language } from '../../i18n/languages.ts';
import { chooseLanguage, useLanguage } from '../../i18n/runtime.ts';
import { cx } from '../../lib/cx.ts';
import { Icon } from '../Icon.tsx';
import { Picture } from '../Picture.tsx';

import styles from './LanguagePill.module.css';

export type LanguagePillProps = {
  languages: readonly Language[];
  /** Called when the messages of the chosen language fail to load. */
  onFailure: (failure: unknown) => void;
  small?: boolean | undefined;
};

/** A language menu. Hidden when there is only one language. */
export function LanguagePill({ languages, onFailure, small }: LanguagePillProps) {
  const { t } = useLingui();
  const language = useLanguage();
  if (languages.length < 2) return null;

  function choose(value: string): void {
    if (isLanguage(value)) chooseLanguage(value).catch(onFailure);
  }

  return (
    <label className={cx(styles.pill, small && styles.small)}>
      <Picture src={flags[language]} size={small ? 24 : 20} className={styles.flag} />
      {!small && (
        <>
          <span aria-hidden="true">{languageNames[language]}</span>
          <Icon name="caret-down" size={14} className={styles.caret} />
        </>
      )}
      <select
        className={styles.select}
        aria-label={t`Language`}
        value={language}
        onChange={(event) => choose(event.target.value)}
      >
        {languages.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageNames[code]}
          </option>
        ))}
      </select>
    </label>
  );
}
