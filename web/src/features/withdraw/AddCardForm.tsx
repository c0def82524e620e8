import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type SubmitEvent } from 'react';

import { MemberDraft } from '../../api/member-draft.ts';
import { securityQuery } from '../../api/security.ts';
import { addBankCard, bankCardsQuery, type PayoutBank } from '../../api/withdrawals.ts';
import { ownPath, returnTo, useAddressQuery } from '../../lib/router.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { SelectField } from '../../ui/form/SelectField.tsx';
import { Switch } from '../../ui/form/Switch.tsx';
import { useSubmit } from '../../ui/form/useSubmit.ts';
import { toast } from '../../ui/toastStore.ts';
import { cardsPath } from './paths.ts';
import { PaymentSheet } from './PaymentSheet.tsx';

import styles from './BankCards.module.css';

type Typed = { bank: string; number: string; isDefault: boolean };

/** Kept while the member sets a payment password. */
const draft = new MemberDraft<Typed>(/^\/m\/member\/(bankCards|security)$/);

/** Six to 34 letters and digits, without the spaces and dashes that people type. */
const isNumber = (text: string): boolean => /^[a-z0-9]{6,34}$/i.test(text.replaceAll(/[\s-]/g, ''));

type AddCardFormProps = { banks: readonly PayoutBank[]; holder: string; isFirst: boolean };

export function AddCardForm({ banks, holder, isFirst }: AddCardFormProps) {
  const { t } = useLingui();
  const cache = useQueryClient();
  const back = ownPath(useAddressQuery().get('return')) ?? cardsPath;
  const { data: security } = useQuery(securityQuery);
  const [typed, setTyped] = useState<Typed>(
    () => draft.value ?? { bank: '', number: '', isDefault: isFirst },
  );
  const [checked, setChecked] = useState(false);
  const [paying, setPaying] = useState(false);
  useEffect(() => {
    if (typed.bank || typed.number) draft.keep(typed);
  }, [typed]);
  const { submit, busy, error, errorsOf, clearErrors } = useSubmit({
    send: addBankCard,
    contentOf: (body) => [body.bank, body.number, body.default],
    fields: ['bank', 'number', 'paymentPassword'],
    onDone: async () => {
      draft.drop();
      setPaying(false);
      toast.success(t`Account added`);
      await cache.invalidateQueries({ queryKey: bankCardsQuery.queryKey });
      returnTo(back);
    },
  });
  // An error of another field than the password belongs to the form behind the sheet, so the sheet closes.
  const isOther = error !== '' || errorsOf('bank').length > 0 || errorsOf('number').length > 0;
  if (isOther && paying) setPaying(false);

  function change(part: Partial<Typed>): void {
    setTyped({ ...typed, ...part });
    setChecked(false);
    clearErrors();
  }

  const { bank, number, isDefault } = typed;
  const numberErrors =
    checked && !isNumber(number)
      ? [t`Enter the account number: 6 to 34 letters and digits`]
      : errorsOf('number');

  function ask(event: SubmitEvent): void {
    event.preventDefault();
    setChecked(true);
    clearErrors();
    if (bank && isNumber(number)) setPaying(true);
  }

  return (
    <form className={styles.column} noValidate onSubmit={ask}>
      <SelectField
        label={t`Bank`}
        name="bank"
        value={bank}
        placeholder={t`Choose a bank`}
        onChange={(next) => change({ bank: next })}
        options={banks.map(({ code, name }) => ({ value: code, label: name }))}
        errors={checked && !bank ? [t`Choose a bank`] : errorsOf('bank')}
      />
      <Field
        label={t`Account number`}
        name="number"
        icon="bank"
        dir="ltr"
        inputMode="text"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={64}
        value={number}
        onChange={(event) => change({ number: event.target.value })}
        errors={numberErrors}
      />
      <Field
        label={t`Account holder`}
        name="holder"
        icon="user"
        value={holder}
        readOnly
        hint={t`Your verified name. Accounts of other people are not paid.`}
      />
      {!isFirst && (
        <Switch checked={isDefault} onChange={(next) => change({ isDefault: next })}>
          {t`Use it for new withdrawals`}
        </Switch>
      )}
      {error && <FormError text={error} />}
      <Button type="submit" full busy={busy}>
        {t`Add the account`}
      </Button>
      <PaymentSheet
        open={paying}
        onClose={() => setPaying(false)}
        isSet={security?.paymentPassword}
        busy={busy}
        errors={errorsOf('paymentPassword')}
        onType={clearErrors}
        onDone={(paymentPassword) => submit({ bank, number, default: isDefault, paymentPassword })}
      />
    </form>
  );
}
