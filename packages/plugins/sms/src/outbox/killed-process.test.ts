import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { testProgram } from '@sibyl/testing/program'
import { expect, onTestFinished, test } from 'vitest'
import { operatorToken } from '../testing/sms-fixture.test.support.ts'
import { callSecret, startProvider } from '../testing/start-provider.test.support.ts'

const script = await testProgram(new URL('../testing/oracle-process.test.support.ts', import.meta.url))

const startOracle = async (env: Record<string, string>) => {
  const child = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = async () => {
    const gone = once(child, 'exit')
    if (child.kill('SIGKILL')) await gone
  }
  onTestFinished(kill)
  const [line] = await once(child.stdout, 'data')
  const url = String(line).trim()
  const call = async (path: string, fields: Record<string, string>) =>
    (await fetch(`${url}${path}?secret=${callSecret}`, { method: 'POST', body: new URLSearchParams(fields) })).status
  const states = async (): Promise<string[]> => {
    const answer = await fetch(`${url}/sms/outbox`, { headers: { authorization: `Bearer ${operatorToken}` } })
    return ((await answer.json()) as { messages: { state: string }[] }).messages.map(({ state }) => state)
  }
  return { kill, call, states }
}

const name = 'kill -9 between a request and its answer, and behind an acknowledgement, sends and answers nothing twice'

test(name, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-sms-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await using provider = await startProvider()
  const env = {
    ...provider.env.africastalking,
    DATABASE_URL: `file:${join(folder, 'oracle.db')}`,
    ORACLE_MNEMONIC: createMnemonic(12).reveal(),
    ORACLE_OPERATOR_TOKEN: operatorToken,
  }
  const question = (id: string) => ({ id, from: '+260971234567', to: '20880', text: 'Who are you?', date: '' })

  await provider.report({ modes: ['hold'] })
  const first = await startOracle(env)
  expect(await first.call('/sms/inbound/africastalking', question('one'))).toBe(200)
  await expect.poll(provider.taken).toHaveLength(1)
  expect(await first.states()).toEqual(['sending'])
  expect(await first.call('/sms/inbound/africastalking', question('two'))).toBe(200)
  await first.kill()

  const second = await startOracle(env)
  for (const id of ['one', 'two']) expect(await second.call('/sms/inbound/africastalking', question(id))).toBe(200)
  await expect
    .poll(async () => (await second.states()).toSorted())
    .toEqual([expect.stringMatching(/^(sent|unknown)$/), 'unknown'])
  const taken = (await provider.taken()).length
  // The kill may also have preceded the second response: then neither is known.
  if ((await second.states()).includes('sent')) expect(taken).toBe(2)
  else expect([1, 2]).toContain(taken)
})
