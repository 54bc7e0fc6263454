import { createRootRoute, createRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FailedView } from './components/failed-view.tsx'
import { EmptyState, LoadingState } from './components/states.tsx'
import { features } from './features.ts'
import { Shell } from './shell/shell.tsx'

/** Creates the router of all views. @param basepath Path of the console, without a slash at its end. */
export const createConsoleRouter = (basepath: string) => {
  const root = createRootRoute({
    component: () => <Shell features={features} />,
    notFoundComponent: NotFound,
  })
  return createRouter({
    routeTree: root.addChildren(features.flatMap(feature => feature.routes(root))),
    basepath,
    trailingSlash: 'never',
    defaultPendingComponent: LoadingState,
    defaultErrorComponent: FailedView,
    scrollRestoration: true,
  })
}

const NotFound = () => {
  const { t } = useTranslation()
  return <EmptyState title={t('state.notFound')} />
}
