import { useLingui } from '@lingui/react/macro';
import { Component, type ReactNode } from 'react';

import { LoadFailure } from '../lib/load-failure.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';

import styles from './NotOpenScreen.module.css';

type Fault = 'load' | 'render';

/** Catches errors outside the screens and shows them. */
export class ShellBoundary extends Component<{ children: ReactNode }> {
  override state: { fault: Fault | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: error instanceof LoadFailure ? 'load' : 'render' };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault ? <Broken fault={fault} /> : this.props.children;
  }
}

function Broken({ fault }: { fault: Fault }) {
  const { t } = useLingui();
  return (
    <main role="alert" className={styles.alone}>
      <Empty
        icon={fault === 'load' ? 'wifi-slash' : 'warning-circle-fill'}
        title={fault === 'load' ? t`Load failed` : t`System error`}
        text={
          fault === 'load'
            ? t`A part of the app could not be loaded. Check your network, then reload.`
            : t`The app has stopped. Reload it to go on.`
        }
        actions={
          <Button size="md" icon="arrow-clockwise" onPress={() => location.reload()}>
            {t`Reload`}
          </Button>
        }
      />
    </main>
  );
}
