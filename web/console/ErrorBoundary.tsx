import { Component, type ReactNode } from 'react';

import { FailedState } from './states.tsx';

type ErrorBoundaryProps = { children: ReactNode };

/** Shows rendering errors, with a button that reloads the page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <FailedState error={error} onRetry={() => location.reload()} />;
  }
}
