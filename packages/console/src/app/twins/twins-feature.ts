import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

export const twinsFeature: Feature = {
  name: 'twins',
  path: '/twins',
  icon: Network,
  isShown: access => access.has('entities'),
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/twins',
      component: lazyRouteComponent(() => import('./twins-view.tsx'), 'TwinsView'),
    }),
  ],
}
