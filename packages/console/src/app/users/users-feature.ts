import { Users } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView, viewRoutes } from '../shell/lazy-view.ts'
import { ApprovalsBadge } from './approvals-badge.tsx'

export const usersFeature: Feature = {
  name: 'users',
  path: '/users',
  icon: Users,
  isShown: () => true,
  Badge: ApprovalsBadge,
  routes: root =>
    viewRoutes(root, {
      '/users': lazyView(() => import('./approvals-view.tsx'), 'ApprovalsView'),
      '/users/waiting': lazyView(() => import('./waiting-view.tsx'), 'WaitingView'),
      '/users/mine': lazyView(() => import('./my-data-view.tsx'), 'MyDataView'),
      '/users/people': lazyView(() => import('./people-view.tsx'), 'PeopleView'),
      '/users/people/$did': lazyView(() => import('./person-view.tsx'), 'PersonView'),
      '/users/access': lazyView(() => import('./access-view.tsx'), 'AccessView'),
    }),
}
