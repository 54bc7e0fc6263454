import { parseModule } from '@sibyl/tooling-source'
import { expect, test } from 'vitest'
import { readAllowedCounts } from './allowed-counts.ts'
import { checkWorkspace } from './check-workspace.ts'
import { compareCounts, countFindings, lowerCounts } from './counts.ts'
import { findWords } from './find-words.ts'
import { nameOfPath, namesOfModule } from './names.ts'
import { testNamesOfModule } from './test-names.ts'
import { textsOfModule, textsOfPage } from './text.ts'

const wordsOfPage = (page: string) => findWords(textsOfPage(page)).map(({ word, line }) => `${line} ${word}`)
const wordsOfModule = (text: string, path = 'src/tides.ts') =>
  findWords(textsOfModule(text, path, parseModule(text, path))).map(({ kind, line, word }) => `${line} ${kind} ${word}`)

test.each([
  ['Nobody is there.', ['1 nobody']],
  ['# Tides\n\nIt tells them,\nand mends it by itself.', ['3 tells', '4 mends', '4 by itself']],
  ['This is no port.', ['1 is no']],
  ['There is no port, and it is no longer open.', []],
  ['`nobody` and [a page](nobody.md)\n```\nnobody\n```\n', []],
  ['A dead letter is sent by default. A process is dead.', ['1 dead']],
])('reads the page %j', (page, words) => {
  expect(wordsOfPage(page)).toEqual(words)
})

test.each([
  ['/** What the tide is. */', ['1 docstrings what']],
  ['\n/**\n * Returns the tide.\n *\n * @returns undefined when nobody knows\n */', ['5 docstrings nobody']],
  ['/** Returns what the tide is. */', []],
  ["const error = 'The port is held by somebody.'", ['1 texts somebody']],
  ['const error = `${port} is told to the caller`', ['1 texts told']],
  ["const nobody = 'nobody'", []],
])('reads the module %j', (module, words) => {
  expect(wordsOfModule(module)).toEqual(words)
})

test.each([
  ['src/app/a.tsx', 'const a = <p title="Nobody is there">It is told to them.</p>', ['1 texts nobody', '1 texts told']],
  ['scripts/a.mjs', '/** What it is. */', ['1 docstrings what']],
  ['src/page/a.js', '/** @param {Nobody} told What it is. */', ['1 docstrings what']],
])('reads the texts of %s', (path, module, words) => {
  expect(wordsOfModule(module, path)).toEqual(words)
})

test.each([
  ['const tellCaller = (goOn: boolean) => goOn', ['tell', 'go on']],
  ['interface Fault { mostBytes: number; lookUp(somebody: string): void }', ['fault', 'most', 'look up', 'somebody']],
  ['class Desk { #wish = 1; mend() {} }', ['desk', 'wish', 'mend']],
  ['const { reason: said, ...told } = outcome', ['said', 'told']],
  ['const reply = { tell: () => undefined }', ['tell']],
  // Data, names of others and columns.
  ["const row = { fault: 1, read_fault: 2, 'told': 3 }\nrow.fault\nimport { said } from 'said'", []],
  ['const { told } = row\nconst is_told = told', []],
  ['const atMost = 1, mostRecent = 2, deadLetters = 3, defaults = 4, lookalikes = 5', []],
])('reads the names of %j', (module, words) => {
  expect(
    findWords(namesOfModule(module, parseModule(module, 'src/tides.ts')))
      .map(({ word }) => word)
      .sort(),
  ).toEqual(words.toSorted())
})

test.each([
  ["test('with a port, nobody is told', () => {})", ['nobody', 'told', 'with']],
  ["it.each([1])('says %s', () => {})", ['says']],
  ["describe.skipIf(true)('in harbours: goes on', () => {})", ['goes on']],
  ["test('locks a phone after five attempts', () => {})\ntesting('nobody')", []],
])('reads the names of the tests of %j', (module, words) => {
  const found = findWords(testNamesOfModule(module, parseModule(module, 'src/tides.test.ts')))
  expect(found.map(({ word }) => word).sort()).toEqual(words)
})

test('reads the names of files and folders', () => {
  expect(findWords([nameOfPath('src/tell-user.test.ts')]).map(({ word }) => word)).toEqual(['tell'])
  expect(findWords([nameOfPath('src/faults')]).map(({ word }) => word)).toEqual(['faults'])
  expect(findWords([nameOfPath('src/faults/list.ts')])).toEqual([])
})

test('tests and their helpers are not read', () => {
  expect(wordsOfModule('/** What it is. */', 'src/tides.test.ts')).toEqual([])
  expect(wordsOfModule('/** What it is. */', 'src/testing/tides.ts')).toEqual([])
})

test('a count that rises is a problem, and one that falls is kept', () => {
  const allowed = { a: { docs: 2, texts: 1 }, b: { docs: 1 } }
  expect(compareCounts({ a: { docs: 1, docstrings: 1 }, b: { docs: 1 } }, allowed)).toEqual([
    'a: 1 excluded words in docstrings, and 0 are allowed.',
  ])
  expect(lowerCounts({ a: { docs: 1, docstrings: 4 }, b: { docs: 3 } }, allowed)).toEqual({
    a: { docs: 1 },
    b: { docs: 1 },
  })
})

const files = checkWorkspace()

test('no package has more excluded words than before; see npx -y pnpm@12 words --list', () => {
  expect(compareCounts(countFindings(files), readAllowedCounts())).toEqual([])
})

test.each([
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  'CODE_OF_CONDUCT.md',
  'AGENTS.md',
  'docs/guide/getting-started.md',
  'docs/guide/write-a-plugin.md',
])('%s has no excluded word', page => {
  expect(files.find(({ file }) => file === page)?.findings ?? []).toEqual([])
})
