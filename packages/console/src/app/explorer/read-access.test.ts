import { expect, test } from 'vitest'
import type { ApiClient } from '../api/api-client.ts'
import { Problem } from '../api/problem.ts'
import { readAccess } from './read-access.ts'

/** A client whose lists respond with a status. */
const responding = (statuses: Readonly<Record<string, number>>): ApiClient =>
  ({
    get: (path: string) => {
      const status = statuses[path] ?? 200
      return status === 200 ? Promise.resolve({}) : Promise.reject(new Problem(status, `http_${status}`, 'No.'))
    },
  }) as unknown as ApiClient

const read = (statuses: Readonly<Record<string, number>>) => readAccess(responding(statuses), AbortSignal.abort())

test('reads what the key may read, and writes nothing', async () => {
  const access = await read({ credentials: 403 })
  const may = ['entities/read', 'claims/read', 'credentials/read', 'entities/write', 'claims/evaluate'].map(access.may)
  expect(may).toEqual([true, true, false, false, false])
  expect(['entities', 'claims', 'credentials', 'chat'].map(access.has)).toEqual([true, true, true, false])
})

test('a plugin that is off has no routes', async () => {
  const access = await read({ 'v1/claims': 404 })
  expect([access.has('claims'), access.may('claims/read')]).toEqual([false, false])
})

test('throws for a key that is rejected and for an oracle that fails', async () => {
  await expect(read({ 'v1/entities': 401 })).rejects.toMatchObject({ status: 401 })
  await expect(read({ credentials: 503 })).rejects.toMatchObject({ status: 503 })
})
