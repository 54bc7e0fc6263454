import type { LimitShare } from '@sibyl/plugin'
import { openStorage } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { createRevocationStore } from './revocation-store.ts'

const row = (hash: string) => ({ hash, revokedBy: `did:${hash}`, revokedAt: 1, expiresAt: 2 })
const share = (holder: string, origin: string): LimitShare => ({
  holder,
  origin,
  network: origin,
  ofAll: 9,
  ofOrigin: 4,
  ofSite: 4,
})

test('other callers of one address fill their share of the list, all of them together theirs, and controllers any part', async () => {
  const storage = (await openStorage({ url: 'memory:' })).for<CoreTables>()
  await storage.migrate('core', coreMigrations)
  const store = createRevocationStore(storage)
  const revoke = (name: string, origin: string) => store.revoke(row(name), share(name, origin))
  const first = await Promise.all(Array.from({ length: 6 }, (_, index) => revoke(`a${index}`, 'here')))
  expect(first.filter(Boolean)).toHaveLength(4)
  const others = await Promise.all(Array.from({ length: 7 }, (_, index) => revoke(`b${index}`, `there-${index}`)))
  expect(others.filter(Boolean)).toHaveLength(5)
  for (let index = 0; index < 20; index += 1) expect(await store.revoke(row(`c${index}`))).toBe(true)
  expect(await revoke('b0', 'there-0')).toBe(true)
  await storage.close()
})
