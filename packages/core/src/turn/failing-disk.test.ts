import { execFileSync, spawnSync } from 'node:child_process'
import { readStream, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const mayLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0
if (!mayLimit) console.info('A disk that fails to write is not tested: prlimit is not on PATH')

/** Sets the maximum file size of this process; SQLite fails above it. */
const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', [`--pid=${process.pid}`, `--fsize=${bytes}:unlimited`])

test.runIf(mayLimit)('a disk that fails to write returns 503, and works again without a restart', async () => {
  using folder = temporaryFolder()
  await using oracle = await testApp({
    plugins: [officePlugin({})],
    model: scriptedModel(Array.from({ length: 1_000 }, () => 'hello')),
    env: { DATABASE_URL: folder.databaseUrl },
  })
  const send = (id: string) =>
    oracle.actor.request('/chat', {
      json: { id: 's1', message: { id, role: 'user', parts: [{ type: 'text', text: 'x'.repeat(20_000) }] } },
    })
  const accepted: string[] = []
  let refused = ''
  limitFiles(400_000)
  try {
    for (let n = 0; refused === ''; n += 1) {
      const response = await send(`m${n}`)
      if (response.status === 200) {
        accepted.push(`m${n}`)
        await response.text()
      } else {
        expect([response.status, (await response.json()).code]).toEqual([503, 'storage_unavailable'])
        refused = `m${n}`
      }
    }
  } finally {
    limitFiles('unlimited')
  }
  const again = async () => {
    const response = await send(refused)
    return response.status === 200 ? (await readStream(response)).last?.type : response.status
  }
  await expect.poll(again, { interval: 200 }).toBe('finish')
  const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
  const content = messages.filter(({ role }: { role: string }) => role === 'user').map(({ id }: { id: string }) => id)
  expect(content).toEqual([...accepted, refused])
})
