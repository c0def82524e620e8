import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';

import { isAgent, useSession } from '../../api/session.ts';
import { cashBackFlag } from '../../api/switches.gen.ts';
import {
  agentModule,
  personalModule,
  memberTransactionModule,
  transferModule,
} from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { Link } from '../../lib/router.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';

import styles from './Places.module.css';

type LinkItem = { to: string; icon: IconName; label: string; shown?: boolean | undefined };

export function Places() {
  const { t } = useLingui();
  const agent = isAgent(useSession());
  const { data: switches } = useQuery(switchesQuery);
  const seesAgentScreens = agent && switches?.module(agentModule);
  const agentLinks: LinkItem[] = [
    { to: '/m/member/agent', icon: 'users-three', label: t`Agent`, shown: seesAgentScreens },
    {
      to: '/m/member/agent/getSalaryContract',
      icon: 'handshake',
      label: t`Daily salary contract`,
      shown: seesAgentScreens,
    },
    {
      to: '/m/member/agent/getDevidendContract',
      icon: 'handshake',
      label: t`Dividend contract`,
      shown: seesAgentScreens,
    },
    {
      to: '/m/member/agent/getHourContract',
      icon: 'handshake',
      label: t`Hourly salary contract`,
      shown: seesAgentScreens,
    },
  ];
  const groups: { name: string; links: LinkItem[] }[] = [
    {
      name: t`Account`,
      links: [
        {
          to: '/m/member/profile',
          icon: 'user',
          label: t`Profile`,
          // Usually on, so it keeps its place while the switches load.
          shown: switches?.module(personalModule) !== false,
        },
        { to: '/m/member/security', icon: 'shield-check', label: t`Security` },
        { to: '/m/member/kyc', icon: 'identification-card', label: t`Identity check` },
        { to: '/m/member/limits', icon: 'timer', label: t`Limits and breaks` },
        { to: '/m/member/notifications', icon: 'bell', label: t`Notifications` },
      ],
    },
    {
      name: t`Money`,
      links: [
        {
          to: '/m/member/transactions',
          icon: 'receipt',
          label: t`Transactions`,
          shown: switches?.module(memberTransactionModule),
        },
        { to: '/m/member/bankCards', icon: 'bank', label: t`Bank cards` },
        {
          to: '/m/member/transfer',
          icon: 'arrows-left-right',
          label: t`Wallet transfer`,
          shown: switches?.module(transferModule),
        },
        {
          to: '/m/member/manualRebate',
          icon: 'ticket',
          label: t`Cash back`,
          shown: switches?.flag(cashBackFlag),
        },
        { to: '/m/member/vip', icon: 'crown', label: t`VIP` },
        { to: '/m/member/checkIn', icon: 'calendar-check', label: t`Check-in` },
      ],
    },
    {
      name: t`Agent`,
      links: agentLinks,
    },
    {
      name: t`Help`,
      links: [
        { to: '/m/member/feedback', icon: 'chat-text', label: t`Feedback` },
        { to: '/m/help', icon: 'question', label: t`Help center` },
      ],
    },
  ];

  return groups.map(({ name, links }) => {
    const shown = links.filter(({ shown: is = true }) => is);
    return (
      shown.length > 0 && (
        <nav key={name} aria-label={name}>
          <ul className={styles.card}>
            {shown.map(({ to, icon, label }) => (
              <li key={to}>
                <Link to={to} className={styles.row}>
                  <Icon name={icon} className={styles.icon} />
                  {label}
                  <Icon name="caret-right" size={16} className={styles.end} />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )
    );
  });
}
