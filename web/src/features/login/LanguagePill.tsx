import { useLingui } from '@lingui/react/macro';

import { describeError } from '../../api/error.ts';
import { useLanguages } from '../../api/languages.ts';
import { flags } from '../../i18n/flags.ts';
import { isLanguage, languageNames } from '../../i18n/languages.ts';
import { chooseLanguage, useLanguage } from '../../i18n/runtime.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { toast } from '../../ui/toastStore.ts';

import styles from './LanguagePill.module.css';

/** The language in use, and the others to choose from. Not there where there is only one. */
export function LanguagePill() {
  const { t } = useLingui();
  const language = useLanguage();
  const { picker } = useLanguages();
  if (picker.length < 2) return null;

  return (
    <label className={styles.pill}>
      <Picture src={flags[language]} size={20} />
      <span aria-hidden="true">{languageNames[language]}</span>
      <Icon name="caret-down" size={14} className={styles.caret} />
      <select
        className={styles.select}
        aria-label={t`Language`}
        value={language}
        onChange={(event) => choose(event.target.value)}
      >
        {picker.map((code) => (
          <option key={code} value={code} lang={code}>
            {languageNames[code]}
          </option>
        ))}
      </select>
    </label>
  );
}

function choose(value: string): void {
  if (isLanguage(value)) chooseLanguage(value).catch((error) => toast.error(describeError(error)));
}
