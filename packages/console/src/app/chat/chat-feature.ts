import { MessageSquare } from 'lucide-react'
import type { Feature } from '../shell/feature.ts'
import { lazyView, viewRoutes } from '../shell/lazy-view.ts'

export const chatFeature: Feature = {
  name: 'chat',
  path: '/chat',
  icon: MessageSquare,
  isShown: access => access.may('chat/send'),
  routes: root =>
    viewRoutes(root, {
      '/chat/{-$sessionId}': lazyView(() => import('./chat-view.tsx'), 'ChatView'),
      '/compare': lazyView(() => import('./compare-view.tsx'), 'CompareView'),
    }),
}
