import { Smartphone } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView, viewRoutes } from '../shell/lazy-view.ts'

export const phoneFeature: Feature = {
  name: 'phone',
  path: '/phone',
  icon: Smartphone,
  isShown: access => access.mayHave('ussd') || access.mayHave('sms'),
  routes: root =>
    viewRoutes(root, {
      '/phone': lazyView(() => import('./phone-view.tsx'), 'PhoneView'),
      '/phone/customers': lazyView(() => import('./customers-view.tsx'), 'CustomersView'),
      '/phone/flow': lazyView(() => import('./flow/flow-view.tsx'), 'FlowView'),
    }),
}
