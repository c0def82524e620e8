import { Route, Switch } from 'wouter';

import { destinationOf, type Destination } from '../destinations.ts';
import { NotFoundScreen } from './NotFoundScreen.tsx';
import { ObjectListScreen } from './ObjectListScreen.tsx';
import { OverviewScreen } from './OverviewScreen.tsx';
import { screenRoutes } from './routes.ts';

/** Shows the screen of the current URL, if its destination is allowed or it has no destination. */
export function Screens({ destinations }: { destinations: readonly Destination[] }) {
  const allowed = screenRoutes.filter(({ path }) => {
    const destination = destinationOf(path);
    return !destination || destinations.includes(destination);
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
