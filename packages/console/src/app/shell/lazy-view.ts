import { lazyRouteComponent } from '@tanstack/react-router'

/** A view whose script could not be loaded: the oracle does not respond, or it has another console. */
export class ViewNotLoaded extends Error {
  override readonly name = 'ViewNotLoaded'
}

/**
 * Returns a view that is loaded when it is opened. If that fails, the user chooses when to reload the page; the router alone
 * would reload at once, and lose the page if the oracle does not respond.
 */
export const lazyView = <Views extends Record<string, unknown>, Name extends keyof Views>(
  load: () => Promise<Views>,
  name: Name,
) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new ViewNotLoaded('The script of the view could not be loaded.', { cause })
      }),
    name,
  )
