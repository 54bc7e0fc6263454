import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { House } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

export const homeFeature: Feature = {
  name: 'home',
  path: '/',
  icon: House,
  isShown: () => true,
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/',
      component: lazyRouteComponent(() => import('./home-view.tsx'), 'HomeView'),
    }),
  ],
}
