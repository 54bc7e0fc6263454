import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { typeViolations } from './guide/testing/type-violations.ts'
import { ExampleProject } from './reference/testing/example-project.ts'

const url = (path: string) => pathToFileURL(join(import.meta.dirname, path))
const reference = globSync('reference/{plugin-api,plugin-api/*,ussd-providers}.md', { cwd: import.meta.dirname })

test('the programs of the guide have right types, and the examples of the reference', async () => {
  using examples = new ExampleProject(reference.map(page => readFileSync(url(page), 'utf8')).join('\n'))
  const pages = ['../README.md', ...globSync('guide/*.md', { cwd: import.meta.dirname }).sort()]
  expect(await typeViolations(pages.map(url), [examples.folder])).toEqual([])
}, 600_000)
