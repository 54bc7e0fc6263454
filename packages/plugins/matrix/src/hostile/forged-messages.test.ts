import { expect, onTestFinished, test } from 'vitest'
import { attacks, bankWorld } from './bank-world.test.support.ts'

test.each(attacks)('$name pays nothing more, and is logged', async ({ due, logged, run }) => {
  const world = await bankWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  await run(world)
  expect(world.payments).toEqual(due)
  expect(world.logs(logged)).toBe(true)
})

test('nothing without encryption is answered in an encrypted room', async () => {
  const world = await bankWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  await attacks.at(-1)!.run(world)
  const { ben, homeserver, textsOf } = world
  expect(new Set(homeserver.events().map(({ room_id }) => room_id)).size).toBe(1)
  expect(homeserver.events().flatMap(({ room_id }) => textsOf(room_id))).toEqual([])
  expect(ben.messages().filter(({ body }) => body.includes('Answer yes'))).toHaveLength(1)
})
