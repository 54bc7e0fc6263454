import { oracleRecord } from '@sibyl/protocol'
import { expect, test } from 'vitest'

test('a program that loads the protocol before the core describes its routes as well', async () => {
  const { testApp } = await import('@sibyl/testing')
  await using oracle = await testApp({ plugins: [] })
  const answer = await oracle.app.request('/openapi.json')
  expect(answer.status).toBe(200)
  const { components } = await answer.json()
  expect(Object.keys(components.schemas.Oracle.properties)).toEqual(Object.keys(oracleRecord.shape))
})
