import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createApiClient } from './api-client.ts'
import { withMembers } from './with-members.ts'

test('rejects a response of another form than its schema', async () => {
  const server = createServer((_, response) => response.end('{"name":"Dover","depth":"7","extra":true}'))
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const api = createApiClient(new URL(`http://127.0.0.1:${port}/`), { accessToken: async () => undefined })

  const harbor = z.object({ name: z.string(), depth: z.string() })
  expect(await api.get('/harbors/dover', { schema: harbor })).toEqual({ name: 'Dover', depth: '7' })
  const light = withMembers<z.infer<typeof harbor>>({ name: 'string', depth: 'string' })
  expect(await api.get('/harbors/dover', { schema: light })).toEqual({ name: 'Dover', depth: '7', extra: true })
  const schemas = [
    harbor.extend({ depth: z.number() }),
    withMembers<{ readonly depth: number }>({ depth: 'number' }),
    withMembers<{ readonly berths: readonly string[] }>({ berths: 'array' }),
  ]
  for (const schema of schemas) {
    const wrong = api.get<unknown>('/harbors/dover', { schema })
    await expect(wrong).rejects.toMatchObject({ name: 'Problem', code: 'response_unexpected', status: 200 })
  }
})
