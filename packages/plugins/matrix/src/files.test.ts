import { createHash } from 'node:crypto'
import { definePlugin, provide } from '@sibyl/plugin'
import { personFiles, type ServiceOf } from '@sibyl/protocol'
import { type ScriptedStep, scriptedModel } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { groupOf, type RoomWorld, roomWorld } from './room-world.test.support.ts'
import { broken, MatrixPerson, refusal } from './testing/index.test.support.ts'

type PersonFile = Awaited<ReturnType<ServiceOf<typeof personFiles>['write']>>

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Keeps files in memory; the text of a PDF is what follows its header. */
const store = (kept: Map<string, { file: PersonFile; content: Uint8Array }>) =>
  definePlugin({
    name: 'shelf',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Shelf', summary: 'Keeps files.', whenToUse: ['a test does'] },
    setup: () => ({
      services: [
        provide(personFiles, {
          list: async () => [...kept.values()].map(({ file }) => file),
          read: async (did, path) => kept.get(`${did} ${path}`),
          async write({ did, path, content, mediaType = '' }) {
            const bytes = Buffer.from(content)
            const sha256 = createHash('sha256').update(bytes).digest('hex')
            const file = { path, bytes: bytes.length, mediaType, sha256, updatedAt: new Date(0).toISOString() }
            kept.set(`${did} ${path}`, { file, content: bytes })
            return file
          },
          async readPdf(did, path) {
            const found = kept.get(`${did} ${path}`)
            return found && { text: Buffer.from(found.content).toString().slice(9), pages: 1, isTruncated: false }
          },
          linksTo: async () => new Map(),
          urlOf: path => `/shelf/${path}`,
          findByUrl: async () => undefined,
        }),
      ],
    }),
  })

/** Answers with the kinds and texts of what it was sent last. */
const echo: ScriptedStep = ({ prompt }) => {
  const last = prompt.at(-1)
  const parts = last?.role === 'user' ? last.content : []
  return parts.map(part => (part.type === 'text' ? part.text : `[${part.type} ${part.mediaType}]`)).join(' | ')
}

const world = async (env: Readonly<Record<string, string>> = {}, withStore = true) => {
  const kept = new Map<string, { file: PersonFile; content: Uint8Array }>()
  const model = scriptedModel(Array.from({ length: 20 }, () => echo))
  const made = await roomWorld({
    model,
    plugins: withStore ? [store(kept)] : [],
    env: { LLM_INPUTS: 'image', ...env },
  })
  onTestFinished(() => made[Symbol.asyncDispose]())
  await made.oracle.app.ready
  return { ...made, model, kept, room: await made.ada.directRoom(made.bot) }
}

const image = ({ homeserver }: Pick<RoomWorld, 'homeserver'>, content: Uint8Array = png, more: object = {}) => ({
  msgtype: 'm.image',
  body: 'pump.png',
  url: homeserver.addMedia(content),
  info: { mimetype: 'image/png', size: content.length },
  ...more,
})

test('a picture in a direct room is answered, with its caption, and named in the next turn', async () => {
  const made = await world()
  const { ada, room, waitForText, kept, model } = made
  await ada.send(room, image(made))
  await waitForText(
    room,
    /^Attached: attachments\/.*\/pump\.png, image\/png, 70 bytes\..* The picture follows\. \| \[file image\/png\]/,
  )
  expect([...kept.values()].map(({ content }) => Buffer.from(content))).toEqual([png])
  await ada.send(room, image(made, png, { filename: 'pump.png', body: 'Is it rusty?' }))
  await waitForText(room, /^Is it rusty\? \| Attached: .* \| \[file image\/png\]/)
  expect(model.calls).toHaveLength(2)
})

test('a PDF is answered by its text', async () => {
  const made = await world()
  const url = made.homeserver.addMedia(Buffer.from('%PDF-1.7\nDepth 40 m'))
  const info = { mimetype: 'application/pdf' }
  await made.ada.send(made.room, { msgtype: 'm.file', body: 'well.pdf', url, info })
  await made.waitForText(made.room, /well\.pdf, application\/pdf, .*It has 1 page\..*Depth 40 m/s)
})

test('in a group a picture is answered where its caption or mentions name the bot', async () => {
  const made = await world()
  const { ada, bot, homeserver, waitForText, textsOf, model } = made
  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const room = await groupOf({ homeserver, ada, bot }, 'Field team', [ben])
  await ada.send(room, image(made))
  await ada.send(room, image(made, png, { filename: 'pump.png', body: 'only for us' }))
  await ada.send(room, image(made, png, { filename: 'pump.png', body: `${bot}: is it rusty?`, 'm.mentions': {} }))
  await waitForText(room, /is it rusty\? \| Attached:/)
  expect(textsOf(room)).toHaveLength(1)
  expect(model.calls).toHaveLength(1)
})

test.each([
  [
    'an encrypted picture with an invalid key',
    { url: undefined, file: { url: 'mxc://localhost/1', key: {} } },
    /does not say where it is/,
  ],
  ['one without an address', { url: 'https://example.org/a.png' }, /does not say where it is/],
  ['one that says it is large', { info: { mimetype: 'image/png', size: 100_000_000 } }, /too large for me/],
  ['one that is not there', { url: 'mxc://localhost/none' }, /could not get that file/],
  ['one of a server that is not there', { url: 'mxc://gone.example/media1' }, /could not get that file/],
] as const)('%s gets a clear reply, and no turn', async (_name, more, reply) => {
  const made = await world()
  const content = Object.fromEntries(Object.entries(image(made, png, more)).filter(([, value]) => value !== undefined))
  await made.ada.send(made.room, content)
  await made.waitForText(made.room, reply)
  expect(made.model.calls).toEqual([])
  expect(made.kept.size).toBe(0)
})

test('text as a picture, and more than MAX_ATTACHMENT_MB, get a clear reply, and nothing is kept', async () => {
  const made = await world({ MAX_ATTACHMENT_MB: '1' })
  const { ada, room, waitForText, kept, model } = made
  await ada.send(room, image(made, Buffer.from('no picture')))
  await waitForText(room, /I cannot take that file\. Attachment 1 .* its content is not a whole picture/)
  await ada.send(room, { ...image(made, Buffer.alloc(2_000_000)), info: {} })
  await waitForText(room, /I cannot take that file\. .* may have 1 MB together/)
  const huge = { ...image(made, Buffer.alloc(26_000_000)), info: {} }
  await ada.send(room, huge)
  await waitForText(room, 'That file is too large for me. Please send a smaller one.')
  expect([kept.size, model.calls.length]).toEqual([0, 0])
  await ada.send(room, 'still there?')
  await waitForText(room, 'still there?')
})

test('without a plugin that keeps files, the person hears so', async () => {
  const made = await world({}, false)
  await made.ada.send(made.room, image(made))
  await made.waitForText(made.room, 'I cannot take files. Please write to me instead.')
})

test('a homeserver that fails is asked again, and one that refuses is not', async () => {
  const made = await world()
  const { homeserver, ada, room, waitForText } = made
  homeserver.fault({ on: ['media'], times: 1, wrong: broken() })
  await ada.send(room, image(made))
  await waitForText(room, /The picture follows/)
  homeserver.fault({ on: ['media'], times: 1, wrong: refusal(403, 'M_FORBIDDEN') })
  await ada.send(room, image(made))
  await waitForText(room, /could not get that file/)
  expect(homeserver.requests('media')).toHaveLength(3)
})
