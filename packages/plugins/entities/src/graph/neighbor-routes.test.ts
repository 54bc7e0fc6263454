import { testApp } from '@sibyl/testing'
import { expect, it } from 'vitest'
import { entities } from '../entities.ts'

const key = 'key-of-the-neighbors-0000000000'

it('counts the relationships of a hub by name and type, and lists them in pages', async () => {
  await using oracle = await testApp({ plugins: [entities()], env: { ENTITIES_API_KEYS: `office:${key}` } })
  const call = async (path: string, json?: object) => {
    const response = await oracle.app.request(path, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const { did: hub } = (await call('/v1/entities', { type: 'Organisation' })).body
  for (let number = 0; number < 5; number += 1) {
    const type = number < 3 ? 'CookStove' : 'Meter'
    expect((await call('/v1/entities', { type, relationships: { partOf: hub } })).status).toBe(201)
  }
  const of = encodeURIComponent(hub)
  expect((await call(`/v1/graph/counts?of=${of}`)).body).toEqual({
    counts: expect.arrayContaining([
      { direction: 'in', relationship: 'partOf', count: 5, types: { CookStove: 3, Meter: 2 } },
    ]),
  })
  const path = `/v1/graph/neighbors?of=${of}&direction=in&relationship=partOf&limit=3`
  const { body: first } = await call(path)
  const { body: second } = await call(`${path}&cursor=${first.next}`)
  expect([first.neighbors.length, second.neighbors.length, second.next]).toEqual([3, 2, undefined])
  const all = [...first.neighbors, ...second.neighbors]
  expect(new Set(all.map(({ id }) => id)).size).toBe(5)
  expect(all.filter(({ type }) => type === 'Meter')).toHaveLength(2)
  expect((await call(`${path.replace('partOf', 'produces')}&cursor=${first.next}`)).body.code).toBe('cursor_invalid')
  expect((await call('/v1/graph/counts?of=urn:uuid:none')).body).toEqual({ counts: [] })
})
