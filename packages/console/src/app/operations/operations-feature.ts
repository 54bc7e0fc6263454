import { type AnyRoute, createRoute, type RouteComponent } from '@tanstack/react-router'
import { Activity } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView } from '../shell/lazy-view.ts'

const view = (root: AnyRoute, path: string, component: RouteComponent) =>
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
      lazyView(() => import('./overview-view.tsx'), 'OverviewView'),
    ),
    view(
      root,
      '/operations/credits',
      lazyView(() => import('./credits-view.tsx'), 'CreditsView'),
    ),
    view(
      root,
      '/operations/jobs',
      lazyView(() => import('./jobs-view.tsx'), 'JobsView'),
    ),
    view(
      root,
      '/operations/outboxes',
      lazyView(() => import('./outboxes-view.tsx'), 'OutboxesView'),
    ),
    view(
      root,
      '/operations/outboxes/sms',
      lazyView(() => import('./sms-outbox-view.tsx'), 'SmsOutboxView'),
    ),
    view(
      root,
      '/operations/tasks',
      lazyView(() => import('./tasks-view.tsx'), 'TasksView'),
    ),
    view(
      root,
      '/operations/limits',
      lazyView(() => import('./limits-view.tsx'), 'LimitsView'),
    ),
    view(
      root,
      '/operations/log',
      lazyView(() => import('./log-view.tsx'), 'LogView'),
    ),
    view(
      root,
      '/operations/alerts',
      lazyView(() => import('./alerts-view.tsx'), 'AlertsView'),
    ),
  ],
}
