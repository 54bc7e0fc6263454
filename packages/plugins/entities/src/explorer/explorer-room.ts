import type { Host, Route } from '@sibyl/plugin'
import { explorerRoutes } from './explorer-routes.ts'

/** The explorer, as the plugin offers it: no routes where it is off. */
export const explorerRoom = (
  host: Pick<Host<{ readonly ENTITIES_EXPLORER?: 'on' | 'off' | undefined }>, 'env' | 'environment' | 'oracle'>,
): { readonly routes: readonly Route[] } => {
  const usual = host.environment === 'development' ? 'on' : 'off'
  return { routes: (host.env.ENTITIES_EXPLORER ?? usual) === 'on' ? explorerRoutes(host.oracle.name) : [] }
}
