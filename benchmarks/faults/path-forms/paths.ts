import type { Access } from '@sibyl/plugin/host'

/** A locked route of the probe, and a path that it answers. */
export interface LockedPath {
  readonly access: Access
  readonly template: string
  readonly path: string
}

const ucan = { ucan: 'vault/read' }

/** One of each lock, with fixed and with free parts. */
export const lockedPaths: readonly LockedPath[] = [
  { access: ucan, template: '/vault/secret', path: '/vault/secret' },
  { access: ucan, template: '/vault/items/{id}', path: '/vault/items/k1' },
  { access: ucan, template: '/vault/files/{rest{.+}}', path: '/vault/files/a/b.txt' },
  { access: 'operator', template: '/vault/operator', path: '/vault/operator' },
  { access: { apiKey: 'VAULT_API_KEYS' }, template: '/vault/keyed', path: '/vault/keyed' },
  {
    access: { apiKey: 'VAULT_API_KEYS', orUcan: 'vault/read' },
    template: '/vault/either/{id}',
    path: '/vault/either/7',
  },
]

/** Locked paths of core, with a method that each answers. */
export const corePaths: readonly (readonly [string, string])[] = [
  ['POST', '/chat'],
  ['GET', '/chat/s1/stream'],
  ['POST', '/chat/s1/stop'],
  ['POST', '/chat/s1/approvals/a1'],
  ['GET', '/sessions'],
  ['GET', '/sessions/s1'],
  ['DELETE', '/sessions/s1'],
  ['GET', '/capabilities'],
]

/** Public routes whose paths begin as the locked ones do, or take in whatever follows. */
export const publicPaths: readonly string[] = ['/vault', '/vault/open', '/vault/secrets', '/open/{rest{.+}}']
