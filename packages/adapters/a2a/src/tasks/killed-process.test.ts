import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMnemonic } from '@sibyl/identity'
import { scriptedModel } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { a2aOracle, key, type Wire, wireMessage } from '../a2a-oracle.test.support.ts'

test('the next process completes the task of a killed one, with a call of unknown outcome, and its context continues', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-a2a-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = {
    DATABASE_URL: `file:${join(folder, 'oracle.db')}`,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    ORACLE_API_KEYS: `app:${key}:*:did:example:ada`,
  }
  const script = fileURLToPath(new URL('./a2a-process.test.support.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  const message = wireMessage('hang')
  const response = await fetch(`${url}/a2a/message:stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  })
  const events: Wire[] = []
  const reading = (async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const whole = text.split('\n\n')
      text = whole.pop()!
      events.push(...whole.filter(one => one.startsWith('data: ')).map(one => JSON.parse(one.slice('data: '.length))))
    }
  })().catch(() => {})
  await expect.poll(() => events.at(-1)?.statusUpdate?.metadata?.sibyl.tool).toBe('hang')
  const { task } = events[0]
  expect(task.status.state).toBe('TASK_STATE_WORKING')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await reading

  const model = scriptedModel(['It may have hung.', 'on we go'])
  const { rpc } = await a2aOracle({ env, model })
  const completed = async () => (await rpc('GetTask', { id: task.id })).result
  await expect.poll(async () => (await completed()).status.state).toBe('TASK_STATE_COMPLETED')
  expect(JSON.stringify((await completed()).artifacts)).toContain('It may have hung.')
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Outcome unknown')
  expect((await rpc('SendMessage', { message })).result.task).toMatchObject({ id: task.id })
  expect(model.calls).toHaveLength(1)
  const next = await rpc('SendMessage', { message: wireMessage('go on', { contextId: task.contextId }) })
  expect(next.result.task).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' }, contextId: task.contextId })
})
