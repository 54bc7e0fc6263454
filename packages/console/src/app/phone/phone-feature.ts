import { createRoute } from '@tanstack/react-router'
import { Smartphone } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView } from '../shell/lazy-view.ts'

export const phoneFeature: Feature = {
  name: 'phone',
  path: '/phone',
  icon: Smartphone,
  isShown: access => access.mayHave('ussd') || access.mayHave('sms'),
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/phone',
      component: lazyView(() => import('./phone-view.tsx'), 'PhoneView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/phone/customers',
      component: lazyView(() => import('./customers-view.tsx'), 'CustomersView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/phone/flow',
      component: lazyView(() => import('./flow/flow-view.tsx'), 'FlowView'),
    }),
  ],
}
