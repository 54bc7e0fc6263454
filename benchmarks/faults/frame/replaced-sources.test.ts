import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { defences } from '../defences/defences.ts'
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

test.each(Object.entries(defences))('the lines of %s are in the sources once', (_, { replacements }) => {
  expect(replacements.length).toBeGreaterThan(0)
  expectEachOnce(replacements)
})

test.each(['ussd-pins/reported-comparisons', 'clock-jumps/hastened-jobs'])(
  'the lines of %s are in the sources once',
  async script => {
    await import(join(root, 'benchmarks/faults', `${script}.ts`))
    expectEachOnce(replaced.replacements)
  },
)
