import { onEachEngine } from '@sibyl/storage/testing/engines'
import { fromAddress, testActor } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { openFixture } from '../claims-fixture.test.helper.ts'

await onEachEngine('claims that anyone may submit without a quota', engine => {
  test('have a limit for a caller, for a network and in total, and none for an API key', async () => {
    const env = { ORACLE_ACCESS: 'open', CLAIMS_QUOTA_MB: '1', CLAIMS_TOTAL_MB: '4', RATE_LIMIT_PER_MINUTE: '0' }
    await using fixture = await openFixture({ env: { ...env, DATABASE_URL: await engine.emptyDatabase() } })
    const { app } = fixture.oracle
    const { id: open } = await fixture.collection({ submitters: 'anyone', evaluation: 'person' })
    const { id: limited } = await fixture.collection({ submitters: 'anyone', evaluation: 'person', quota: { all: 50 } })
    const person = (address: string) => testActor(fromAddress(app, address))
    const claim = (collection: string, note: number) => ({ collection, data: { note, text: 'x'.repeat(59_000) } })
    /** Submits until it is refused. */
    const fill = async (actor: ReturnType<typeof person>) => {
      for (let count = 0; ; count += 1) {
        const response = await actor.request('/v1/claims', { json: claim(open, count) })
        if (response.status === 201) continue
        const { code, detail } = await response.json()
        expect([response.status, code]).toEqual([507, 'claim_space_full'])
        return { count, detail }
      }
    }
    const ada = person('203.0.113.1')
    expect(await fill(ada)).toEqual({ count: 16, detail: expect.stringContaining('you have used') })
    expect((await ada.request('/v1/claims', { json: claim(limited, 0) })).status).toBe(201)
    expect(await fill(person('203.0.113.1'))).toEqual({ count: 0, detail: expect.stringContaining('your network') })
    for (const host of [2, 3]) expect((await fill(person(`203.0.113.${host}`))).count).toBe(16)
    expect(await fill(person('203.0.113.4'))).toEqual({ count: 10, detail: expect.stringContaining('is full') })
    expect((await fixture.call('farm', 'POST', '/v1/claims', claim(open, 0))).status).toBe(201)
    expect((await ada.request('/me', { method: 'DELETE' })).status).toBe(204)
    expect((await fill(person('203.0.113.1'))).count).toBe(15)
  })
})
