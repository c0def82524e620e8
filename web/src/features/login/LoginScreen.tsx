import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { useLanguages } from '../../api/languages.ts';
import { isRealAccount, useSession } from '../../api/session.ts';
import { changePasswordModule } from '../../api/switches.gen.ts';
import { settingsQuery, switchesQuery } from '../../api/system.ts';
import { describeError } from '../../i18n/api-error.ts';
import { cx } from '../../lib/cx.ts';
import {
  goHome,
  homePath,
  navigate,
  ownPath,
  returnTo,
  useAddressQuery,
} from '../../lib/router.tsx';
import { chooseTheme, useTheme } from '../../lib/theme.ts';
import { onTheWay } from '../../lib/way-back.ts';
import balloon from '../../ui/emoji/balloon.webp';
import star from '../../ui/emoji/star.webp';
import wheel from '../../ui/emoji/wheel.webp';
import { LanguagePill } from '../../ui/form/LanguagePill.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { LinkLine } from '../../ui/LinkLine.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { toast } from '../../ui/toastStore.ts';
import { LoginForm } from './LoginForm.tsx';
import { useTicket } from './useTicket.ts';

import formScreen from '../../ui/form/form-screen.module.css';
import styles from './LoginScreen.module.css';

export default function LoginScreen() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const age = settings?.ageLimit ?? 18;
  const { picker } = useLanguages();
  const session = useSession();
  const member = isRealAccount(session);
  const isTemporary = member && session?.firstTimeLogin === true;
  const target = ownPath(useAddressQuery().get('return')) ?? homePath;
  const arrival = useTicket();
  // A member may log in again to prove their identity.
  const [wasMember] = useState(member);
  const shownFailure = useRef('');
  const { data: switches, isPending } = useQuery(switchesQuery);
  // Skips the change of password where it is switched off. The session of a registration is a first one, too, but was not opened here.
  const mustChoosePassword =
    isTemporary && !wasMember && switches?.module(changePasswordModule) === true;
  const isUndecided = isTemporary && !wasMember && isPending;

  useEffect(() => {
    // The screen stays mounted for a moment after navigation.
    if (!location.pathname.startsWith('/m/login')) return;
    // Another tab may also have logged in.
    if (!member || isUndecided || arrival.arriving) return;
    // The effect may run again before the navigation, so each error is shown once.
    if (wasMember && arrival.failure !== shownFailure.current) toast.error(arrival.failure);
    shownFailure.current = arrival.failure;
    if (mustChoosePassword) chooseFirstPassword(target);
    else returnTo(target);
  }, [
    member,
    wasMember,
    isUndecided,
    mustChoosePassword,
    target,
    arrival.arriving,
    arrival.failure,
  ]);

  return (
    <div className={styles.screen}>
      <div className={styles.bar}>
        <IconButton icon="arrow-left" label={t`Back`} onPress={goHome} />
        <p className={formScreen.name}>{t`Login`}</p>
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
      <LoginForm target={target} {...arrival} />
      <div className={styles.register}>
        <LinkLine
          text={t`No account yet?`}
          to={onTheWay('/m/register', target)}
          label={t`Register`}
          replace
        />
      </div>
      <p className={styles.age}>
        <bdi dir="ltr" className={styles.ageMark}>
          {age}+
        </bdi>
        {t`Only for those aged ${age} or over. Play for fun.`}
      </p>
    </div>
  );
}

/** Opens the change of a temporary password. Going back leads to the target; the next login asks again. */
function chooseFirstPassword(target: string): void {
  navigate(target, { replace: true });
  navigate('/m/changePsw');
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
