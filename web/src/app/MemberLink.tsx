import { isReal, useSession } from '../api/session.ts';
import { askRegister } from '../lib/overlays.ts';
import { Link, type LinkProps } from '../lib/router.tsx';

/** The way to the member centre. A guest, who has none, is asked to register; a visitor to log in. */
export function MemberLink(props: Omit<LinkProps, 'to' | 'onClick'>) {
  const session = useSession();
  return (
    <Link
      {...props}
      to={session ? '/m/member/home' : '/m/login'}
      onClick={(event) => {
        if (!session || isReal(session)) return;
        event.preventDefault();
        askRegister();
      }}
    />
  );
}
