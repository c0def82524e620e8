import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { useLanguages } from '../../api/languages.ts';
import { settingsQuery } from '../../api/system.ts';
import { describeError } from '../../i18n/api-error.ts';
import { languageNames, type Language } from '../../i18n/languages.ts';
import { chooseLanguage, useLanguage } from '../../i18n/runtime.ts';
import { goBack, useAddressQuery } from '../../lib/router.tsx';
import { isStandalone } from '../../lib/standalone.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { toast } from '../../ui/toastStore.ts';
import { ClaimedList } from './ClaimedList.tsx';
import { InstallGuide } from './InstallGuide.tsx';

import styles from './AppScreen.module.css';

export default function AppScreen() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const name = settings?.merchantName ?? 'Fairground';
  const requested = useAddressQuery().get('guide');
  const initialPhone = requested === 'ios' || requested === 'android' ? requested : undefined;

  return (
    <div className={styles.screen}>
      <header className={styles.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={goBack} />
        <h1 className={styles.heading} tabIndex={-1}>
          {t`Download app`}
        </h1>
        <LanguageSwitch />
      </header>
      <div className={styles.hero}>
        <Logo size={84} />
        <p className={styles.name}>{name}</p>
        <p
          className={styles.lead}
        >{t`Add it to your home screen. It opens full screen in an instant.`}</p>
      </div>
      {isStandalone() && (
        <p className={styles.done}>
          <Icon name="check-circle-fill" size={20} />
          {t`The app is installed and you are using it now.`}
        </p>
      )}
      <InstallGuide key={initialPhone} initialPhone={initialPhone} />
      <ClaimedList />
    </div>
  );
}

/** Switches between Urdu and English, and from any other language to English. Hidden unless the merchant has both. */
function LanguageSwitch() {
  const { all } = useLanguages();
  const other: Language = useLanguage() === 'en' ? 'ur' : 'en';
  if (!all.includes('ur') || !all.includes('en')) return null;
  return (
    <Button variant="text" size="md" icon="globe" onPress={() => choose(other)}>
      {/* The name in its own language, for members who cannot read the current one. */}
      <span lang={other}>{languageNames[other]}</span>
    </Button>
  );
}

function choose(language: Language): void {
  chooseLanguage(language).catch((error) => toast.error(describeError(error)));
}
