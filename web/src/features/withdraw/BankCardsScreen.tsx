import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { kycQuery, type Kyc } from '../../api/kyc.ts';
import {
  bankCardsQuery,
  removeBankCard,
  setDefaultCard,
  type BankCard,
} from '../../api/withdrawals.ts';
import { describeError } from '../../i18n/api-error.ts';
import { Link, useAddressQuery } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { buttonClass } from '../../ui/buttonClass.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { QueryView } from '../../ui/display/QueryView.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { toast } from '../../ui/toastStore.ts';
import { AddCardForm } from './AddCardForm.tsx';
import { BankCardFace } from './BankCardFace.tsx';
import { IdentityFirst } from './IdentityFirst.tsx';
import { formPath, newCardPath } from './paths.ts';

import styles from './BankCards.module.css';

/** The member's bank accounts, or a new one: the address says which. */
export default function BankCardsScreen() {
  const kyc = useQuery(kycQuery);
  return (
    <div className={styles.screen}>
      <QueryView query={kyc} skeleton={<Waiting />}>
        {(loaded) => <Content kyc={loaded} />}
      </QueryView>
    </div>
  );
}

function Waiting() {
  return (
    <div className={styles.column}>
      <Skeleton shape="box" height={152} />
      <Skeleton shape="box" height={152} />
    </div>
  );
}

function Content({ kyc }: { kyc: Kyc }) {
  const isAdding = useAddressQuery().get('view') === 'add';
  const cards = useQuery(bankCardsQuery);
  return (
    <QueryView query={cards} skeleton={<Waiting />}>
      {({ list, banks }) =>
        isAdding && kyc.state === 'VERIFIED' ? (
          <AddCardForm banks={banks} holder={kyc.name ?? ''} isFirst={list.length === 0} />
        ) : (
          <Cards cards={list} state={kyc.state} />
        )
      }
    </QueryView>
  );
}

function Cards({ cards, state }: { cards: readonly BankCard[]; state: Kyc['state'] }) {
  const { t } = useLingui();
  return (
    <div className={styles.column}>
      {cards.length > 0 && (
        <ul className={styles.column} aria-label={t`Your bank accounts`}>
          {cards.map((card) => (
            <li key={card.id}>
              <CardRow card={card} />
            </li>
          ))}
        </ul>
      )}
      {state !== 'VERIFIED' ? (
        <IdentityFirst state={state} />
      ) : cards.length === 0 ? (
        <Empty
          icon="bank"
          title={t`No bank accounts yet`}
          text={t`Add the account that your withdrawals are paid to.`}
          actions={
            <Link to={newCardPath} className={buttonClass({ size: 'md' })}>
              {t`Add an account`}
            </Link>
          }
        />
      ) : (
        <>
          <Link to={newCardPath} className={buttonClass({ full: true })}>
            {t`Add an account`}
          </Link>
          <Link to={formPath} className={buttonClass({ variant: 'secondary', full: true })}>
            {t`Withdraw`}
          </Link>
        </>
      )}
    </div>
  );
}

function CardRow({ card }: { card: BankCard }) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const [busy, setBusy] = useState<'default' | 'remove' | null>(null);
  const [asking, setAsking] = useState(false);

  async function run(action: 'default' | 'remove'): Promise<void> {
    if (busy) return;
    setBusy(action);
    try {
      await (action === 'default' ? setDefaultCard(card.id) : removeBankCard(card.id));
      toast.success(action === 'default' ? t`This account is the default now` : t`Account removed`);
    } catch (thrown) {
      toast.error(describeError(thrown));
    } finally {
      setAsking(false);
      setBusy(null);
      await cache.invalidateQueries({ queryKey: bankCardsQuery.queryKey });
    }
  }

  return (
    <article className={styles.row}>
      <BankCardFace card={card} />
      <div className={styles.actions}>
        {!card.default && (
          <Button
            variant="secondary"
            size="md"
            icon="check"
            busy={busy === 'default'}
            onPress={() => void run('default')}
          >
            {t`Make it the default`}
          </Button>
        )}
        <Button variant="outline" size="md" icon="x" onPress={() => setAsking(true)}>
          {t`Remove`}
        </Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t`Remove this account?`}
        text={t`Withdrawals on their way to it go on. You can add it again later.`}
        actions={
          <>
            <Button full variant="secondary" onPress={() => setAsking(false)}>{t`Keep it`}</Button>
            <Button
              full
              variant="danger"
              busy={busy === 'remove'}
              onPress={() => void run('remove')}
            >
              {t`Remove`}
            </Button>
          </>
        }
      />
    </article>
  );
}
