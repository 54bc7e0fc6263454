import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStream, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'

type SyncCallback = (error: NodeJS.ErrnoException | null) => void

const realSync = fs.fdatasync
let folder: string
let oracle: TestApp
let asked: PromiseWithResolvers<void>
let held: PromiseWithResolvers<SyncCallback>

/** Delays the next sync of the log; later ones work. */
const holdNextSync = () => {
  held = Promise.withResolvers()
  fs.fdatasync = ((descriptor: number, callback: SyncCallback) => {
    fs.fdatasync = realSync
    syncBuiltinESMExports()
    held.resolve(error => {
      if (error) callback(error)
      else realSync(descriptor, callback)
    })
  }) as typeof fs.fdatasync
  syncBuiltinESMExports()
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-'))
  asked = Promise.withResolvers()
  const model = scriptedModel([
    () => {
      asked.resolve()
      return ['hello']
    },
  ])
  oracle = await testApp({ plugins: [], model, env: { DATABASE_URL: `file:${join(folder, 'a.db')}` } })
})

afterEach(async () => {
  fs.fdatasync = realSync
  syncBuiltinESMExports()
  await oracle.app.close().catch(() => {})
  rmSync(folder, { recursive: true, force: true })
})

const send = () => oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } })

test('the model is called while a message is written to disk; the answer is sent only once it is stored', async () => {
  holdNextSync()
  let answered = false
  const answer = Promise.resolve(send()).then(response => {
    answered = true
    return response
  })
  const release = await held.promise
  await asked.promise
  for (let turn = 0; turn < 10; turn += 1) await new Promise(resolve => setImmediate(resolve))
  expect(answered).toBe(false)
  release(null)
  expect((await readStream(await answer)).text).toBe('hello')
})

test('a message that is not stored is rejected, whatever the model has answered', async () => {
  holdNextSync()
  const answer = send()
  const release = await held.promise
  await asked.promise
  release(Object.assign(new Error('i/o error'), { code: 'EIO' }))
  const response = await answer
  expect(response.status).toBe(503)
  expect((await response.json()).code).toBe('storage_unavailable')
})
