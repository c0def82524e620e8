import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { kycQuery, type Kyc } from '../../api/kyc.ts';
import { registerSettingQuery } from '../../api/registration.ts';
import { formatDay, formatTime } from '../../lib/dates.ts';
import { Link } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { KycForm } from './KycForm.tsx';
import { StateCard } from './StateCard.tsx';

import styles from './KycScreen.module.css';

/** The member's identity check: what to send, and what became of it. */
export default function KycScreen() {
  const query = useQuery(kycQuery);
  return (
    <div className={styles.screen}>
      <QueryView
        query={query}
        className={styles.content}
        skeleton={
          <>
            <Skeleton shape="box" height={96} />
            <Skeleton shape="box" height={60} />
            <Skeleton shape="box" height={60} />
          </>
        }
      >
        {(kyc) => <Content kyc={kyc} />}
      </QueryView>
    </div>
  );
}

function Content({ kyc }: { kyc: Kyc }) {
  const { t, i18n } = useLingui();
  const [again, setAgain] = useState(false);
  const sent = kyc.sentAt === undefined ? '' : formatTime(kyc.sentAt, i18n.locale);
  const decided = kyc.decidedAt === undefined ? '' : formatTime(kyc.decidedAt, i18n.locale);
  switch (kyc.state) {
    case 'WAITING':
      return (
        <>
          <StateCard
            tone="wait"
            title={t`We are checking your documents`}
            text={t`Sent on ${sent}. You can go on playing. Withdrawals open after the check.`}
          />
          <Person kyc={kyc} />
        </>
      );
    case 'VERIFIED':
      return (
        <>
          <StateCard
            tone="good"
            title={t`Your identity is verified`}
            text={t`Checked on ${decided}. Withdrawals are paid to this name only.`}
          />
          <Person kyc={kyc} />
          <Link to="/m/withdraw" className={buttonClass({ variant: 'secondary', full: true })}>
            {t`Withdraw`}
          </Link>
        </>
      );
    case 'REFUSED':
      return (
        <>
          <StateCard
            tone="bad"
            title={t`Your documents were not accepted`}
            text={kyc.reason ?? ''}
            note={t`Your balance stays yours. Send other pictures to be checked again.`}
          />
          {again ? (
            <LoadedKycForm kyc={kyc} />
          ) : (
            <Button full icon="camera" onPress={() => setAgain(true)}>
              {t`Send again`}
            </Button>
          )}
        </>
      );
    case 'NONE':
      return (
        <>
          <StateCard
            tone="ask"
            title={t`Show who you are before your first withdrawal`}
            text={t`Only you and the people who check can see your documents. They are stored encrypted and deleted after the check.`}
          />
          <LoadedKycForm kyc={kyc} />
        </>
      );
  }
}

/** Loads the rules of the fields, then shows the form. */
function LoadedKycForm({ kyc }: { kyc: Kyc }) {
  const query = useQuery(registerSettingQuery);
  return (
    <QueryView query={query} skeleton={<Skeleton shape="box" height={240} />}>
      {(setting) => <KycForm setting={setting} earlier={kyc} />}
    </QueryView>
  );
}

function Person({ kyc }: { kyc: Kyc }) {
  const { t, i18n } = useLingui();
  if (!kyc.name) return null;
  const born = kyc.birthDate && formatDay(Date.parse(`${kyc.birthDate}T00:00:00`), i18n.locale);
  return (
    <dl className={styles.person}>
      <div>
        <dt>{t`Full name`}</dt>
        <dd dir="auto">{kyc.name}</dd>
      </div>
      <div>
        <dt>{t`Date of birth`}</dt>
        <dd dir="ltr">{born}</dd>
      </div>
      {kyc.images > 0 && (
        <div>
          <dt>{t`Pictures`}</dt>
          <dd>{kyc.images}</dd>
        </div>
      )}
    </dl>
  );
}
