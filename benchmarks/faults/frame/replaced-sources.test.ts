import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defences, replacementsOf } from '../defences.ts'
import { faults } from '../faults.ts'
import type { SourceReplacement } from './replace-source.ts'

const replaced = vi.hoisted((): { replacements: readonly SourceReplacement[] } => ({ replacements: [] }))

vi.mock('./replace-source.ts', () => ({
  replaceSource: (replacements: readonly SourceReplacement[]) => {
    replaced.replacements = replacements
  },
}))

const root = join(import.meta.dirname, '../../..')

const expectEachOnce = (replacements: readonly SourceReplacement[]) => {
  const count = ({ file, find }: SourceReplacement) => readFileSync(join(root, file), 'utf8').split(find).length - 1
  expect(replacements.map(one => [one.file, one.find, count(one)])).toEqual(
    replacements.map(({ file, find }) => [file, find, 1]),
  )
}

test.each(defences)('the lines of $name are in the sources once, and its test exists', defence => {
  expectEachOnce(replacementsOf(defence))
  expect(defence.test).toMatch(/\.test\.tsx?$/)
  expect(existsSync(join(root, defence.test))).toBe(true)
})

test('each defence is in the table once, and scripts name no others', () => {
  const names = defences.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].toSorted())
  const others = faults.flatMap(fault => fault.defences ?? []).filter(name => !names.includes(name))
  // `power-cut` removes the syncs itself.
  expect(others).toEqual(['syncs'])
})

test.each(['ussd-pins/reported-comparisons', 'clock-jumps/hastened-jobs'])(
  'the lines of %s are in the sources once',
  async script => {
    await import(join(root, 'benchmarks/faults', `${script}.ts`))
    expectEachOnce(replaced.replacements)
  },
)
