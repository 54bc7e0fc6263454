import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chainJournal } from './chain-node.ts'
import { temporaryFolder } from './registry-project.test.helper.ts'

const open = () => {
  const home = temporaryFolder()
  const files = () => readdirSync(join(home, 'chain-journal'))
  const age = (name: string, days: number) => {
    const then = new Date(Date.now() - days * 86_400_000)
    utimesSync(join(home, 'chain-journal', name), then, then)
  }
  return { home, journal: chainJournal(home), files, age }
}

test('stores records until they are removed', async () => {
  const { home, journal, files } = open()
  expect(await journal.read('a')).toBeUndefined()
  await journal.forget('a')
  await journal.write('a', 'one')
  await journal.write('a', 'two')
  await journal.write('../b', 'three')
  expect([await chainJournal(home).read('a'), await journal.read('../b')]).toEqual(['two', 'three'])
  await journal.forget('a')
  expect([await journal.read('a'), files().length]).toEqual([undefined, 1])
})

test('removes them after 90 days', async () => {
  const { journal, files, age } = open()
  await journal.write('old', '1')
  await journal.write('young', '2')
  for (const name of files()) age(name, 91)
  await journal.write('young', '2')
  expect([await journal.read('old'), await journal.read('young'), files().length]).toEqual([undefined, '2', 1])
})

test('removes the oldest above 1,000', async () => {
  const { home, journal, files, age } = open()
  mkdirSync(join(home, 'chain-journal'), { mode: 0o700 })
  for (let index = 0; index < 1_002; index += 1) writeFileSync(join(home, 'chain-journal', `${index}.json`), '')
  for (const index of [7, 8, 9]) age(`${index}.json`, 1)
  await journal.write('one more', '1')
  expect(files()).toHaveLength(1_000)
  for (const index of [7, 8, 9]) expect(files()).not.toContain(`${index}.json`)
  expect(await journal.read('one more')).toBe('1')
})
