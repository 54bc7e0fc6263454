import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scriptedModel } from '@sibyl/testing'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { key, shop, start, startResponseProcess } from '../openai.test.support.ts'

test('a streamed response can be read by its id after a kill -9, and its repeat does not pay again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-openai-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { child, url, env } = await startResponseProcess(`file:${join(folder, 'oracle.db')}`)
  const killed = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
  const body = { model: 'x', input: 'Pay 5', stream: true } as const
  const options = { headers: { 'Idempotency-Key': 'order 7' } }
  let id = ''
  const reading = (async () => {
    for await (const event of await killed.responses.create(body, options)) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') {
        expect(await killed.responses.retrieve(id)).toMatchObject({ id, status: 'in_progress' })
        child.kill('SIGKILL')
      }
    }
  })()
  await expect(reading).rejects.toThrow()
  const { plugin, paid } = shop({ asks: false })
  const { client } = await start({
    plugins: [plugin],
    env,
    model: scriptedModel(['All is paid.']),
  })
  await expect.poll(async () => (await client.responses.retrieve(id)).status).toBe('completed')
  expect(await client.responses.retrieve(id)).toMatchObject({ id, error: null, output_text: 'All is paid.' })
  let last: unknown
  for await (const event of await client.responses.create(body, options)) last = event
  expect(last).toMatchObject({
    type: 'response.completed',
    response: { id, status: 'completed' },
  })
  expect(paid).toEqual([])
})
