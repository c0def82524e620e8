import { lazyPopup } from '../../ui/lazyPopup.tsx';
import type { ReadPlay } from './SessionStats.tsx';

export type RealityCheckProps = {
  open: boolean;
  play: ReadPlay | undefined;
  onContinue: (minutes: number | null) => Promise<void>;
  onLeave: (to?: string) => void;
};

const View = lazyPopup<RealityCheckProps & { onClose: () => void }>(
  () => import('./RealityCheckView.tsx'),
);

/** Play stands still until the member has seen what it has come to. */
export function RealityCheck(props: RealityCheckProps) {
  return <View {...props} onClose={() => {}} />;
}
