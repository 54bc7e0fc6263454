import { definePlugin } from '@sibyl/plugin'
import { readStream, scriptedModel, testActor } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { files } from './files.ts'
import { at, bootFiles, codeOf, waysTo } from './testing/files-oracle.test.support.ts'

const csv = 'data:text/csv;base64,bmFtZSx1bml0cwp0ZWEsNAo='
const file = (url: string, filename?: string, mediaType = 'text/csv') => ({
  ...{ type: 'file', mediaType, url },
  filename,
})
const signed = expect.stringMatching(/^http:\/\/localhost\/files\/signed\/\d+\?expires=\d+&signature=/)
const noon = Date.parse('2026-11-22T12:00:00Z')

const boot = async (steps: Parameters<typeof scriptedModel>[0] = ['Seen.', 'Seen.', 'Seen.']) => {
  const model = scriptedModel(steps)
  const time = { now: noon }
  const oracle = await bootFiles({ model, clock: { now: () => time.now } })
  const send = (parts: readonly object[], id?: string, session = 's') =>
    oracle.actor.request('/chat', {
      json: { id: session, messages: [{ id, role: 'user', parts }] },
    })
  return { ...oracle, model, time, send }
}

test('a file in a message is kept, the history has its address, and the model a line and the tools', async () => {
  const load = { tool: 'load_capability', input: { names: ['files'] } }
  const path = 'attachments/2026-11-22/my report.csv'
  const read = { tool: 'read_file', input: { path } }
  const oracle = await boot([load, read, 'Four.', 'Still four.'])
  await using _ = oracle
  const question = { type: 'text', text: 'How many?' }
  const parts = [question, file(csv, '../my\u202e report.csv')]
  const { text, events } = await readStream(await oracle.send(parts, 'm1'))
  expect(text).toBe('Four.')
  const output = events.find(
    ({ type, output }) => type === 'tool-output-available' && (output as object) && 'content' in (output as object),
  )
  expect(output?.output).toMatchObject({ path, content: { text: 'name,units\ntea,4\n' } })

  const { messages } = await (await oracle.actor.request('/sessions/s')).json()
  const kept = { type: 'file', mediaType: 'text/csv', filename: 'my report.csv', url: signed }
  expect(messages[0].parts).toEqual([
    question,
    { ...kept, providerMetadata: { sibyl: { path, bytes: 17, sha256: expect.any(String) } } },
  ])
  expect(await (await oracle.actor.request(messages[0].parts[1].url)).text()).toBe('name,units\ntea,4\n')

  await readStream(await oracle.send([{ type: 'text', text: 'Sure?' }], 'm2'))
  const prompts = oracle.model.calls.map(({ prompt }) => JSON.stringify(prompt))
  for (const prompt of prompts) {
    expect(prompt).toContain(`Attached: ${path}, text/csv, 17 bytes. It is kept as a file of this person`)
    expect(prompt).not.toMatch(/data:|\/files\/content|bmFtZSx1/)
    expect(prompt).not.toContain('"type":"file"')
  }
})

test('the same message again, and the same content under one name, are one file', async () => {
  const oracle = await boot()
  await using _ = oracle
  const one = [file(csv, 'a.csv')]
  const first = await readStream(await oracle.send(one, 'm1'))
  oracle.time.now += 86_400_000
  expect((await readStream(await oracle.send(one, 'm1'))).events[0]).toEqual(first.events[0])
  oracle.time.now = noon
  await readStream(await oracle.send([file(csv, 'a.csv'), file('data:,other', 'a.csv')], 'm2'))
  expect((await oracle.list()).files.map(({ path }: { path: string }) => path)).toEqual([
    'attachments/2026-11-22/a (2).csv',
    'attachments/2026-11-22/a.csv',
  ])
  const { title } = await (await oracle.actor.request('/sessions/s')).json()
  expect(title).toBe('a.csv')
  expect(oracle.model.calls).toHaveLength(2)
})

test('a file that was uploaded before is referenced by its address, and stays there', async () => {
  const oracle = await boot()
  await using _ = oracle
  await oracle.put('big/scan.pdf', '%PDF-1.7 scan')
  for (const [id, url] of [
    ['m1', at('big/scan.pdf')],
    ['m2', `https://oracle.example/base${at('big/scan.pdf')}`],
  ] as const) {
    await readStream(await oracle.send([file(url, 'whatever', 'x/y')], id))
    const { messages } = await (await oracle.actor.request('/sessions/s')).json()
    expect(messages.find((message: { id: string }) => message.id === id).parts).toMatchObject([
      { filename: 'scan.pdf', mediaType: 'application/pdf', url: signed },
    ])
  }
  expect((await oracle.list()).usage.files).toBe(1)
  const other = testActor(oracle.app, () => oracle.time.now)
  const theirs = { message: { role: 'user', parts: [file(at('big/scan.pdf'))] } }
  expect(await codeOf(await other.request('/chat', { json: theirs }))).toBe('422 attachment_invalid')
})

test('hostile attachments are rejected before anything is kept, and nothing is fetched', async () => {
  const oracle = await boot([])
  await using _ = oracle
  const urls = [
    ...[
      'http://169.254.169.254/latest/meta-data',
      'https://example.org/a.png',
      'file:///etc/passwd',
      'blob:x',
      'javascript:1',
      'x',
    ],
    ...[
      'data:',
      'data:text/plain;base64',
      'data:text/plain;base64,%%%',
      'data:text/plain;base64,a',
      'data:text/plain;base64,a=b=',
    ],
  ]
  for (const url of urls) expect(await codeOf(await oracle.send([file(url)])), url).toBe('422 attachment_invalid')
  expect(await codeOf(await oracle.send([{ type: 'file', url: csv }]))).toBe('422 attachment_invalid')
  expect(await codeOf(await oracle.send([{ type: 'file', mediaType: 'text/csv', url: 7 }]))).toBe(
    '422 attachment_invalid',
  )
  expect(await codeOf(await oracle.send([file('')]))).toBe('422 attachment_invalid')
  expect(await codeOf(await oracle.send(Array(11).fill(file(csv))))).toBe('422 attachments_too_many')
  expect(await codeOf(await oracle.send([file(at('../x'))]))).toBe('400 file_path_invalid')
  expect(await codeOf(await oracle.send([file(`data:,${'x'.repeat(14_400_000)}`)]))).toBe('413 body_too_large')
  expect((await oracle.list()).files).toEqual([])
  expect(oracle.model.calls).toEqual([])
})

test('odd names become names that a file may have', async () => {
  const oracle = await boot()
  await using _ = oracle
  const names = ['..', '', 'a/b\\c', `${'ä'.repeat(200)}.PDF`, '\ud800x', ' \u200b ', 'Cafe\u0301.txt', undefined]
  await readStream(await oracle.send(names.map((name, place) => file(`data:,${place}`, name, 'text/plain'))))
  const { files } = await oracle.list()
  expect(files.map(({ path }: { path: string }) => path.slice('attachments/2026-11-22/'.length)).toSorted()).toEqual(
    [
      'Caf\u00e9.txt',
      'c',
      'attachment',
      'attachment (2)',
      'attachment (3)',
      'attachment (4)',
      `${'ä'.repeat(56)}.PDF`,
      '\ufffdx',
    ].toSorted(),
  )
})

test('a message that is rejected keeps none of its files, and holds nothing up', async () => {
  const first = Promise.withResolvers<void>()
  const budgeted = definePlugin({
    name: 'budgeted',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Budgeted', summary: 'Refuses.', whenToUse: ['a test does'] },
    setup: () => ({
      turn: {
        before: async ({ text }) =>
          text === 'pay' ? { status: 402, code: 'no_credits', detail: 'None left.' } : undefined,
      },
    }),
  })
  const model = scriptedModel([['One ', { wait: first.promise }], 'Two.'])
  const oracle = await bootFiles({ model, plugins: [files(), budgeted], env: { FILES_QUOTA_MB: '1' } })
  await using _ = oracle
  const send = (parts: readonly object[], id?: string) =>
    oracle.actor.request('/chat', { json: { id: 's', message: { id, role: 'user', parts } } })
  const words = (text: string) => ({ type: 'text', text })
  expect(await codeOf(await send([file(csv, 'a.csv'), file('data:text/csv;base64,%%%')]))).toBe(
    '422 attachment_invalid',
  )
  expect(await codeOf(await send([words('pay'), file(csv, 'a.csv')]))).toBe('402 no_credits')
  expect((await oracle.put('big', Buffer.alloc(999_990))).status).toBe(201)
  expect(await codeOf(await send([words('keep'), file(csv, 'a.csv')], 'm'))).toBe('413 files_quota_reached')
  expect((await oracle.actor.request('/sessions/s')).status).toBe(404)
  const running = await send([words('go on')], 'm')
  expect(await codeOf(await send([file('data:,x', 'x.txt')]))).toBe('409 turn_running')
  first.resolve()
  await readStream(running)
  expect((await oracle.list()).usage).toMatchObject({ files: 1, versions: 0 })
  expect((await readStream(await send([file('data:,x', 'x.txt')]))).text).toBe('Two.')
  expect((await oracle.list()).usage.files).toBe(2)
})

test('a stolen invocation keeps no file', async () => {
  const oracle = await boot()
  await using _ = oracle
  const authorization = `Bearer ${await oracle.actor.token()}`
  const post = (url: string) =>
    oracle.app.request('/chat', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ message: { role: 'user', parts: [file(url, 'a.csv')] } }),
    })
  await readStream(await post(csv))
  expect(await codeOf(await post('data:,theirs'))).toBe('401 ucan_replayed')
  expect((await waysTo(oracle.actor).list()).usage.files).toBe(1)
})
