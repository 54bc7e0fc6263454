import { expect, test } from 'vitest'
import { recordedLogger } from '../testing/recorded-logger.ts'
import { testApp } from '../testing/test-app.ts'

test('tells how to talk to it at the address that it has', async () => {
  const logger = recordedLogger()
  await using oracle = await testApp({ plugins: [], logger })
  const { url } = await oracle.app.listen({ port: 0 })
  const told = logger.lines.map(({ message }) => message)
  expect(told).toContain(`[boot] listening ${url} talk to it: sibyl chat --url ${url}`)
})
