import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { settingsQuery } from '../../api/system.ts';
import { Logo } from '../../ui/Logo.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { ClaimedList } from './ClaimedList.tsx';
import { InstallGuide } from './InstallGuide.tsx';

import styles from './DownloadPopup.module.css';

export default function DownloadPopup({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useLingui();
  const { data: settings } = useQuery(settingsQuery);
  const name = settings?.merchantName ?? 'Fairground';
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Install ${name}`}
      header={
        <div className={styles.head} aria-hidden="true">
          <Logo size={52} />
          <span className={styles.words}>
            <span className={styles.title}>{t`Install ${name}`}</span>
            <span className={styles.lead}>{t`Opens faster, from your home screen`}</span>
          </span>
        </div>
      }
    >
      <div className={styles.body}>
        <InstallGuide />
        <ClaimedList />
      </div>
    </Sheet>
  );
}
