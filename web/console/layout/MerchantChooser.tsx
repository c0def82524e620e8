import { useLingui } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { useObject } from '../object/useObject.ts';
import { chooseMerchant, chosenMerchant } from '../server/merchant.ts';

type Merchants = { list: readonly { code: string; isDefault: boolean }[] };

/** Chooses the merchant whose data the console shows. With one merchant there is nothing to choose. */
export function MerchantChooser() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { data } = useObject<Merchants>('/ops/v1/merchants');
  const [chosen, setChosen] = useState(chosenMerchant);
  const codes = data?.list.map(({ code }) => code);
  const isGone = chosen !== null && codes !== undefined && !codes.includes(chosen);

  function choose(code: string | null): void {
    chooseMerchant(code);
    setChosen(code);
    void queryClient.resetQueries();
  }

  useEffect(() => {
    if (!isGone) return;
    chooseMerchant(null);
    void queryClient.resetQueries();
  }, [isGone, queryClient]);

  if (!data || data.list.length < 2) return null;
  const standard = data.list.find(({ isDefault }) => isDefault)?.code ?? null;
  return (
    <Select
      aria-label={t`Merchant`}
      data={[...(codes ?? [])]}
      value={isGone ? standard : (chosen ?? standard)}
      onChange={choose}
      allowDeselect={false}
      w={160}
    />
  );
}
