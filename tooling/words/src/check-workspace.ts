import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackages, listFiles, parseModule, workspaceRoot } from '@sibyl/tooling-source'
import { type Finding, findWords } from './find-words.ts'
import { nameOfPath, namesOfModule } from './names.ts'
import { testNamesOfModule } from './test-names.ts'
import { textsOfModule, textsOfPage } from './text.ts'

/** The findings of one file. */
export interface FileFindings {
  /** Relative to the checkout. */
  readonly file: string
  /** The folder of its package; `.` for the root. */
  readonly folder: string
  readonly findings: readonly Finding[]
}

/** Pages that are generated from the sources, where their texts are counted. */
const generated = /^docs\/reference\/(?:(?:cli|env)\.md|cli\/)/

/** Reads every page, every source, the messages of the console and the names of folders. This folder, which holds the excluded words, is left out. */
export const checkWorkspace = (root = workspaceRoot): FileFindings[] => {
  const packages = findPackages(root).filter(({ folder }) => folder !== 'tooling/words')
  const folders = packages.map(({ folder }) => folder)
  const pages = listFiles(root)
    .filter(path => path.endsWith('.md') && !path.startsWith('tooling/words/') && !generated.test(path))
    .map(file => ({
      file,
      folder: nearest(folders, file),
      findings: findWords(textsOfPage(readFileSync(join(root, file), 'utf8'))),
    }))
  const modules = packages.flatMap(({ folder, files }) =>
    files.map(({ path, text }) => {
      const parsed = parseModule(text, path)
      const texts = [
        nameOfPath(path),
        ...namesOfModule(text, parsed),
        ...testNamesOfModule(text, parsed),
        ...textsOfModule(text, path, parsed),
      ]
      return { file: folder === '.' ? path : `${folder}/${path}`, folder, findings: findWords(texts) }
    }),
  )
  const messages = listFiles(root)
    .filter(path => /\/messages\/\w+\.json$/.test(path))
    .map(file => {
      const text = `(${readFileSync(join(root, file), 'utf8')})`
      return {
        file,
        folder: nearest(folders, file),
        findings: findWords(textsOfModule(text, file, parseModule(text, file))),
      }
    })
  const named = new Set(modules.flatMap(({ file }) => foldersAbove(file)))
  const ownNames = [...named].map(file => ({
    file,
    folder: nearest(folders, `${file}/`),
    findings: findWords([nameOfPath(file)]),
  }))
  return [...pages, ...modules, ...messages, ...ownNames].filter(({ findings }) => findings.length > 0)
}

/** `a` and `a/b` for `a/b/c.ts`. */
const foldersAbove = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'))

const nearest = (folders: readonly string[], path: string): string =>
  folders
    .filter(folder => path.startsWith(`${folder}/`))
    .reduce((longest, folder) => (folder.length > longest.length ? folder : longest), '.')
