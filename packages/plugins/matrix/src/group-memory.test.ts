import { definePlugin, type Host } from '@sibyl/plugin'
import { scriptedModel, wholeExport } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { groupOf, roomWorld } from './room-world.test.support.ts'
import { MatrixPerson } from './testing/index.test.support.ts'

const day = 86_400_000

test('earlier messages of a group are summarized by the utility model, or by an extract if it fails, and expire', async () => {
  const time = { aheadMs: 0 }
  const found: { host?: Host } = {}
  const hand = definePlugin({
    name: 'hand',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Hand', summary: 'Reaches in.', whenToUse: ['a test does'] },
    setup(host) {
      found.host = host
      return {}
    },
  })
  const asked: string[] = []
  const model = scriptedModel(
    Array.from({ length: 30 }, () => ({ prompt }) => {
      const words = JSON.stringify(prompt)
      if (!words.includes('Summarize this group conversation in at most 150 words')) {
        asked.push(words)
        return `answer ${asked.length}`
      }
      return words.includes('kitchen') ? { error: new Error('the model is away') } : 'A SUMMARY\0 of it'
    }),
  )
  await using world = await roomWorld({
    model,
    plugins: [hand],
    clock: { now: () => Date.now() + time.aheadMs },
  })
  const { homeserver, ada, bot, waitForText } = world
  const ben = await MatrixPerson.register(homeserver.url, 'ben')
  const field = await groupOf(world, 'Field', [ben])
  const kitchen = await groupOf(world, 'Kitchen', [ben])
  await ada.send(field, `${bot}: are you there?`)
  await waitForText(field, 'answer 1')
  const { people, identity, jobs } = found.host!
  const did = identity.pairwiseDid('matrix', ada.userId)
  const kept = async () => {
    const { matrix } = (await wholeExport(people, did)) as {
      matrix: { groupMessages: { room: string; text: string }[] }
    }
    return matrix.groupMessages
  }
  const talk = (name: string) => Array.from({ length: 44 }, (_, place) => `${name} fact ${place} `)
  const [covered = ''] = homeserver.flood(field, ada.userId, talk('pump'))
  homeserver.flood(kitchen, ada.userId, talk('kitchen'))
  await expect.poll(async () => (await kept()).length).toBe(45)
  const ask = async (room: string, answer: number) => {
    await ben.send(room, `${bot}: what was said?`)
    await waitForText(room, `answer ${answer}`)
    return asked.at(-1)!
  }
  const inField = await ask(field, 2)
  expect(inField).toContain('(before) A SUMMARY of it')
  expect(inField).toContain('pump fact 43')
  expect(inField).not.toContain('pump fact 2 ')
  const inKitchen = await ask(kitchen, 3)
  expect(inKitchen).toMatch(/\(before\).*kitchen fact 19 \/ .*kitchen fact 20/)
  expect(inKitchen).not.toContain('SUMMARY')
  await ada.request('PUT', `rooms/${encodeURIComponent(field)}/redact/${encodeURIComponent(covered)}/1`, {})
  expect(await ask(field, 4)).not.toContain('SUMMARY')

  await ben.request('POST', `rooms/${encodeURIComponent(kitchen)}/leave`, {})
  const benDid = identity.pairwiseDid('matrix', ben.userId)
  await people.erase(benDid)
  expect(await ada.send(kitchen, `${bot}: and now?`)).toBeTruthy()
  await waitForText(kitchen, 'answer 5')
  expect(asked.at(-1)).not.toContain('(before)')
  time.aheadMs = 8 * day
  await jobs.enqueue('core/retention', {})
  await expect.poll(kept).toEqual([])
})
