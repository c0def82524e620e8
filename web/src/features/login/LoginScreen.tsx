import { useLingui } from '@lingui/react/macro';
import wheel from '@lobehub/fluent-emoji-3d/assets/1f3a1.webp';
import balloon from '@lobehub/fluent-emoji-3d/assets/1f388.webp';
import star from '@lobehub/fluent-emoji-3d/assets/2b50.webp';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';

import { describeError } from '../../api/error.ts';
import { useLanguages } from '../../api/languages.ts';
import { useLoggedIn } from '../../api/session.ts';
import { settingsQuery } from '../../api/system.ts';
import { cx } from '../../lib/cx.ts';
import { goHome, homePath, Link, ownPath, returnTo, useAddressQuery } from '../../lib/router.tsx';
import { chooseTheme, useTheme } from '../../lib/theme.ts';
import { LanguagePill } from '../../ui/form/LanguagePill.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { toast } from '../../ui/toastStore.ts';
import { LoginForm } from './LoginForm.tsx';

import styles from './LoginScreen.module.css';

/** The way in by username and password. It leads back to where the member was. */
export default function LoginScreen() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const age = settings?.ageLimit ?? 18;
  const { picker } = useLanguages();
  const loggedIn = useLoggedIn();
  const target = ownPath(useAddressQuery().get('return')) ?? homePath;

  useEffect(() => {
    // Also when another tab has logged in.
    if (loggedIn) returnTo(target);
  }, [loggedIn, target]);

  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={goHome} />
        <ThemeSwitch />
        <LanguagePill
          languages={picker}
          onFailure={(failure) => toast.error(describeError(failure))}
        />
      </div>
      <div className={styles.hero}>
        <Picture src={wheel} size={112} className={cx(styles.art, styles.wheel)} />
        <Picture src={balloon} size={40} className={cx(styles.art, styles.balloon)} />
        <Picture src={star} size={26} className={cx(styles.art, styles.star)} />
        <div className={styles.brand}>
          <Logo size={32} />
          {settings?.merchantName ?? 'Fairground'}
        </div>
        <h1 className={styles.title} tabIndex={-1}>
          {t`Welcome back`}
        </h1>
        <p className={styles.lead}>{t`Log in to go on playing.`}</p>
      </div>
      <LoginForm />
      <p className={styles.register}>
        {t`No account yet?`}{' '}
        <Link to="/m/register" className={styles.registerLink}>
          {t`Register`}
        </Link>
      </p>
      <p className={styles.age}>
        <bdi dir="ltr" className={styles.ageMark}>
          {age}+
        </bdi>
        {t`Only for those aged ${age} or over. Play for fun.`}
      </p>
    </div>
  );
}

function ThemeSwitch() {
  const { t } = useLingui();
  const dark = useTheme() === 'dark';
  return (
    <IconButton
      icon={dark ? 'sun' : 'moon'}
      label={dark ? t`Light theme` : t`Dark theme`}
      onPress={() => chooseTheme(dark ? 'light' : 'dark')}
      className={styles.theme}
    />
  );
}
