import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'

export const chatFeature: Feature = {
  name: 'chat',
  path: '/chat',
  icon: MessageSquare,
  isShown: access => access.may('chat/send'),
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/chat/{-$sessionId}',
      component: lazyRouteComponent(() => import('./chat-view.tsx'), 'ChatView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/compare',
      component: lazyRouteComponent(() => import('./compare-view.tsx'), 'CompareView'),
    }),
  ],
}
