import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The location in a stack frame: a file URL or an absolute path, the line, the column. */
const frame = /(file:\/\/.+?|(?:\/|[A-Za-z]:\\).+?):(\d+):(\d+)\)?$/

/**
 * Finds the first stack frame of an error in the sources of a project.
 *
 * @returns such as `src/plugins/pump.ts:12:9`, relative to the folder; undefined if no frame is inside it
 */
export const projectPlace = (error: unknown, folder: string): string | undefined => {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : ''
  for (const one of stack.split('\n')) {
    const [, file = '', line = '', column = ''] = frame.exec(one) ?? []
    const path = file === '' ? '' : relative(folder, pathOf(file))
    const parts = path.split(sep)
    if (path === '' || parts[0] === '..' || isAbsolute(path) || parts.includes('node_modules')) continue
    return `${parts.join('/')}:${line}:${column}`
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
