import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recordedLogger } from '@sibyl/plugin/testing'
import { expect, onTestFinished, test } from 'vitest'
import { atFreePort } from './at-free-port.ts'
import { keysPath } from './devnet-keys.ts'
import { startDevnet } from './start-devnet.ts'

const temporaryFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-devnet-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('a first start creates its keys before it boots, for concurrent starts', async () => {
  const folder = await temporaryFolder()
  const seen: boolean[] = []
  const logger = new Proxy(recordedLogger(), {
    get(target, name, receiver) {
      seen.push(existsSync(keysPath(folder)))
      return Reflect.get(target, name, receiver)
    },
  })
  const devnet = await atFreePort(port => startDevnet({ folder, port, logger }))
  onTestFinished(() => devnet.close())
  expect(seen).toContain(true)
  expect(seen).not.toContain(false)
})

test('a failed first start leaves no keys', async () => {
  const folder = await temporaryFolder()
  const taken = createServer()
  const port = await new Promise<number>(resolve => {
    taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port))
  })
  onTestFinished(() => void taken.close())
  const start = startDevnet({ folder, port, logger: recordedLogger() })
  await expect(start).rejects.toMatchObject({ code: 'devnet_not_started' })
  expect(existsSync(keysPath(folder))).toBe(false)
})
