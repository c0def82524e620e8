import { Route, Switch } from 'wouter';

import { destinationOf, type Destination } from '../destinations.ts';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { ObjectListScreen } from './ObjectListScreen.tsx';
import { OverviewScreen } from './OverviewScreen.tsx';
import { screenRoutes } from './routes.ts';

/** Shows the screen of the address, if it is below one of the destinations or below none at all. */
export function Screens({ destinations }: { destinations: readonly Destination[] }) {
  const allowed = screenRoutes.filter(({ path }) => {
    const above = destinationOf(path);
    return !above || destinations.includes(above);
  });
  return (
    <Switch>
      <Route path="/">
        <OverviewScreen destinations={destinations} />
      </Route>
      {allowed.map(({ path, screen }) => (
        <Route key={path} path={path} component={screen} />
      ))}
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
