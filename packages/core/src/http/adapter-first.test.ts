import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Node's adapter replaces the global `Response` when its first listener is created. */
const script = `
import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
let app
const server = createServer(getRequestListener((request, env) => app.fetch(request, env)))
const { scriptedModel, testActor, testApp } = await import('@sibyl/testing')
const oracle = await testApp({ plugins: [], model: scriptedModel(['Good day']) })
app = oracle.app
await once(server.listen(0, '127.0.0.1'), 'listening')
const base = 'http://127.0.0.1:' + server.address().port
const actor = testActor({ identity: app.identity, request: (path, init) => fetch(base + path, init) })
const answer = await actor.request('/chat', { json: { message: 'hello' } })
console.log(await answer.text())
server.closeAllConnections()
server.close()
await app.close()
`

test('a chat streams if an adapter was loaded before the oracle', async () => {
  const run = promisify(execFile)
  const parameters = ['--conditions=sibyl-source', '--no-warnings', '--input-type=module', '-e', script]
  const { stdout, stderr } = await run(process.execPath, parameters, { cwd: join(import.meta.dirname, '../..') })
  expect(stderr).toBe('')
  expect(stdout.match(/"delta":"[^"]*"/g)?.join('')).toContain('day')
  expect(stdout).toContain('data: [DONE]')
})
