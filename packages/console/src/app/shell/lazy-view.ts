import { type AnyRoute, createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { loadView } from '../components/failed-view.tsx'

/**
 * Returns a view that is loaded when it is opened. If that fails, the user chooses when to reload the page; the router alone
 * would reload at once, and lose the page if the oracle does not respond.
 */
export const lazyView = <Views extends Record<string, unknown>, Name extends keyof Views>(
  load: () => Promise<Views>,
  name: Name,
) => lazyRouteComponent(() => loadView(load), name)

/** Creates the routes of views by their paths. */
export const viewRoutes = (root: AnyRoute, views: Readonly<Record<string, RouteComponent>>): AnyRoute[] =>
  Object.entries(views).map(([path, component]) => createRoute({ getParentRoute: () => root, path, component }))
