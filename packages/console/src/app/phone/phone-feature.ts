import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Smartphone } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

export const phoneFeature: Feature = {
  name: 'phone',
  path: '/phone',
  icon: Smartphone,
  isShown: access => access.has('ussd') || access.has('sms'),
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/phone',
      component: lazyRouteComponent(() => import('./phone-view.tsx'), 'PhoneView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/phone/flow',
      component: lazyRouteComponent(() => import('./flow/flow-view.tsx'), 'FlowView'),
    }),
  ],
}
