import { useLingui } from '@lingui/react/macro';
import { CloseButton, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';

import { styleNonce } from './nonce.ts';
import { cssVariables, theme } from './theme.ts';

// index.html reads the same key.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'console.theme' });

/** Sets the look of the console, and names the close buttons of dialogs and notices. */
export function Theme({ children, env }: { children: ReactNode; env?: 'test' | undefined }) {
  const { t } = useLingui();
  const close = t`Close`;
  const named = useMemo(() => {
    const label = { 'aria-label': close };
    const button = CloseButton.extend({ defaultProps: label });
    return { ...theme, components: { ...theme.components, CloseButton: button } };
  }, [close]);
  return (
    <MantineProvider
      theme={named}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="dark"
      getStyleNonce={styleNonce}
      {...(env && { env })}
    >
      {children}
    </MantineProvider>
  );
}
