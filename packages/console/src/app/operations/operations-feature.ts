import { Activity } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView, viewRoutes } from '../shell/lazy-view.ts'

export const operationsFeature: Feature = {
  name: 'operations',
  path: '/operations',
  icon: Activity,
  isShown: access => access.may('operator/read'),
  routes: root =>
    viewRoutes(root, {
      '/operations': lazyView(() => import('./overview-view.tsx'), 'OverviewView'),
      '/operations/turns': lazyView(() => import('./turns-view.tsx'), 'TurnsView'),
      '/operations/credits': lazyView(() => import('./credits-view.tsx'), 'CreditsView'),
      '/operations/jobs': lazyView(() => import('./jobs-view.tsx'), 'JobsView'),
      '/operations/outboxes': lazyView(() => import('./outboxes-view.tsx'), 'OutboxesView'),
      '/operations/outboxes/sms': lazyView(() => import('./sms-outbox-view.tsx'), 'SmsOutboxView'),
      '/operations/tasks': lazyView(() => import('./tasks-view.tsx'), 'TasksView'),
      '/operations/tools': lazyView(() => import('./tools-view.tsx'), 'ToolsView'),
      '/operations/storage': lazyView(() => import('./storage-view.tsx'), 'StorageView'),
      '/operations/limits': lazyView(() => import('./limits-view.tsx'), 'LimitsView'),
      '/operations/log': lazyView(() => import('./log-view.tsx'), 'LogView'),
      '/operations/alerts': lazyView(() => import('./alerts-view.tsx'), 'AlertsView'),
    }),
}
