import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

const view = (root: AnyRoute, path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component })

export const operationsFeature: Feature = {
  name: 'operations',
  path: '/operations',
  icon: Activity,
  isShown: access => access.may('operator/read'),
  routes: root => [
    view(
      root,
      '/operations',
      lazyRouteComponent(() => import('./overview-view.tsx'), 'OverviewView'),
    ),
    view(
      root,
      '/operations/jobs',
      lazyRouteComponent(() => import('./jobs-view.tsx'), 'JobsView'),
    ),
    view(
      root,
      '/operations/outboxes',
      lazyRouteComponent(() => import('./outboxes-view.tsx'), 'OutboxesView'),
    ),
    view(
      root,
      '/operations/tasks',
      lazyRouteComponent(() => import('./tasks-view.tsx'), 'TasksView'),
    ),
    view(
      root,
      '/operations/limits',
      lazyRouteComponent(() => import('./limits-view.tsx'), 'LimitsView'),
    ),
    view(
      root,
      '/operations/log',
      lazyRouteComponent(() => import('./log-view.tsx'), 'LogView'),
    ),
    view(
      root,
      '/operations/alerts',
      lazyRouteComponent(() => import('./alerts-view.tsx'), 'AlertsView'),
    ),
  ],
}
