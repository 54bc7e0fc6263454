import { createRoute } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView } from '../shell/lazy-view.ts'

export const chatFeature: Feature = {
  name: 'chat',
  path: '/chat',
  icon: MessageSquare,
  isShown: access => access.may('chat/send'),
  routes: root => [
    createRoute({
      getParentRoute: () => root,
      path: '/chat/{-$sessionId}',
      component: lazyView(() => import('./chat-view.tsx'), 'ChatView'),
    }),
    createRoute({
      getParentRoute: () => root,
      path: '/compare',
      component: lazyView(() => import('./compare-view.tsx'), 'CompareView'),
    }),
  ],
}
