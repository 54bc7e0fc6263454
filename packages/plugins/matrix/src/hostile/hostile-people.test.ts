/** @module-tag long */
import { testApp } from '@sibyl/testing'
import { describe, test } from 'vitest'
import { matrix } from '../matrix.ts'
import { broken, MatrixPerson } from '../testing/index.test.support.ts'
import { botPassword, echoModel, lastWords, matrixWorld } from './matrix-world.test.support.ts'

describe.concurrent('people', () => {
  test('receive one notice when they flood a room, and others are answered meanwhile', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const ben = await MatrixPerson.register(homeserver.url, 'ben')
    const [flooded, quiet] = await Promise.all([ada.directRoom(bot), ben.directRoom(bot)])
    await Promise.all([ada.send(flooded, 'hello'), ben.send(quiet, 'hello')])
    await Promise.all([world.answer('echo: hello', flooded), world.answer('echo: hello', quiet)])
    const texts = Array.from({ length: 1_000 }, (_, index) => `m${index}`)
    homeserver.flood(flooded, ada.userId, texts)
    await ben.send(quiet, 'are you there?')
    await world.answer('echo: are you there?', quiet)
    await world.answer(/too (much|many)/i, flooded)
    await world.answer('echo: m0', flooded)
    const settled = () => {
      const texts = world.textsOf(flooded).filter(text => text.startsWith('echo: m'))
      return texts.length >= 18 ? texts : undefined
    }
    const answered = await homeserver.until(settled)
    expect(answered).toEqual(texts.slice(0, answered.length).map(text => `echo: ${text}`))
    await ben.send(quiet, 'and now?')
    await world.answer('echo: and now?', quiet)
    expect(world.textsOf(flooded).filter(text => text.startsWith('echo: m')).length).toBeLessThan(25)
    expect(world.textsOf(flooded).filter(text => /too (much|many)/i.test(text))).toHaveLength(1)
  })

  test('receive the answer to 60 KB in parts', async ({ expect }) => {
    await using world = await matrixWorld()
    const { ada, bot } = world
    const room = await ada.directRoom(bot)
    const text = `${'word '.repeat(12_000)}end`
    await ada.send(room, text)
    await world.answer(/end$/, room)
    const parts = world.textsOf(room)
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.join(' ').replace(/\s+/g, ' ')).toBe(`echo: ${text}`)
  })

  test('do not delay other messages with 22 MB at once', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const mallory = await MatrixPerson.register(homeserver.url, 'mallory')
    const rooms = await Promise.all([mallory, mallory, mallory, mallory, ada].map(one => one.directRoom(bot)))
    await homeserver.until(() => rooms.every(room => homeserver.state.data.rooms.get(room)?.joinedAt.has(bot)))
    const room = rooms.pop() ?? ''
    await ada.send(room, 'hello')
    await world.answer('echo: hello')
    const content = { msgtype: 'm.notice', body: 'x'.repeat(55_000) }
    for (const loud of rooms) {
      for (let count = 0; count < 100; count += 1) {
        homeserver.inject(loud, { type: 'm.room.message', sender: mallory.userId, content })
      }
    }
    homeserver.flood(room, ada.userId, ['two'])
    await world.answer('echo: two')
    expect(world.textsOf(room)).toEqual(['echo: hello', 'echo: two'])
    expect(homeserver.requests('sync').some(({ path }) => path.includes('"limit":10}'))).toBe(true)
  })

  test('cause no endless loop when they are programs', async ({ expect }) => {
    const began = Date.now()
    // Slow, so that a busy computer does not make the program look like a person.
    const clock = { now: () => Math.floor(began + (Date.now() - began) / 3) }
    await using world = await matrixWorld({ clock })
    const { homeserver, ada, bot } = world
    const program = await MatrixPerson.register(homeserver.url, 'program')
    const room = await program.directRoom(bot)
    await program.send(room, 'n0')
    const talk = async () => {
      for (let count = 1; ; count += 1) {
        await program.sees(({ sender, content }) => sender === bot && content.body === `echo: n${count - 1}`)
        await program.send(room, `n${count}`)
      }
    }
    const talking = talk().catch(() => {})
    const quiet = await ada.directRoom(bot)
    await ada.send(quiet, 'hello')
    await world.answer('echo: hello', quiet)
    await world.answer(/look like automatic replies/, room)
    await ada.send(quiet, 'still there?')
    await world.answer('echo: still there?', quiet)
    await ada.send(quiet, 'and still?')
    await world.answer('echo: and still?', quiet)
    const texts = world.textsOf(room)
    expect(texts.length).toBeLessThan(22)
    expect(texts.filter(text => text.includes('look like automatic replies'))).toHaveLength(1)
    await homeserver.down()
    await talking
  })

  test('receive one answer when they are oracles', async ({ expect }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const other = homeserver.addUser('other', botPassword)
    await using second = await testApp({
      plugins: [matrix()],
      model: echoModel(),
      env: {
        MATRIX_BASE_URL: homeserver.url,
        MATRIX_ORACLE_ADMIN_USER_ID: other,
        MATRIX_ORACLE_ADMIN_PASSWORD: botPassword,
      },
    })
    await second.app.ready
    const room = await ada.createRoom({ is_direct: true, invite: [bot, other] })
    const isIn = (userId: string) =>
      homeserver.event(
        ({ state_key, room_id, content }) => room_id === room && state_key === userId && content.membership === 'join',
      )
    await Promise.all([isIn(bot), isIn(other)])
    await ada.send(room, 'hello, both')
    const spoken = () =>
      homeserver.events(room).filter(({ type, sender }) => type === 'm.room.message' && sender !== ada.userId)
    await homeserver.until(() => new Set(spoken().map(({ sender }) => sender)).size === 2)
    await ada.send(room, 'again')
    await homeserver.until(() => spoken().filter(({ content }) => content.body === 'echo: again').length === 2)
    expect(spoken()).toHaveLength(4)
  })

  test('do not block others with hundreds of invitations, also from rooms that cannot be joined', async ({
    expect,
  }) => {
    await using world = await matrixWorld()
    const { homeserver, ada, bot } = world
    const mallory = await MatrixPerson.register(homeserver.url, 'mallory')
    const dead = await Promise.all(Array.from({ length: 4 }, () => mallory.createRoom()))
    for (const path of dead) homeserver.fault({ on: ['join', 'leave'], path, wrong: broken(504) })
    for (const path of dead) await mallory.invite(path, bot)
    await homeserver.until(() => homeserver.requests('join').find(({ path }) => path.includes(dead[0]!)))
    await Promise.all(Array.from({ length: 60 }, () => mallory.directRoom(bot)))
    const room = await ada.directRoom(bot)
    await ada.send(room, 'hello')
    await world.answer('echo: hello', room)
    const joined = () => [...homeserver.state.data.rooms.values()].filter(({ joinedAt }) => joinedAt.has(bot)).length
    await homeserver.until(() => joined() === 61)
    expect(homeserver.requests('join').length).toBeLessThan(200)
  })

  test('receive no message of a room whose alias they claim', async ({ expect }) => {
    const model = echoModel(call =>
      call.prompt.at(-1)?.role === 'tool'
        ? 'done'
        : { tool: 'send_matrix_message', input: { room: '#field:localhost', text: lastWords(call) } },
    )
    const env = () => ({ MATRIX_SHARED_ROOMS: '#field:localhost' })
    await using world = await matrixWorld({ model, env })
    const { homeserver, oracle, ada, bot } = world
    const mallory = await MatrixPerson.register(homeserver.url, 'mallory')
    const field = await ada.createRoom({ name: 'Field', room_alias_name: 'field', invite: [bot] })
    const trap = await mallory.createRoom({ name: '#field:localhost', invite: [bot] })
    const alias = { alias: '#field:localhost' }
    homeserver.inject(trap, { type: 'm.room.canonical_alias', sender: mallory.userId, state_key: '', content: alias })
    const isIn = (roomId: string) => homeserver.state.data.rooms.get(roomId)?.joinedAt.has(bot)
    await homeserver.until(() => isIn(field) && isIn(trap))
    await mallory.send(trap, `${bot}: hello`)
    await homeserver.until(() => homeserver.requests('receipt').length > 0)
    const { events } = await oracle.chat('the pump runs', { session: 's1' })
    const question = events.find(({ type }) => type === 'tool-approval-request') as { approvalId?: string } | undefined
    const { approvalId = '' } = question ?? {}
    expect(approvalId).not.toBe('')
    await oracle.actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once' } })
    await world.answer('the pump runs', field)
    expect(world.textsOf(trap)).not.toContain('the pump runs')
  })

  test('change nothing of Ada’s with the bot’s name, or its id in another case', async ({ expect }) => {
    const gate = Promise.withResolvers<void>()
    const model = echoModel(call => {
      const words = JSON.stringify(call.prompt.findLast(({ role }) => role === 'user')?.content)
      const text = /(hold|second|evil|other case)/.exec(words)?.[0]
      return text === 'hold' ? [{ wait: gate.promise }, 'held'] : `echo: ${text}`
    })
    await using world = await matrixWorld({ model })
    const { homeserver, ada, bot } = world
    const eve = await MatrixPerson.register(homeserver.url, 'eve')
    await eve.request('PUT', `profile/${encodeURIComponent(eve.userId)}/displayname`, { displayname: bot })
    const room = await ada.createRoom({ invite: [bot, eve.userId] })
    await eve.join(room)
    await homeserver.event(({ state_key, content }) => state_key === bot && content.membership === 'join')
    const send = (sender: string, body: string, more: object = {}) =>
      homeserver.inject(room, { type: 'm.room.message', sender, content: { msgtype: 'm.text', body, ...more } })
        .event_id
    send(eve.userId, 'evil: nobody is meant', { 'm.mentions': { user_ids: [bot.toUpperCase(), eve.userId] } })
    send(ada.userId, `${bot}: hold`)
    await homeserver.until(() => homeserver.requests('receipt').length === 1)
    const second = send(ada.userId, `${bot}: second`)
    const edit = { 'm.new_content': { msgtype: 'm.text', body: 'evil' } }
    send(eve.userId, '* evil', { ...edit, 'm.relates_to': { rel_type: 'm.replace', event_id: second } })
    send(bot.replace('oracle', 'Oracle'), `${bot}: in an other case`)
    await world.answer('echo: other case', room)
    gate.resolve()
    await world.answer('echo: second', room)
    expect(world.textsOf(room)).toEqual(['echo: other case', 'held', 'echo: second'])
  })
})
