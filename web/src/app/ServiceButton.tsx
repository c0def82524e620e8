import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { linkOf, serviceLinksQuery } from '../api/service.ts';
import { customerService } from '../api/system.ts';
import { Icon } from '../ui/Icon.tsx';
import { SmartLink } from '../ui/SmartLink.tsx';

import styles from './ServiceButton.module.css';

/** The floating link to the customer service, if there is one. */
export function ServiceButton() {
  const { t } = useLingui();
  const { data: links } = useQuery(serviceLinksQuery);
  const href = linkOf(links, customerService);
  if (!href) return null;
  return (
    <aside aria-label={t`Customer service`} className={styles.place}>
      <SmartLink to={href} className={styles.button} aria-label={t`Customer service`}>
        <Icon name="headset-fill" size={24} />
      </SmartLink>
    </aside>
  );
}
