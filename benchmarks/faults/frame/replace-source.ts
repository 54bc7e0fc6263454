import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

/** A place in a source file, and what it becomes. */
export interface SourceReplacement {
  /** Path from the root of the repository. */
  readonly file: string
  /** Text that the file must hold exactly once. */
  readonly find: string
  readonly replace: string
}

/**
 * Takes a defence out of a process from outside: modules that are loaded later are loaded as they would be without it.
 * For a file that is given to Node as `--import`. Says on standard output, as a line of JSON, what it has replaced.
 *
 * @param as the key of that line: `hastened` for a change that removes no defense
 * @throws Error while the module is loaded, when the text is not in it exactly once: then the script is out of date
 */
export const replaceSource = (
  replacements: readonly SourceReplacement[],
  as: 'removed' | 'hastened' = 'removed',
): void => {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const wanted = replacements.filter(({ file }) => url.endsWith(`/${file}`))
      if (wanted.length === 0 || loaded.source === undefined || loaded.source === null) return loaded
      const read = loaded.source
      let source = typeof read === 'string' ? read : new TextDecoder().decode(read)
      for (const replacement of wanted) {
        source = replaceText(source, replacement)
        // The output of a thread may be kept from the process.
        writeSync(1, `${JSON.stringify({ [as]: replacement.file })}\n`)
      }
      return { ...loaded, source }
    },
  })
}

/** Returns a source with a replacement. @throws Error when the text is not in it exactly once */
export const replaceText = (source: string, { file, find, replace }: SourceReplacement): string => {
  const pieces = source.split(find)
  if (pieces.length !== 2) throw new Error(`${file} holds ${pieces.length - 1} times: ${find}`)
  return pieces.join(replace)
}
