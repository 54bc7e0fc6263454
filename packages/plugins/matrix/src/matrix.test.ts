import { recordedLogger, scriptedModel, testApp } from '@sibyl/core/testing'
import { describe, expect, test } from 'vitest'
import { matrix } from './matrix.ts'
import { Homeserver, MatrixPerson } from './testing/index.test.support.ts'

const password = 'the bot password'

const start = async (options: Partial<Parameters<typeof testApp>[0]> = {}) => {
  const homeserver = await Homeserver.start()
  const bot = homeserver.addUser('oracle', password)
  const ada = await MatrixPerson.register(homeserver.url, 'ada')
  const env = {
    MATRIX_BASE_URL: homeserver.url,
    MATRIX_ORACLE_ADMIN_USER_ID: bot,
    MATRIX_ORACLE_ADMIN_PASSWORD: password,
    ...options.env,
  }
  const log = recordedLogger()
  const oracle = await testApp({ plugins: [matrix()], logger: log, ...options, env })
  return {
    homeserver,
    bot,
    ada,
    oracle,
    log,
    async [Symbol.asyncDispose]() {
      await oracle.app.close()
      await homeserver.down()
    },
  }
}

test('a direct message is answered', async () => {
  await using world = await start({ model: scriptedModel(['Hello Ada', 'Again']) })
  const { ada, bot, log } = world
  const room = await ada.directRoom(bot)
  await ada.say(room, 'hi')
  const text = await ada.hears(e => e.sender === bot && e.type === 'm.room.message')
  console.log(
    log.lines
      .map(l => l.message + JSON.stringify(l.fields ?? l))
      .join('\n')
      .slice(0, 3000),
  )
  expect(text).toBe('Hello Ada')
})
