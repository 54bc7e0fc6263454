import { parseModule } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { checkLayers } from './check-layers.ts'

const check = (
  files: Readonly<Record<string, string>>,
  below = 'src',
  layers = [['text'], ['ports', 'ships'], ['.']],
) =>
  checkLayers(
    'packages/plugins/tides',
    Object.entries(files).map(([path, text]) => ({ path, module: parseModule(text, path) })),
    below,
    layers,
  ).map(({ file, line, message }) => `${file}:${line} ${message}`)

test('a folder may import lower layers, its own files and other packages', () => {
  expect(
    check({
      'src/index.ts': "import { port } from './ports/port.ts'",
      'src/ports/port.ts':
        "import { z } from 'zod'\nimport { a } from '../text/a.ts'\nimport { b } from './berths/b.ts'",
      'src/ports/berths/b.ts': "import type { Port } from '../port.ts'",
      'src/ships/ship.ts': "import { a } from '../text/a.ts'",
      'src/text/a.ts': '',
    }),
  ).toEqual([])
})

test('an import of the same or a higher layer is a violation, and so is a folder without a layer', () => {
  expect(
    check({
      'src/text/a.ts': "\nimport type { Port } from '../ports/port.ts'",
      'src/ships/ship.ts': "import { port } from '../ports/port.ts'\nimport { all } from '../index.ts'",
      'src/ports/port.ts': '',
      'src/index.ts': '',
      'src/moons/moon.ts': '',
    }),
  ).toEqual([
    "packages/plugins/tides/src/text/a.ts:2 imports '../ports/port.ts': 'ports' is in no lower layer than 'text'.",
    "packages/plugins/tides/src/ships/ship.ts:1 imports '../ports/port.ts': 'ports' is in no lower layer than 'ships'.",
    "packages/plugins/tides/src/ships/ship.ts:2 imports '../index.ts': '.' is in no lower layer than 'ships'.",
    "packages/plugins/tides/src/moons/moon.ts:1 is in 'moons', which is in no layer of its package.",
  ])
})

test('a folder inside another one has layers of its own', () => {
  expect(
    check(
      {
        'src/index.ts': "import './app/main.tsx'",
        'src/app/main.tsx': "import '../index.ts'\nimport './chat/chat-view.tsx'",
        'src/app/chat/chat-view.tsx': "import './parts/a.ts'\nimport '../main.tsx'",
        'src/app/chat/parts/a.ts': "import '../chat-view.tsx'",
      },
      'src/app',
      [['chat/parts'], ['chat'], ['.']],
    ),
  ).toEqual([
    "packages/plugins/tides/src/app/chat/chat-view.tsx:2 imports '../main.tsx': '.' is in no lower layer than 'chat'.",
    "packages/plugins/tides/src/app/chat/parts/a.ts:1 imports '../chat-view.tsx': 'chat' is in no lower layer than 'chat/parts'.",
  ])
})

test.each(['moons', 'text/moons'])('the declared folder %s without files is a violation', folder => {
  expect(check({ 'src/text/a.ts': '' }, 'src', [['text'], [folder]])).toEqual([
    `packages/plugins/tides/src:1 has no folder '${folder}', which its layers declare.`,
  ])
})
