import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { recordedLogger } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { goodSkills, skillsFolder } from './corpus.test.support.ts'
import { scanSkills } from './scan-skills.ts'
import { createSkillStore } from './skill-store.ts'

/** A store whose folder answers when the test lets it. */
const storeOf = (folder: string, patienceMs?: number) => {
  const clock = { at: 1_800_000_000_000, now: () => clock.at }
  const gate = { wait: Promise.resolve(), scans: 0 }
  const logger = recordedLogger()
  const store = createSkillStore({
    folder,
    isOptional: false,
    bundled: folder,
    clock,
    log: logger,
    patienceMs,
    scan: async (place, before) => {
      gate.scans += 1
      await gate.wait
      return scanSkills(place, before)
    },
  })
  return { store, clock, gate, logger }
}

test('a folder that does not respond, as on a lost network, blocks no caller', async () => {
  using folder = skillsFolder({ minimal: goodSkills.minimal! })
  const { store, clock, gate, logger } = storeOf(folder.path, 20)
  await expect.poll(async () => [...(await store.read()).skills.keys()]).toEqual(['minimal'])
  await expect.poll(async () => (await store.read()).faults).toEqual([])
  const warnings = () => logger.lines.filter(({ level }) => level === 'warn').length
  const reported = warnings()
  const gone = Promise.withResolvers<void>()
  gate.wait = gone.promise
  gate.scans = 0
  for (let round = 0; round < 3; round += 1) {
    clock.at += 1_000
    const { skills, faults } = await store.read()
    expect([...skills.keys()]).toEqual(['minimal'])
    expect(faults).toEqual([{ file: 'SKILLS_DIR', fault: 'does not respond; its previous content is used' }])
  }
  expect(gate.scans).toBe(1)
  expect(warnings()).toBe(reported + 1)
  gone.resolve()
  await expect.poll(async () => (await store.read()).faults).toEqual([])
})

test('concurrent readers share one scan', async () => {
  using folder = skillsFolder({ minimal: goodSkills.minimal! })
  const { store, clock, gate } = storeOf(folder.path)
  const slow = Promise.withResolvers<void>()
  gate.wait = slow.promise
  const asked = Array.from({ length: 5 }, () => {
    clock.at += 1_000
    return store.read()
  })
  slow.resolve()
  expect((await Promise.all(asked)).map(({ skills }) => skills.size)).toEqual([1, 1, 1, 1, 1])
  expect(gate.scans).toBe(2)
})

test('entries beyond the limit are reported', async () => {
  using folder = skillsFolder({ minimal: goodSkills.minimal! })
  for (let index = 0; index < 1_000; index += 1) mkdirSync(join(folder.path, `z${index}`))
  const found = await scanSkills(folder.path)
  expect('refused' in found ? [] : [...found.values()].map(({ result }) => result)).toMatchObject([
    { name: 'minimal' },
    { file: 'SKILLS_DIR', fault: 'has more than 1,000 entries; the others are ignored' },
  ])
})
