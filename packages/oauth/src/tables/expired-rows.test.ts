import { onEachEngine } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { oracle, TestClient } from '../oauth-client.test.support.ts'

const daySeconds = 86_400

await onEachEngine('a registered client', engine => {
  test.each([
    ['90 days', {}, 90],
    ['RETENTION_OAUTH_CLIENTS_DAYS', { RETENTION_OAUTH_CLIENTS_DAYS: '365' }, 365],
  ])('is stored after its last sign-in for %s', async (_, settings, days) => {
    const env = { ...settings, DATABASE_URL: await engine.emptyDatabase() }
    const { send, actor, pass, runJob } = await oracle({ env })
    const [used, unused] = [await TestClient.register(send), await TestClient.register(send)]
    await used.tokens(actor, { days: 1 })
    const statuses = async () => {
      await runJob('core/retention')
      return [(await used.authorize()).status, (await unused.authorize()).status]
    }
    expect(await statuses()).toEqual([303, 303])
    pass((days - 0.1) * daySeconds)
    expect(await statuses()).toEqual([303, 400])
    pass(0.2 * daySeconds)
    expect(await statuses()).toEqual([400, 400])
  })
})
