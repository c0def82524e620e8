import { useLingui } from '@lingui/react/macro';

import { describeError } from '../api/error.ts';
import { useLanguages } from '../api/languages.ts';
import { flags } from '../i18n/flags.ts';
import { languageNames, wireLanguage, type Language } from '../i18n/languages.ts';
import { chooseLanguage, useLanguage } from '../i18n/runtime.ts';
import { chooseTheme, useTheme, type Theme } from '../lib/theme.ts';
import { Picture } from '../ui/Picture.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { toast } from '../ui/toastStore.ts';

import styles from './SideMenu.module.css';

/** Language, where there is more than one, and theme. */
export function MenuSettings() {
  const { t } = useLingui();
  const theme = useTheme();
  const language = useLanguage();
  const { all } = useLanguages();

  return (
    <div className={styles.settings}>
      {all.length > 1 && (
        <div>
          <p className={styles.settingName}>{t`Language`}</p>
          <Segmented
            label={t`Language`}
            size="sm"
            value={language}
            onChange={choose}
            options={all.map((code) => ({ value: code, label: <Flagged language={code} /> }))}
          />
        </div>
      )}
      <div>
        <p className={styles.settingName}>{t`Appearance`}</p>
        <Segmented<Theme>
          label={t`Appearance`}
          size="sm"
          value={theme}
          onChange={chooseTheme}
          options={[
            { value: 'dark', label: t`Dark`, icon: 'moon' },
            { value: 'light', label: t`Light`, icon: 'sun' },
          ]}
        />
      </div>
    </div>
  );
}

function choose(next: Language): void {
  chooseLanguage(next).catch((error) => toast.error(describeError(error)));
}

function Flagged({ language }: { language: Language }) {
  return (
    <abbr title={languageNames[language]} className={styles.flagged}>
      <Picture src={flags[language]} size={20} className={styles.flag} />
      {wireLanguage(language)}
    </abbr>
  );
}
