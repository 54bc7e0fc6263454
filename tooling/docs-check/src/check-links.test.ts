import { expect, test } from 'vitest'
import { checkLinks } from './check-links.ts'

const other = '# The tides\n\n## Ebb & flow: `low_water`\n\n## Twice\n\n## Twice\n\n<a id="by-hand"></a>\n'
const violations = (page: string) => {
  const files: Record<string, string> = {
    'docs/guide/page.md': page,
    'docs/tides.md': other,
    'docs/guide/chart.svg': '',
  }
  return checkLinks('docs/guide/page.md', {
    exists: path => path in files || path === 'docs/guide',
    read: path => files[path] as string,
  })
}

test.each([
  '[a](../tides.md)',
  '[a](chart.svg "A title") and ![b](./chart.svg)',
  '[a](../guide)',
  '[a](../tides.md#ebb--flow-low_water)',
  '[a](../tides.md#twice-1)',
  '[a](../tides.md#by-hand)',
  '# Here\n[a](#here)',
  '[a](https://example.org/nowhere#at-all) and <mailto:a@example.org>',
  '`[a](nowhere.md)`\n```\n[a](nowhere.md)\n```\n',
])('is content with %j', page => {
  expect(violations(page)).toEqual([])
})

test.each([
  ['\n\n[a](nowhere.md)', 'docs/guide/page.md:3 leads to a file that is not there: nowhere.md'],
  ['[a]: ../nowhere.md', 'docs/guide/page.md:1 leads to a file that is not there: ../nowhere.md'],
  ['[a](../tides.md#flood)', 'docs/guide/page.md:1 leads to a heading that is not there: ../tides.md#flood'],
  ['[a](#here)', 'docs/guide/page.md:1 leads to a heading that is not there: #here'],
  ['[a](../../../elsewhere.md)', 'docs/guide/page.md:1 leads out of the checkout: ../../../elsewhere.md'],
  ['[a](/tides.md)', 'docs/guide/page.md:1 leads out of the checkout: /tides.md'],
])('%j is dead', (page, violation) => {
  expect(violations(page)).toEqual([violation])
})
