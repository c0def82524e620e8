import { useLingui } from '@lingui/react/macro';
import {
  Component,
  lazy,
  Suspense,
  useEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';

import { LoadFailure, loading, screenLost } from '../lib/load-failure.ts';
import { ErrorRetry } from './ErrorRetry.tsx';
import { Spinner } from './Spinner.tsx';

import styles from './LazyScreen.module.css';

const loadingDelayMs = 200;

export type ScreenLoader = () => Promise<{ default: ComponentType }>;

const loaded = new WeakMap<ScreenLoader, ComponentType>();
const loadStartedAt = new WeakMap<ScreenLoader, number>();

let networkReturnedAt = 0;
addEventListener('online', () => {
  networkReturnedAt = performance.now();
});

// One lazy component for each loader, so a screen loads once.
function screenOf(load: ScreenLoader): ComponentType {
  let screen = loaded.get(load);
  if (!screen) {
    screen = lazy(loading(load));
    loaded.set(load, screen);
    loadStartedAt.set(load, performance.now());
  }
  return screen;
}

export type LazyScreenProps = {
  load: ScreenLoader;
  /** Shown after the delay; a spinner by default. */
  waiting?: ReactNode;
  /** Shown above the loading and error states, such as a back link. */
  top?: ReactNode;
};

export function LazyScreen({ load, waiting, top }: LazyScreenProps) {
  const [attempt, setAttempt] = useState(0);
  const Screen = screenOf(load);

  function retry(): void {
    loaded.delete(load);
    setAttempt(attempt + 1);
  }

  return (
    <LoadBoundary key={attempt} load={load} isRetry={attempt > 0} onRetry={retry} top={top}>
      <Suspense
        fallback={
          <Delayed>
            {top}
            {waiting ?? <ScreenLoading />}
          </Delayed>
        }
      >
        {/* oxlint-disable-next-line react/static-components -- cached for each loader */}
        <Screen />
      </Suspense>
    </LoadBoundary>
  );
}

function Delayed({ children }: { children: ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), loadingDelayMs);
    return () => clearTimeout(timer);
  }, []);
  return isOver ? children : null;
}

function ScreenLoading() {
  const { t } = useLingui();
  return (
    <div role="status" aria-label={t`Loading`} className={styles.loading}>
      <Spinner size={32} />
    </div>
  );
}

type BoundaryProps = {
  load: ScreenLoader;
  isRetry: boolean;
  onRetry: () => void;
  top: ReactNode;
  children: ReactNode;
};

class LoadBoundary extends Component<BoundaryProps> {
  override state: { failed: 'load' | 'render' | null } = { failed: null };

  static getDerivedStateFromError(error: unknown) {
    return { failed: error instanceof LoadFailure ? 'load' : 'render' };
  }

  override componentDidCatch(error: unknown): void {
    if (this.props.isRetry && error instanceof LoadFailure) dispatchEvent(new Event(screenLost));
  }

  override render(): ReactNode {
    const { failed } = this.state;
    if (!failed) return this.props.children;
    const { load, onRetry, top } = this.props;
    return (
      <>
        {top}
        <ScreenFailed failure={failed} load={load} onRetry={onRetry} />
      </>
    );
  }
}

type FailedProps = { failure: 'load' | 'render'; load: ScreenLoader; onRetry: () => void };

function ScreenFailed({ failure, load, onRetry }: FailedProps) {
  const { t } = useLingui();
  // Retries a failed load when the network returns.
  useEffect(() => {
    if (failure !== 'load') return;
    addEventListener('online', onRetry);
    // The network may have returned before this component was mounted.
    if (networkReturnedAt > (loadStartedAt.get(load) ?? 0)) onRetry();
    return () => removeEventListener('online', onRetry);
  }, [failure, load, onRetry]);
  return (
    <div className={styles.failed}>
      {failure === 'load' ? (
        <ErrorRetry onRetry={onRetry} />
      ) : (
        <ErrorRetry
          title={t`System error`}
          detail={t`This screen could not be shown. Tap to try again.`}
          onRetry={onRetry}
        />
      )}
    </div>
  );
}
