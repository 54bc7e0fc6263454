import { files } from '@sibyl/plugin-files'
import { startFakeOpenAi, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './all-plugins.test.support.ts'
import { bundledAdapters } from './bundled-adapters.ts'

/** A PNG of one pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** A PDF of one page; its table of objects is left out, which readers make up for. */
const pdf = Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length 44 >> stream
BT /F1 24 Tf 72 700 Td (Depth 40 m) Tj ET   
endstream endobj
trailer << /Root 1 0 R >>
%%EOF`).toString('base64')

const key = 'k-0123456789abcdef'
const image = { url: `data:image/png;base64,${png}` }
const file = { filename: 'well.pdf', file_data: `data:application/pdf;base64,${pdf}` }
const completion = (part: object) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, part] }],
})
const response = (part: object) => ({
  input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, part] }],
})
const run = (type: string, mimeType: string, value: string) => ({
  threadId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  messages: [
    {
      id: '1',
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type, source: { type: 'data', mimeType, value } },
      ],
    },
  ],
})

const start = async () => {
  const provider = await startFakeOpenAi({
    replies({ body }) {
      const text = JSON.stringify((body.messages as unknown[]).at(-1))
      if (text.includes('image_url')) return { text: 'A red square.' }
      return { text: text.includes('Depth 40 m') ? 'A well of 40 m.' : 'I do not know.' }
    },
  })
  onTestFinished(() => provider.close())
  const oracle = await testApp({
    plugins: [files()],
    adapters: bundledAdapters(),
    env: {
      FILES_DIR: temporaryFolder(),
      LLM_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: provider.url,
      ORACLE_API_KEYS: `app:${key}:*`,
      MAX_ATTACHMENT_MB: '5',
    },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  return (path: string, body: object) =>
    oracle.app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
}

test.each([
  [
    'a picture in a completion',
    '/v1/chat/completions',
    completion({ type: 'image_url', image_url: image }),
    'A red square.',
  ],
  ['a PDF in a completion', '/v1/chat/completions', completion({ type: 'file', file }), 'A well of 40 m.'],
  [
    'a picture in a response',
    '/v1/responses',
    response({ type: 'input_image', image_url: image.url }),
    'A red square.',
  ],
  ['a PDF in a response', '/v1/responses', response({ type: 'input_file', ...file }), 'A well of 40 m.'],
  ['a picture in a run of AG-UI', '/ag-ui', run('image', 'image/png', png), 'A red square.'],
  ['a PDF in a run of AG-UI', '/ag-ui', run('document', 'application/pdf', pdf), 'A well of 40 m.'],
])('%s reaches the model', async (_, path, body, answer) => {
  const post = await start()
  const text = await (await post(path, body)).text()
  const streamed = [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join('')
  expect(`${text}${streamed}`).toContain(answer)
})

test('files of a completion may have as much as those of a chat message, and no more', async () => {
  const post = await start()
  const sized = (bytes: number) =>
    post(
      '/v1/chat/completions',
      completion({
        type: 'image_url',
        image_url: { url: `data:image/png;base64,${Buffer.alloc(bytes).toString('base64')}` },
      }),
    )
  const codeOf = async (answer: Response) => [answer.status, (await answer.json()).error.code]
  expect(await codeOf(await sized(4_900_000))).toEqual([422, 'attachment_invalid'])
  expect(await codeOf(await sized(5_100_000))).toEqual([413, 'attachments_too_large'])
  expect(await codeOf(await sized(9_000_000))).toEqual([413, 'body_too_large'])
})

test('text of a conversation may have 4 MB, as the guide says', async () => {
  const post = await start()
  const messages = Array.from({ length: 30 }, () => ({ role: 'user', content: 'x'.repeat(100_000) }))
  const answer = await post('/v1/chat/completions', { messages: [...messages, { role: 'user', content: 'hi' }] })
  expect(answer.status).toBe(200)
})
