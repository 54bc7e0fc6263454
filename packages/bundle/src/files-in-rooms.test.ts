import { definePlugin, type Host } from '@sibyl/plugin'
import { Homeserver, MatrixPerson } from '@sibyl/plugin-matrix/testing'
import { startFakeOpenAi, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
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
%%EOF`)

test('a picture and a PDF in a Matrix room reach a model server, are exported, and erased with the person', async () => {
  const provider = await startFakeOpenAi({
    replies({ body }) {
      const text = JSON.stringify((body.messages as unknown[]).at(-1))
      if (text.includes('image_url')) return { text: 'A red square.' }
      return { text: text.includes('Depth 40 m') ? 'A well of 40 m.' : 'I do not know.' }
    },
  })
  onTestFinished(() => provider.close())
  const homeserver = await Homeserver.start()
  onTestFinished(() => homeserver.down())
  let host: Host | undefined
  const listener = definePlugin({
    name: 'listener',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Listener', summary: 'Gives its host away.', whenToUse: ['a test does'] },
    setup: given => {
      host = given
      return {}
    },
  })
  const bot = homeserver.addUser('oracle', 'the bot password')
  const token = 'operator-token-of-the-tests-01'
  const { app } = await testApp({
    plugins: [...bundledPlugins(), listener],
    env: {
      FILES_DIR: temporaryFolder(),
      LLM_PROVIDER: 'openai-compatible',
      OPENAI_BASE_URL: provider.url,
      ORACLE_OPERATOR_TOKEN: token,
      MATRIX_BASE_URL: homeserver.url,
      MATRIX_ORACLE_ADMIN_USER_ID: bot,
      MATRIX_ORACLE_ADMIN_PASSWORD: 'the bot password',
    },
  })
  onTestFinished(() => app.close())
  await app.ready
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  const room = await ada.directRoom(bot)
  const reply = (text: string) => ada.sees(({ sender, content }) => sender === bot && content.body === text)
  const media = (content: Buffer, msgtype: string, body: string, mimetype: string) =>
    ada.send(room, { msgtype, body, url: homeserver.addMedia(content), info: { mimetype, size: content.length } })
  await media(png, 'm.image', 'pump.png', 'image/png')
  await reply('A red square.')
  await media(pdf, 'm.file', 'well.pdf', 'application/pdf')
  await reply('A well of 40 m.')

  const person = `/people/${encodeURIComponent(host!.identity.pairwiseDid('matrix', ada.userId))}`
  const headers = { authorization: `Bearer ${token}` }
  const exported = async () => (await app.request(`${person}/export`, { headers })).text()
  expect(await exported()).toMatch(/pump\.png.*well\.pdf/s)
  expect((await app.request(person, { method: 'DELETE', headers })).status).toBe(204)
  expect(await exported()).not.toMatch(/pump\.png|well\.pdf/)
})
