import { createRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView } from '../shell/lazy-view.ts'
import { readClaimSearch } from './claims/claim-search.ts'
import { readEntitySearch } from './entities/entity-search.ts'

export const twinsFeature: Feature = {
  name: 'twins',
  path: '/twins',
  icon: Network,
  isShown: access => access.mayHave('entities') && (access.may('entities/read') || access.may('claims/read')),
  routes: root => {
    const frame = createRoute({
      getParentRoute: () => root,
      path: '/twins',
      component: lazyView(() => import('./twins-view.tsx'), 'TwinsView'),
    })
    return [
      frame.addChildren([
        createRoute({
          getParentRoute: () => frame,
          path: '/',
          validateSearch: readEntitySearch,
          component: lazyView(() => import('./entities/entities-view.tsx'), 'EntitiesView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/entities',
          validateSearch: readEntitySearch,
          component: lazyView(() => import('./entities/entities-view.tsx'), 'EntitiesView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/entities/import',
          component: lazyView(() => import('./entities/import-view.tsx'), 'ImportView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/entities/$did',
          component: lazyView(() => import('./entities/entity-view.tsx'), 'EntityView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/claims',
          validateSearch: readClaimSearch,
          component: lazyView(() => import('./claims/claims-view.tsx'), 'ClaimsView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/claims/$id',
          component: lazyView(() => import('./claims/claim-view.tsx'), 'ClaimView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/collections',
          component: lazyView(() => import('./collections/collections-view.tsx'), 'CollectionsView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/webhooks',
          component: lazyView(() => import('./webhooks/webhooks-view.tsx'), 'WebhooksView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/protocols',
          component: lazyView(() => import('./protocols/protocols-view.tsx'), 'ProtocolsView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/protocols/new',
          component: lazyView(() => import('./protocols/new-protocol-view.tsx'), 'NewProtocolView'),
        }),
        createRoute({
          getParentRoute: () => frame,
          path: '/protocols/$did',
          component: lazyView(() => import('./protocols/protocol-view.tsx'), 'ProtocolView'),
        }),
      ]),
    ]
  },
}
