import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findPages } from './find-pages.ts'
import { stagePages, withoutFrontmatter } from './stage-pages.ts'

let checkout = ''

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'sibyl-site-'))
  write('docs/guide/index.md', '# Guide\n')
  write('docs/guide/images/tide.svg', '<svg/>')
  write(
    'packages/tides/README.md',
    '# @sibyl/tides\n\nReads `tides`, in [ports](../../docs/guide/index.md). And more.\n',
  )
  write('packages/tides/src/tides.ts', '')
})
afterEach(() => rmSync(checkout, { recursive: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  writeFileSync(join(checkout, path), text)
}

/** Stages the checkout with a page of the guide; returns that page. */
const stage = (markdown: string, repository?: string) => {
  write('docs/guide/page.md', markdown)
  const folder = join(checkout, 'staged')
  stagePages(findPages(checkout), { checkout, folder, repository })
  return readFileSync(join(folder, 'guide/page.md'), 'utf8')
}

const source = '../../packages/tides/src/tides.ts'

test.each([
  ['[a](index.md#low)', '[a](./index.md#low)'],
  ['[a `b`\nc](../../packages/tides/README.md)', '[a `b`\nc](../packages/tides/index.md)'],
  ['[a](../../packages/tides)', '[a](../packages/tides/index.md)'],
  ['[a](../../README.md)', '[a](../index.md)'],
  ['![a](images/tide.svg)', '![a](./images/tide.svg)'],
  ['<img src="images/tide.svg" width="9">', '<img src="./images/tide.svg" width="9">'],
  ['[a](https://example.org) [b](#c)', '[a](https://example.org) [b](#c)'],
  ['`[a](index.md)`\n\n```\n[a](index.md)\n```', '`[a](index.md)`\n\n```\n[a](index.md)\n```'],
  [`see [a](${source}).`, 'see a.'],
])('%j becomes %j', (markdown, staged) => {
  expect(withoutFrontmatter(stage(markdown))).toBe(staged)
})

test('a repository makes links to sources and an edit link', () => {
  const page = stage(`# Page\n\n[a](${source}#L3)`, 'https://example.org/sibyl')
  expect(page).toContain('[a](https://example.org/sibyl/blob/main/packages/tides/src/tides.ts#L3)')
  expect(page).toContain('edit: "https://example.org/sibyl/edit/main/docs/guide/page.md"')
})

test('the title and the first sentence of a page become its title and description', () => {
  stage('# Page\n')
  const [, ...page] = readFileSync(join(checkout, 'staged/packages/tides/index.md'), 'utf8').split('\n')
  expect(page.slice(0, 3)).toEqual([
    'title: "@sibyl/tides"',
    'description: "Reads tides, in ports."',
    'source: "packages/tides/README.md"',
  ])
})
