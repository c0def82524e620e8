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

/** A popup that loads its code when it first opens. If loading fails it closes with an error toast. */
export function lazyPopup<P extends PopupProps>(
  load: () => Promise<{ default: ComponentType<P> }>,
): FunctionComponent<P> {
  let View = lazy<ComponentType<P>>(load);

  return function LazyPopup(props: P) {
    const [state, setState] = useState<'unused' | 'used' | 'failed'>('unused');
    if (props.open && state === 'unused') setState('used');
    // Opening it again is a new attempt.
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
