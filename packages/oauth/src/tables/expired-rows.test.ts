import { definePlugin } from '@sibyl/plugin'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { json, operatorToken, oracle, TestClient } from '../oauth-client.test.support.ts'

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

await onEachEngine('the sign-ins of a person with a legal hold', engine => {
  test('are stored past their end until the hold is released, and give no access', async () => {
    const env = { DATABASE_URL: await engine.emptyDatabase() }
    const rows: { count?: () => Promise<number> } = {}
    const counter = definePlugin({
      name: 'counter',
      version: '1.0.0',
      core: '^0.1.0',
      manifest: { title: 'Counter', summary: 'Counts sign-ins.', whenToUse: ['never'] },
      setup(host) {
        rows.count = async () =>
          (
            await host.storage.read
              .selectFrom('oauth_sign_ins' as never)
              .selectAll()
              .execute()
          ).length
        return {}
      },
    })
    const { send, actor, pass, runJob } = await oracle({ env, plugins: [counter] })
    const client = await TestClient.register(send)
    const { access_token: token } = await client.tokens(actor, { days: 1 })
    const hold = (method: string) =>
      send(`/people/${encodeURIComponent(actor.did)}/hold`, {
        ...json({ reason: 'An audit' }, { authorization: `Bearer ${operatorToken}` }),
        method,
      })
    expect((await hold('PUT')).status).toBeLessThan(300)
    pass(1.1 * daySeconds)
    await runJob('core/retention')
    expect([await rows.count?.(), await client.status(token)]).toEqual([1, 401])
    expect((await hold('DELETE')).status).toBeLessThan(300)
    await runJob('core/retention')
    expect(await rows.count?.()).toBe(0)
  })
})
