import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { chatFlag } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { Link } from '../../lib/router.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Icon } from '../../ui/Icon.tsx';

import styles from './Help.module.css';

/** Leads to the chat, or to the other contacts if the chat is off. */
export function ContactBar() {
  const { t } = useLingui();
  const { data: switches } = useQuery(switchesQuery);
  const hasChat = switches?.flag(chatFlag) === true;
  return (
    <aside aria-label={t`Customer service`} className={styles.contact}>
      <span className={styles.contactIcon}>
        <Icon name="headset-fill" size={26} />
      </span>
      <span className={styles.contactWords}>
        <span className={styles.contactTitle}>{t`Still need help?`}</span>
        <span className={styles.contactText}>
          {hasChat ? t`Chat with our team` : t`See how to reach us`}
        </span>
      </span>
      <Link to={hasChat ? '/m/chat' : '/m/service'} className={buttonClass({ size: 'md' })}>
        {hasChat ? t`Chat now` : t`Contact us`}
      </Link>
    </aside>
  );
}
