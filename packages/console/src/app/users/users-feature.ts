import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

export const usersFeature: Feature = {
  name: 'users',
  path: '/users',
  icon: Users,
  isShown: () => true,
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/users',
      component: lazyRouteComponent(() => import('./users-view.tsx'), 'UsersView'),
    }),
  ],
}
