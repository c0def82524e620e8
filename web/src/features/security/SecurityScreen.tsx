import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { codeTarget, securityQuery, useBindable, type Security } from '../../api/security.ts';
import { changePasswordModule } from '../../api/switches.gen.ts';
import { switchesQuery } from '../../api/system.ts';
import { cx } from '../../lib/cx.ts';
import { Link, navigate, useAddressQuery } from '../../lib/router.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { Sheet } from '../../ui/Sheet.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmailForm } from './EmailForm.tsx';
import { MobileForm } from './MobileForm.tsx';
import { parts, type Part } from './parts.ts';
import { PaymentForm } from './PaymentForm.tsx';
import { QuestionForm } from './QuestionForm.tsx';
import { questionTexts } from './questions.ts';
import { Sessions } from './Sessions.tsx';

import styles from './SecurityScreen.module.css';

export default function SecurityScreen() {
  const query = useQuery(securityQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        skeleton={<Skeleton shape="box" height={300} className={styles.waiting} />}
      >
        {(security) => <Guards security={security} />}
      </QueryView>
      <Sessions />
    </div>
  );
}

type Row = {
  part: Part;
  icon: IconName;
  label: string;
  state: string;
  plain?: boolean;
  /** Entered at registration and not verified since. */
  unverified?: string;
};

function Guards({ security }: { security: Security }) {
  const { t, i18n } = useLingui();
  const asked = useAddressQuery().get('part');
  const bindable: Partial<Record<Part, boolean>> = useBindable();
  const [chosen, setOpen] = useState<Part | undefined>(() => parts.find((part) => part === asked));
  const open = chosen && bindable[chosen] !== false ? chosen : undefined;
  // Keeps the content while the sheet closes.
  const [last, setLast] = useState<Part>(open ?? 'mobile');
  if (open && open !== last) setLast(open);
  const close = () => setOpen(undefined);
  // Removes the part from the URL, so that going back or reloading does not open it again.
  useEffect(() => {
    if (!open && asked !== null) navigate(location.pathname, { replace: true });
  }, [open, asked]);
  const { data: switches } = useQuery(switchesQuery);
  const { hasPassword, mobile, email, paymentPassword, question } = security;
  const words = questionTexts[question];

  // Languages with genders use another form for a password or question than for a number or an address.
  const set = t({ message: 'Set', context: 'password or question' });
  const unset = t({ message: 'Not set', context: 'password or question' });

  const titles: Record<Part, string> = {
    mobile: mobile
      ? t`Change mobile number`
      : security.unprovedMobile
        ? t`Verify the mobile number`
        : t`Add a mobile number`,
    email: email
      ? t`Change e-mail`
      : security.unprovedEmail
        ? t`Verify the e-mail address`
        : t`Add an e-mail address`,
    payment: paymentPassword ? t`Change payment password` : t`Set a payment password`,
    question: question ? t`Change security question` : t`Set a security question`,
  };
  const { unprovedDialingCode, unprovedMobile, unprovedEmail } = security;
  const rows: Row[] = [
    {
      part: 'mobile',
      icon: 'device-mobile',
      label: t`Mobile number`,
      state: mobile,
      unverified: unprovedMobile && `+${unprovedDialingCode} ${unprovedMobile}`,
    },
    {
      part: 'email',
      icon: 'envelope-simple',
      label: t`E-mail`,
      state: email,
      unverified: unprovedEmail,
    },
    {
      part: 'payment',
      icon: 'wallet',
      label: t`Payment password`,
      state: paymentPassword ? set : '',
      plain: true,
    },
    {
      part: 'question',
      icon: 'question',
      label: t`Security question`,
      state: question && (words ? i18n._(words) : set),
      plain: true,
    },
  ];

  const offered = rows.filter(({ part }) => bindable[part] !== false);

  return (
    <>
      <ul className={styles.card}>
        {switches?.module(changePasswordModule) !== false && (
          <li>
            <Link to="/m/changePsw" className={styles.row}>
              <Icon name="lock-key" className={styles.icon} />
              <span className={styles.words}>
                {t`Password`}
                <span className={cx(styles.state, !hasPassword && styles.unset)}>
                  {hasPassword ? set : unset}
                </span>
              </span>
              <Icon name="caret-right" size={16} className={styles.caret} />
            </Link>
          </li>
        )}
        {offered.map(({ part, icon, label, state, plain, unverified }) => {
          const isUnverified = !state && Boolean(unverified);
          return (
            <li key={part}>
              <button type="button" className={styles.row} onClick={() => setOpen(part)}>
                <Icon name={icon} className={styles.icon} />
                <span className={styles.words}>
                  {label}
                  <span className={cx(styles.state, !state && !isUnverified && styles.unset)}>
                    {state || isUnverified ? (
                      <bdi dir={plain ? 'auto' : 'ltr'}>{state || unverified}</bdi>
                    ) : plain ? (
                      unset
                    ) : (
                      t`Not set`
                    )}
                  </span>
                  {isUnverified && <span className={styles.unverified}>{t`Not verified`}</span>}
                </span>
                {isUnverified && <span className={styles.verify}>{t`Verify`}</span>}
                <Icon name="caret-right" size={16} className={styles.caret} />
              </button>
            </li>
          );
        })}
      </ul>
      <Sheet open={open !== undefined} onClose={close} title={titles[last]}>
        {last === 'mobile' && (
          <MobileForm
            unverified={{ number: security.unprovedMobile, dialing: security.unprovedDialingCode }}
            onDone={close}
          />
        )}
        {last === 'email' && <EmailForm unverified={security.unprovedEmail} onDone={close} />}
        {last === 'payment' && (
          <PaymentForm
            set={paymentPassword}
            reset={security.paymentReset}
            codeTo={codeTarget(security, security.paymentReset)}
            question={question}
            onDone={close}
          />
        )}
        {last === 'question' && <QuestionForm onDone={close} />}
      </Sheet>
    </>
  );
}
