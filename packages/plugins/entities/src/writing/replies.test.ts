import { fakeClock } from '@sibyl/storage/testing'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { bootEntities, keys } from './entity-routes.test.helper.ts'

const hour = 3_600_000

await onEachEngine('an Idempotency-Key', engine => {
  test.each([
    ['a day', {}, 24],
    ['RETENTION_ENTITY_REPLIES_DAYS', { RETENTION_ENTITY_REPLIES_DAYS: '30' }, 30 * 24],
  ])('repeats the reply for %s, then creates another entity', async (_, settings, hours) => {
    const clock = fakeClock(Date.now())
    await using oracle = await bootEntities({
      clock,
      env: { ...settings, DATABASE_URL: await engine.emptyDatabase() },
    })
    const create = () => oracle.create({ type: 'Device' }, keys.ada, { 'idempotency-key': 'order-7' })
    const { did } = (await create()).body
    clock.jump(hours * hour - 1)
    await oracle.app.runJob('core/retention')
    expect((await create()).body.did).toBe(did)
    clock.jump(1)
    await oracle.app.runJob('core/retention')
    const second = await create()
    expect([second.status, second.body.did === did]).toEqual([201, false])
  })
})
