import { expect, test } from 'vitest'
import { bootEntities, keys } from '../writing/entity-routes.test.helper.ts'

const get = async (oracle: Awaited<ReturnType<typeof bootEntities>>, path: string, key: string = keys.reader) => {
  const response = await oracle.app.request(path, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, body: await response.json() }
}

test('a bounding box has its entities with names, and an invalid box is rejected', async () => {
  await using oracle = await bootEntities()
  const point = { type: 'Point', coordinates: [36.8, -1.3] }
  const { body: stove } = await oracle.create({ type: 'CookStove', properties: { name: 'ACE', location: point } })
  const { body: nameless } = await oracle.create({ type: 'Meter', properties: { location: point } })
  await oracle.create({ type: 'CookStove', properties: { name: 'elsewhere' } })
  const place = { latitude: -1.3, longitude: 36.8 }
  expect(await get(oracle, '/v1/places?bbox=36,-2,37,-1')).toEqual({
    status: 200,
    body: {
      places: [
        { did: nameless.did, type: 'Meter', ...place },
        { did: stove.did, type: 'CookStove', name: 'ACE', ...place },
      ],
      cells: [],
    },
  })
  expect((await get(oracle, '/v1/places?bbox=36,-2,37,-1&type=Meter')).body.places).toHaveLength(1)
  expect((await get(oracle, '/v1/places?bbox=37,-2,36,-1')).body.places).toEqual([])
  for (const box of [
    '',
    '1,2,3',
    '1,2,3,x',
    '1,5,3,4',
    '-181,0,0,1',
    '0,-91,0,1',
    '1,2,3,4,5',
    '1,,3,4',
    'Infinity,0,1,1',
  ]) {
    expect(await get(oracle, `/v1/places?bbox=${box}`), box).toMatchObject({
      status: 400,
      body: { code: 'input_invalid' },
    })
  }
  expect((await get(oracle, '/v1/places?bbox=36,-2,37,-1', keys.ben)).body.code).toBe('scope_missing')
})

test('names of several entities are read at once, and unknown DIDs are missing', async () => {
  await using oracle = await bootEntities()
  const { body: stove } = await oracle.create({ type: 'CookStove', properties: { title: '  <b>ACE</b> ' } })
  const { body: meter } = await oracle.create({ type: 'Meter' })
  const dids = [stove.did, meter.did, stove.did, 'did:web:ada.example', 'nonsense'].map(encodeURIComponent).join(',')
  expect((await get(oracle, `/v1/names?dids=${dids}`)).body).toEqual({
    names: [
      { did: stove.did, type: 'CookStove', status: 'active', name: '<b>ACE</b>' },
      { did: meter.did, type: 'Meter', status: 'active' },
    ],
  })
  const many = Array.from({ length: 101 }, (_, number) => `did:web:a${number}`).join(',')
  for (const query of ['', '?dids=', '?dids=a,,b', `?dids=${many}`]) {
    expect(await get(oracle, `/v1/names${query}`), query).toMatchObject({
      status: 400,
      body: { code: 'input_invalid' },
    })
  }
  expect((await get(oracle, `/v1/names?dids=${dids}`, keys.ben)).body.code).toBe('scope_missing')
})
