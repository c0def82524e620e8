import { useLingui } from '@lingui/react/macro';

import { IconButton } from '../IconButton.tsx';

export type StarButtonProps = {
  name: string;
  starred: boolean;
  busy: boolean;
  onPress: () => void;
};

export function StarButton({ name, starred, busy, onPress }: StarButtonProps) {
  const { t } = useLingui();
  return (
    <IconButton
      icon={starred ? 'star-fill' : 'star'}
      label={t`Favourite: ${name}`}
      variant="art"
      pressed={starred}
      busy={busy}
      onPress={onPress}
    />
  );
}
