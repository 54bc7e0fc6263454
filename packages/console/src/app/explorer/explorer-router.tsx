import '../api/zod-without-eval.ts'
import { createHashHistory, createRootRoute, createRouter, type LocationRewrite } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FailedView } from '../components/failed-view.tsx'
import { EmptyState, LoadingState } from '../components/states.tsx'
import { twinsFeature } from '../twins/twins-feature.ts'
import { ExplorerShell } from './explorer-shell.tsx'

/** Names of filters in links that were made before the explorer had the views of the console. */
const formerNames = { words: 'q', domainClass: 'class', state: 'show' } as const

/** The views of twins are at `/twins/entities` in the router, and at `#/entities` in addresses of the explorer. */
export const explorerAddresses: LocationRewrite = {
  input: ({ url }) => {
    for (const [former, name] of Object.entries(formerNames)) {
      const value = url.searchParams.get(former)
      if (value !== null) url.searchParams.set(name, value)
      url.searchParams.delete(former)
    }
    url.pathname = `/twins${url.pathname === '/' ? '' : url.pathname}`
    return url
  },
  output: ({ url }) => {
    url.pathname = url.pathname.replace(/^\/twins\/?/, '/')
    return url
  },
}

/** Creates the router of the explorer. @param onForget Called when the user closes the key. */
export const createExplorerRouter = (onForget: () => void) => {
  const root = createRootRoute({
    component: () => <ExplorerShell onForget={onForget} />,
    notFoundComponent: NotFound,
  })
  return createRouter({
    routeTree: root.addChildren(twinsFeature.routes(root)),
    history: createHashHistory(),
    rewrite: explorerAddresses,
    trailingSlash: 'never',
    defaultPendingComponent: LoadingState,
    defaultErrorComponent: FailedView,
  })
}

const NotFound = () => {
  const { t } = useTranslation()
  return <EmptyState title={t('state.notFound')} />
}
