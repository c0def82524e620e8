import { Link, ownPath, type LinkProps } from '../lib/router.tsx';

/** A link to a screen of the app, or to another site in a new tab. */
export function SmartLink({ to, children, ...rest }: LinkProps) {
  const path = ownPath(to);
  return path ? (
    <Link to={path} {...rest}>
      {children}
    </Link>
  ) : (
    <a href={to} target="_blank" rel="noreferrer" {...rest}>
      {children}
    </a>
  );
}
