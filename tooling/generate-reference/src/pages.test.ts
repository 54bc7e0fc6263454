import { definePlugin, type EnvVariable } from '@sibyl/core'
import type { CapabilityRecord } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import { envPage } from './env-page.ts'
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
  const record: CapabilityRecord = {
    name: 'tides',
    title: 'Tides',
    summary: 'High and low water.',
    mode: 'on-demand',
    state: 'ready',
    tags: [],
    tools: ['get_tide', 'get_current'],
    tokens: 100,
  }
  expect(pluginsPage([tides], [record])).toContain(
    '| `tides` | High and low water. | on-demand | `get_tide`, `get_current` | `TIDES_KEY` |',
  )
})
