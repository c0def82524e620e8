/** The paths of home. The inline script of index.html uses them too, so they are in a separate file. */
export const homePaths = ['/m/home', '/', '/m', '/m/index', '/m/index.html'] as const;
