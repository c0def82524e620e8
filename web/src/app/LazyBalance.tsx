import { useEffect, useState, type ComponentType } from 'react';

import { DepositLink } from './DepositLink.tsx';

let Balance: ComponentType | undefined;

/** Loads the code of the balance, which visitors do not need. */
export async function preloadBalance(): Promise<void> {
  Balance ??= (await import('./HeaderBalance.tsx')).default;
}

/** Shows the balance, or a placeholder while its code loads. */
export function LazyBalance() {
  const [View, setView] = useState(() => Balance);
  useEffect(() => {
    if (View) return;
    let unmounted = false;
    const start = () => {
      preloadBalance().then(
        () => unmounted || setView(() => Balance),
        () => unmounted || addEventListener('online', start, { once: true }),
      );
    };
    start();
    return () => {
      unmounted = true;
      removeEventListener('online', start);
    };
  }, [View]);
  return View ? <View /> : <DepositLink />;
}
