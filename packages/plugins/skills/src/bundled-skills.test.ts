import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listSkillFiles } from './skill-files.ts'
import { readSkillText } from './skill-text.ts'

const bundled = fileURLToPath(new URL('../skills/', import.meta.url))

test.each(readdirSync(bundled))('%s is well-formed, short, and names files that are there', async name => {
  const read = readSkillText(readFileSync(join(bundled, name, 'SKILL.md')), name)
  if ('fault' in read) throw new Error(read.fault)
  const { instructions, description } = read.skill
  expect(instructions.length).toBeLessThan(8_000)
  expect(description).toContain('Use it when')
  const { paths } = await listSkillFiles(join(bundled, name))
  const named = [...instructions.matchAll(/`((?:references|scripts|assets)\/[\w./-]+)`/g)].map(([, path]) => path)
  expect(named.length).toBeGreaterThan(0)
  expect(paths).toEqual(expect.arrayContaining(named))
  expect(paths.filter(path => path !== 'SKILL.md' && !named.includes(path))).toEqual([])
})
