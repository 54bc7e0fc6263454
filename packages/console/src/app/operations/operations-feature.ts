import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

export const operationsFeature: Feature = {
  name: 'operations',
  path: '/operations',
  icon: Activity,
  isShown: access => access.may('operator/read'),
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/operations',
      component: lazyRouteComponent(() => import('./operations-view.tsx'), 'OperationsView'),
    }),
  ],
}
