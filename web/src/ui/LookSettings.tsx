import { useLingui } from '@lingui/react/macro';

import { flags } from '../i18n/flags.ts';
import { languageNames, wireLanguage, type Language } from '../i18n/languages.ts';
import { chooseLanguage, useLanguage } from '../i18n/runtime.ts';
import { chooseTheme, useTheme, type Theme } from '../lib/theme.ts';
import { Picture } from './Picture.tsx';
import { Segmented } from './Segmented.tsx';

import styles from './LookSettings.module.css';

export type LookSettingsProps = {
  languages: readonly Language[];
  /** Called when the messages of the chosen language fail to load. */
  onFailure: (failure: unknown) => void;
};

/** Switches language and theme. The language is hidden when there is only one. */
export function LookSettings({ languages, onFailure }: LookSettingsProps) {
  const { t } = useLingui();
  const theme = useTheme();
  const language = useLanguage();

  return (
    <div className={styles.settings}>
      {languages.length > 1 && (
        <div>
          <p className={styles.name}>{t`Language`}</p>
          <Segmented
            label={t`Language`}
            size="sm"
            value={language}
            onChange={(next) => chooseLanguage(next).catch(onFailure)}
            options={languages.map((code) => ({
              value: code,
              label: <LanguageLabel language={code} />,
            }))}
          />
        </div>
      )}
      <div className={styles.line}>
        <p className={styles.name}>{t`Appearance`}</p>
        <div className={styles.choice}>
          <Segmented<Theme>
            label={t`Appearance`}
            size="sm"
            value={theme}
            onChange={chooseTheme}
            options={[
              { value: 'dark', label: t`Dark`, icon: 'moon-fill' },
              { value: 'light', label: t`Light`, icon: 'sun' },
            ]}
          />
        </div>
      </div>
    </div>
  );
}

function LanguageLabel({ language }: { language: Language }) {
  return (
    <abbr title={languageNames[language]} className={styles.flagged}>
      <Picture src={flags[language]} size={20} className={styles.flag} />
      {wireLanguage(language)}
    </abbr>
  );
}
