import { House } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView, viewRoutes } from '../shell/lazy-view.ts'
import { hasOverview } from './has-overview.ts'

export const homeFeature: Feature = {
  name: 'home',
  path: '/',
  icon: House,
  isShown: hasOverview,
  routes: root =>
    viewRoutes(root, {
      '/': lazyView(() => import('./home-view.tsx'), 'HomeView'),
    }),
}
