import type { Screen, Text } from '../flow/flow.ts'
import type { MenuKit } from './menu-kit.ts'

/** What the screens of Know More show. */
export interface Information {
  readonly about: Text
  readonly pricing: Text
  readonly delivery: Text
}

/** The start screen and Know More. */
export const informationMenu = (
  { text }: MenuKit,
  { about, pricing, delivery }: Information,
): Record<string, Screen> => ({
  preMenu: {
    kind: 'menu',
    text: text('welcome'),
    options: [
      { label: text('knowMore'), to: 'knowMore' },
      { label: text('accountMenu'), to: ({ customerId }) => (customerId === undefined ? 'accountMenu' : 'myAccount') },
    ],
  },
  knowMore: {
    kind: 'menu',
    text: text('knowMore'),
    options: [
      { label: text('about'), to: 'about' },
      { label: text('pricing'), to: 'pricing' },
      { label: text('delivery'), to: 'delivery' },
    ],
  },
  about: { kind: 'message', text: about },
  pricing: { kind: 'message', text: pricing },
  delivery: { kind: 'message', text: delivery },
})
