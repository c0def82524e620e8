import { Route, Switch } from 'wouter';

import type { Destination } from '../destinations.ts';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { ObjectListScreen } from './ObjectListScreen.tsx';
import { OverviewScreen } from './OverviewScreen.tsx';

/** Shows the screen of the address. */
export function Screens({ destinations }: { destinations: readonly Destination[] }) {
  return (
    <Switch>
      <Route path="/">
        <OverviewScreen destinations={destinations} />
      </Route>
      {destinations
        .filter(({ path }) => path !== '/')
        .map(({ path }) => (
          <Route key={path} path={path}>
            <ObjectListScreen kind={path.slice(1)} />
          </Route>
        ))}
      <Route>
        <NotFoundScreen />
      </Route>
    </Switch>
  );
}
