import { useEffect, useState, type ComponentType } from 'react';

import { DepositLink } from './DepositLink.tsx';

let Balance: ComponentType | undefined;

/** Fetches the code of the balance, which visitors need nothing of. */
export async function prepareBalance(): Promise<void> {
  Balance ??= (await import('./HeaderBalance.tsx')).default;
}

/** The balance, or its place until its code is there. */
export function LateBalance() {
  const [View, setView] = useState(() => Balance);
  useEffect(() => {
    if (View) return;
    let over = false;
    const begin = () => {
      prepareBalance().then(
        () => over || setView(() => Balance),
        () => over || addEventListener('online', begin, { once: true }),
      );
    };
    begin();
    return () => {
      over = true;
      removeEventListener('online', begin);
    };
  }, [View]);
  return View ? <View /> : <DepositLink />;
}
