import type { EnvVariable } from '@sibyl/core'
import { definePlugin, route, type Tool } from '@sibyl/plugin'
import { problemSchema } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ApiDocument } from './api-document.ts'
import { cliPages } from './cli-page.ts'
import { envPage } from './env-page.ts'
import { fillTables } from './fill-tables.ts'
import { httpPages } from './http-page.ts'
import { linkPages } from './link-pages.ts'
import { markdownTable } from './markdown-table.ts'
import { pluginsPage } from './plugins-page.ts'

test('a cell cannot end its table', () => {
  expect(markdownTable(['a', 'b'], [['x | y', 'one\ntwo']])).toBe('| a | b |\n| --- | --- |\n| x \\| y | one two |')
})

test('each owner has a table with its variables', () => {
  const variable: EnvVariable = {
    name: 'PORT',
    owner: 'core',
    description: 'The port.',
    takes: 'number',
    need: 'optional',
    default: '3000',
    secret: false,
  }
  const page = envPage([
    variable,
    {
      name: 'TIDES_KEY',
      owner: 'tides',
      description: 'The key.',
      takes: 'text',
      need: 'opt-in',
      example: 'abc',
      secret: true,
    },
  ])
  expect(page).toContain('## Core\n\n| Variable | What it is | Takes | Default |\n')
  expect(page).toContain('| `PORT` | The port. | number | `3000` |')
  expect(page).toContain('## Plugin tides\n')
  expect(page).toContain('| `TIDES_KEY` | The key. **opt-in, secret** Example: `abc` | text | – |')
})

test('each plugin has a row with its tools and what switches it on', () => {
  const tides = definePlugin({
    name: 'tides',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Tides', summary: 'High and low water.', whenToUse: ['someone asks about the tide'] },
    optIn: ['TIDES_KEY'],
    setup: () => ({}),
  })
  const tool = (more: Partial<Tool>) =>
    ({ description: 'x', input: z.object({}), effect: 'read', execute: async () => 1, ...more }) as Tool
  const tools = { get_tide: tool({}), set_tide: tool({ effect: 'write', ability: ['tides/write', 'chat/personal'] }) }
  const instructions = { ability: 'tides/read', forTurn: async () => 'It is low.' }
  const places = '<!-- plugins -->\n\n<!-- tools -->\n\n<!-- prompts -->\n'
  const page = pluginsPage([{ plugin: tides, parts: { tools, instructions } }], places)
  expect(page).toContain('| `tides` | High and low water. | on-demand | `get_tide`, `set_tide` | `TIDES_KEY` |')
  expect(page).toContain('| `get_tide` | `tides` | read | `chat/send` |')
  expect(page).toContain('| `set_tide` | `tides` | write | `tides/write` or `chat/personal` |')
  expect(page).toContain('| `tides` | `tides/read` |')
})

test('each command has a page with its help, and that of its subcommands', () => {
  const pages = cliPages(
    ['sibyl', 'sibyl tides', 'sibyl tides low'].map(command => ({ command, help: `Usage: ${command}\n` })),
  )
  expect(pages.get('docs/reference/cli/tides.md')).toBe(
    [
      '# sibyl tides\n\n```text\n$ sibyl tides --help\nUsage: sibyl tides\n```\n\n',
      '## sibyl tides low\n\n```text\n$ sibyl tides low --help\nUsage: sibyl tides low\n```\n',
    ].join(''),
  )
  const overview = pages.get('docs/reference/cli.md')
  expect(overview).toContain('- [sibyl tides](cli/tides.md)\n')
  expect(overview).toContain('\n$ sibyl --help\nUsage: sibyl\n')
  expect(overview).toMatch(/^\| 130 \| /m)
})

test('a page has each table in its place, and no other', () => {
  expect(fillTables('# A\n\n<!-- one -->\n', { one: '| a |' })).toBe('# A\n\n| a |\n')
  expect(() => fillTables('<!-- one -->', {})).toThrow("There is no table for '<!-- one -->'.")
  expect(() => fillTables('# A', { one: '| a |' })).toThrow('The page has no place for one.')
})

test('links to an anchor lead to the page that has it', () => {
  const pages = linkPages(
    new Map([
      ['a.md', '# A\n\n[c](#c), [a](#a), [d](#d)'],
      ['b/b.md', '# C\n\n```\n# D\n```\n\n[a](#a)'],
    ]),
  )
  expect([...pages.values()]).toEqual([
    '# A\n\n[c](b/b.md#c), [a](#a), [d](#d)',
    '# C\n\n```\n# D\n```\n\n[a](../a.md#a)',
  ])
})

test('each route has a row, and a section on the page of its plugin', async () => {
  const writeTide = route.post(
    '/tides/{port}',
    {
      auth: { ucan: 'tides/write' },
      summary: 'Write a tide down',
      params: z.object({ port: z.string().max(60) }),
      query: z.object({ days: z.coerce.number().int().min(1).max(7).default(3) }),
      body: {
        content: {
          'application/json': {
            schema: z.object({
              high: z.iso.datetime(),
              note: z.string().describe('in words').optional(),
              sources: z.array(z.union([z.literal('gauge'), z.object({ name: z.string() })])),
            }),
          },
        },
      },
      ok: {
        201: { description: 'Written', content: { 'application/json': { schema: z.object({ id: z.string() }) } } },
        404: { description: '`port_unknown`', content: { 'application/problem+json': { schema: problemSchema } } },
      },
    },
    context => context.json({ id: '1' }, 201),
  )
  const tides = definePlugin({
    name: 'tides',
    version: '1.0.0',
    core: '*',
    manifest: { title: 'Tides', summary: 'Tide tables.', whenToUse: ['somebody asks for the tide'] },
    setup: () => ({ routes: [writeTide] }),
  })
  await using oracle = await testApp({ plugins: [tides] })
  const document = (await (await oracle.app.request('/openapi.json')).json()) as ApiDocument
  const places = ['groups', 'routes', 'credentials', 'shared answers', 'events'].map(name => `<!-- ${name} -->`)
  const headings = '# HTTP\n\n## Answers that routes share\n\n## Problems\n\n'
  const pages = httpPages(document, headings + places.join('\n\n'))
  const overview = pages.get('docs/reference/http.md')
  expect(overview).toContain(
    '| [POST /tides/{port}](http/tides.md#post-tidesport) | Write a tide down | a UCAN with `tides/write` |',
  )
  expect(pages.get('docs/reference/http/tides.md')).toBe(`# Plugin tides

Tide tables.

## POST /tides/{port}

Write a tide down. Access: callers with \`tides/write\`.

| Parameter | In | Takes |
| --- | --- | --- |
| \`port\` | path | string: at most 60 characters |
| \`days\`, optional | query | number: whole number from 1 up to 7, 3 when missing |

Body, \`application/json\`:

\`\`\`ts
{
  high: string // date and time, ISO 8601
  note?: string // in words
  sources: ('gauge' | {
    name: string
  })[]
}
\`\`\`

| Status | Answer | Body |
| --- | --- | --- |
| 201 | Written | \`application/json\` |
| 403 | Not allowed | [problem](../http.md#problems) |
| 404 | \`port_unknown\` | [problem](../http.md#problems) |

Also 400, 401, 413, 414, 415, 429, 500, 503, as [other routes](../http.md#answers-that-routes-share).

Body of 201:

\`\`\`ts
{
  id: string
}
\`\`\`
`)
  expect(overview).toMatch(/^\| 429 \| `rate_limited`.* \| Retry-After \|$/m)
  expect(pages.get('docs/reference/http/types.md')).toContain('\n## Problem\n\n```ts\n{\n  type: string\n')
})
