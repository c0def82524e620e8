import { isRealAccount, useSession } from '../api/session.ts';
import { askRegister } from '../lib/overlays.ts';
import { Link, type LinkProps } from '../lib/router.tsx';

/** Links to the member centre. It asks guests to register and visitors to log in. */
export function MemberLink(props: Omit<LinkProps, 'to' | 'onClick'>) {
  const session = useSession();
  return (
    <Link
      {...props}
      to={session ? '/m/member/home' : '/m/login'}
      onClick={(event) => {
        if (!session || isRealAccount(session)) return;
        event.preventDefault();
        askRegister();
      }}
    />
  );
}
