import { msg } from '@lingui/core/macro';
import {
  Component,
  lazy,
  Suspense,
  useState,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react';

import { toast } from './toastStore.ts';

type PopupProps = { open: boolean; onClose: () => void };

/**
 * A popup whose code is fetched when it first opens, and stays so that it can close with its motion. If the
 * code cannot be had the popup closes again and says so; the screen below is not lost.
 */
export function lazyPopup<P extends PopupProps>(
  load: () => Promise<{ default: ComponentType<P> }>,
): FunctionComponent<P> {
  let View = lazy<ComponentType<P>>(load);

  return function LazyPopup(props: P) {
    const [state, setState] = useState<'unused' | 'used' | 'failed'>('unused');
    if (props.open && state === 'unused') setState('used');
    // The next opening is a new attempt.
    if (!props.open && state === 'failed') setState('unused');
    if (state !== 'used') return null;

    function fail(): void {
      View = lazy<ComponentType<P>>(load);
      setState('failed');
      props.onClose();
      toast.error(msg`Load failed, please try again`);
    }

    return (
      <PopupBoundary onFail={fail}>
        <Suspense>
          <View {...props} />
        </Suspense>
      </PopupBoundary>
    );
  };
}

class PopupBoundary extends Component<{ onFail: () => void; children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(): void {
    this.props.onFail();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
