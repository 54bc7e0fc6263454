import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanLine } from '../output/clean-text.ts'

/** The reason why a process of a project exited, from its output. */
interface Crash {
  /** The error in one line. */
  readonly reason: string
  /** Where in the project: `src/plugins/x.ts:3`. */
  readonly place: string | undefined
  /** A package that is not installed. */
  readonly missingPackage: string | undefined
}

const maxReason = 300
const errorLine = /^(?:Uncaught )?(?:[\w.]*(?:Error|Exception)\b[^:]*|Error): .+/
const location = /(file:\/\/\/[^\s)]+?|(?:\/|[A-Za-z]:\\)[^():*?"<>|\n]+?):(\d+)(?::\d+)?/g

/** Parses the error output of Node: the first error, and its first location in the project. */
export const explainCrash = (stderr: string, folder: string): Crash => {
  const lines = stderr.split(/\r?\n/).map(line => line.replace(/^\[boot-error\] /, ''))
  const found = lines.find(line => errorLine.test(line)) ?? lines.find(isSignificant)
  const reason = cleanLine(found ?? '').slice(0, maxReason)
  const [, missingPackage] = /Cannot find package '([^']{1,214})'/.exec(reason) ?? []
  const place = placeIn(stderr, folder)
  return { reason: reason || 'it had no output', place, missingPackage }
}

/** Returns whether a line is neither decoration of Node around an error, nor a warning. */
const isSignificant = (line: string): boolean =>
  line.trim() !== '' && !/^\(|^\s*at |^\s*\^|^Node\.js v|^file:\/\//.test(line)

const placeIn = (text: string, folder: string): string | undefined => {
  for (const [, file = '', line = ''] of text.matchAll(location)) {
    const path = relative(folder, pathOf(file))
    if (path !== '' && !path.startsWith('..') && !isAbsolute(path) && !path.includes('node_modules')) {
      return cleanLine(`${path}:${line}`)
    }
  }
  return undefined
}

const pathOf = (file: string): string => {
  try {
    return file.startsWith('file:') ? fileURLToPath(file) : file
  } catch {
    return file
  }
}
