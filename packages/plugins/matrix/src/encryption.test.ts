import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { definePlugin, type Host } from '@sibyl/plugin'
import { personNotices, type ServiceOf } from '@sibyl/protocol'
import { scriptedModel } from '@sibyl/testing'
import { EventType, MsgType } from 'matrix-js-sdk'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type EncryptedWorld, encryptedWorld, ratchetPlaces } from './encrypted-world.test.support.ts'
import { type Homeserver, refusal } from './testing/index.test.support.ts'
import { SecondUser } from './testing/second-user.test.support.ts'

/** Ends the answer that begins. */
const gate = Promise.withResolvers<void>()
const answerTo = (text: string) => `You said: ${text}`

/** A model that repeats what the user wrote last, and waits in the midst of its answer to `slowly`. */
const answers = () =>
  scriptedModel(
    Array.from({ length: 50 }, () => ({ prompt }) => {
      const content = prompt.findLast(({ role }) => role === 'user')?.content ?? []
      const text =
        typeof content === 'string' ? content : content.map(part => ('text' in part ? part.text : '')).join('')
      return text === 'slowly' ? ['It begins ', { wait: gate.promise }, 'and ends.'] : answerTo(text)
    }),
  )

const ownWorld = async (options: Parameters<typeof encryptedWorld>[0] = {}): Promise<EncryptedWorld> => {
  const made = await encryptedWorld({ model: answers(), ...options })
  onTestFinished(() => made[Symbol.asyncDispose]())
  return made
}

/** A homeserver that drops a message to a device. */
const lost = { status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }

interface LostMessages {
  readonly messages: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
}

/** Resolves once a user has taken what there was, and polls again. */
const polledBy = async (homeserver: Homeserver, userId: string): Promise<void> => {
  const since = homeserver.state.data.seq
  await homeserver.until(() =>
    homeserver
      .requests('sync')
      .some(({ user, path }) => user === userId && Number(/since=s[0-9a-f]+_(\d+)/.exec(path)?.[1]) >= since),
  )
}

/** Waits for a text of the bot that the client of a user decrypted. */
const hears = (user: SecondUser, text: string | RegExp) =>
  user.message(({ body }) => (typeof text === 'string' ? body === text : text.test(body)))

/** Waits until the client of a user knows a device of another one. @param besides One that is deleted. */
const knowsDevice = (user: SecondUser, other: string, besides?: string) =>
  expect
    .poll(async () => {
      const devices = (await user.client.getCrypto()!.getUserDeviceInfo([other])).get(other)
      return [...(devices?.keys() ?? [])].some(id => id !== besides)
    })
    .toBe(true)

describe('one oracle', () => {
  const time = { aheadMs: 0 }
  const seen: { host?: Host; notices?: ServiceOf<typeof personNotices.matrix> } = {}
  const teller = definePlugin({
    name: 'teller',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Teller', summary: 'Tells.', whenToUse: ['a test does'] },
    requires: ['matrix'],
    setup(host) {
      seen.host = host
      seen.notices = host.service(personNotices.matrix)
      return {}
    },
  })
  let world: EncryptedWorld

  beforeAll(async () => {
    const env = { LLM_INPUTS: 'image' }
    const clock = { now: () => Date.now() + time.aheadMs }
    world = await encryptedWorld({ model: answers(), plugins: [teller], env, clock })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('an encrypted room is answered, with threads and edits, and nothing in it is readable for the homeserver', async () => {
    const { homeserver, bot, ben } = world
    const room = await ben.directRoom(bot, { encrypted: true })
    await ben.send(room, 'a secret question')
    const first = await hears(ben, answerTo('a secret question'))
    await ben.send(room, 'slowly')
    await hears(ben, 'It begins')
    gate.resolve()
    const grown = await hears(ben, /^It begins\s+and ends\.$/)
    expect(grown.edits).toBeGreaterThan(0)
    await ben.send(room, 'in a thread', first.id)
    expect(await hears(ben, answerTo('in a thread'))).toMatchObject({ thread: first.id })
    const events = homeserver.events(room)
    expect(events.filter(({ type }) => type === 'm.room.message')).toEqual([])
    expect(JSON.stringify(events)).not.toMatch(/secret question|begins/)
    const places = ratchetPlaces(events, bot)
    expect(places.map(({ index }) => index)).toEqual(places.map((_, index) => index))
    expect(new Set(places.map(({ session }) => session)).size).toBe(1)
  })

  test('an encrypted room gets notices of tasks and other plugins encrypted', { tags: 'long' }, async () => {
    const { homeserver, bot, ben } = world
    const room = await ben.directRoom(bot, { encrypted: true })
    await ben.send(room, 'any news?')
    await hears(ben, answerTo('any news?'))
    const did = seen.host!.identity.pairwiseDid('matrix', ben.userId)
    homeserver.fault({ on: ['send'], user: bot, times: 1, wrong: { afterwards: 'cut' } })
    await seen.notices!.send({ did, to: room, text: 'The **report** is there.', idempotencyKey: '1' })
    await hears(ben, 'The **report** is there.')
    const sends = () =>
      homeserver.requests('send').filter(({ user, path }) => user === bot && decodeURIComponent(path).includes(room))
    await homeserver.until(() => sends().length === 3)
    const places = ratchetPlaces(homeserver.events(room), bot)
    expect(places.map(({ index }) => index)).toEqual([0, 1])
    const [, first, second] = sends()
    expect(second).toMatchObject({ path: first!.path, body: first!.body })
    expect(homeserver.events(room).filter(({ type }) => type === 'm.room.message')).toEqual([])
  })

  test('an encrypted room brings encrypted pictures; one whose content was changed is rejected', async () => {
    const { homeserver, bot, ben } = world
    const room = await ben.directRoom(bot, { encrypted: true })
    const [key, iv] = [randomBytes(32), randomBytes(16)]
    const cipher = createCipheriv('aes-256-ctr', key, iv)
    const content = Buffer.concat([cipher.update('a picture'), cipher.final()])
    const send = (stored: Uint8Array) =>
      ben.client.sendEvent(room, EventType.RoomMessage, {
        msgtype: MsgType.Image,
        body: 'pump.png',
        info: { mimetype: 'image/png', size: content.length },
        file: {
          v: 'v2',
          url: homeserver.addMedia(stored),
          key: { alg: 'A256CTR', ext: true, k: key.toString('base64url'), key_ops: ['encrypt', 'decrypt'], kty: 'oct' },
          iv: iv.toString('base64').replace(/=+$/, ''),
          hashes: { sha256: createHash('sha256').update(content).digest('base64').replace(/=+$/, '') },
        },
      })
    await send(content)
    await hears(ben, 'I cannot take files. Please write to me instead.')
    await send(Buffer.concat([content, Buffer.from('!')]))
    await hears(ben, /could not decrypt that file: its content was changed/)
  })

  test('broken events, broken messages to the device and forged state change nothing', async () => {
    const { homeserver, bot, ben } = world
    const room = await ben.directRoom(bot, { encrypted: true })
    const encrypted = (content: Record<string, unknown>, stateKey?: string) =>
      homeserver.inject(room, {
        type: 'm.room.encrypted',
        sender: ben.userId,
        content,
        state_key: stateKey,
      })
    encrypted({})
    encrypted({ algorithm: 'm.megolm.v1.aes-sha2', ciphertext: 'AwgA', session_id: 7, sender_key: {}, device_id: null })
    encrypted({ algorithm: 'm.unknown', ciphertext: 'x'.repeat(10_000) })
    encrypted({ algorithm: 'm.megolm.v1.aes-sha2', ciphertext: 'AwgA', session_id: 'x' }, '')
    const [deviceId = ''] = await homeserver.until(() => {
      const devices = homeserver.devicesWithKeys(bot)
      return devices.length > 0 && devices
    })
    const contents = [{}, { algorithm: 'm.olm.v1.curve25519-aes-sha2', ciphertext: { x: { type: 9, body: '?' } } }]
    for (const content of contents) {
      await ben.client.sendToDevice('m.room.encrypted', new Map([[bot, new Map([[deviceId, content]])]]))
      await ben.client.sendToDevice('m.room_key', new Map([[bot, new Map([[deviceId, content]])]]))
    }
    const member = { membership: 'join', displayname: 'Eve', 'm.mentions': {} }
    await ben.client.sendEvent(room, 'm.room.member' as never, member as never)
    await ben.send(room, 'still there?')
    await hears(ben, answerTo('still there?'))
  })

  test('keys are reported in a notice if a client withholds them from unverified devices', async () => {
    const { bot, ben } = world
    const crypto = ben.client.getCrypto()!
    crypto.globalBlacklistUnverifiedDevices = true
    const room = await ben.directRoom(bot, { encrypted: true })
    await ben.send(room, 'withheld')
    await hears(ben, /your client gives their keys only to verified devices/)
    crypto.globalBlacklistUnverifiedDevices = false
  })

  test('keys have their messages answered when they come late', async () => {
    const { homeserver, bot, ben } = world
    const room = await ben.directRoom(bot, { encrypted: true })
    homeserver.fault({ on: ['send_to_device'], user: ben.userId, wrong: lost })
    await ben.send(room, 'late')
    await polledBy(homeserver, bot)
    homeserver.fix()
    const { body } = homeserver.requests('send_to_device').findLast(({ user }) => user === ben.userId)!
    const messages = Object.entries((body as unknown as LostMessages).messages).map(([user, devices]) => [
      user,
      new Map(Object.entries(devices)),
    ])
    await ben.client.sendToDevice('m.room.encrypted', new Map(messages as never))
    await hears(ben, answerTo('late'))
    expect(ben.messages().filter(({ roomId }) => roomId === room)).toHaveLength(1)
  })

  test('keys are reported in one notice if they are missing after a minute', async () => {
    const { homeserver, bot, ben } = world
    const room = await ben.directRoom(bot, { encrypted: true })
    homeserver.fault({ on: ['send_to_device'], user: ben.userId, wrong: lost })
    await ben.send(room, 'without a key')
    await ben.send(room, 'and another one')
    await polledBy(homeserver, bot)
    time.aheadMs = 61_000
    homeserver.fix()
    await ben.client.setRoomName(room, 'Anything that changes')
    await hears(ben, /^I could not decrypt your message, because its key or your device did not become known to me\./)
    expect(ben.messages().filter(({ roomId }) => roomId === room)).toHaveLength(1)
  })
})

test('an encrypted room is answered in a group where the bot is named, to all members, and to those who come later', async () => {
  const { homeserver, bot, ben } = await ownWorld({ model: scriptedModel(['answer 1', 'answer 2', 'answer 3']) })
  using eve = await SecondUser.start(homeserver.url, 'eve', { encrypts: true })
  eve.acceptInvitations()
  const room = await ben.encryptedGroup([bot])
  await ben.client.invite(room, eve.userId)
  await ben.joined(room, eve.userId)
  await eve.send(room, 'nothing for the oracle')
  await ben.send(room, `${bot}: are you there?`)
  await Promise.all([hears(ben, 'answer 1'), hears(eve, 'answer 1')])
  await eve.send(room, `${bot}: and for me?`)
  await Promise.all([hears(ben, 'answer 2'), hears(eve, 'answer 2')])
  await eve.client.leave(room)
  await ben.left(room, eve.userId)
  await ben.send(room, `${bot}: and without eve?`)
  await hears(ben, 'answer 3')
  const places = ratchetPlaces(homeserver.events(room), bot)
  expect(places.map(({ index }) => index)).toEqual([0, 1, 0])
  expect(new Set(places.map(({ session }) => session)).size).toBe(2)
})

test('a room is answered in plain before its encryption, without keys, and encrypted after', async () => {
  const { homeserver, bot, ben } = await ownWorld()
  const room = await ben.directRoom(bot)
  await ben.send(room, 'in plain')
  await hears(ben, answerTo('in plain'))
  const requests = homeserver.requests().filter(({ user }) => user === bot)
  expect(requests.filter(({ operation }) => operation.startsWith('keys'))).toEqual([])
  await ben.encrypt(room)
  await knowsDevice(ben, bot)
  await ben.send(room, 'encrypted')
  await hears(ben, answerTo('encrypted'))
  const own = homeserver.events(room).filter(({ sender, type }) => sender === bot && type !== 'm.room.member')
  expect(own.map(({ type }) => type)).toEqual(['m.room.message', 'm.room.encrypted'])
})

describe('keys', () => {
  test('are replaced when the homeserver has other ones, as after a snapshot', { tags: 'long' }, async () => {
    const { homeserver, bot, ben } = await ownWorld()
    const room = await ben.directRoom(bot, { encrypted: true })
    const [before] = homeserver.devicesWithKeys(bot)
    homeserver.fault({ on: ['keys_upload'], user: bot, times: 1, wrong: refusal(400, 'M_UNKNOWN') })
    // Its key may be lost with the device.
    await ben.send(room, 'hello')
    await knowsDevice(ben, bot, before)
    expect(homeserver.devicesWithKeys(bot)).not.toContain(before)
    await ben.send(room, 'and now?')
    await hears(ben, answerTo('and now?'))
  })

  test('are signed by the user of the bot, whose own keys are derived from the mnemonic; those of a deleted device are replaced', {
    tags: 'long',
  }, async () => {
    const { homeserver, bot, ben, log } = await ownWorld()
    const room = await ben.directRoom(bot, { encrypted: true })
    const isSigned = async () => {
      const crypto = ben.client.getCrypto()!
      const [deviceId = ''] = (await crypto.getUserDeviceInfo([bot], true)).get(bot)?.keys() ?? []
      return (await crypto.getDeviceVerificationStatus(bot, deviceId))?.signedByOwner
    }
    await expect.poll(isSigned).toBe(true)
    await ben.send(room, 'hello')
    await hears(ben, answerTo('hello'))
    const before = homeserver.state.data.crossSigning.get(bot)
    const [deleted] = homeserver.deleteDevices(bot)
    await knowsDevice(ben, bot, deleted)
    await expect.poll(isSigned).toBe(true)
    expect(homeserver.state.data.crossSigning.get(bot)).toEqual(before)
    await ben.send(room, 'and now?')
    await hears(ben, answerTo('and now?'))
    const places = ratchetPlaces(homeserver.events(room), bot)
    expect(new Set(places.map(({ session }) => session)).size).toBe(2)
    expect(JSON.stringify(log.lines)).toContain('the bot uses a new device for encrypted Matrix rooms')
  })
})

test('a homeserver that fails requests about keys delays answers, and none is sent in plain', {
  tags: 'long',
}, async () => {
  const { homeserver, bot, ben } = await ownWorld()
  const room = await ben.directRoom(bot, { encrypted: true })
  homeserver.fault({ on: ['keys_query'], user: bot, times: 3, wrong: { status: 502, body: 'bad gateway' } })
  homeserver.fault({ on: ['keys_claim'], user: bot, times: 2, wrong: { status: 200, body: '{"one_time_keys":7}' } })
  await ben.send(room, 'hello')
  await hears(ben, answerTo('hello'))
  expect(homeserver.events(room).filter(({ type }) => type === 'm.room.message')).toEqual([])
})

test('a token alone, whose device has keys of a lost database, gets no encrypted room and no message in plain; other rooms work', {
  tags: 'long',
}, async () => {
  const { homeserver, bot, ben, log } = await ownWorld({
    before: server => {
      const userId = server.state.userIdOf('field-oracle')
      server.state.data.logins.set('a-token', { token: 'a-token', userId, deviceId: 'OLD' })
      const keys = { 'ed25519:OLD': 'a lost key', 'curve25519:OLD': 'another one' }
      const device = { user_id: userId, device_id: 'OLD', algorithms: [], keys }
      server.state.data.keys.set(
        userId,
        new Map([['OLD', { device, oneTime: new Map(), fallback: new Map(), inbox: [] }]]),
      )
    },
    env: { MATRIX_ORACLE_ADMIN_ACCESS_TOKEN: 'a-token', MATRIX_ORACLE_ADMIN_PASSWORD: '' },
  })
  const encrypted = await ben.directRoom(bot, { encrypted: true })
  const plain = await ben.directRoom(bot)
  await ben.send(encrypted, 'hello?')
  await ben.send(plain, 'hello')
  await hears(ben, answerTo('hello'))
  const { fields } = log.lines.find(({ message }) => message === 'encrypted Matrix rooms cannot be read')!
  expect(String(fields.error)).toContain('MATRIX_ORACLE_ADMIN_PASSWORD')
  const own = homeserver.events(encrypted).filter(({ sender, type }) => sender === bot && type !== 'm.room.member')
  expect(own).toEqual([])
})

test('MATRIX_ENCRYPTION=off keeps the notice of rooms without encryption', async () => {
  const { homeserver, bot, ben } = await ownWorld({ env: { MATRIX_ENCRYPTION: 'off' } })
  const room = await ben.directRoom(bot, { encrypted: true })
  await ben.send(room, 'hello')
  await homeserver.event(
    ({ room_id, sender, content }) =>
      room_id === room && sender === bot && /^I cannot read encrypted messages\./.test(String(content.body)),
  )
  expect(homeserver.requests('keys_upload').filter(({ user }) => user === bot)).toEqual([])
})
