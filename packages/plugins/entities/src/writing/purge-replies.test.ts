import { openStorage } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { entitiesMigrations } from '../storage/entities-migrations.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { replyLifetimeMs, replyRetention } from './replies.ts'

test('replies are forgotten after a day, and not before', async () => {
  const storage = (await openStorage({ url: 'memory:' })).for<EntitiesTables>()
  await storage.migrate('entities', entitiesMigrations)
  const now = 1_795_282_000_000
  const row = (key: string, created_at: number) => ({ key, request_hash: '', entity_id: '', reply: '{}', created_at })
  const rows = [row('old', now - replyLifetimeMs), row('young', now - replyLifetimeMs + 1), row('new', now)]
  await storage.write(tx => tx.insertInto('entities_replies').values(rows).execute())
  expect(await replyRetention(storage).apply({ now, signal: new AbortController().signal, archive: undefined })).toBe(1)
  const kept = await storage.read.selectFrom('entities_replies').select('key').execute()
  expect(kept.map(({ key }) => key).toSorted()).toEqual(['new', 'young'])
  await storage.close()
})
