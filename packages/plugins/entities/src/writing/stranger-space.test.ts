import { onEachEngine } from '@sibyl/storage/testing/engines'
import { fromAddress, type TestActor, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { entities } from '../entities.ts'

const officeKey = 'an-office-key-of-the-test-01'

await onEachEngine('the space of strangers', engine => {
  test('is limited for a user, for a network and in total, and not for an API key', async () => {
    const { app } = await testApp({
      plugins: [entities()],
      env: {
        DATABASE_URL: await engine.emptyDatabase(),
        ORACLE_ACCESS: 'open',
        ENTITIES_API_KEYS: `office:${officeKey}`,
        ENTITIES_STRANGER_MB: '1',
        ENTITIES_STRANGERS_MB: '8',
      },
    })
    const stove = { type: 'Stove', properties: { text: 'x'.repeat(90_000) } }
    /** Writes until it is refused. */
    const fill = async (
      address: string,
      json: object = stove,
    ): Promise<{ readonly written: number; readonly detail: string; readonly actor: TestActor }> => {
      const actor = testActor(fromAddress(app, address))
      for (let written = 0; ; written += 1) {
        const response = await actor.request('/v1/entities', { json })
        if (response.status === 201) continue
        expect(response.status).toBe(507)
        const { code, detail } = await response.json()
        expect(code).toBe('entity_space_full')
        return { written, detail, actor }
      }
    }
    const first = await fill('203.0.113.1')
    expect(first).toMatchObject({ written: 5, detail: expect.stringContaining('you have used your space') })
    expect((await fill('203.0.113.1')).detail).toContain('you have used')
    expect((await fill('203.0.113.1')).detail).toContain('your address has used its share')
    const others = await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map(host => fill(`203.0.113.${host}`)))
    expect(others.map(({ detail }) => detail)).toContainEqual(expect.stringContaining('of strangers is full'))
    const written = others.reduce((sum, one) => sum + one.written, 0)
    expect(written).toBeGreaterThan(25)
    expect(written).toBeLessThan(30)
    expect((await first.actor.request('/me', { method: 'DELETE' })).status).toBe(204)
    const names = Array.from({ length: 200 }, (_, index) => [`${'long'.repeat(14)}${index}`, 'string'])
    const protocol = { type: 'Protocol', properties: Object.fromEntries(names) }
    const author = await fill('203.0.113.1', protocol)
    expect(author.written).toBeGreaterThan(4)
    expect((await author.actor.request('/me', { method: 'DELETE' })).status).toBe(204)
    expect((await fill('203.0.113.1', protocol)).written).toBeLessThan(2)
    const office = await app.request('/v1/entities', {
      method: 'POST',
      headers: { authorization: `Bearer ${officeKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(stove),
    })
    expect(office.status).toBe(201)
    await app.close()
  })
})
