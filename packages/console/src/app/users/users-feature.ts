import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
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
      component: lazyRouteComponent(() => import('./approvals-view.tsx'), 'ApprovalsView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/waiting',
      component: lazyRouteComponent(() => import('./waiting-view.tsx'), 'WaitingView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/mine',
      component: lazyRouteComponent(() => import('./my-data-view.tsx'), 'MyDataView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/people',
      component: lazyRouteComponent(() => import('./people-view.tsx'), 'PeopleView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/people/$did',
      component: lazyRouteComponent(() => import('./person-view.tsx'), 'PersonView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/users/access',
      component: lazyRouteComponent(() => import('./access-view.tsx'), 'AccessView'),
    }),
  ],
}
