import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { isDownloadBarShown, hideDownloadBar } from '../api/install.ts';
import { settingsQuery } from '../api/system.ts';
import { Link } from '../lib/router.tsx';
import { buttonClass } from '../ui/buttonClass.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Logo } from '../ui/Logo.tsx';

import styles from './DownloadBar.module.css';

/** Offers the app. A member who hides the bar never sees it again. */
export function DownloadBar() {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const [hidden, setHidden] = useState(false);
  if (hidden || !isDownloadBarShown(settings)) return null;
  const name = settings?.merchantName ?? 'Fairground';
  return (
    <aside aria-label={t`Download app`} className={styles.bar}>
      <Logo size={32} />
      <span className={styles.text}>{t`${name} opens faster as an app`}</span>
      <Link to="/m/app" className={buttonClass({ size: 'sm' })}>
        {t`Install`}
      </Link>
      <IconButton
        icon="x"
        iconSize={18}
        label={t`Hide`}
        onPress={() => {
          hideDownloadBar();
          setHidden(true);
        }}
      />
    </aside>
  );
}
