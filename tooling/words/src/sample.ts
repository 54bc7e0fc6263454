import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackages, listFiles, workspaceRoot } from '@sibyl/tooling-source'
import { type Sentence, sentencesOfModule, sentencesOfPage } from './sentences.ts'

/** A sentence before and after, with the file it is in now. */
interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

const [earlier = '6719ca2b', seed = '20261127'] = process.argv.slice(2)
const page = join(workspaceRoot, 'docs/decisions/2026-11-27-plain-english.md')

/** The text of a file at the earlier commit; undefined if it did not exist. */
const textAt = (file: string): string | undefined => {
  try {
    return execFileSync('git', ['show', `${earlier}:${file}`], {
      cwd: workspaceRoot,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}

/** Pairs sentences by key, each key once, and returns those that differ. */
const changesOf = (file: string, before: readonly Sentence[], after: readonly Sentence[]): Change[] =>
  after.flatMap(({ key, text }) => {
    const earlierOnes = before.filter(sentence => sentence.key === key)
    const isOne = earlierOnes.length === 1 && after.filter(sentence => sentence.key === key).length === 1
    return isOne && earlierOnes[0]!.text !== text ? [{ file, before: earlierOnes[0]!.text, after: text }] : []
  })

const modules = findPackages().flatMap(({ folder, files }) =>
  files.map(({ path, text }) => ({ file: folder === '.' ? path : `${folder}/${path}`, text })),
)
const kinds: Record<'docstrings' | 'texts' | 'docs', Change[]> = { docstrings: [], texts: [], docs: [] }
for (const { file, text } of modules.filter(({ file }) => !file.startsWith('tooling/words/'))) {
  const old = textAt(file)
  if (old === undefined || old === text) continue
  const before = sentencesOfModule(old, file)
  const after = sentencesOfModule(text, file)
  kinds.docstrings.push(...changesOf(file, before.docstrings, after.docstrings))
  if (before.texts.length === after.texts.length) kinds.texts.push(...changesOf(file, before.texts, after.texts))
}
for (const file of listFiles(workspaceRoot).filter(
  path => path.endsWith('.md') && !path.startsWith('docs/decisions/'),
)) {
  const old = textAt(file)
  if (old === undefined) continue
  kinds.docs.push(
    ...changesOf(file, sentencesOfPage(old), sentencesOfPage(readFileSync(join(workspaceRoot, file), 'utf8'))),
  )
}

/** A small generator of pseudorandom numbers (mulberry32), so that the sample can be repeated. */
const random = (state: number) => () => {
  state = (state + 0x6d2b79f5) | 0
  let value = Math.imul(state ^ (state >>> 15), 1 | state)
  value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
}
const next = random(Number(seed))

/** Removes and returns so many random entries. */
const draw = (changes: readonly Change[], count: number): Change[] => {
  const rest = [...changes]
  return Array.from(
    { length: Math.min(count, rest.length) },
    () => rest.splice(Math.floor(next() * rest.length), 1)[0]!,
  )
}

const cell = (text: string): string =>
  `\`\`${text.replaceAll('``', "''").replaceAll('|', '\\|').replaceAll('\n', ' ')}\`\``
const sample = [...draw(kinds.docstrings, 20), ...draw(kinds.texts, 12), ...draw(kinds.docs, 8)]
const rows = sample.map(({ file, before, after }) => `| \`${file}\` | ${cell(before)} | ${cell(after)} |`)
const totals = Object.entries(kinds).map(([kind, changes]) => `${changes.length} ${kind}`)
const table = [
  `Changed sentences that the script could pair: ${totals.join(', ')}. Seed: ${seed}; compared with ${earlier}.`,
  '',
  '| file | before | after |',
  '| --- | --- | --- |',
  ...rows,
].join('\n')
const [head = ''] = readFileSync(page, 'utf8').split('<!-- sample -->')
writeFileSync(page, `${head}<!-- sample -->\n\n${table}\n`)
console.log(`${sample.length} sentences of ${totals.join(', ')}.`)
