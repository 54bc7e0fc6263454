import { createRoute } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView } from '../shell/lazy-view.ts'
import { ApprovalsBadge } from './approvals-badge.tsx'

export const usersFeature: Feature = {
  name: 'users',
  path: '/users',
  icon: Users,
  isShown: () => true,
  Badge: ApprovalsBadge,
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/users',
      component: lazyView(() => import('./approvals-view.tsx'), 'ApprovalsView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/waiting',
      component: lazyView(() => import('./waiting-view.tsx'), 'WaitingView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/mine',
      component: lazyView(() => import('./my-data-view.tsx'), 'MyDataView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/people',
      component: lazyView(() => import('./people-view.tsx'), 'PeopleView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/people/$did',
      component: lazyView(() => import('./person-view.tsx'), 'PersonView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/access',
      component: lazyView(() => import('./access-view.tsx'), 'AccessView'),
    }),
  ],
}
